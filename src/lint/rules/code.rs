//! Markup in Markdown code, where people read it as text.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::document::{Directive, DocForm};
use crate::element::Tag;
use crate::lint::code::{CodeKind, MarkdownBody};
use crate::lint::fix::{Body, Fix, Problems, SiblingNode, wrap_in_raw};
use crate::syntax::{Element, Node};

/// An element in Markdown code: ``<user>Write `<img src="u"/>`.</user>``
const TAG_IN_CODE: Rule = rule!("tag-in-code" Warning Malformed is_fixable is_allowable);
/// A comment in Markdown code: ``<user>Write `<!-- x -->`.</user>``
const COMMENT_IN_CODE: Rule = rule!("comment-in-code" Warning Malformed is_fixable is_allowable);

pub(super) const RULES: &[Rule] = &[TAG_IN_CODE, COMMENT_IN_CODE];

pub(super) fn check_body(body: &MarkdownBody<'_, '_>, diagnostics: &mut Diagnostics) {
    let help = "wrap it in `RAW|` and `|RAW`";
    for element in &body.inlines {
        let is_in_code = match body.markdown.kind_at(element.span) {
            Some(CodeKind::Span) => true,
            // The text of a file is in a fenced block in order to be shown as code.
            Some(CodeKind::Fence) => !inserts_text(element),
            None => false,
        };
        if is_in_code {
            let title = format!("`<{}>` inside Markdown code is still a tag", element.tag.name());
            diagnostics.add(&TAG_IN_CODE, Message::new(title, "not sent as code", help), element.name_span());
        }
    }
    for node in body.nodes {
        // A `chatmd:` comment is not an example of a comment.
        if let Node::Comment(comment) = node
            && Directive::parse(comment.value).is_none()
            && body.markdown.contains(comment.span)
        {
            let title = "a comment inside Markdown code is still removed";
            diagnostics.add(&COMMENT_IN_CODE, Message::new(title, "not sent", help), comment.span);
        }
    }
}

/// Wraps the markup in a RAW block. An element that inserts a text from elsewhere may be right as it is, and so may a comment
/// that is neither next to a backquote nor in a fenced block.
pub(super) fn fix_node(place: SiblingNode<'_, '_>, body: &Body, problems: &Problems<'_>) -> Vec<Fix> {
    let node = place.node();
    let rules = [TAG_IN_CODE.name, COMMENT_IN_CODE.name];
    let Some(fixes) = problems.at(node.span().start, &rules) else { return Vec::new() };
    let wraps = match node {
        Node::Element(element) => !inserts_text(element),
        Node::Comment(_) => place.is_quoted() || body.markdown.kind_at(node.span()) == Some(CodeKind::Fence),
        Node::Text(_) | Node::Raw(_) => false,
    };
    wrap_in_raw(node, "", "", fixes).filter(|_| wraps).into_iter().collect()
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
