//! Bodies to content parts and to text.

use std::borrow::Cow;

use super::ToItems;
use crate::convert::metadata::Metadata;
use crate::diagnostic::DirectiveProblem;
use crate::document::{Field, ItemElement, MediaKind, Part};
use crate::json::{Json, Object};
use crate::responses::{self, is_text_type, text_key};
use crate::source::{Span, Spanned};

impl<'d> ToItems<'_, 'd> {
    /// One part for each text between `chatmd:part` comments.
    pub(super) fn assistant_content(&mut self, message: &'d ItemElement<'_>) -> Vec<(responses::Part<'d>, Span)> {
        let is_output = message.attributes.has("id");
        let mut content = Vec::with_capacity(1);
        let mut body = message.body.as_slice();
        while let Some(first) = body.first() {
            let metadata = match &first.value {
                Part::Metadata(json) => {
                    body = &body[1..];
                    Metadata::read(json, first.span, self.context.strings, self.diagnostics)
                }
                Part::Text(_) | Part::Media(_) | Part::Summary(_) => Metadata::default(),
            };
            let end = body.iter().position(|part| matches!(part.value, Part::Metadata(_))).unwrap_or(body.len());
            let (own, rest) = body.split_at(end);
            body = rest;
            let text = if own.is_empty() { None } else { Some(self.text(own)) };
            let mut part = self.part(metadata, text, "output_text", first.span);
            if let Some((responses::Part::Text(text), metadata)) =
                part.as_mut().map(|(part, metadata)| (part, metadata))
                && text.kind == "output_text"
            {
                if is_output && metadata.is_unmentioned("annotations") {
                    text.rest.insert("annotations", Json::EMPTY_ARRAY);
                }
                if metadata.is_unmentioned("logprobs") {
                    match message.attributes.get("logprobs") {
                        Field::Absent => {}
                        Field::Null => text.rest.insert("logprobs", Json::NULL),
                        Field::Text(_) => text.rest.insert("logprobs", Json::EMPTY_ARRAY),
                    }
                }
            }
            let place = own.first().map_or(first.span, |text| text.span);
            content.extend(part.map(|(part, _)| (part, place)));
        }
        content
    }

    /// The parts without their places, which are recorded if they are wanted or if a part has members for other APIs.
    pub(super) fn list(
        &mut self,
        name: &'static str,
        parts: Vec<(responses::Part<'d>, Span)>,
    ) -> Vec<responses::Part<'d>> {
        if self.context.locates_parts || parts.iter().any(|(part, _)| part.has_extensions()) {
            self.lists.push((name, parts.iter().map(|(_, place)| *place).collect()));
        }
        let mut list = Vec::with_capacity(parts.len());
        list.extend(parts.into_iter().map(|(part, _)| part));
        list
    }

    /// One part for each part of the body.
    pub(super) fn content(
        &mut self,
        body: &'d [Spanned<Part<'_>>],
        text_type: &'static str,
    ) -> Vec<(responses::Part<'d>, Span)> {
        let mut content = Vec::with_capacity(body.len());
        let mut parts = body.iter().peekable();
        while let Some(part) = parts.next() {
            let made = match &part.value {
                Part::Text(text) => Some(responses::Part::text(text_type, text.as_ref())),
                Part::Media(media) => match media.kind {
                    MediaKind::Image => self.context.image(media, part.span, self.diagnostics),
                    MediaKind::Doc if media.form().is_file() => {
                        self.context.doc_file(media, part.span, self.diagnostics)
                    }
                    MediaKind::Doc | MediaKind::Agent => {
                        let mut rest = Object::default();
                        let text = self.text(std::slice::from_ref(part));
                        let fields = &media.attributes;
                        let added = self.context.insert_attributes(&mut rest, fields, part.span, self.diagnostics);
                        let kind = text_type.into();
                        added.map(|()| responses::Part::Text(responses::TextPart { kind, text, rest }))
                    }
                    MediaKind::Import => None,
                },
                Part::Summary(summary) => {
                    let kind = summary.kind.as_deref().unwrap_or("summary_text");
                    Some(responses::Part::text(kind, summary.text.as_ref()))
                }
                Part::Metadata(json) => {
                    let metadata = Metadata::read(json, part.span, self.context.strings, self.diagnostics);
                    let text = parts.next_if(|next| matches!(next.value, Part::Text(_)));
                    let text = text.map(|text| self.text(std::slice::from_ref(text)));
                    self.part(metadata, text, text_type, part.span).map(|(part, _)| part)
                }
            };
            content.extend(made.map(|made| (made, part.span)));
        }
        content
    }

    /// Builds a part from a `chatmd:part` comment and the text after it. Also returns the comment.
    pub(super) fn part(
        &mut self,
        mut metadata: Metadata<'d>,
        text: Option<Cow<'d, str>>,
        text_type: &'static str,
        span: Span,
    ) -> Option<(responses::Part<'d>, Metadata<'d>)> {
        let kind = match metadata.members.get("type").map(Json::as_str) {
            None => Cow::Borrowed(text_type),
            Some(Ok(kind)) => kind,
            Some(Err(error)) => {
                self.diagnostics.report(DirectiveProblem::MalformedDirective(error.within("type").to_string()), span);
                return None;
            }
        };
        let is_text = is_text_type(&kind);
        let text = match text {
            Some(_) if metadata.members.get(text_key(&kind)).is_some() => {
                let key = text_key(&kind);
                let message = format!("`{key}` is set by the comment and by the text after it");
                self.diagnostics.report(DirectiveProblem::MalformedDirective(message), span);
                return None;
            }
            Some(text) => text,
            None if is_text && metadata.members.get(text_key(&kind)).is_none() && !metadata.is_absent("type") => {
                Cow::Borrowed("")
            }
            None => {
                let whole = self.whole_part(&mut metadata, &kind, span)?;
                return Some((whole, metadata));
            }
        };
        let mut rest = metadata.members.clone();
        rest.take("type");
        Some((responses::Part::Text(responses::TextPart { kind, text, rest }), metadata))
    }

    /// A part that is wholly in its comment.
    pub(super) fn whole_part(
        &mut self,
        metadata: &mut Metadata<'d>,
        kind: &str,
        span: Span,
    ) -> Option<responses::Part<'d>> {
        let mut members = std::mem::take(&mut metadata.members);
        if members.get("type").is_none() && !metadata.is_absent("type") {
            members.insert("type", self.context.strings.string(kind));
        }
        match responses::Part::decode_wide(self.context.strings.write_object(|object| object.members(&members))) {
            Ok(part) => Some(part),
            Err(error) => {
                self.diagnostics.report(DirectiveProblem::MalformedDirective(error.to_string()), span);
                None
            }
        }
    }

    /// The text of a body that is one text.
    pub(super) fn text(&mut self, body: &'d [Spanned<Part<'_>>]) -> Cow<'d, str> {
        let mut whole = Cow::Borrowed("");
        for part in body {
            whole += match &part.value {
                Part::Text(text) => Cow::Borrowed(text.as_ref()),
                Part::Media(media) => match media.kind {
                    MediaKind::Doc => self.context.doc_text(media, part.span, self.diagnostics).unwrap_or_default(),
                    MediaKind::Agent => {
                        Cow::Borrowed(self.context.answer(media, part.span, self.diagnostics).unwrap_or_default())
                    }
                    MediaKind::Image | MediaKind::Import => Cow::Borrowed(""),
                },
                Part::Summary(_) | Part::Metadata(_) => Cow::Borrowed(""),
            };
        }
        whole
    }

    pub(super) fn kept_text(&mut self, body: &'d [Spanned<Part<'_>>]) -> &'d str {
        match self.text(body) {
            Cow::Borrowed(text) => text,
            Cow::Owned(text) => self.context.strings.keep(text),
        }
    }
}
