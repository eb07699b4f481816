//! Bodies of elements: markup in Markdown code, images as Markdown, and tags that are not elements.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::document::{Directive, DocForm};
use crate::element::Tag;
use crate::lint::code::{CodeKind, GuessedTag, MarkdownBody, MarkdownImage};
use crate::lint::fix::{Body, Fix, Problems, SiblingNode, wrap_in_raw};
use crate::resources::media::{is_data_url, is_web_url};
use crate::source::Span;
use crate::syntax::write::Opening;
use crate::syntax::{Element, Node};

/// An element in Markdown code: ``<user>Write `<img src="u"/>`.</user>``
const TAG_IN_CODE: Rule = rule!("tag-in-code" Warning Malformed is_fixable is_allowable);
/// A comment in Markdown code: ``<user>Write `<!-- x -->`.</user>``
const COMMENT_IN_CODE: Rule = rule!("comment-in-code" Warning Malformed is_fixable is_allowable);

/// A Markdown image in a message, which is sent as text: `<user>![](cat.png)</user>`
const MARKDOWN_IMAGE: Rule = rule!("markdown-image" Warning Malformed is_fixable is_allowable);
/// A tag with `src` that is not an element of the language, in a message: `<user><image src="a.png" local/></user>`
pub(super) const UNKNOWN_ELEMENT: Rule = rule!("unknown-element" Warning Malformed is_allowable);

pub(super) const RULES: &[Rule] = &[TAG_IN_CODE, COMMENT_IN_CODE, MARKDOWN_IMAGE];

/// A longer `src` is not shown.
const MAX_SHOWN_SRC: usize = 100;

pub(in crate::lint) fn check_body(body: &MarkdownBody<'_, '_>, diagnostics: &mut Diagnostics) {
    let Some(source) = body.nodes.first().map(|node| node.span().source) else { return };
    for tag in &body.guesses {
        let span = Span::new(source, tag.range.clone());
        if !body.markdown.contains(span) {
            let message = Message::new(
                format!("`<{}>` is not an element, and is sent as text", tag.name),
                "the model does not see the file",
                format!("write `{}`; if it is meant as text, wrap it in `RAW|` and `|RAW`", meant(tag)),
            );
            diagnostics.add(&UNKNOWN_ELEMENT, message, span);
        }
    }
    check_code(body, diagnostics);
    for image in &body.markdown.images {
        diagnostics.add(&MARKDOWN_IMAGE, sent_as_text(image), Span::new(source, image.range.clone()));
    }
}

fn check_code(body: &MarkdownBody<'_, '_>, diagnostics: &mut Diagnostics) {
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

/// Wraps markup in a RAW block. An element that inserts a text from elsewhere may be right as it is, and so may a comment
/// that is neither next to a backquote nor in a fenced block. Replaces images without a description, which is text that would be lost.
pub(in crate::lint) fn fix_node(place: SiblingNode<'_, '_>, body: &Body, problems: &Problems) -> Vec<Fix> {
    let node = place.node();
    let wraps = match node {
        Node::Element(element) => !inserts_text(element),
        Node::Comment(_) => place.is_quoted() || body.markdown.kind_at(node.span()) == Some(CodeKind::Fence),
        Node::Text(_) | Node::Raw(_) => return fix_images(node.span(), body, problems),
    };
    let fixes = problems.at(node.span().start, &[TAG_IN_CODE.name, COMMENT_IN_CODE.name]).filter(|_| wraps);
    fixes.and_then(|fixes| wrap_in_raw(node, "", "", fixes)).into_iter().collect()
}

fn fix_images(text: Span, body: &Body, problems: &Problems) -> Vec<Fix> {
    let first = body.markdown.images.partition_point(|image| image.range.start < text.start);
    let images = body.markdown.images[first..].iter().take_while(|image| image.range.end <= text.end);
    let fixes = images.filter(|image| image.is_bare).filter_map(|image| {
        let fixes = problems.at(image.range.start, &[MARKDOWN_IMAGE.name])?;
        Some(Fix { span: image.range.clone(), replacement: element(&image.url), fixes })
    });
    fixes.collect()
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

fn sent_as_text(image: &MarkdownImage) -> Message {
    let is_short = image.url.len() <= 200 && !is_data_url(&image.url);
    let element = if is_short { element(&image.url) } else { "<img src=\"…\"/>".to_owned() };
    let why = if image.is_bare { "" } else { "; no fix is made, because its description would be lost" };
    Message::new(
        "a Markdown image is sent as text",
        "the model does not see the image",
        format!("write `{element}`; if it is meant as text, wrap it in `RAW|` and `|RAW`{why}"),
    )
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

/// The element that is probably meant.
fn meant(tag: &GuessedTag) -> String {
    let GuessedTag { src, is_image, .. } = tag;
    let local = if is_web_url(src) || is_data_url(src) { "" } else { " local" };
    let src = if src.len() <= MAX_SHOWN_SRC && !src.contains('"') && !is_data_url(src) { src } else { "…" };
    if *is_image { format!("<img src=\"{src}\"{local}/>") } else { format!("<doc src=\"{src}\"{local} file/>") }
}
