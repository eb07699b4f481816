//! The content of messages, calls and outputs as a list of pieces.

use std::borrow::Cow;

use super::citations::{Citation, citations};
use super::hosted::{HostedItem, describe};
use super::media::media_of;
use crate::api::Api;
use crate::convert::spelled_output;
use crate::diagnostic::Diagnostics;
use crate::document::{Body, ItemElement, Media, MediaKind, MediaSource, Part, Summary};
use crate::json::{Json, StringArena};
use crate::resolve::Resolver;
use crate::responses::{self, ToolOutput, is_text_type};
use crate::source::{Span, Spanned};

/// A piece of a body or of an output, and where the piece is written.
pub(crate) type Piece<'t> = Spanned<Shown<'t>>;

/// What a reader sees.
#[derive(Debug)]
pub(crate) enum Shown<'t> {
    /// Text of a body, or an output that is text.
    Text(Cow<'t, str>),
    /// A summary of reasoning.
    Summary(&'t Summary<'t>),
    /// An image, a file, an agent or an import, with the content of a file that can be read.
    Media(Cow<'t, Media<'t>>, Option<&'t [u8]>),
    /// The question to the agent before this piece.
    Question(&'t Body<'t>),
    /// Remarks about the text after this piece.
    Remarks {
        /// Whether the text is a refusal.
        is_refusal: bool,
        /// The sources that the text cites.
        citations: Vec<Citation>,
    },
    /// A part that no element expresses, or the kind of the text after this piece for one API.
    Hosted(HostedItem),
    /// The text of a part of an output.
    PartText(Cow<'t, str>),
    /// JSON that is not a part.
    Json(String),
    /// The JSON of a `chatmd:part` comment, where every difference counts.
    Comment(&'t str),
}

/// Reads the pieces of bodies and outputs.
#[derive(Clone, Copy)]
pub(crate) struct Pieces<'t> {
    pub(crate) resolver: &'t Resolver<'t>,
    pub(crate) strings: &'t StringArena,
    /// Whether comments and unknown parts are shown as they are written.
    pub(crate) is_exact: bool,
}

impl<'t> Pieces<'t> {
    /// The pieces of a body.
    pub(crate) fn of_body(self, body: &'t Body<'_>) -> Vec<Piece<'t>> {
        let mut pieces = Vec::with_capacity(body.len());
        for Spanned { value, span } in body {
            let mut push = |shown| pieces.push(Spanned::new(shown, *span));
            match value {
                Part::Text(text) => push(Shown::Text(text.as_ref().into())),
                Part::Summary(summary) => push(Shown::Summary(summary)),
                Part::Media(media) => {
                    let bytes = match (media.kind, media.source()) {
                        (MediaKind::Image | MediaKind::Doc, MediaSource::Local(path)) => self.bytes(path, *span),
                        (_, MediaSource::Local(_) | MediaSource::Url(_) | MediaSource::FileId(_)) => None,
                    };
                    push(Shown::Media(Cow::Borrowed(media), bytes));
                    if media.kind == MediaKind::Agent {
                        push(Shown::Question(&media.body));
                    }
                }
                Part::Metadata(json) if self.is_exact => push(Shown::Comment(json)),
                Part::Metadata(json) => self.comment(json).into_iter().for_each(push),
            }
        }
        pieces
    }

    /// The pieces of the output of a tool, whose text may be JSON of parts.
    pub(crate) fn of_output(self, output: &'t ItemElement<'_>) -> Vec<Piece<'t>> {
        let [Spanned { value: Part::Text(text), span }] = output.body.as_slice() else {
            return self.of_body(&output.body);
        };
        let shown = match spelled_output(text, output.output(), self.strings) {
            ToolOutput::Text(text) => vec![Shown::Text(text)],
            ToolOutput::Content(parts) => parts.into_iter().map(|part| self.part(part)).collect(),
        };
        shown.into_iter().map(|shown| Spanned::new(shown, *span)).collect()
    }

    /// What a `chatmd:part` comment says about the text after it, and the part that the comment is.
    fn comment(self, json: &'t str) -> Vec<Shown<'t>> {
        let Ok(json) = Json::parse(json, self.strings) else { return Vec::new() };
        let members = json.object().unwrap_or_default();
        let kind = members.get_str("type").unwrap_or_default();
        let own = Api::all().find_map(|api| members.get_object(api.overlay_key()));
        let own = own.filter(|own| own.get("type").is_some()).map(|own| Shown::Hosted(describe(&own)));
        let is_part = !kind.is_empty() && !is_text_type(&kind);
        let part = if is_part { responses::Part::decode(json).ok() } else { None };
        let remarks = Shown::Remarks { is_refusal: kind == "refusal", citations: citations(&members) };
        [Some(remarks), own, part.map(|part| self.part(part))].into_iter().flatten().collect()
    }

    /// A part as the API has it.
    fn part(self, part: responses::Part<'t>) -> Shown<'t> {
        if let Some(media) = media_of(&part) {
            return Shown::Media(Cow::Owned(media), None);
        }
        match part {
            responses::Part::Text(part) => Shown::PartText(part.text),
            responses::Part::Other(part) if !self.is_exact && part.get("type").is_some() => {
                Shown::Hosted(describe(&part))
            }
            responses::Part::Image(_) | responses::Part::Other(_) | responses::Part::Raw(_) => {
                let mut json = String::new();
                part.encode(&mut json);
                Shown::Json(json)
            }
        }
    }

    /// The content of a file, if the file can be read.
    fn bytes(self, path: &str, span: Span) -> Option<&'t [u8]> {
        self.resolver.file(path, span, &mut Diagnostics::new()).map(|content| content.bytes.as_slice())
    }
}
