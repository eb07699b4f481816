//! Markup in Markdown code, where people read it as text: `tag-in-code`, `comment-in-code`.

use super::Lint;
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::document::{Directive, DocForm};
use crate::element::Tag;
use crate::lint::code::{CodeKind, MarkdownBody};
use crate::lint::fix::{Body, Fix, Problems, SiblingNode, wrap_in_raw};
use crate::syntax::{Element, Node};

/// An element in Markdown code: ``<user>Write `<img src="u"/>`.</user>``
pub(super) struct TagInCode;

impl Lint for TagInCode {
    fn rule(&self) -> &'static Rule {
        const { &rule!("tag-in-code" Warning Malformed is_fixable is_allowable) }
    }

    fn check_body(&self, body: &MarkdownBody<'_, '_>, diagnostics: &mut Diagnostics) {
        for element in &body.inlines {
            let is_in_code = match body.code.kind_at(element.span) {
                Some(CodeKind::Span) => true,
                // The text of a file is in a fenced block in order to be shown as code.
                Some(CodeKind::Fence) => !inserts_text(element),
                None => false,
            };
            if is_in_code {
                let title = format!("`<{}>` inside Markdown code is still a tag", element.tag.name());
                let message = Message::new(title, "not sent as code", "wrap it in `RAW|` and `|RAW`");
                self.report(message, element.name_span(), diagnostics);
            }
        }
    }

    /// Wraps the element in a RAW block. An element that inserts a text from elsewhere may be right as it is.
    fn fix_node(&self, place: SiblingNode<'_, '_>, _body: &Body, problems: &Problems<'_>) -> Vec<Fix> {
        let node = place.node();
        let Some(fixes) = problems.at(node.span().start, &[self.rule().name]) else { return Vec::new() };
        let inserts_text = matches!(node, Node::Element(element) if inserts_text(element));
        wrap_in_raw(node, "", "", fixes).filter(|_| !inserts_text).into_iter().collect()
    }
}

/// Whether an element is replaced by a text from elsewhere. An element without a source is only mentioned.
fn inserts_text(element: &Element<'_>) -> bool {
    let has_source = element.attributes.has("src") || element.attributes.has("file_id");
    let is_text = match element.tag {
        Tag::Doc => !DocForm::from_attributes(&element.attributes).is_file(),
        tag => matches!(tag, Tag::Import | Tag::Agent),
    };
    is_text && has_source
}

/// A comment in Markdown code: ``<user>Write `<!-- x -->`.</user>``
pub(super) struct CommentInCode;

impl Lint for CommentInCode {
    fn rule(&self) -> &'static Rule {
        const { &rule!("comment-in-code" Warning Malformed is_fixable is_allowable) }
    }

    fn check_body(&self, body: &MarkdownBody<'_, '_>, diagnostics: &mut Diagnostics) {
        for node in body.nodes {
            // A `chatmd:` comment is not an example of a comment.
            if let Node::Comment(comment) = node
                && Directive::parse(comment.value).is_none()
                && body.code.contains(comment.span)
            {
                let title = "a comment inside Markdown code is still removed";
                let message = Message::new(title, "not sent", "wrap it in `RAW|` and `|RAW`");
                self.report(message, comment.span, diagnostics);
            }
        }
    }

    /// Wraps the comment in a RAW block if it is next to a backquote or in a fenced block.
    fn fix_node(&self, place: SiblingNode<'_, '_>, body: &Body, problems: &Problems<'_>) -> Vec<Fix> {
        let node = place.node();
        let Some(fixes) = problems.at(node.span().start, &[self.rule().name]) else { return Vec::new() };
        let is_fenced = body.code.kind_at(node.span()) == Some(CodeKind::Fence);
        let wraps = place.is_quoted() || is_fenced;
        wrap_in_raw(node, "", "", fixes).filter(|_| wraps).into_iter().collect()
    }
}
