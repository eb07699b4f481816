//! The pieces of bodies and outputs: Markdown, images, files and citations.

use super::Renderer;
use super::markdown::is_safe_link;
use crate::document::Role;
use crate::transcript::{Citation, Piece, Shown};

const MAX_CITATION_LENGTH: usize = 100;

impl Renderer<'_, '_> {
    /// The pieces of a message in order, and its citations after the text that cites. Without a role, texts are shown as they
    /// are.
    pub(super) fn body(&mut self, pieces: &[Piece<'_>], role: Option<Role>) {
        let mut cited: &[Citation] = &[];
        for Piece { value, span } in pieces {
            match value {
                Shown::Text(text) => match role {
                    Some(role) => self.markdown(text, role, *span),
                    None => self.output_text(text),
                },
                Shown::Summary(summary) => self.markdown(&summary.text, Role::Assistant, *span),
                Shown::Media(media, bytes) => self.media(media, *bytes, *span),
                Shown::Question(question) => self.body(&self.pieces.of_body(question), role.or(Some(Role::User))),
                Shown::Remarks { is_refusal, citations } => {
                    self.sources(cited);
                    cited = citations;
                    if *is_refusal {
                        self.html.markup("<p>");
                        self.badge("refusal");
                        self.html.markup("</p>\n");
                    }
                }
                Shown::Hosted(part) => self.own_part(part),
                Shown::PartText(text) => self.output_text(text),
                Shown::Json(json) => self.json(json),
                Shown::Comment(_) => {}
            }
        }
        self.sources(cited);
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
