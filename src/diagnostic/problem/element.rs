//! Problems of elements: where they are, their attributes and their bodies.

use crate::diagnostic::message::{Hint, Message};
use crate::diagnostic::nearest::nearest;
use crate::diagnostic::rule::rules;
use crate::element::Tag;

/// Problems of elements: where they are, their attributes and their bodies. Each variant shows the shortest text that causes it.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum ElementProblem {
    /// `<tool_call tool_call_id="c"></tool_call>`
    MissingAttribute {
        /// The element.
        tag: Tag,
        /// The attribute that is missing.
        name: &'static str,
        /// Whether the tag is in Markdown code, and so is probably meant as text.
        is_in_code: bool,
    },
    /// `<msg role="bogus"></msg>`
    UnknownRole(String),
    /// `<assistant status="completed"></assistant>`
    StatusWithoutId,
    /// `<img src="u"/>`
    InlineAtTopLevel(Tag),
    /// `<user><tool_call/></user>`
    NestedToolTrace(Tag),
    /// `<user><tool name="x"/></user>`
    NestedBlock(Tag),
    /// `<user><import src="b.md"/></user>`, where `b.md` holds `<user></user>`
    BlockInImportedBody(Tag),
    /// `<user id="a" id="b"></user>`
    RepeatedAttribute(String),
    /// `<user color="red"></user>`
    UnknownAttribute {
        /// The element.
        tag: Tag,
        /// The attribute.
        name: String,
    },
    /// `<tool_call type="x" function_name="f" tool_call_id="c"></tool_call>`
    UnknownToolType(String),
    /// `<tool_call function_name="f" tool_call_id="c"><doc file_id="f"/></tool_call>`
    PartInText(Tag),
    /// `<system instructions><img src="u"/></system>`
    PartInInstructions,
    /// `<user><img src="u" file_id="f"/></user>`
    TwoSources {
        /// The element.
        tag: Tag,
        /// The two attributes.
        names: [&'static str; 2],
    },
    /// `<user><img src="cat.png"/></user>`
    NotAUrl,
    /// `<user><img src="u">alt</img></user>`
    IgnoredContent(Tag),
    /// `<reasoning id="r" content="x"></reasoning>`
    NotAnEmptyList(String),
    /// `<reasoning id="r"></reasoning>` for a stateless API
    ReasoningOmitted,
}

rules! {
    /// Each variant with its rule.
    ELEMENT of ElementProblem;
    "missing-attribute" Error Malformed: MissingAttribute;
    "unknown-role" Error Malformed: UnknownRole;
    "missing-attribute" Error Malformed: StatusWithoutId;
    "misplaced-element" Error Malformed: InlineAtTopLevel;
    "misplaced-element" Error Malformed: NestedToolTrace;
    "nested-block" Warning Malformed is_fixable is_allowable: NestedBlock;
    "misplaced-element" Error Malformed: BlockInImportedBody;
    "repeated-attribute" Warning Malformed is_allowable: RepeatedAttribute;
    "unknown-attribute" Warning Malformed is_allowable: UnknownAttribute;
    "unknown-value" Warning Malformed is_allowable: UnknownToolType;
    "part-not-allowed" Error Malformed: PartInText;
    "part-in-instructions" Error Malformed: PartInInstructions;
    "exclusive-fields" Error Malformed: TwoSources;
    "not-a-url" Warning Malformed is_allowable: NotAUrl;
    "ignored-content" Warning Malformed is_allowable: IgnoredContent;
    "invalid-value" Error Malformed: NotAnEmptyList;
    "reasoning-omitted" Warning Malformed is_allowable: ReasoningOmitted;
}

