//! Converts content parts to bodies.

use std::borrow::Cow;

use super::{WriteOptions, field, spanned};
use crate::convert::metadata::{ABSENT, comment, escape_comment};
use crate::document::{Body, Field, Fields, Media, MediaKind, Part, Summary};
use crate::json::{Json, Kind, Object};
use crate::resources::media::is_data_url;
use crate::responses::{self, ImageUrl};
use crate::source::Spanned;
use crate::syntax::Attributes;

impl WriteOptions<'_> {
    /// A body of several parts.
    pub(super) fn body<'j>(&self, content: &'j [responses::Part<'_>], text_type: &str) -> Option<Body<'j>> {
        let mut body: Body<'j> = Vec::new();
        for part in content {
            match part {
                responses::Part::Text(text) => {
                    let touches = matches!(body.last(), Some(Spanned { value: Part::Text(_) | Part::Metadata(_), .. }));
                    push_text(&mut body, text, text_type, &text.rest, &[], touches)?;
                }
                responses::Part::Image(image) => {
                    match self.as_image(image.image_url.as_ref().map(ImageUrl::text), &image.rest) {
                        Some(image) => body.push(spanned(Part::Media(image))),
                        None => push_whole(&mut body, part)?,
                    }
                }
                responses::Part::Other(other) => match self.as_doc(other) {
                    Some(doc) => body.push(spanned(Part::Media(doc))),
                    None => push_whole(&mut body, part)?,
                },
                responses::Part::Raw(_) => push_whole(&mut body, part)?,
            }
        }
        Some(body)
    }
}

pub(super) fn push_summary<'j>(body: &mut Body<'j>, part: &'j responses::Part<'_>) -> Option<()> {
    let responses::Part::Text(text) = part else { return push_whole(body, part) };
    if text.rest.is_empty() && text.kind != "refusal" {
        let kind = (text.kind != "summary_text").then_some(Cow::Borrowed(text.kind.as_ref()));
        let summary = Summary { kind, extra: Attributes::default(), text: Cow::Borrowed(&text.text) };
        body.push(spanned(Part::Summary(summary)));
        Some(())
    } else {
        push_text(body, text, "summary_text", &text.rest, &[], true)
    }
}

/// Adds a whole part as metadata.
pub(super) fn push_whole<'j>(body: &mut Body<'j>, part: &'j responses::Part<'_>) -> Option<()> {
    let json = match part {
        // Without a type it must not get the usual one.
        responses::Part::Raw(raw) => {
            let is_free = |members: &Object<'_>| members.get("type").is_none() && members.get(ABSENT).is_none();
            let mut members = raw.object().ok().filter(is_free)?;
            members.take(responses::CLIENT_PART_KEY);
            comment(&members, None, &["type"])
        }
        responses::Part::Text(_) | responses::Part::Image(_) | responses::Part::Other(_) => {
            if part.rest().is_some_and(|rest| rest.get(ABSENT).is_some()) {
                return None;
            }
            let mut json = String::new();
            part.encode(&mut json);
            escape_comment(json)
        }
    };
    body.push(spanned(Part::Metadata(json.into())));
    Some(())
}

/// Adds a text, after metadata if the text has anything else than the usual type, or `is_separated` from the text before.
fn push_text<'j>(
    body: &mut Body<'j>,
    text: &'j responses::TextPart<'_>,
    usual: &str,
    rest: &Object<'j>,
    absent: &[&str],
    is_separated: bool,
) -> Option<()> {
    let kind = (text.kind != usual).then_some(text.kind.as_ref());
    if is_separated || !rest.is_empty() || !absent.is_empty() || kind.is_some() {
        if rest.get(ABSENT).is_some() {
            return None;
        }
        body.push(spanned(Part::Metadata(comment(rest, kind, absent).into())));
    }
    body.push(spanned(Part::Text(Cow::Borrowed(&text.text))));
    Some(())
}

