//! The content of messages: Markdown, images, files and citations.

use super::Renderer;
use super::markdown::is_safe_link;
use crate::document::{Body, MediaSource, Part, Role};
use crate::source::Span;
use crate::transcript::{Citation, PartComment};

const MAX_CITATION_LENGTH: usize = 100;

impl Renderer<'_, '_> {
    /// The parts of a message in order, and its citations after the text that cites.
    pub(super) fn message_body(&mut self, body: &Body<'_>, role: Role) {
        let mut cited = Vec::new();
        for part in body {
            match &part.value {
                Part::Text(text) => self.markdown(text, role, part.span),
                Part::Summary(summary) => self.markdown(&summary.text, Role::Assistant, part.span),
                Part::Image(image) => self.image(image, part.span),
                Part::Doc(doc) => self.doc(doc, part.span),
                Part::Agent(agent) => {
                    let (MediaSource::Url(name) | MediaSource::Local(name) | MediaSource::FileId(name)) = &agent.source;
                    self.chip("agent", name, "");
                    self.message_body(&agent.body, role);
                }
                Part::Import(import) => self.chip("import", &import.path, "not found"),
                Part::Metadata(json) => {
                    self.sources(&std::mem::take(&mut cited));
                    cited = self.metadata(json, part.span);
                }
            }
        }
        self.sources(&cited);
    }

    /// Shows the part that a comment is. Returns the sources that the part after the comment cites.
    fn metadata(&mut self, json: &str, span: Span) -> Vec<Citation> {
        let comment = PartComment::read(json);
        if comment.is_refusal {
            self.html.markup("<p>");
            self.badge_text("refusal");
            self.html.markup("</p>\n");
        }
        if let Some(own) = &comment.own {
            self.own_part(own);
        }
        comment.with_part(|part| self.part(part, span));
        comment.citations
    }

    /// The sources that a text cites, as links.
    fn sources(&mut self, citations: &[Citation]) {
        if citations.is_empty() {
            return;
        }
        self.html.markup("<ul class=\"sources\" aria-label=\"Sources\">\n");
        for Citation { target, title } in citations {
            let name = if title.is_empty() { target } else { title };
            let name = self.line(name, MAX_CITATION_LENGTH);
            self.html.markup("<li>");
            self.link_or_text(target, &name);
            self.html.markup("</li>\n");
        }
        self.html.markup("</ul>\n");
    }

    /// A name that is a link, if the target may be one.
    pub(super) fn link_or_text(&mut self, target: &str, name: &str) {
        if is_safe_link(target) {
            self.open_link(target);
            self.html.text(name);
            self.html.markup("</a>");
        } else {
            self.html.text(name);
        }
    }
}
