//! `unknown-element`: a tag with `src` that is none of the language, in a message.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::code::{GuessedTag, MarkdownBody};
use crate::lint::entry::Lint;
use crate::resources::media::{is_data_url, is_web_url};
use crate::source::Span;

/// A longer `src` is not shown.
const MAX_SHOWN_SRC: usize = 100;

/// `<user><image src="a.png" local/></user>`
pub(super) struct UnknownElement<'t> {
    tag: &'t GuessedTag,
}

impl Lint for UnknownElement<'_> {
    const RULE: Rule = rule!("unknown-element" Warning Malformed is_allowable);

    fn message(&self) -> Message {
        let GuessedTag { name, src, is_image, .. } = self.tag;
        let is_remote = is_web_url(src) || is_data_url(src);
        let src = if src.len() <= MAX_SHOWN_SRC && !src.contains('"') && !is_data_url(src) { src } else { "…" };
        let local = if is_remote { "" } else { " local" };
        let element = if *is_image {
            format!("<img src=\"{src}\"{local}/>")
        } else {
            format!("<doc src=\"{src}\"{local} file/>")
        };
        Message::new(
            format!("`<{name}>` is not an element, and is sent as text"),
            "the model does not see the file",
            format!("write `{element}`; if it is meant as text, wrap it in `RAW|` and `|RAW`"),
        )
    }

    fn check_body(body: &MarkdownBody<'_, '_>, diagnostics: &mut Diagnostics) {
        let Some(source) = body.nodes.first().map(|node| node.span().source) else { return };
        for tag in &body.guesses {
            let span = Span::new(source, tag.range.clone());
            if !body.code.contains(span) {
                UnknownElement { tag }.report(span, diagnostics);
            }
        }
    }
}
