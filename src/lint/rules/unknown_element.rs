//! `unknown-element`: a tag with `src` that is not an element of the language, in a message.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::code::{GuessedTag, MarkdownBody};
use crate::resources::media::{is_data_url, is_web_url};
use crate::source::Span;

/// A longer `src` is not shown.
const MAX_SHOWN_SRC: usize = 100;

/// `<user><image src="a.png" local/></user>`
pub(super) const UNKNOWN_ELEMENT: Rule = rule!("unknown-element" Warning Malformed is_allowable);

pub(super) fn check_body(body: &MarkdownBody<'_, '_>, diagnostics: &mut Diagnostics) {
    let Some(source) = body.nodes.first().map(|node| node.span().source) else { return };
    for tag in &body.guesses {
        let span = Span::new(source, tag.range.clone());
        if !body.markdown.contains(span) {
            let message = Message::new(
                format!("`<{}>` is not an element, and is sent as text", tag.name),
                "the model does not see the file",
                format!("write `{}`; if it is meant as text, wrap it in `RAW|` and `|RAW`", meant(tag)),
            );
            diagnostics.add(&UNKNOWN_ELEMENT, message, span);
        }
    }
}

/// The element that is probably meant.
fn meant(tag: &GuessedTag) -> String {
    let GuessedTag { src, is_image, .. } = tag;
    let local = if is_web_url(src) || is_data_url(src) { "" } else { " local" };
    let src = if src.len() <= MAX_SHOWN_SRC && !src.contains('"') && !is_data_url(src) { src } else { "…" };
    if *is_image { format!("<img src=\"{src}\"{local}/>") } else { format!("<doc src=\"{src}\"{local} file/>") }
}
