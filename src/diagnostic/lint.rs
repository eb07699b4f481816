//! What `check` finds in a document that can be read: what the API would reject, what costs, leaks or surprises.

use super::message::{Hint, Message, thousands};
use super::rule::rules;
use crate::element::Tag;
use crate::source::Span;

/// What `check` finds in a document that can be read. Each variant shows the shortest text that causes it.
#[derive(Debug, Clone, PartialEq)]
pub enum Lint {
    /// `<tool_call …>` without a `<tool_response …>`, and then `<user>next</user>`
    CallWithoutOutput(String),
    /// `<tool_call …>` at the end of the document
    PendingCall(String),
    /// `<tool_response tool_call_id="a">x</tool_response>`
    OutputWithoutCall {
        /// The id of the call.
        call_id: String,
        /// A call of that id that is of another type.
        other: Option<Span>,
    },
    /// `<tool_response tool_call_id="a">`, and then `<tool_call tool_call_id="a">`
    OutputBeforeCall {
        /// What both name.
        call_id: String,
        /// The call.
        call: Span,
    },
    /// `<tool_call tool_call_id="a">` twice
    DuplicateCallId {
        /// The id.
        call_id: String,
        /// Where it is first.
        first: Span,
    },
    /// `<assistant id="a">` twice
    DuplicateId {
        /// The id.
        id: String,
        /// Where it is first.
        first: Span,
    },
    /// `<assistant id="">`
    IdLength {
        /// Which id.
        key: &'static str,
        /// How many characters it has.
        length: usize,
        /// How many it may have.
        most: usize,
    },
    /// `<tool_response …>` with 11 MB of text
    OutputTooLong {
        /// How many characters it has.
        length: usize,
        /// How many it may have.
        most: usize,
    },
    /// `<img src="data:image/png;base64,…"/>` with 21 MB
    ImageTooLarge {
        /// How many characters its URL has.
        length: usize,
        /// How many it may have.
        most: usize,
    },
    /// `<img src="data:image/png;base64,iVBOR"/>`
    BrokenBase64,
    /// `<img src="data:image/png;base64,R0lGODlh…"/>`
    WrongMediaType {
        /// What the URL says.
        said: String,
        /// What the bytes are, if that is known.
        is: Option<&'static str>,
    },
    /// `<img src="data:image/svg+xml;base64,…"/>`
    UnsupportedImage(String),
    /// `<img src="data:image/gif;base64,…"/>` with several frames
    AnimatedImage,
    /// `<img src=""/>`
    EmptySource,
    /// `<img src="cat.png"/>`
    NotAUrl,
    /// `<tool_call function_name="a b" …>`
    ToolName(String),
    /// `<assistant><!-- chatmd:part {"type":"input_text"} -->x</assistant>`
    PartNotAllowed {
        /// The part's type.
        kind: String,
        /// Where it stands.
        place: &'static str,
    },
    /// `<reasoning id="rs_1"></reasoning><user>next</user>`
    ReasoningWithoutItem,
    /// `<img src="u" detail="hi"/>`
    UnknownValue {
        /// The field.
        key: &'static str,
        /// Its value.
        value: String,
        /// The values that the API knows.
        known: &'static [&'static str],
    },
    /// `<user>iVBORw0KGgo… and 300 characters more</user>`
    Base64InText {
        /// How many characters.
        length: usize,
        /// How many tokens it costs.
        tokens: usize,
        /// How many tokens it would cost as the image it is.
        as_image: Option<usize>,
    },
    /// `<user>[{"type":"input_image","image_url":"…"}]</user>`
    StringifiedContent {
        /// How many tokens it costs.
        tokens: usize,
    },
    /// `<user>AKIA…</user>`
    Secret {
        /// What it looks like.
        what: &'static str,
        /// The file that holds it, if that is not the document.
        file: Option<String>,
    },
    /// `<user>a`, U+202E, `b</user>`
    HiddenCharacters {
        /// The first of them.
        first: char,
        /// How many stand together.
        count: usize,
        /// The file that holds them, if that is not the document.
        file: Option<String>,
    },
    /// ``<user>Write `<img src="u"/>`.</user>``
    TagInCode(Tag),
    /// ``<user>Write `<!-- x -->`.</user>``
    CommentInCode,
    /// `<user>DRAW|x|RAW</user>`
    RawInWord,
    /// `<!-- chatmd:allow speling -->`
    UnknownRule {
        /// The name.
        name: String,
        /// A rule with a name like it.
        meant: Option<&'static str>,
    },
    /// `<!-- chatmd:allow unterminated-raw -->`
    NotAllowable(String),
    /// `<user>a <b then c</user>` with `--portable`
    OchatMarkup,
    /// `<user id="a > b">x</user>` with `--portable`
    OchatAttribute(String),
    /// `<!-- chatmd:item {…} -->` with `--portable`
    OchatComment,
}

