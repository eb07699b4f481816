//! Messages about `chatmd:` comments.

use crate::diagnostic::message::Message;

pub(super) fn misplaced(kind: &str) -> Message {
    let (label, help) = match kind {
        "item" | "item-files" | "request" => ("only allowed at top level", "move it out of the element"),
        "fields" => (
            "only allowed directly after an opening tag or before the closing tag",
            "move it to the tag whose item it belongs to",
        ),
        "part" => ("only allowed in the body of a message, an output or reasoning", "move it there"),
        _ => {
            ("unknown comment", "`chatmd:` comments are `item`, `item-files`, `request`, `fields`, `part` and `allow`")
        }
    };
    let help = format!("{help}; if it is meant as text, wrap it in `RAW|` and `|RAW`");
    Message::new(format!("`chatmd:{kind}` has no meaning here"), label, help)
}
