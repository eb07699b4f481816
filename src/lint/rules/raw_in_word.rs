//! `raw-in-word`: a RAW block that probably starts by accident.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::source::{SourceText, each_node};
use crate::source::Spanned;
use crate::syntax::Node;

/// `<user>DRAW|x|RAW</user>`
pub(super) const RAW_IN_WORD: Rule = rule!("raw-in-word" Warning Malformed is_allowable);

pub(super) fn check_source(source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
    each_node(source.nodes, &mut |node| {
        if let Node::Raw(raw) = node
            && is_accident(*raw, source.text)
        {
            let message = Message::new(
                "`RAW|` inside a word, a table or code still opens a RAW block",
                "opens a RAW block",
                "put a space between `RAW` and `|` if it is meant as text",
            );
            diagnostics.add(&RAW_IN_WORD, message, raw.span.head("RAW|".len()));
        }
    });
}

/// Whether a RAW block starts after a letter, in a table cell, or as a mention of `RAW|` in backquotes.
fn is_accident(raw: Spanned<&str>, text: &str) -> bool {
    let before = &text[..raw.span.start];
    let ends_word = before.ends_with(|c: char| c.is_alphanumeric() || c == '_' || c == '|');
    let is_quoted = before.ends_with('`') && raw.value.starts_with('`');
    // A block that starts with a tag is there because of that tag.
    is_quoted || ends_word && !before.ends_with("|RAW") && !raw.value.starts_with('<')
}
