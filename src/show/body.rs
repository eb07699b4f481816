//! The content of a block: prose, and markers for images, files, agents and imports.

use std::borrow::Cow;

use anstyle::{AnsiColor, Style};

use super::blocks::{Blocks, clean_line};
use super::clean::clean;
use super::markdown;
use super::marker::hosted;
use crate::document::{Body, Directive, DirectiveKind, Part};
use crate::source::{Span, Spanned};
use crate::transcript::PartComment;

const MARKER: Style = AnsiColor::Magenta.on_default();

impl Blocks<'_> {
    pub(super) fn marker(&mut self, marker: &str) {
        self.page.indent();
        self.page.write(marker, MARKER);
        self.page.end_line();
    }

    /// The lines below a header.
    pub(super) fn body(&mut self, body: &Body<'_>, style: Style) {
        self.page.open_body();
        for (index, part) in body.iter().enumerate() {
            match &part.value {
                Part::Text(text) => self.prose(text, style),
                Part::Summary(summary) => {
                    if index > 0 {
                        self.page.end_line();
                    }
                    if let Some(marker) = self.markers.summary(summary) {
                        self.marker(&marker);
                    }
                    self.prose(&summary.text, style);
                }
                Part::Metadata(json) if self.exact => self.aside(&part_comment(json)),
                Part::Metadata(json) => {
                    for marker in self.comment(json) {
                        self.marker(&clean_line(&marker));
                    }
                }
                Part::Image(_) | Part::Doc(_) | Part::Agent(_) | Part::Import(_) => {
                    self.marker(&self.reference(&part.value, part.span));
                }
            }
            if let Part::Agent(agent) = &part.value {
                self.body(&agent.body, style);
            }
        }
        self.page.close_body();
    }

    fn prose(&mut self, text: &str, style: Style) {
        let text = clean(text);
        let text = text.trim_end().trim_start_matches('\n');
        if !text.is_empty() {
            let styled =
                if self.renders_markdown { markdown::render(text, style) } else { markdown::keep(text, style) };
            self.page.lines(&styled);
        }
    }

    /// The marker of an image, a file, an agent or an import; the text of any other part.
    fn reference(&self, part: &Part<'_>, span: Span) -> String {
        match part {
            Part::Image(image) => self.markers.image(image, span),
            Part::Doc(doc) => self.markers.doc(doc, span),
            Part::Agent(agent) => self.markers.agent(agent),
            Part::Import(import) => self.markers.import(import),
            Part::Text(text) => text.to_string(),
            Part::Summary(summary) => summary.text.to_string(),
            Part::Metadata(json) if self.exact => part_comment(json),
            Part::Metadata(json) => self.comment(json).join("\n"),
        }
    }

    /// The part that a comment is, or its remarks about the text after it.
    fn comment(&self, json: &str) -> Vec<String> {
        let comment = PartComment::read(json);
        let targets: Vec<&str> = comment.citations.iter().map(|cited| cited.target.as_str()).collect();
        let refusal = comment.is_refusal.then(|| "[refusal]".to_owned());
        let cites = (!targets.is_empty()).then(|| format!("[cites {}]", targets.join(", ")));
        let part = comment.with_part(|part| self.markers.part(part));
        let own = comment.own.as_ref().map(hosted);
        [refusal, cites, own, part].into_iter().flatten().collect()
    }

    /// A body as one text. Images, files and other parts are markers on lines of their own.
    pub(super) fn text<'b>(&self, body: &'b Body<'_>) -> Cow<'b, str> {
        if let [Spanned { value: Part::Text(text), .. }] = body.as_slice() {
            return Cow::Borrowed(text);
        }
        let parts = body.iter().map(|part| self.reference(&part.value, part.span));
        let trimmed = parts.map(|part| part.trim_matches('\n').to_owned()).filter(|part| !part.is_empty());
        Cow::Owned(trimmed.collect::<Vec<_>>().join("\n"))
    }
}

/// The number of bytes of text in a body.
pub(super) fn size_of(body: &Body<'_>) -> usize {
    let size = |part: &Spanned<Part<'_>>| if let Part::Text(text) = &part.value { text.len() } else { 0 };
    body.iter().map(size).sum()
}

/// The comment of a part.
fn part_comment(json: &str) -> String {
    Directive { kind: DirectiveKind::Part, data: json }.to_string()
}
