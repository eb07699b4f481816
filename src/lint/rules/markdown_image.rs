//! `markdown-image`: a Markdown image in a message, which is sent as text.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::element::Tag;
use crate::lint::code::MarkdownBody;
use crate::lint::fix::{Body, Fix, Problems, SiblingNode};
use crate::resources::media::{is_data_url, is_web_url};
use crate::source::Span;
use crate::syntax::write::Opening;

/// `<user>![](cat.png)</user>`
pub(super) const MARKDOWN_IMAGE: Rule = rule!("markdown-image" Warning Malformed is_fixable is_allowable);

pub(super) fn check_body(body: &MarkdownBody<'_, '_>, diagnostics: &mut Diagnostics) {
    let Some(source) = body.nodes.first().map(|node| node.span().source) else { return };
    for image in &body.markdown.images {
        let is_short = image.url.len() <= 200 && !is_data_url(&image.url);
        let element = if is_short { element(&image.url) } else { "<img src=\"…\"/>".to_owned() };
        let why = if image.is_bare { "" } else { "; no fix is made, because its description would be lost" };
        let message = Message::new(
            "a Markdown image is sent as text",
            "the model does not see the image",
            format!("write `{element}`; if it is meant as text, wrap it in `RAW|` and `|RAW`{why}"),
        );
        diagnostics.add(&MARKDOWN_IMAGE, message, Span::new(source, image.range.clone()));
    }
}

/// Replaces an image without a description. A description is text that would be lost.
pub(super) fn fix_node(place: SiblingNode<'_, '_>, body: &Body, problems: &Problems<'_>) -> Vec<Fix> {
    let text = place.node().span();
    let first = body.markdown.images.partition_point(|image| image.range.start < text.start);
    let images = body.markdown.images[first..].iter().take_while(|image| image.range.end <= text.end);
    let fixes = images.filter(|image| image.is_bare).filter_map(|image| {
        let fixes = problems.at(image.range.start, &[MARKDOWN_IMAGE.name])?;
        Some(Fix { span: image.range.clone(), replacement: element(&image.url), fixes })
    });
    fixes.collect()
}

/// The element that sends the image.
fn element(url: &str) -> String {
    let mut out = String::new();
    let mut opening = Opening::new(&mut out, Tag::Img);
    opening.attribute("src", Some(url));
    if !is_web_url(url) && !is_data_url(url) {
        opening.attribute("local", None);
    }
    opening.end_void();
    out
}
