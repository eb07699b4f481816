//! Messages about declarations.

use crate::diagnostic::message::{Hint, Message};
use crate::diagnostic::nearest::nearest;
use crate::element::Tag;

pub(super) fn malformed_body(tag: Tag, what: &str) -> Message {
    let help = if tag == Tag::Config {
        "write one JSON object with fields of the request"
    } else {
        "write one JSON object: the parameters of a function, or more fields of another kind of tool"
    };
    Message::new(format!("the body of `<{}>` is not one JSON object: {what}", tag.name()), "here", help)
}

pub(super) fn missing_model(is_empty: bool) -> Message {
    if is_empty {
        let help = "write `<config model=\"…\"/>` and `<user>…</user>`";
        return Message::new("the document is empty", "nothing to send", help).hint(Hint::StartDocument);
    }
    let title = "model is required, and the document does not name one";
    Message::new(title, "no model for this request", "write `<config model=\"…\"/>`").hint(Hint::NameModel)
}

pub(super) fn unknown_attribute(tag: Tag, name: &str, known: &[&str]) -> Message {
    let help = match nearest(name, known.iter().copied()) {
        Some(meant) => format!("did you mean `{meant}`?"),
        None => "remove it, or check its spelling".to_owned(),
    };
    Message::new(format!("unknown attribute `{name}` on `<{}>`", tag.name()), "ignored", help)
}

pub(super) fn invalid_config(name: &str, wanted: &str, found: Option<&str>) -> Message {
    let found =
        found.map(|found| if found.is_empty() { ", found nothing".to_owned() } else { format!(", found `{found}`") });
    Message::new(
        format!("`{name}` must be {wanted}{}", found.unwrap_or_default()),
        "invalid value",
        format!("write `{name}=\"…\"` with {wanted}"),
    )
}

pub(super) fn suspect_field(what: &str) -> Message {
    Message::new(
        format!("the API would reject this: {what}"),
        "sent as it is written",
        "fix it here; JSON in a body is sent as it is",
    )
}
