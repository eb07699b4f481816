//! The pieces of bodies and outputs: prose, and markers on lines of their own.

use std::borrow::Cow;

use anstyle::{AnsiColor, Style};

use super::blocks::{Blocks, clean_line};
use super::clean::clean;
use super::markdown;
use super::marker::{attributes, hosted, marker, media};
use crate::document::{Directive, DirectiveKind, Summary};
use crate::transcript::{Piece, Shown, all};

const MARKER: Style = AnsiColor::Magenta.on_default();

impl Blocks<'_> {
    pub(super) fn marker(&mut self, marker: &str) {
        self.page.indent();
        self.page.write(marker, MARKER);
        self.page.end_line();
    }

    /// The lines below a header.
    pub(super) fn body(&mut self, pieces: &[Piece<'_>], style: Style) {
        self.page.open_body();
        for (index, piece) in pieces.iter().enumerate() {
            match &piece.value {
                Shown::Text(text) => self.prose(text, style),
                Shown::Summary(summary) => {
                    if index > 0 {
                        self.page.end_line();
                    }
                    if let Some(marker) = self.summary(summary) {
                        self.marker(&marker);
                    }
                    self.prose(&summary.text, style);
                }
                Shown::Question(question) => self.body(&self.pieces.of_body(question), style),
                Shown::Comment(_) => self.aside(&self.text_of(piece)),
                Shown::Media(..) | Shown::Remarks { .. } | Shown::Hosted(_) | Shown::PartText(_) | Shown::Json(_) => {
                    let text = self.text_of(piece);
                    text.lines().for_each(|line| self.marker(&clean_line(line)));
                }
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

    /// The attributes of a summary, if they must be shown.
    fn summary(&self, summary: &Summary<'_>) -> Option<String> {
        let own = summary.kind.as_deref().map(|kind| ("type", Some(kind)));
        let attributes = attributes(own.into_iter().chain(all(&summary.extra)));
        (self.exact && !attributes.is_empty()).then(|| marker("summary", attributes.trim_start(), None))
    }

    /// Pieces as one text. Images, files and other parts are markers on lines of their own.
    pub(super) fn text<'p>(&self, pieces: &'p [Piece<'_>]) -> Cow<'p, str> {
        if let [Piece { value: Shown::Text(text), .. }] = pieces {
            return Cow::Borrowed(text);
        }
        let shown = pieces.iter().filter(|piece| !matches!(piece.value, Shown::Question(_)));
        let texts = shown.filter_map(|piece| {
            let text = self.text_of(piece);
            if let Shown::PartText(_) = piece.value {
                return Some(text);
            }
            let trimmed = text.trim_matches('\n');
            (!trimmed.is_empty()).then(|| Cow::Owned(trimmed.to_owned()))
        });
        Cow::Owned(texts.collect::<Vec<_>>().join("\n"))
    }

    /// A piece as text.
    fn text_of<'p>(&self, piece: &'p Piece<'_>) -> Cow<'p, str> {
        match &piece.value {
            Shown::Text(text) | Shown::PartText(text) => text.as_ref().into(),
            Shown::Summary(summary) => summary.text.as_ref().into(),
            Shown::Media(element, bytes) => media(element, *bytes, self.exact).into(),
            Shown::Question(_) => "".into(),
            Shown::Remarks { is_refusal, citations } => {
                let targets: Vec<&str> = citations.iter().map(|cited| cited.target.as_str()).collect();
                let cites = (!targets.is_empty()).then(|| format!("[cites {}]", targets.join(", ")));
                let refusal = is_refusal.then(|| "[refusal]".to_owned());
                [refusal, cites].into_iter().flatten().collect::<Vec<_>>().join("\n").into()
            }
            Shown::Hosted(part) => hosted(part).into(),
            Shown::Json(json) => json.as_str().into(),
            Shown::Comment(json) => Directive { kind: DirectiveKind::Part, data: json }.to_string().into(),
        }
    }
}

/// The number of bytes of text in pieces, and whether all of them are text.
pub(super) fn text_size(pieces: &[Piece<'_>]) -> (usize, bool) {
    let size = |piece: &Piece<'_>| {
        if let Shown::Text(text) | Shown::PartText(text) = &piece.value { Some(text.len()) } else { None }
    };
    (pieces.iter().filter_map(size).sum(), pieces.iter().all(|piece| size(piece).is_some()))
}
