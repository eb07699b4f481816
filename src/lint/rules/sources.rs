//! The text of a document: RAW blocks, quotes, line breaks and comments that are probably not meant.

use std::collections::HashSet;

use crate::diagnostic::{Diagnostics, Hint, Message, Rule, rule};
use crate::element::Tag;
use crate::lint::allow::{allowed_names, split_names};
use crate::lint::fix::{Fix, Problems};
use crate::lint::names::{NotARule, find_rule};
use crate::lint::source::{SourceText, each_node};
use crate::source::{Span, Spanned};
use crate::syntax::{Attribute, Element, Node};

/// A RAW block that probably starts by accident: `<user>DRAW|x|RAW</user>`
pub(super) const RAW_IN_WORD: Rule = rule!("raw-in-word" Warning Malformed is_allowable);
/// A value in quotes that are not quotes of the language: `<config model=“gpt-5”/>`
pub(super) const TYPOGRAPHIC_QUOTES: Rule = rule!("typographic-quotes" Warning Malformed is_fixable is_allowable);
/// A message with the line breaks of Windows, which are sent: `<user>a`, CR LF, `b</user>`
pub(super) const WINDOWS_LINE_BREAKS: Rule = rule!("windows-line-breaks" Note Malformed is_allowable);
/// A `chatmd:allow` comment that allows nothing: `<!-- chatmd:allow -->`, `<!-- chatmd:allow speling -->`,
/// `<!-- chatmd:allow unterminated -->`
pub(super) const UNKNOWN_RULE: Rule = rule!("unknown-rule" Warning Malformed is_allowable);

/// The quotes that word processors and phones write in place of `"` and `'`.
const QUOTES: [char; 8] = ['“', '”', '„', '‟', '‘', '’', '‚', '‛'];

pub(super) fn check_source(source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
    check_line_breaks(source, diagnostics);
    each_node(source.nodes, &mut |node| match node {
        Node::Element(element) => check_quotes(element, diagnostics),
        Node::Comment(comment) => check_allowed(*comment, diagnostics),
        Node::Raw(raw) if is_accident(*raw, source.text) => {
            let message = Message::new(
                "`RAW|` inside a word, a table or code still opens a RAW block",
                "opens a RAW block",
                "put a space between `RAW` and `|` if it is meant as text",
            );
            diagnostics.add(&RAW_IN_WORD, message, raw.span.head("RAW|".len()));
        }
        Node::Raw(_) | Node::Text(_) => {}
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

/// Reports one finding for each tag: the other quotes in the tag usually have the same cause.
fn check_quotes(element: &Element<'_>, diagnostics: &mut Diagnostics) {
    let first = element.attributes.0.iter().find(|attribute| has_typographic_quotes(attribute, element));
    if let Some(Attribute { name, span, .. }) = first {
        let message = Message::new(
            format!("`{name}` has typographic quotes, which are part of the value"),
            "not in plain quotes",
            format!("write `{name}=\"…\"`"),
        );
        diagnostics.add(&TYPOGRAPHIC_QUOTES, message, *span);
    }
}

/// Writes the values of a tag in plain quotes, if each of them ends where its quotes do.
pub(in crate::lint) fn fix_element(element: &Element<'_>, problems: &Problems) -> Option<Fix> {
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

/// Reports the first line break in a text of a person.
fn check_line_breaks(source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
    if memchr::memmem::find(source.text.as_bytes(), b"\r\n").is_none() {
        return;
    }
    let is_message = |tag| matches!(tag, Tag::User | Tag::System | Tag::Developer | Tag::Msg);
    let place = source.nodes.iter().find_map(|node| match node {
        Node::Element(element) if is_message(element.tag) => element.children.iter().find_map(inner_line_break),
        Node::Element(_) | Node::Comment(_) | Node::Raw(_) | Node::Text(_) => None,
    });
    if let Some(at) = place {
        let message = Message::new(
            "the line breaks of messages are sent as CR LF",
            "the first one",
            "this is fine for most models; write LF to save tokens",
        );
        diagnostics.add(&WINDOWS_LINE_BREAKS, message.hint(Hint::ChangeLineBreaks), at);
    }
}

/// The first line break between two lines of a text that have content.
fn inner_line_break(node: &Node<'_>) -> Option<Span> {
    let (text, span) = match node {
        Node::Text(text) => (text.value, text.span),
        Node::Raw(raw) => (raw.value, raw.span),
        Node::Element(_) | Node::Comment(_) => return None,
    };
    let start = text.len() - text.trim_start().len();
    let at = start + text.trim().find("\r\n")?;
    let offset = span.start + at + if matches!(node, Node::Raw(_)) { "RAW|".len() } else { 0 };
    Some(Span { start: offset, end: offset + 2, ..span })
}

fn check_allowed(comment: Spanned<&str>, diagnostics: &mut Diagnostics) {
    let Some(names) = allowed_names(comment.value) else { return };
    let label = "allows nothing";
    if names.is_empty() {
        let help = "write `<!-- chatmd:allow RULE -->`";
        let message = Message::new("`chatmd:allow` does not name a rule", label, help);
        diagnostics.add(&UNKNOWN_RULE, message, comment.span);
    }
    let mut seen = HashSet::new();
    for name in split_names(names).filter(|name| seen.insert(*name)) {
        let unknown = |why: NotARule| Message::new(format!("unknown rule `{name}`"), label, why.to_string());
        let (rule, message) = match find_rule(name) {
            Ok(rule) if rule.is_allowable => continue,
            Ok(_) => {
                let help = "a document with this error cannot be sent: fix it";
                (&UNKNOWN_RULE, Message::new(format!("`{name}` cannot be allowed"), label, help))
            }
            // The rule of a former name is reported: say that the comment does not allow it.
            Err(why @ NotARule::Renamed(_)) => (const { &rule!("unknown-rule" Error Malformed) }, unknown(why)),
            Err(why @ NotARule::Similar(_)) => (&UNKNOWN_RULE, unknown(why)),
            Err(why @ NotARule::Unknown) => (&UNKNOWN_RULE, unknown(why).hint(Hint::ListRules)),
        };
        diagnostics.add(rule, message, comment.span);
    }
}
