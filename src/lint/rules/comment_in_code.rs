//! `comment-in-code`: a comment in Markdown code, where people read it as text.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::document::Directive;
use crate::lint::code::{CodeKind, MarkdownBody};
use crate::lint::entry::Lint;
use crate::lint::fix::{Body, Fix, Fixer, Problems, SiblingNode, wrap_in_raw};
use crate::syntax::Node;

/// ``<user>Write `<!-- x -->`.</user>``
pub(super) struct CommentInCode;

impl Lint for CommentInCode {
    const RULE: Rule = rule!("comment-in-code" Warning Malformed is_fixable is_allowable);
    const FIX: Option<Fixer> = Some(Fixer::Node(fix));

    fn message(&self) -> Message {
        let title = "a comment inside Markdown code is still removed";
        Message::new(title, "not sent", "wrap it in `RAW|` and `|RAW`")
    }

    fn check_body(body: &MarkdownBody<'_, '_>, diagnostics: &mut Diagnostics) {
        for node in body.nodes {
            // A `chatmd:` comment is not an example of a comment.
            if let Node::Comment(comment) = node
                && Directive::parse(comment.value).is_none()
                && body.code.contains(comment.span)
            {
                CommentInCode.report(comment.span, diagnostics);
            }
        }
    }
}

/// Wraps the comment in a RAW block if it is next to a backquote or in a fenced block.
fn fix(place: SiblingNode<'_, '_>, body: &Body, problems: &Problems<'_>) -> Vec<Fix> {
    let node = place.node();
    let Some(fixes) = problems.at(node.span().start, &[CommentInCode::RULE.name]) else { return Vec::new() };
    let is_fenced = body.code.kind_at(node.span()) == Some(CodeKind::Fence);
    let wraps = place.is_quoted() || is_fenced;
    wrap_in_raw(node, "", "", fixes).filter(|_| wraps).into_iter().collect()
}
