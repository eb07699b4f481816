//! What ochat reads differently.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::document::Directive;
use crate::lint::source::{SourceText, each_node, has_blocks};
use crate::source::Span;
use crate::syntax::{Element, Node, front_matter, unreadable_tag};

/// A `<` that ochat reads as the start of a tag: `<user>if a <b then c</user>`
const OCHAT_MARKUP: Rule = rule!("ochat-markup" Warning Malformed is_allowable);
/// An attribute with a `>`, where ochat ends the tag, even inside quotes: `<user id="a > b">x</user>`
const OCHAT_ATTRIBUTE: Rule = rule!("ochat-attribute" Warning Malformed is_allowable);
/// A `chatmd:` comment, which ochat ignores: `<!-- chatmd:item {…} -->`
const OCHAT_COMMENT: Rule = rule!("ochat-comment" Warning Malformed is_allowable);
/// Front matter or a `#!` line, which is text for ochat: `---` … `---` before the first element
const OCHAT_FRONT_MATTER: Rule = rule!("ochat-front-matter" Warning Malformed is_allowable);

pub(super) const RULES: &[Rule] = &[OCHAT_MARKUP, OCHAT_ATTRIBUTE, OCHAT_COMMENT, OCHAT_FRONT_MATTER];

pub(super) fn check_source(source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
    if !source.is_portable {
        return;
    }
    each_node(source.nodes, &mut |node| match node {
        Node::Element(element) => check_element(element, source, diagnostics),
        Node::Comment(comment) if Directive::metadata(comment.value).is_some() => {
            let help = "use elements and attributes where possible";
            let message = Message::new("ochat ignores the data in this comment", "ignored by ochat", help);
            diagnostics.add(&OCHAT_COMMENT, message, comment.span);
        }
        Node::Comment(_) | Node::Raw(_) | Node::Text(_) => {}
    });
    report_front_matter(source, diagnostics);
}

fn check_element(element: &Element<'_>, source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
    for node in &element.children {
        if let Node::Text(text) = node
            && let Some(at) = unreadable_tag(text.value)
        {
            let title = "ochat reads this `<` as a tag and cannot read the tag";
            let message = Message::new(title, "opens a tag for ochat", "wrap it in `RAW|` and `|RAW`");
            let start = text.span.start + at;
            diagnostics.add(&OCHAT_MARKUP, message, Span::new(text.span.source, start..start + 1));
        }
    }
    for attribute in &element.attributes.0 {
        if source.sources.slice(attribute.span).contains('>') {
            let title = format!("ochat ends the tag at the `>` in `{}`", attribute.name);
            diagnostics.add(&OCHAT_ATTRIBUTE, Message::new(title, "contains `>`", "write `&gt;`"), attribute.span);
        }
    }
}

fn report_front_matter(source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
    let file = source.sources.get(source.id);
    // In an imported file it is content.
    if file.imported_at.is_some() || !has_blocks(source.nodes) {
        return;
    }
    let start = file.start();
    if let Some(line) = front_matter(&source.text[start..]).lines().next() {
        let title = "ochat reads everything before the first element as text";
        let span = Span::new(source.id, start..start + line.len());
        diagnostics.add(&OCHAT_FRONT_MATTER, Message::new(title, "text for ochat", "remove it"), span);
    }
}
