//! What ochat reads differently: `ochat-markup`, `ochat-attribute`, `ochat-comment`, `ochat-front-matter`.

use super::Lint;
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::document::Directive;
use crate::lint::source::{SourceText, each_comment, each_element, has_blocks};
use crate::source::Span;
use crate::syntax::{Node, front_matter, unreadable_tag};

/// A `<` that ochat reads as the start of a tag: `<user>if a <b then c</user>`
pub(super) struct OchatMarkup;

impl Lint for OchatMarkup {
    fn rule(&self) -> &'static Rule {
        const { &rule!("ochat-markup" Warning Malformed is_allowable) }
    }

    fn check_portable(&self, source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
        each_element(source.nodes, &mut |element| {
            for node in &element.children {
                if let Node::Text(text) = node
                    && let Some(at) = unreadable_tag(text.value)
                {
                    let title = "ochat reads this `<` as a tag and cannot read the tag";
                    let message = Message::new(title, "opens a tag for ochat", "wrap it in `RAW|` and `|RAW`");
                    let start = text.span.start + at;
                    self.report(message, Span::new(text.span.source, start..start + 1), diagnostics);
                }
            }
        });
    }
}

/// An attribute with a `>`, where ochat ends the tag, even inside quotes: `<user id="a > b">x</user>`
pub(super) struct OchatAttribute;

impl Lint for OchatAttribute {
    fn rule(&self) -> &'static Rule {
        const { &rule!("ochat-attribute" Warning Malformed is_allowable) }
    }

    fn check_portable(&self, source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
        each_element(source.nodes, &mut |element| {
            for attribute in &element.attributes.0 {
                if source.sources.slice(attribute.span).contains('>') {
                    let title = format!("ochat ends the tag at the `>` in `{}`", attribute.name);
                    self.report(Message::new(title, "contains `>`", "write `&gt;`"), attribute.span, diagnostics);
                }
            }
        });
    }
}

/// A `chatmd:` comment, which ochat ignores: `<!-- chatmd:item {…} -->`
pub(super) struct OchatComment;

impl Lint for OchatComment {
    fn rule(&self) -> &'static Rule {
        const { &rule!("ochat-comment" Warning Malformed is_allowable) }
    }

    fn check_portable(&self, source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
        each_comment(source.nodes, &mut |comment| {
            if Directive::metadata(comment.value).is_some() {
                let help = "use elements and attributes where possible";
                let message = Message::new("ochat ignores the data in this comment", "ignored by ochat", help);
                self.report(message, comment.span, diagnostics);
            }
        });
    }
}

/// Front matter or a `#!` line, which is text for ochat: `---` … `---` before the first element
pub(super) struct OchatFrontMatter;

impl Lint for OchatFrontMatter {
    fn rule(&self) -> &'static Rule {
        const { &rule!("ochat-front-matter" Warning Malformed is_allowable) }
    }

    fn check_portable(&self, source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
        let file = source.sources.get(source.id);
        // In an imported file it is content.
        if file.imported_at.is_some() || !has_blocks(source.nodes) {
            return;
        }
        let start = file.start();
        if let Some(line) = front_matter(&source.text[start..]).lines().next() {
            let message =
                Message::new("ochat reads everything before the first element as text", "text for ochat", "remove it");
            self.report(message, Span::new(source.id, start..start + line.len()), diagnostics);
        }
    }
}
