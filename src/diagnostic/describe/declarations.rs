//! Messages about declarations.

use crate::diagnostic::message::Message;
use crate::element::Tag;

pub(super) fn malformed_body(tag: Tag, what: &str) -> Message {
    let help = if tag == Tag::Config {
        "write one JSON object with fields of the request"
    } else {
        "write one JSON object: the parameters of a function, or more fields of another kind of tool"
    };
    Message::new(format!("the body of `<{}>` is not one JSON object: {what}", tag.name()), "here", help)
}