/// `[]` or null, if every text of an assistant message has it as its `logprobs`.
fn common_logprobs(content: &[responses::Part<'_>]) -> Field<'static> {
    let texts = content.iter().filter_map(|part| match part {
        responses::Part::Text(text) if text.kind == "output_text" => Some(text.rest.get("logprobs")),
        responses::Part::Text(_) | responses::Part::Image(_) | responses::Part::Other(_) | responses::Part::Raw(_) => {
            None
        }
    });
    let all: Vec<Option<Json<'_>>> = texts.collect();
    let all_are =
        |is: &dyn Fn(Json<'_>) -> bool| !all.is_empty() && all.iter().all(|logprobs| logprobs.is_some_and(is));
    if all_are(&|logprobs| logprobs.is_empty_array()) {
        Field::Text(Cow::Borrowed("[]"))
    } else if all_are(&|logprobs| logprobs.kind() == Kind::Null) {
        Field::Null
    } else {
        Field::Absent
    }
}

impl WriteOptions<'_> {
    /// Converts an image to `<img>`, if that can express it.
    pub(super) fn as_image<'j>(&self, image_url: Option<Cow<'j, str>>, rest: &Object<'j>) -> Option<Media<'j>> {
        let mut rest = rest.clone();
        let image = match (image_url, field(&mut rest, "file_id")) {
            (Some(url), Field::Absent) => {
                let path = self.media.and_then(|media| media.keep_image(&url));
                Media::new(MediaKind::Image, path.is_some(), path.map_or(url, Cow::Owned))
            }
            (None, id @ Field::Text(_)) => Media::of(MediaKind::Image, Fields::default()).with("file_id", id),
            _ => return None,
        };
        let image = self.with_members(image, &mut rest);
        rest.is_empty().then_some(image)
    }

    /// Converts a file to `<doc>`, if that can express it.
    fn as_doc<'j>(&self, part: &'j Object<'_>) -> Option<Media<'j>> {
        let mut rest = part.clone();
        let kind = field(&mut rest, "type");
        let members = ["file_url", "file_id", "file_data", "filename"].map(|key| field(&mut rest, key));
        let doc = match members {
            [Field::Text(url), Field::Absent, Field::Absent, Field::Absent] if !is_data_url(&url) => {
                Media::new(MediaKind::Doc, false, url).with("file", Field::Null)
            }
            [Field::Absent, id @ Field::Text(_), Field::Absent, Field::Absent] => {
                Media::of(MediaKind::Doc, Fields::default()).with("file_id", id)
            }
            [Field::Absent, Field::Absent, Field::Text(data), filename @ (Field::Text(_) | Field::Absent)] => {
                let form = if is_data_url(&data) { "file" } else { "base64" };
                let path = filename.text().and_then(|name| self.media?.keep_file(&data, name));
                let doc = Media::new(MediaKind::Doc, path.is_some(), path.map_or(data, Cow::Owned));
                doc.with(form, Field::Null).with("filename", filename)
            }
            _ => return None,
        };
        let doc = self.with_members(doc, &mut rest);
        (kind == Field::Text(Cow::Borrowed("input_file")) && rest.is_empty()).then_some(doc)
    }

    /// An element with the attributes for members that are left. Only a file at an API has an issuer.
    fn with_members<'j>(&self, mut media: Media<'j>, rest: &mut Object<'j>) -> Media<'j> {
        let unused: &[&str] = if media.attributes.has("file_id") { &[] } else { &["issuer"] };
        media.attributes.append(self.attributes(media.kind.tag(), rest, unused));
        media
    }
}

/// An assistant's body, and the `logprobs` that all its texts have in common.
pub(super) fn assistant_body<'j>(content: &'j [responses::Part<'_>], is_output: bool) -> Option<(Field<'j>, Body<'j>)> {
    let logprobs = common_logprobs(content);
    let mut body = Vec::new();
    for (index, part) in content.iter().enumerate() {
        let responses::Part::Text(text) = part else {
            push_whole(&mut body, part)?;
            continue;
        };
        let mut rest = text.rest.clone();
        let mut absent = Vec::new();
        if text.kind == "output_text" {
            if logprobs != Field::Absent {
                rest.take("logprobs");
            }
            match rest.get("annotations") {
                Some(annotations) if is_output && annotations.is_empty_array() => drop(rest.take("annotations")),
                None if is_output => absent.push("annotations"),
                _ => {}
            }
        }
        push_text(&mut body, text, "output_text", &rest, &absent, index > 0)?;
    }
    Some((logprobs, body))
}
