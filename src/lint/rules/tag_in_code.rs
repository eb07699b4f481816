//! `tag-in-code`: an element in Markdown code, where people read it as text.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::document::DocForm;
use crate::element::Tag;
use crate::lint::code::{CodeKind, MarkdownBody};
use crate::lint::entry::Lint;
use crate::lint::fix::{Body, Fix, Fixer, Problems, SiblingNode, wrap_in_raw};
use crate::syntax::{Element, Node};

/// ``<user>Write `<img src="u"/>`.</user>``
pub(super) struct TagInCode {
    tag: Tag,
}

impl Lint for TagInCode {
    const RULE: Rule = rule!("tag-in-code" Warning Malformed is_fixable is_allowable);
    const FIX: Option<Fixer> = Some(Fixer::Node(fix));

    fn message(&self) -> Message {
        let title = format!("`<{}>` inside Markdown code is still a tag", self.tag.name());
        Message::new(title, "not sent as code", "wrap it in `RAW|` and `|RAW`")
    }

    fn check_body(body: &MarkdownBody<'_, '_>, diagnostics: &mut Diagnostics) {
        for element in &body.inlines {
            let is_in_code = match body.code.kind_at(element.span) {
                Some(CodeKind::Span) => true,
                // The text of a file is in a fenced block in order to be shown as code.
                Some(CodeKind::Fence) => !inserts_text(element),
                None => false,
            };
            if is_in_code {
                TagInCode { tag: element.tag }.report(element.name_span(), diagnostics);
            }
        }
    }
}

/// Wraps the element in a RAW block. One that inserts a text from elsewhere may be right as it is.
fn fix(place: SiblingNode<'_, '_>, _body: &Body, problems: &Problems<'_>) -> Vec<Fix> {
    let node = place.node();
    let Some(fixes) = problems.at(node.span().start, &[TagInCode::RULE.name]) else { return Vec::new() };
    let inserts_text = matches!(node, Node::Element(element) if inserts_text(element));
    wrap_in_raw(node, "", "", fixes).filter(|_| !inserts_text).into_iter().collect()
}

/// Whether an element is replaced by a text from elsewhere. One without a source is only mentioned.
fn inserts_text(element: &Element<'_>) -> bool {
    let has_source = element.attributes.has("src") || element.attributes.has("file_id");
    let is_text = match element.tag {
        Tag::Doc => !DocForm::from_attributes(&element.attributes).is_file(),
        tag => matches!(tag, Tag::Import | Tag::Agent),
    };
    is_text && has_source
}
