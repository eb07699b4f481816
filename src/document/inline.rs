//! Inline elements to the parts they stand for.

use super::attribute_reader::AttributeReader;
use super::layout::body_kind;
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

    /// The summaries of a `<summary>`: its own texts and the summaries between them, in order.
    pub(super) fn summaries<'s>(&mut self, element: &Element<'s>, body: &mut Body<'s>) {
        let mut attributes = AttributeReader::new(element, self.diagnostics);
        let kind = attributes.text("type").filter(|kind| kind != "summary_text");
        let mut extra = attributes.extra(self.diagnostics);
        let mut summary = |text| Part::Summary(Summary { kind: kind.clone(), extra: std::mem::take(&mut extra), text });
        let parts = self.body(body_kind(element.tag, &element.attributes), &element.children);
        if parts.is_empty() {
            body.push(Spanned::new(summary("".into()), element.opening));
        }
        for (index, part) in parts.into_iter().enumerate() {
            match part.value {
                Part::Text(text) if index == 0 => body.push(Spanned::new(summary(text), element.opening)),
                Part::Text(text) => body.push(Spanned::new(summary(text), part.span)),
                Part::Summary(_) => body.push(part),
                Part::Metadata(_) | Part::Image(_) | Part::Doc(_) | Part::Agent(_) | Part::Import(_) => {
                    self.diagnostics.report(Problem::MisplacedCarried { kind: "part".to_owned() }, part.span);
                }
            }
        }
    }
}
