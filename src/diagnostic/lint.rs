//! What is not wrong with a text, and yet will go wrong, cost, leak or surprise.

use super::Severity;
use super::message::Message;
use crate::element::Tag;
use crate::source::Span;

/// What `check` finds in a document that can be read. Each variant shows the shortest text that causes it.
#[derive(Debug, Clone, PartialEq)]
pub enum Lint {
    /// `<tool_call …>` without a `<tool_response …>`, and then `<user>next</user>`
    CallWithoutOutput(String),
    /// `<tool_call …>` at the end of the document
    CallNotAnswered(String),
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
    /// `<!-- chatmd:allow E0104 -->`
    NotAllowable(String),
    /// `<user>a <b then c</user>` with `--portable`
    OchatMarkup,
    /// `<user id="a > b">x</user>` with `--portable`
    OchatAttribute(String),
    /// `<!-- chatmd:item {…} -->` with `--portable`
    OchatComment,
}

impl Lint {
    /// Whether the API would reject it, or it is only not what was meant.
    pub(super) fn severity(&self) -> Severity {
        match self {
            Lint::CallWithoutOutput(_)
            | Lint::OutputWithoutCall { .. }
            | Lint::OutputBeforeCall { .. }
            | Lint::DuplicateCallId { .. }
            | Lint::DuplicateId { .. }
            | Lint::IdLength { .. }
            | Lint::OutputTooLong { .. }
            | Lint::ImageTooLarge { .. }
            | Lint::BrokenBase64
            | Lint::WrongMediaType { .. }
            | Lint::AnimatedImage
            | Lint::EmptySource
            | Lint::ToolName(_)
            | Lint::UnsupportedImage(_)
            | Lint::NotAUrl
            | Lint::PartNotAllowed { .. }
            | Lint::ReasoningWithoutItem
            | Lint::UnknownValue { .. } => Severity::Error,
            Lint::CallNotAnswered(_)
            | Lint::Base64InText { .. }
            | Lint::StringifiedContent { .. }
            | Lint::Secret { .. }
            | Lint::HiddenCharacters { .. }
            | Lint::TagInCode(_)
            | Lint::CommentInCode
            | Lint::RawInWord
            | Lint::UnknownRule { .. }
            | Lint::NotAllowable(_)
            | Lint::OchatMarkup
            | Lint::OchatAttribute(_)
            | Lint::OchatComment => Severity::Warning,
        }
    }

