//! Inline elements to the parts they stand for.

use std::borrow::Cow;

use super::attribute_reader::AttributeReader;
use super::layout::{Piece, body_kind, lay_out};
use super::lower::Lowering;
use super::{Agent, Body, Doc, DocForm, Image, Import, MediaSource, Part, Summary};
use crate::diagnostic::Problem;
use crate::element::Tag;
use crate::source::Spanned;
use crate::syntax::{Element, Node, is_whitespace};

impl Lowering<'_> {
    /// What an inline element stands for; `None` when that is reported to be nothing.
    pub(super) fn part<'s>(&mut self, element: &Element<'s>) -> Option<Part<'s>> {
        let mut attributes = AttributeReader::new(element, self.diagnostics);
        match element.tag {
            Tag::Img => {
                let source = self.source(element, &mut attributes)?;
                let detail = attributes.text("detail");
                self.report_content(element);
                Some(Part::Image(Image { source, detail, extra: attributes.extra(self.diagnostics) }))
            }
            Tag::Doc => {
                let source = self.source(element, &mut attributes)?;
                let (file, strip, markdown) =
                    (attributes.flag("file"), attributes.flag("strip"), attributes.flag("markdown"));
                let form = match source {
                    MediaSource::FileId(_) => DocForm::File,
                    _ if file => DocForm::File,
                    _ if strip => DocForm::Strip,
                    _ if markdown => DocForm::Markdown,
                    _ => DocForm::Text,
                };
                let filename = if form == DocForm::File { attributes.text("filename") } else { None };
                self.report_content(element);
                Some(Part::Doc(Doc { source, form, filename, extra: attributes.extra(self.diagnostics) }))
            }
            Tag::Agent => {
                let source = self.source(element, &mut attributes)?;
                let extra = attributes.extra(self.diagnostics);
                let body = self.body(body_kind(element.tag, &element.attributes), &element.children);
                Some(Part::Agent(Agent { source, extra, body }))
            }
            Tag::Import => self.import(element, &mut attributes).map(Part::Import),
            _ => None,
        }
    }

    /// `<import>`, wherever it stands.
    pub(super) fn import<'s>(
        &mut self,
        element: &Element<'s>,
        attributes: &mut AttributeReader<'s>,
    ) -> Option<Import<'s>> {
        let path = attributes.text("src").filter(|path| !path.is_empty());
        self.report_content(element);
        let extra = attributes.extra_but(&["local", "namespace"], self.diagnostics);
        if path.is_none() {
            self.diagnostics.report(Problem::MissingAttribute { tag: element.tag, name: "src" }, element.name_span());
        }
        Some(Import { path: path?, extra })
    }

    fn source<'s>(&mut self, element: &Element<'s>, attributes: &mut AttributeReader<'s>) -> Option<MediaSource<'s>> {
        let is_local = attributes.flag("local");
        let file_id = if element.tag == Tag::Agent { None } else { attributes.text("file_id") };
        match (attributes.text("src"), file_id) {
            (Some(path), None) if is_local => Some(MediaSource::Local(path)),
            (Some(url), None) => Some(MediaSource::Url(url)),
            (None, Some(id)) => Some(MediaSource::FileId(id)),
            (Some(_), Some(_)) => {
                self.diagnostics.report(Problem::TwoSources(element.tag), element.name_span());
                None
            }
            (None, None) => {
                self.diagnostics
                    .report(Problem::MissingAttribute { tag: element.tag, name: "src" }, element.name_span());
                None
            }
        }
    }

    /// An element that stands for something else has no use for what is between its tags.
    fn report_content(&mut self, element: &Element) {
        let is_content = |node: &&Node| match node {
            Node::Text(text) => !text.value.trim_matches(is_whitespace).is_empty(),
            Node::Raw(_) | Node::Element(_) => true,
            Node::Comment(_) => false,
        };
        if let Some(first) = element.children.iter().find(is_content) {
            self.diagnostics.report(Problem::IgnoredContent(element.tag), first.span());
        }
        self.report_inside(&element.children);
    }

    /// Adds the summaries of a `<summary>`: its own texts and the summaries between them, in order.
    pub(super) fn summaries<'s>(&mut self, element: &Element<'s>, body: &mut Body<'s>) {
        let mut attributes = AttributeReader::new(element, self.diagnostics);
        let kind = attributes.text("type").filter(|kind| kind != "summary_text");
        let mut extra = attributes.extra(self.diagnostics);
        let start = body.len();
        let mut push = |text: Spanned<Cow<'s, str>>, body: &mut Body<'s>| {
            let summary = Summary { kind: kind.clone(), extra: std::mem::take(&mut extra), text: text.value };
            let span = if body.len() == start { element.opening } else { text.span };
            body.push(Spanned::new(Part::Summary(summary), span));
        };
        let mut texts = Vec::new();
        for piece in lay_out(body_kind(element.tag, &element.attributes), &element.children, self.whitespace) {
            if let Piece::Inline(inner) = piece {
                self.own_texts(&mut texts).for_each(|text| push(text, body));
                self.summaries(inner, body);
            } else {
                self.piece(piece, &mut texts);
            }
        }
        self.own_texts(&mut texts).for_each(|text| push(text, body));
        if body.len() == start {
            push(Spanned::new("".into(), element.opening), body);
        }
    }

    /// Takes the texts of a summary; a `chatmd:part` has no place between them.
    fn own_texts<'s>(&mut self, parts: &mut Body<'s>) -> impl Iterator<Item = Spanned<Cow<'s, str>>> {
        parts.drain(..).filter_map(|Spanned { value, span }| match value {
            Part::Text(text) => Some(Spanned::new(text, span)),
            Part::Metadata(_) | Part::Image(_) | Part::Doc(_) | Part::Agent(_) | Part::Import(_) | Part::Summary(_) => {
                self.diagnostics.report(Problem::MisplacedDirective { kind: "part".to_owned() }, span);
                None
            }
        })
    }
}
