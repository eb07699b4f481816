//! Problems of elements: where they are, their attributes and their bodies.

use super::problems;
use crate::diagnostic::message::{Hint, Message};
use crate::diagnostic::nearest::nearest;
use crate::element::Tag;

problems! {
    /// Problems of elements: where they are, their attributes and their bodies. Each variant shows the shortest text that causes it.
    ElementProblem ELEMENT

    /// `<tool_call tool_call_id="c"></tool_call>`
    MissingAttribute {
        /// The element.
        tag: Tag,
        /// The attribute that is missing.
        name: &'static str,
        /// Whether the tag is in Markdown code, and so is probably meant as text.
        is_in_code: bool,
    }: "missing-attribute" Error Malformed => missing_attribute(*tag, name, *is_in_code);

    /// `<msg role="bogus"></msg>`
    UnknownRole(role: String): "unknown-value" Error Malformed => Message::new(
        format!("unknown role `{role}`"),
        "not a role",
        "a role is `user`, `assistant`, `system`, `developer` or `tool`",
    );

    /// `<assistant status="completed"></assistant>`
    StatusWithoutId: "missing-attribute" Error Malformed => Message::new(
        "a message with `status` needs an `id`",
        "`id` is missing",
        "add `id=\"msg_…\"`, or remove `status`",
    );

    /// `<img src="u"/>`
    InlineAtTopLevel(tag: Tag): "misplaced-element" Error Malformed => Message::new(
        format!("`<{}>` is outside of any message", tag.name()),
        "at top level",
        "put it in a message, such as `<user>…</user>`",
    );

    /// `<user><tool_call/></user>`
    NestedToolTrace(tag: Tag): "misplaced-element" Error Malformed => Message::new(
        format!("`<{}>` inside another element", tag.name()),
        "must be at top level",
        "close the element before it; if it is meant as text, wrap it in `RAW|` and `|RAW`",
    );

    /// `<user><tool name="x"/></user>`
    NestedBlock(tag: Tag): "nested-block" Warning Malformed is_fixable is_allowable => Message::new(
        format!("`<{}>` inside another element is sent as text", tag.name()),
        "sent as written",
        "if it is meant as text, wrap it in `RAW|` and `|RAW`; otherwise close the element around it first",
    );

    /// `<user><import src="b.md"/></user>`, where `b.md` holds `<user></user>`
    BlockInImportedBody(tag: Tag): "misplaced-element" Error Malformed => Message::new(
        format!("`<{}>` in a file that is imported into a message", tag.name()),
        "not allowed in a body",
        "import the file at top level, or wrap the tag in `RAW|` and `|RAW`",
    );

    /// `<user id="a" id="b"></user>`
    RepeatedAttribute(name: String): "repeated-attribute" Warning Malformed is_allowable => {
        Message::new(format!("duplicate attribute `{name}`"), "ignored", "the last one counts: remove this one")
    };

    /// `<user color="red"></user>`
    UnknownAttribute {
        /// The element.
        tag: Tag,
        /// The attribute.
        name: String,
    }: "unknown-attribute" Warning Malformed is_allowable => {
        let help = match nearest(name, tag.attribute_names()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if *tag == Tag::Config => {
                "remove it, check its spelling, or write the field as JSON in the body of `<config>`".to_owned()
            }
            None => "remove it, or check its spelling".to_owned(),
        };
        Message::new(format!("unknown attribute `{name}` on `<{}>`", tag.name()), "ignored", help)
    };

    /// `<tool_call type="x" function_name="f" tool_call_id="c"></tool_call>`
    UnknownToolType(kind: String): "unknown-value" Warning Malformed is_allowable => Message::new(
        format!("unknown type of tool call `{kind}`"),
        "read as a function call",
        "remove `type` for a function, or write `type=\"custom_tool_call\"`",
    );

    /// `<tool_call function_name="f" tool_call_id="c"><doc file_id="f"/></tool_call>`
    PartInText(tag: Tag): "part-not-allowed" Error Malformed => Message::new(
        format!("`<{}>` holds more than text", tag.name()),
        "not text",
        "only text, and documents by their text, are allowed here",
    );

    /// `<system instructions><img src="u"/></system>`
    PartInInstructions: "part-in-instructions" Error Malformed => {
        Message::new("instructions hold more than text", "not text", "move it to a message of its own")
    };

    /// `<user><img src="u" file_id="f"/></user>`
    TwoSources {
        /// The element.
        tag: Tag,
        /// The two attributes.
        names: [&'static str; 2],
    }: "exclusive-fields" Error Malformed => {
        let [one, other] = names;
        let title = format!("`<{}>` has both `{one}` and `{other}`", tag.name());
        Message::new(title, "two sources", "remove one of them")
    };

    /// `<user><img src="cat.png"/></user>`
    NotAUrl: "not-a-url" Warning Malformed is_allowable => Message::new(
        "the API cannot fetch this: it is not an `https://` URL",
        "read as a URL",
        "add `local` for a file next to the document; if it is HTML and meant as text, wrap it in `RAW|` and `|RAW`",
    );

    /// `<user><img src="u">alt</img></user>`
    IgnoredContent(tag: Tag): "ignored-content" Warning Malformed is_allowable => Message::new(
        format!("the content of `<{}>` is not sent", tag.name()),
        "ignored",
        format!("write `<{} …/>`, and the text next to it", tag.name()),
    );

    /// `<reasoning id="r" content="x"></reasoning>`
    NotAnEmptyList(name: String): "invalid-value" Error Malformed => Message::new(
        format!("`{name}` must be `[]` here"),
        "unexpected value",
        format!(
            "write `{name}=\"[]\"`, or a bare `{name}` for null; anything else goes in a `chatmd:part` comment"
        ),
    );

    /// `<reasoning id="r"></reasoning>` for a stateless API
    ReasoningOmitted: "reasoning-omitted" Warning Malformed is_allowable => Message::new(
        "reasoning without `encrypted_content` cannot be used in stateless mode",
        "not sent",
        "remove it, or keep the encrypted reasoning of the next turns",
    )
    .hint(Hint::AskForEncryptedReasoning);
}

fn missing_attribute(tag: Tag, attribute: &str, is_in_code: bool) -> Message {
    let name = tag.name();
    if !matches!(tag, Tag::Img | Tag::Doc) {
        let help = format!("write `<{name} {attribute}=\"…\" …>`");
        return Message::new(format!("`<{name}>` needs `{attribute}`"), "missing here", help);
    }
    let help = if is_in_code {
        "tags in Markdown code are tags too: wrap it in `RAW|` and `|RAW`".to_owned()
    } else {
        format!("write `<{name} src=\"…\"/>` or `<{name} file_id=\"file-…\"/>`")
    };
    Message::new(format!("`<{name}>` needs `src` or `file_id`"), "missing here", help)
}
