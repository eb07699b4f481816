//! `ochat-front-matter`: front matter or a `#!` line, which is text for ochat.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::Lint;
use crate::lint::source::{SourceText, has_blocks};
use crate::source::Span;
use crate::syntax::front_matter;

/// `---` … `---` before the first element.
pub(super) struct OchatFrontMatter;

impl Lint for OchatFrontMatter {
    const RULE: Rule = rule!("ochat-front-matter" Warning Malformed is_allowable);

    fn message(&self) -> Message {
        Message::new("ochat reads what stands before the document as text", "text for ochat", "remove it")
    }

    fn check_portable(source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
        let file = source.sources.get(source.id);
        // In an imported file it is content.
        if file.imported_at.is_some() || !has_blocks(source.nodes) {
            return;
        }
        let start = file.start();
        if let Some(line) = front_matter(&source.text[start..]).lines().next() {
            OchatFrontMatter.report(Span::new(source.id, start..start + line.len()), diagnostics);
        }
    }
}