impl ElementProblem {
    /// The problem in words.
    pub(super) fn message(&self) -> Message {
        match self {
            ElementProblem::MissingAttribute { tag: tag @ (Tag::Img | Tag::Doc), is_in_code, .. } => {
                let name = tag.name();
                let help = if *is_in_code {
                    "tags in Markdown code are tags too: wrap it in `RAW|` and `|RAW`".to_owned()
                } else {
                    format!("write `<{name} src=\"…\"/>` or `<{name} file_id=\"file-…\"/>`")
                };
                Message::new(format!("`<{name}>` needs `src` or `file_id`"), "missing here", help)
            }
            ElementProblem::MissingAttribute { tag, name, .. } => Message::new(
                format!("`<{}>` needs `{name}`", tag.name()),
                "missing here",
                format!("write `<{} {name}=\"…\" …>`", tag.name()),
            ),
            ElementProblem::UnknownRole(role) => Message::new(
                format!("unknown role `{role}`"),
                "not a role",
                "a role is `user`, `assistant`, `system`, `developer` or `tool`",
            ),
            ElementProblem::StatusWithoutId => Message::new(
                "a message with `status` needs an `id`",
                "`id` is missing",
                "add `id=\"msg_…\"`, or remove `status`",
            ),
            ElementProblem::InlineAtTopLevel(tag) => Message::new(
                format!("`<{}>` is outside of any message", tag.name()),
                "at top level",
                "put it in a message, such as `<user>…</user>`",
            ),
            ElementProblem::NestedToolTrace(tag) => Message::new(
                format!("`<{}>` inside another element", tag.name()),
                "must be at top level",
                "close the element before it; if it is meant as text, wrap it in `RAW|` and `|RAW`",
            ),
            ElementProblem::NestedBlock(tag) => Message::new(
                format!("`<{}>` inside another element is sent as text", tag.name()),
                "sent as written",
                "if it is meant as text, wrap it in `RAW|` and `|RAW`; otherwise close the element around it first",
            ),
            ElementProblem::BlockInImportedBody(tag) => Message::new(
                format!("`<{}>` in a file that is imported into a message", tag.name()),
                "not allowed in a body",
                "import the file at top level, or wrap the tag in `RAW|` and `|RAW`",
            ),
            ElementProblem::RepeatedAttribute(name) => {
                Message::new(format!("duplicate attribute `{name}`"), "ignored", "the last one counts: remove this one")
            }
            ElementProblem::UnknownAttribute { tag, name } => unknown_attribute(*tag, name),
            ElementProblem::UnknownToolType(kind) => Message::new(
                format!("unknown type of tool call `{kind}`"),
                "read as a function call",
                "remove `type` for a function, or write `type=\"custom_tool_call\"`",
            ),
            ElementProblem::PartInText(tag) => Message::new(
                format!("`<{}>` holds more than text", tag.name()),
                "not text",
                "only text, and documents by their text, are allowed here",
            ),
            ElementProblem::PartInInstructions => {
                Message::new("instructions hold more than text", "not text", "move it to a message of its own")
            }
            ElementProblem::TwoSources { tag, names: [one, other] } => {
                let title = format!("`<{}>` has both `{one}` and `{other}`", tag.name());
                Message::new(title, "two sources", "remove one of them")
            }
            ElementProblem::NotAUrl => Message::new(
                "the API cannot fetch this: it is not an `https://` URL",
                "read as a URL",
                "add `local` for a file next to the document; if it is HTML and meant as text, wrap it in `RAW|` and `|RAW`",
            ),
            ElementProblem::IgnoredContent(tag) => Message::new(
                format!("the content of `<{}>` is not sent", tag.name()),
                "ignored",
                format!("write `<{} …/>`, and the text next to it", tag.name()),
            ),
            ElementProblem::NotAnEmptyList(name) => Message::new(
                format!("`{name}` must be `[]` here"),
                "unexpected value",
                format!(
                    "write `{name}=\"[]\"`, or a bare `{name}` for null; anything else goes in a `chatmd:part` comment"
                ),
            ),
            ElementProblem::ReasoningOmitted => Message::new(
                "reasoning without `encrypted_content` cannot be used in stateless mode",
                "not sent",
                "remove it, or keep the encrypted reasoning of the next turns",
            )
            .hint(Hint::AskForEncryptedReasoning),
        }
    }
}

fn unknown_attribute(tag: Tag, name: &str) -> Message {
    let help = match nearest(name, tag.attribute_names()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None if tag == Tag::Config => {
            "remove it, check its spelling, or write the field as JSON in the body of `<config>`".to_owned()
        }
        None => "remove it, or check its spelling".to_owned(),
    };
    Message::new(format!("unknown attribute `{name}` on `<{}>`", tag.name()), "ignored", help)
}
