//! Inline elements to parts of a body.

use std::borrow::Cow;

use super::attribute_reader::AttributeReader;
use super::layout::{Piece, lay_out};
use super::lower::Lowering;
use super::{Body, DirectiveKind, DocForm, Field, Media, MediaKind, MediaSource, Part, Summary, body_kind};
use crate::diagnostic::{ElementProblem, SyntaxProblem};
use crate::element::Tag;
use crate::source::Spanned;
use crate::syntax::{Element, Node, is_blank};

impl Lowering<'_> {
    /// Adds the parts of an element in a body. An element that is reported as an error adds no parts.
    pub(super) fn inline<'s>(&mut self, element: &Element<'s>, body: &mut Body<'s>) {
        // A tag after a backtick is probably an example, which the help of a problem says.
        let is_in_code = matches!(body.last(), Some(Spanned { value: Part::Text(text), .. }) if text.ends_with('`'));
        let attributes = AttributeReader::new(element, self.diagnostics);
        let part = match element.tag {
            Tag::Img => self.media(MediaKind::Image, element, attributes, is_in_code),
            Tag::Doc => self.media(MediaKind::Doc, element, attributes, is_in_code),
            Tag::Agent => self.media(MediaKind::Agent, element, attributes, false),
            Tag::Import => self.import(element, attributes),
            Tag::Summary => return self.summaries(element, attributes, body),
            Tag::User
            | Tag::Assistant
            | Tag::System
            | Tag::Developer
            | Tag::Msg
            | Tag::ToolCall
            | Tag::ToolResponse
            | Tag::Reasoning
            | Tag::Config
            | Tag::Tool
            | Tag::Script
            | Tag::ShellAccess
            | Tag::ModeratorRuntime => None,
        };
        body.extend(part.map(|media| Spanned::new(Part::Media(media), element.opening)));
    }

    /// `<img>`, `<doc>` or `<agent>`
    fn media<'s>(
        &mut self,
        kind: MediaKind,
        element: &Element<'s>,
        mut attributes: AttributeReader<'_, 's>,
        is_in_code: bool,
    ) -> Option<Media<'s>> {
        if kind != MediaKind::Agent {
            // A missing `/` may be the cause of the other problems, so it comes first.
            self.report_content(element);
        }
        let mut media = self.source(kind, element, &mut attributes, is_in_code)?;
        let source = media.source();
        let is_uploaded = matches!(source, MediaSource::FileId(_));
        let form = (kind == MediaKind::Doc).then(|| DocForm::from_attributes(&element.attributes));
        if kind == MediaKind::Image || form == Some(DocForm::File) {
            self.report_url(element, source);
        }
        if let Some(form) = form {
            // The form has the values of these attributes.
            for known in ["file", "base64", "strip", "markdown"] {
                attributes.take(known);
            }
            if let (Some(name), false) = (form.name(), is_uploaded) {
                media = media.with(name, Field::Null);
            }
            let filename = if form.is_file() { attributes.text("filename") } else { None };
            media = media.with("filename", filename.map_or(Field::Absent, Field::Text));
        }
        // Only a file at an API has an issuer.
        let unused: &[&str] = if is_uploaded { &[] } else { &["issuer"] };
        media.attributes.append(attributes.fields(unused, self.diagnostics));
        media.extra = attributes.extra(self.diagnostics);
        if kind == MediaKind::Agent {
            media.body = self.body(body_kind(element.tag, &element.attributes), &element.children);
        }
        Some(media)
    }

    /// `<import>`, at top level or in a body.
    pub(super) fn import<'s>(
        &mut self,
        element: &Element<'s>,
        mut attributes: AttributeReader<'_, 's>,
    ) -> Option<Media<'s>> {
        let path = attributes.text("src").filter(|path| !path.is_empty());
        self.report_content(element);
        let extra = attributes.extra_accepting(&["local", "namespace"], self.diagnostics);
        if path.is_none() {
            let problem = ElementProblem::MissingAttribute { tag: element.tag, name: "src", is_in_code: false };
            self.diagnostics.report(problem, element.name_span());
        }
        Some(Media { extra, ..Media::new(MediaKind::Import, false, path?) })
    }

    /// The element with its source alone.
    fn source<'s>(
        &mut self,
        kind: MediaKind,
        element: &Element<'s>,
        attributes: &mut AttributeReader<'_, 's>,
        is_in_code: bool,
    ) -> Option<Media<'s>> {
        let is_local = attributes.flag("local");
        let problem = match (attributes.only("src"), attributes.only("file_id")) {
            (Some(source), None) if is_local => return Some(Media::of(kind, source).with("local", Field::Null)),
            (Some(source), None) | (None, Some(source)) => return Some(Media::of(kind, source)),
            (Some(_), Some(_)) => ElementProblem::TwoSources { tag: element.tag, names: ["src", "file_id"] },
            (None, None) => ElementProblem::MissingAttribute { tag: element.tag, name: "src", is_in_code },
        };
        self.diagnostics.report(problem, element.name_span());
        None
    }

    /// Reports a source that the API is asked to fetch and cannot fetch.
    fn report_url(&mut self, element: &Element<'_>, source: MediaSource<'_>) {
        let MediaSource::Url(url) = source else { return };
        let has_scheme = |scheme: &str| url.get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme));
        if !url.is_empty() && !["https://", "http://", "data:"].into_iter().any(has_scheme) {
            self.diagnostics.report(ElementProblem::NotAUrl, element.opening);
        }
    }

    /// Reports a void element that is never closed, or its content, which is not sent.
    fn report_content(&mut self, element: &Element<'_>) {
        if element.is_unclosed() {
            self.diagnostics.report(SyntaxProblem::MissingSlash(element.tag), element.name_span());
        }
        let is_content = |node: &&Node<'_>| match node {
            Node::Text(text) => !is_blank(text.value),
            Node::Raw(_) | Node::Element(_) => true,
            Node::Comment(_) => false,
        };
        if let Some(first) = element.children.iter().find(is_content) {
            self.diagnostics.report(ElementProblem::IgnoredContent(element.tag), first.span());
        }
        self.report_inside(&element.children);
    }

    /// Adds the summaries of a `<summary>`: its own texts and the summaries between them, in order.
    fn summaries<'s>(&mut self, element: &Element<'s>, mut attributes: AttributeReader<'_, 's>, body: &mut Body<'s>) {
        let kind = attributes.text("type").filter(|kind| kind != "summary_text");
        let mut extra = attributes.extra(self.diagnostics);
        let start = body.len();
        let mut push = |text: Spanned<Cow<'s, str>>, body: &mut Body<'s>| {
            let summary = Summary { kind: kind.clone(), extra: std::mem::take(&mut extra), text: text.value };
            let span = if body.len() == start { element.opening } else { text.span };
            body.push(Spanned::new(Part::Summary(summary), span));
        };
        let mut parts = Vec::new();
        for piece in lay_out(body_kind(element.tag, &element.attributes), &element.children, self.whitespace) {
            if let Piece::Inline(inner) = piece {
                self.summary_texts(&mut parts).into_iter().for_each(|text| push(text, body));
                let attributes = AttributeReader::new(inner, self.diagnostics);
                self.summaries(inner, attributes, body);
            } else {
                self.piece(piece, &mut parts);
            }
        }
        self.summary_texts(&mut parts).into_iter().for_each(|text| push(text, body));
        if body.len() == start {
            push(Spanned::new("".into(), element.opening), body);
        }
    }

    /// Takes the texts of a summary. A `chatmd:part` between them is reported.
    fn summary_texts<'s>(&mut self, parts: &mut Body<'s>) -> Vec<Spanned<Cow<'s, str>>> {
        let text = |Spanned { value, span }| match value {
            Part::Text(text) => Some(Spanned::new(text, span)),
            Part::Metadata(_) | Part::Media(_) | Part::Summary(_) => {
                self.report_misplaced(DirectiveKind::Part, span);
                None
            }
        };
        parts.drain(..).filter_map(text).collect()
    }
}
