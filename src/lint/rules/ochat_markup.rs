//! `ochat-markup`: a `<` that ochat reads as the start of a tag.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::Lint;
use crate::lint::source::{SourceText, each_element};
use crate::source::Span;
use crate::syntax::{Node, unreadable_tag};

/// `<user>if a <b then c</user>`
pub(super) struct OchatMarkup;

impl Lint for OchatMarkup {
    const RULE: Rule = rule!("ochat-markup" Warning Malformed is_allowable);

    fn message(&self) -> Message {
        Message::new(
            "ochat reads this `<` as a tag and cannot read the tag",
            "opens a tag for ochat",
            "wrap it in `RAW|` and `|RAW`",
        )
    }

    fn check_portable(source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
        each_element(source.nodes, &mut |element| {
            for node in &element.children {
                if let Node::Text(text) = node
                    && let Some(at) = unreadable_tag(text.value)
                {
                    let start = text.span.start + at;
                    OchatMarkup.report(Span::new(text.span.source, start..start + 1), diagnostics);
                }
            }
        });
    }
}