    // A table, one row a concern.
    #[allow(clippy::too_many_lines)]
    pub(super) fn message(&self) -> Message {
        match self {
            Lint::CallWithoutOutput(id) => {
                Message::new("call-without-output", format!("the call `{id}` has no output"), "goes unanswered")
                    .help(format!("add `<tool_response tool_call_id=\"{id}\">` before the next message: the API rejects the request without it"))
            }
            Lint::CallNotAnswered(id) => {
                Message::new("call-not-answered", format!("the call `{id}` waits for its output"), "not answered yet")
                    .help(format!("run the tool and add `<tool_response tool_call_id=\"{id}\">` before you send the document"))
            }
            Lint::OutputWithoutCall { call_id, other: Some(call) } => {
                Message::new("output-without-call", format!("the output of `{call_id}` is of another type than its call"), "answers another type")
                    .related(*call, "the call")
                    .help("give both the same `type`: `function_call`, or `custom_tool_call` for free text")
            }
            Lint::OutputWithoutCall { call_id, other: None } => {
                Message::new("output-without-call", format!("no call has the id `{call_id}`"), "answers nothing")
                    .help("add the call before it, or `previous_response_id` if the server keeps that turn")
            }
            Lint::OutputBeforeCall { call_id, call } => {
                Message::new("output-before-call", format!("the output of `{call_id}` stands before its call"), "too early")
                    .related(*call, "the call")
                    .help("move it behind the call")
            }
            Lint::DuplicateCallId { call_id, first } => {
                Message::new("duplicate-call-id", format!("`{call_id}` is used twice"), "again here")
                    .related(*first, "first here")
                    .help("each call has an id of its own, and one output")
            }
            Lint::DuplicateId { id, first } => {
                Message::new("duplicate-id", format!("two items have the id `{id}`"), "again here")
                    .related(*first, "first here")
                    .help("remove one of the items, or its `id`")
            }
            Lint::IdLength { key, length: 0, most } => {
                Message::new("id-length", format!("`{key}` is empty"), "here").help(format!("the API takes 1 to {most} characters"))
            }
            Lint::IdLength { key, length, most } => {
                Message::new("id-length", format!("`{key}` has {length} characters"), "too long").help(format!("the API takes at most {most}"))
            }
            Lint::OutputTooLong { length, most } => {
                Message::new("output-too-long", format!("this output has {} characters", thousands(*length)), "too long")
                    .help(format!("the API takes at most {}: shorten it, or give the file by its id", thousands(*most)))
            }
            Lint::ImageTooLarge { length, most } => {
                Message::new("image-too-large", format!("this image's URL has {} characters", thousands(*length)), "too large")
                    .help(format!("the API takes at most {}: make the image smaller, or give it by its file id", thousands(*most)))
            }
            Lint::BrokenBase64 => Message::new("broken-base64", "this `data:` URL holds no base64, or not all of it", "cannot be decoded")
                .help("it may have been cut short: encode the file again, or refer to it by `src=\"…\" local`"),
            Lint::WrongMediaType { said, is: Some(is) } => {
                Message::new("wrong-media-type", format!("this is `{is}`, and its URL says `{said}`"), "does not match")
                    .help(format!("write `data:{is};base64,…`"))
            }
            Lint::WrongMediaType { said, is: None } => {
                Message::new("wrong-media-type", format!("the bytes of this `{said}` are something else"), "does not match")
                    .help("the API takes PNG, JPEG, WebP and still GIF images, and PDF files as `application/pdf`")
            }
            Lint::UnsupportedImage(said) => {
                Message::new("unsupported-image", format!("`{said}` is no image that the API takes"), "of the wrong type")
                    .help("convert it to PNG, JPEG, WebP or a still GIF")
            }
            Lint::AnimatedImage => Message::new("unsupported-image", "this GIF has several frames", "not a still image")
                .help("the API takes only still images: send one frame of it"),
            Lint::EmptySource => Message::new("empty-source", "an image or a file without a source", "names nothing")
                .help("give it `src` or `file_id`, or remove it"),
            Lint::NotAUrl => Message::new("not-a-url", "the API cannot fetch this: it is no `https://` URL", "taken for a URL")
                .help("add `local` for a file beside the document; if it is HTML and meant as text, wrap it in `RAW|` and `|RAW`"),
            Lint::ToolName(name) => {
                Message::new("tool-name", format!("`{name}` is no name for a tool"), "not taken by the API")
                    .help("a name has 1 to 64 letters, digits, `_` and `-`")
            }
            Lint::PartNotAllowed { kind, place } => {
                Message::new("part-not-allowed", format!("`{kind}` cannot stand in {place}"), "of the wrong type")
                    .help("what the assistant said is `output_text` or `refusal`, what it is given `input_text`, `input_image` or `input_file`")
            }
            Lint::ReasoningWithoutItem => {
                Message::new("reasoning-without-item", "this reasoning leads to nothing", "no message and no call follows")
                    .help("the API rejects reasoning without the item it came with: add that item, or remove the reasoning")
            }
            Lint::UnknownValue { key, value, known } => {
                let title = if value.is_empty() { format!("`{key}` is empty") } else { format!("`{value}` is no `{key}`") };
                Message::new("unknown-value", title, "unknown value")
                    .help(format!("the API knows `{}`", known.join("`, `")))
            }
            Lint::Base64InText { length, tokens, as_image } => {
                let title = format!("{} characters of base64 in a text cost about {} tokens", thousands(*length), thousands(*tokens));
                let message = Message::new("base64-in-text", title, "sent as text");
                match as_image {
                    Some(image) if image < tokens => message.help(format!("as `<img src=\"data:…\"/>` it would cost about {}", thousands(*image))),
                    Some(_) => message.help("send it as `<img src=\"data:…\"/>`"),
                    None => message.help("leave it out; a message or a tool response can hold it as a file with `<doc … file/>`"),
                }
            }
            Lint::StringifiedContent { tokens } => {
                let title = format!("content parts written as text cost about {} tokens", thousands(*tokens));
                Message::new("stringified-content", title, "sent as text")
                    .help("in a message write `<img>` and text; a tool response without `output=` may hold the array itself")
            }
            Lint::Secret { what, file } => {
                let title = match file {
                    Some(file) => format!("`{file}` holds what looks like {what}"),
                    None => format!("this looks like {what}"),
                };
                Message::new("secret", title, "goes where the document goes").help("revoke it, and put a placeholder in its place")
            }
            Lint::HiddenCharacters { first, count, file } => {
                let more = if *count > 1 { format!(" and {} more", count - 1) } else { String::new() };
                let holds = file.as_ref().map(|file| format!("`{file}` holds ")).unwrap_or_default();
                let title = format!("{holds}the invisible character U+{:04X}{more}", u32::from(*first));
                Message::new("hidden-characters", title, "here").help("the model reads what you cannot see: remove it")
            }
            Lint::TagInCode(tag) => {
                Message::new("tag-in-code", format!("`<{}>` inside Markdown code is still a tag", tag.name()), "not shown as code")
                    .help("wrap it in `RAW|` and `|RAW`")
            }
            Lint::CommentInCode => Message::new("comment-in-code", "a comment inside Markdown code is still removed", "not sent")
                .help("wrap it in `RAW|` and `|RAW`"),
            Lint::RawInWord => Message::new("raw-in-word", "`RAW|` in a word, a table or code still opens a block", "opens a RAW block")
                .help("put a space before it; what is meant as text can say `RAW` and `|` apart"),
            Lint::NotAllowable(name) => {
                Message::new("unknown-rule", format!("`{name}` cannot be allowed"), "allows nothing")
                    .help("with such an error there is no request: mend it")
            }
            Lint::UnknownRule { name, .. } if name.is_empty() => {
                Message::new("unknown-rule", "`chatmd:allow` names no rule", "allows nothing").help("write `<!-- chatmd:allow RULE -->`")
            }
            Lint::UnknownRule { name, meant } => {
                let message = Message::new("unknown-rule", format!("there is no rule `{name}`"), "allows nothing");
                match meant {
                    Some(meant) => message.help(format!("did you mean `{meant}`?")),
                    None => message.help("`chatmd explain` lists the rules"),
                }
            }
            Lint::OchatMarkup => Message::new("ochat-markup", "ochat takes this `<` for a tag that ends further on", "opens a tag for ochat")
                .help("wrap it in `RAW|` and `|RAW`"),
            Lint::OchatAttribute(name) => {
                Message::new("ochat-attribute", format!("for ochat the `>` in `{name}` ends the tag"), "holds a `>`").help("write `&gt;`")
            }
            Lint::OchatComment => Message::new("ochat-comment", "ochat skips what this comment carries", "lost there")
                .help("say it with elements and attributes where they can"),
        }
    }
}

/// A number with a comma before every three digits.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
