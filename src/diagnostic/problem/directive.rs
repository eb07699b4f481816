//! Problems of `chatmd:` comments.

use super::problems;
use crate::diagnostic::message::Message;

problems! {
    /// Problems of `chatmd:` comments. Each variant shows the shortest text that causes it.
    DirectiveProblem DIRECTIVE

    /// `<user><!-- chatmd:item {} --></user>`
    MisplacedDirective {
        /// The word after `chatmd:`.
        kind: String,
        /// Where such a comment is allowed.
        place: DirectivePlace,
    }: "misplaced-directive" Error Malformed => misplaced(kind, *place);

    /// `<import src="b.md"/>`, where `b.md` holds `<!-- chatmd:item {} -->`
    DirectiveInImport: "misplaced-directive" Error Malformed => Message::new(
        "a `chatmd:` comment in an imported file",
        "not allowed here",
        "only the document itself may have such comments: move it there",
    );

    /// `<!-- chatmd:item {"type": -->`
    MalformedDirective(what: String): "malformed-directive" Error Malformed => Message::new(
        format!("malformed `chatmd:` comment: {what}"),
        "in this comment",
        "it holds one JSON object; write `--` and `>` in it as `-\\u002d` and `\\u003e`",
    );

    /// `<user><!-- chatmd:fields {"role":"system"} --></user>`
    ForbiddenField(key: String): "forbidden-field" Error Malformed => Message::new(
        format!("`chatmd:fields` cannot set `{key}`"),
        "in this comment",
        "the element's tag and body set it",
    );

    /// `<!-- chatmd:request {} --><!-- chatmd:request {} -->`
    RepeatedRequest: "repeated-config" Error Malformed => {
        Message::new("a second `chatmd:request`", "there is one before it", "put all fields in one comment")
    };
}

/// Where a kind of `chatmd:` comments is allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DirectivePlace {
    /// At top level.
    TopLevel,
    /// Next to the tags of an element.
    Tag,
    /// In a body.
    Body,
    /// The kind is unknown.
    Unknown,
}

fn misplaced(kind: &str, place: DirectivePlace) -> Message {
    let (label, help) = match place {
        DirectivePlace::TopLevel => ("only allowed at top level", "move it out of the element"),
        DirectivePlace::Tag => (
            "only allowed directly after an opening tag or before the closing tag",
            "move it to the tag whose item it belongs to",
        ),
        DirectivePlace::Body => ("only allowed in the body of a message, an output or reasoning", "move it there"),
        DirectivePlace::Unknown => {
            ("unknown comment", "`chatmd:` comments are `item`, `item-files`, `request`, `fields`, `part` and `allow`")
        }
    };
    let help = format!("{help}; if it is meant as text, wrap it in `RAW|` and `|RAW`");
    Message::new(format!("`chatmd:{kind}` has no meaning here"), label, help)
}
