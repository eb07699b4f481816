//! Messages about tags.

use crate::diagnostic::message::{Hint, Message};
use crate::element::Tag;
use crate::source::Span;

pub(super) fn text_at_top_level(misspelt: Option<&(String, Tag)>, is_json: bool) -> Message {
    let message = |help: &str| Message::new("text outside of any element", "not inside an element", help);
    match misspelt {
        _ if is_json => message("this looks like JSON, not a document").hint(Hint::ConvertJson),
        Some((written, meant)) => Message::new(
            format!("unknown tag `<{written}>`"),
            "read as text, outside of any element",
            format!("did you mean `<{}>`?", meant.name()),
        ),
        None => message("put it in a message, such as `<user>…</user>`, or in a comment"),
    }
}

pub(super) fn unclosed(tag: Tag, misspelt_at: Option<Span>) -> Message {
    let name = tag.name();
    let help = if matches!(tag, Tag::Config | Tag::Tool) {
        format!("end the tag with `/>`; if the element has a body, end that with `</{name}>`")
    } else {
        format!("end it with `</{name}>`")
    };
    let message = Message::new(format!("`<{name}>` is never closed"), "opened here", help);
    match misspelt_at {
        Some(span) => message.related(span, "this is text: did you mean to close it here?"),
        None => message,
    }
}