rules! {
    /// The rules that only `check` applies.
    LINTS of Lint;
    "call-without-output" Error Malformed is_allowable: CallWithoutOutput;
    "pending-call" Warning Malformed is_allowable: PendingCall;
    "output-without-call" Error Malformed is_allowable: OutputWithoutCall;
    "output-before-call" Error Malformed is_allowable: OutputBeforeCall;
    "duplicate-call-id" Error Malformed is_allowable: DuplicateCallId;
    "duplicate-id" Error Malformed is_allowable: DuplicateId;
    "id-length" Error Malformed is_allowable: IdLength;
    "output-too-long" Error Malformed is_allowable: OutputTooLong;
    "image-too-large" Error Malformed is_allowable: ImageTooLarge;
    "broken-base64" Error Malformed is_allowable: BrokenBase64;
    "wrong-media-type" Error Malformed is_allowable: WrongMediaType;
    "unsupported-image" Error Malformed is_allowable: UnsupportedImage | AnimatedImage;
    "empty-source" Error Malformed is_allowable: EmptySource;
    "not-a-url" Error Malformed is_allowable: NotAUrl;
    "tool-name" Error Malformed is_allowable: ToolName;
    "part-not-allowed" Error Malformed is_allowable: PartNotAllowed;
    "reasoning-without-item" Error Malformed is_allowable: ReasoningWithoutItem;
    "unknown-value" Error Malformed is_allowable: UnknownValue;
    "base64-in-text" Warning Malformed is_fixable is_allowable: Base64InText;
    "stringified-content" Warning Malformed is_allowable: StringifiedContent;
    "secret" Warning Malformed is_allowable: Secret;
    "hidden-characters" Warning Malformed is_allowable: HiddenCharacters;
    "tag-in-code" Warning Malformed is_fixable is_allowable: TagInCode;
    "comment-in-code" Warning Malformed is_fixable is_allowable: CommentInCode;
    "raw-in-word" Warning Malformed is_allowable: RawInWord;
    "unknown-rule" Warning Malformed is_allowable: UnknownRule | NotAllowable;
    "ochat-markup" Warning Malformed is_allowable: OchatMarkup;
    "ochat-attribute" Warning Malformed is_allowable: OchatAttribute;
    "ochat-comment" Warning Malformed is_allowable: OchatComment;
}

