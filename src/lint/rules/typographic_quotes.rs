//! `typographic-quotes`: a value in quotes that are not quotes of the language.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::fix::{Fix, Problems};
use crate::lint::source::{SourceText, each_element};
use crate::syntax::{Attribute, Element};

/// The quotes that word processors and phones write in place of `"` and `'`.
const QUOTES: [char; 8] = ['“', '”', '„', '‟', '‘', '’', '‚', '‛'];

/// `<config model=“gpt-5”/>`
pub(super) const TYPOGRAPHIC_QUOTES: Rule = rule!("typographic-quotes" Warning Malformed is_fixable is_allowable);

/// One finding for each tag: the other quotes in the tag usually have the same cause.
pub(super) fn check_source(source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
    each_element(source.nodes, &mut |element| {
        let first = element.attributes.0.iter().find(|attribute| has_typographic_quotes(attribute, element));
        if let Some(Attribute { name, span, .. }) = first {
            let message = Message::new(
                format!("`{name}` has typographic quotes, which are part of the value"),
                "not in plain quotes",
                format!("write `{name}=\"…\"`"),
            );
            diagnostics.add(&TYPOGRAPHIC_QUOTES, message, *span);
        }
    });
}

/// Writes the values of a tag in plain quotes, if each of them ends where its quotes do.
pub(super) fn fix_element(element: &Element<'_>, problems: &Problems<'_>) -> Option<Fix> {
    let wrong = || element.attributes.0.iter().filter(|attribute| has_typographic_quotes(attribute, element));
    let first = wrong().next()?;
    let fixes = problems.at(first.span.start, &[TYPOGRAPHIC_QUOTES.name])?;
    let (mut replacement, mut at) = (String::new(), first.span.start);
    for attribute in wrong() {
        let value = attribute.value.as_deref()?.strip_prefix(QUOTES)?.strip_suffix(QUOTES)?;
        if value.contains(['"', '&', '\\']) {
            return None;
        }
        replacement += &element.written[at - element.span.start..attribute.span.start - element.span.start];
        replacement += &[&attribute.name, "=\"", value, "\""].concat();
        at = attribute.span.end;
    }
    Some(Fix { span: first.span.start..at, replacement, fixes })
}

fn has_typographic_quotes(attribute: &Attribute<'_>, element: &Element<'_>) -> bool {
    // In plain quotes, they are meant.
    written(attribute, element).split_once('=').is_some_and(|(_, value)| value.trim_start().starts_with(QUOTES))
}

/// An attribute as it is written.
fn written<'s>(attribute: &Attribute<'_>, element: &Element<'s>) -> &'s str {
    let start = element.span.start;
    &element.written[attribute.span.start - start..attribute.span.end - start]
}