impl Lint {
    /// The finding in words.
    #[allow(clippy::too_many_lines)] // a table: one arm for each lint
    pub(super) fn message(&self) -> Message {
        match self {
            Lint::CallWithoutOutput(id) => Message::new(
                format!("tool call `{id}` has no output"),
                "not answered",
                format!(
                    "add `<tool_response tool_call_id=\"{id}\">` before the next message: the API rejects the request without it"
                ),
            ),
            Lint::PendingCall(id) => Message::new(
                format!("tool call `{id}` is waiting for its output"),
                "not answered yet",
                format!("run the tool and add `<tool_response tool_call_id=\"{id}\">` before you send the document"),
            ),
            Lint::OutputWithoutCall { call_id, other: Some(call) } => Message::new(
                format!("the output of `{call_id}` has another type than its call"),
                "another type",
                "give both the same `type`: `function_call`, or `custom_tool_call` for free text",
            )
            .related(*call, "the call"),
            Lint::OutputWithoutCall { call_id, other: None } => Message::new(
                format!("there is no tool call `{call_id}`"),
                "answers nothing",
                "add the call before it, or `previous_response_id` if the server keeps that turn",
            ),
            Lint::OutputBeforeCall { call_id, call } => Message::new(
                format!("the output of `{call_id}` is before its call"),
                "too early",
                "move it after the call",
            )
            .related(*call, "the call"),
            Lint::DuplicateCallId { call_id, first } => Message::new(
                format!("duplicate call id `{call_id}`"),
                "used again here",
                "give each call an id of its own, and one output",
            )
            .related(*first, "first used here"),
            Lint::DuplicateId { id, first } => Message::new(
                format!("duplicate item id `{id}`"),
                "used again here",
                "remove one of the items, or its `id`",
            )
            .related(*first, "first used here"),
            Lint::IdLength { key, length: 0, most } => {
                Message::new(format!("`{key}` is empty"), "here", format!("the API accepts 1 to {most} characters"))
            }
            Lint::IdLength { key, length, most } => Message::new(
                format!("`{key}` has {length} characters"),
                "too long",
                format!("the API accepts at most {most}"),
            ),
            Lint::OutputTooLong { length, most } => Message::new(
                format!("this output has {} characters", thousands(*length)),
                "too long",
                format!("the API accepts at most {}: shorten it, or upload it and use its file id", thousands(*most)),
            ),
            Lint::ImageTooLarge { length, most } => Message::new(
                format!("the URL of this image has {} characters", thousands(*length)),
                "too large",
                format!(
                    "the API accepts at most {}: make the image smaller, or upload it and use its file id",
                    thousands(*most)
                ),
            ),
            Lint::BrokenBase64 => Message::new(
                "this `data:` URL is not valid base64",
                "cannot be decoded",
                "it may be cut off: encode the file again, or refer to it by `src=\"…\" local`",
            ),
            Lint::WrongMediaType { said, is: Some(is) } => Message::new(
                format!("this is `{is}`, but its URL says `{said}`"),
                "does not match",
                format!("write `data:{is};base64,…`"),
            ),
            Lint::WrongMediaType { said, is: None } => Message::new(
                format!("this is not `{said}`, as its URL says"),
                "does not match",
                "the API accepts PNG, JPEG, WebP and still GIF images, and PDF files as `application/pdf`",
            ),
            Lint::UnsupportedImage(said) => Message::new(
                format!("the API does not accept images of type `{said}`"),
                "unsupported type",
                "convert it to PNG, JPEG, WebP or a still GIF",
            ),
            Lint::AnimatedImage => Message::new(
                "this GIF has several frames",
                "not a still image",
                "the API only accepts still images: send one frame of it",
            ),
            Lint::EmptySource => {
                Message::new("an image or a file without a source", "empty", "give it `src` or `file_id`, or remove it")
            }
            Lint::NotAUrl => Message::new(
                "the API cannot fetch this: it is not an `https://` URL",
                "read as a URL",
                "add `local` for a file next to the document; if it is HTML and meant as text, wrap it in `RAW|` and `|RAW`",
            ),
            Lint::ToolName(name) => Message::new(
                format!("invalid tool name `{name}`"),
                "not accepted by the API",
                "use 1 to 64 letters, digits, `_` and `-`",
            ),
            Lint::PartNotAllowed { kind, place } => Message::new(
                format!("`{kind}` is not allowed in {place}"),
                "wrong type",
                "the assistant says `output_text` or `refusal`; it is given `input_text`, `input_image` or `input_file`",
            ),
            Lint::ReasoningWithoutItem => Message::new(
                "no message and no call follows this reasoning",
                "without its item",
                "the API rejects reasoning without the item it came with: add that item, or remove the reasoning",
            ),
            Lint::UnknownValue { key, value, known } => {
                let title =
                    if value.is_empty() { format!("`{key}` is empty") } else { format!("unknown `{key}`: `{value}`") };
                Message::new(title, "unknown value", format!("the API accepts `{}`", known.join("`, `")))
            }
            Lint::Base64InText { length, tokens, as_image } => {
                let title = format!(
                    "{} characters of base64 in text cost about {} tokens",
                    thousands(*length),
                    thousands(*tokens)
                );
                let help = match as_image {
                    Some(image) if image < tokens => {
                        format!("as `<img src=\"data:…\"/>` it would cost about {}", thousands(*image))
                    }
                    Some(_) => "send it as `<img src=\"data:…\"/>`".to_owned(),
                    None => {
                        "remove it; a message or a tool response can hold it as a file with `<doc … file/>`".to_owned()
                    }
                };
                Message::new(title, "sent as text", help)
            }
            Lint::StringifiedContent { tokens } => Message::new(
                format!("content parts written as text cost about {} tokens", thousands(*tokens)),
                "sent as text",
                "in a message write `<img>` and text; a tool response without `output=` may hold the array itself",
            ),
            Lint::Secret { what, file } => {
                let title = match file {
                    Some(file) => format!("`{file}` holds what looks like {what}"),
                    None => format!("this looks like {what}"),
                };
                Message::new(title, "sent with the document", "revoke it, and replace it with a placeholder")
            }
            Lint::HiddenCharacters { first, count, file } => {
                let more = if *count > 1 { format!(" and {} more", count - 1) } else { String::new() };
                let holds = file.as_ref().map(|file| format!("`{file}` holds ")).unwrap_or_default();
                let title = format!("{holds}the invisible character U+{:04X}{more}", u32::from(*first));
                Message::new(title, "here", "the model reads what you cannot see: remove it")
            }
            Lint::TagInCode(tag) => Message::new(
                format!("`<{}>` inside Markdown code is still a tag", tag.name()),
                "not sent as code",
                "wrap it in `RAW|` and `|RAW`",
            ),
            Lint::CommentInCode => Message::new(
                "a comment inside Markdown code is still removed",
                "not sent",
                "wrap it in `RAW|` and `|RAW`",
            ),
            Lint::RawInWord => Message::new(
                "`RAW|` inside a word, a table or code still opens a RAW block",
                "opens a RAW block",
                "put a space between `RAW` and `|` if it is meant as text",
            ),
            Lint::NotAllowable(name) => Message::new(
                format!("`{name}` cannot be allowed"),
                "allows nothing",
                "there is no request with such an error: fix it",
            ),
            Lint::UnknownRule { name, .. } if name.is_empty() => Message::new(
                "`chatmd:allow` does not name a rule",
                "allows nothing",
                "write `<!-- chatmd:allow RULE -->`",
            ),
            Lint::UnknownRule { name, meant } => {
                let message = |help: String| Message::new(format!("unknown rule `{name}`"), "allows nothing", help);
                match meant {
                    Some(meant) => message(format!("did you mean `{meant}`?")),
                    None => message("check its spelling".to_owned()).hint(Hint::ListRules),
                }
            }
            Lint::OchatMarkup => Message::new(
                "ochat reads this `<` as a tag that ends further on",
                "opens a tag for ochat",
                "wrap it in `RAW|` and `|RAW`",
            ),
            Lint::OchatAttribute(name) => {
                Message::new(format!("ochat ends the tag at the `>` in `{name}`"), "contains `>`", "write `&gt;`")
            }
            Lint::OchatComment => Message::new(
                "ochat ignores the data in this comment",
                "ignored by ochat",
                "use elements and attributes where they can say it",
            ),
        }
    }
}
