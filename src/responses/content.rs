//! Content parts: what messages, tool outputs and reasoning are made of.

use std::borrow::Cow;

use super::clean::write_part;
use super::event::part_text_key;
use super::extension::has_extensions;
use super::image_url::ImageUrl;
use super::item::is_text_type;
use crate::json::Object;
use crate::json::write::ObjectWriter;
use crate::json::{Json, JsonError, Kind};

/// One content part.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Part<'j> {
    /// A part with a text: `input_text`, `output_text`, `summary_text`, `refusal`, and any other with a string `text`.
    Text(TextPart<'j>),
    /// `input_image`
    Image(ImagePart<'j>),
    /// Any other part, such as `input_file`, undecoded.
    Other(Object<'j>),
    /// An element that is not a part: not an object, or without a `type`.
    Raw(Json<'j>),
}

/// A part with text.
#[derive(Debug, Clone, PartialEq)]
pub struct TextPart<'j> {
    /// Its `type`.
    pub kind: Cow<'j, str>,
    /// Its `text`, or the `refusal` of a refusal.
    pub text: Cow<'j, str>,
    /// Its other members.
    pub rest: Object<'j>,
}

/// An image.
#[derive(Debug, Clone, PartialEq)]
pub struct ImagePart<'j> {
    /// Its URL. An object with a `url` is read as that URL.
    pub image_url: Option<ImageUrl<'j>>,
    /// Its other members: `file_id`, `detail` and unknown ones.
    pub rest: Object<'j>,
}

/// A key that clients keep for themselves on parts and the API rejects.
pub const CLIENT_PART_KEY: &str = "previewurl";
/// The same on images alone: a file is sent with its name.
pub(super) const CLIENT_IMAGE_KEY: &str = "filename";

impl<'j> Part<'j> {
    /// Reads a part of a message or of a tool output.
    pub fn decode(json: Json<'j>) -> Result<Self, JsonError> {
        match json.object() {
            Ok(mut object) if !has_extensions(&object) => {
                object.take(CLIENT_PART_KEY);
                Self::from_object(object, json)
            }
            Ok(_) | Err(_) => Ok(Part::Raw(json)),
        }
    }

    /// Reads a part that may have extensions.
    pub fn decode_wide(json: Json<'j>) -> Result<Self, JsonError> {
        let mut object = json.object()?;
        object.take(CLIENT_PART_KEY);
        Self::from_object(object, json)
    }

    fn from_object(mut object: Object<'j>, json: Json<'j>) -> Result<Self, JsonError> {
        let Some(Ok(kind)) = object.get("type").map(Json::as_str) else { return Ok(Part::Raw(json)) };
        match kind.as_ref() {
            "input_image" => ImagePart::decode(object).map(Part::Image),
            text if is_text_type(text) => {
                object.take("type");
                let text = object.take_string(text_key(&kind), json)?;
                Ok(Part::Text(TextPart { kind, text, rest: object }))
            }
            _ if object.get("text").is_some_and(|text| text.kind() == Kind::String) => {
                object.take("type");
                let text = object.take_string("text", json)?;
                Ok(Part::Text(TextPart { kind, text, rest: object }))
            }
            _ => Ok(Part::Other(object)),
        }
    }

    /// Reads the parts of a summary, where images are kept undecoded.
    pub(super) fn decode_summary(json: Json<'j>) -> Result<Vec<Self>, JsonError> {
        let part = |json: Json<'j>| match json.object() {
            Ok(object) if has_extensions(&object) => Ok(Part::Raw(json)),
            Ok(object) if object.get_str("type").is_some_and(|kind| kind == "input_image") => Ok(Part::Other(object)),
            // Only the parts of messages and outputs are cleaned.
            Ok(object) if object.get_str("type").is_none() && object.get(CLIENT_PART_KEY).is_some() => {
                Ok(Part::Other(object))
            }
            Ok(object) => Self::from_object(object, json),
            Err(_) => Ok(Part::Raw(json)),
        };
        let parts = json.array()?.into_iter().enumerate();
        parts.map(|(index, json)| part(json).map_err(|error| error.within_index(index))).collect()
    }

    /// Reads an array of parts.
    pub fn decode_all(json: Json<'j>) -> Result<Vec<Self>, JsonError> {
        let parts = json.array()?.into_iter().enumerate();
        parts.map(|(index, part)| Part::decode(part).map_err(|error| error.within_index(index))).collect()
    }

    /// A text part without other members.
    pub fn text(kind: impl Into<Cow<'j, str>>, text: impl Into<Cow<'j, str>>) -> Self {
        Part::Text(TextPart { kind: kind.into(), text: text.into(), rest: Object::default() })
    }

    /// Writes it as JSON.
    pub fn encode(&self, out: &mut String) {
        if let Part::Raw(json) = self {
            write_part(out, *json);
            return;
        }
        let mut object = ObjectWriter::new(out);
        match self {
            Part::Text(part) => {
                object.text("type", &part.kind);
                object.text(text_key(&part.kind), &part.text);
                object.members(&part.rest);
            }
            Part::Image(part) => {
                object.text("type", "input_image");
                if let Some(url) = &part.image_url {
                    url.encode(object.key("image_url"));
                }
                object.members(&part.rest);
            }
            Part::Other(part) => object.members(part),
            Part::Raw(_) => {}
        }
        object.end();
    }

    /// Its members that are not decoded.
    pub fn rest(&self) -> Option<&Object<'j>> {
        match self {
            Part::Text(part) => Some(&part.rest),
            Part::Image(part) => Some(&part.rest),
            Part::Other(part) => Some(part),
            Part::Raw(_) => None,
        }
    }
}

impl<'j> Part<'j> {
    /// Whether it has members that the Responses API does not have.
    pub(crate) fn has_extensions(&self) -> bool {
        self.rest().is_some_and(has_extensions)
    }

    /// The same members, to be changed.
    pub(super) fn rest_mut(&mut self) -> Option<&mut Object<'j>> {
        match self {
            Part::Text(part) => Some(&mut part.rest),
            Part::Image(part) => Some(&mut part.rest),
            Part::Other(part) => Some(part),
            Part::Raw(_) => None,
        }
    }

    /// Whether the part is kept whole because it has extensions.
    pub(super) fn is_extended(&self) -> bool {
        matches!(self, Part::Raw(json) if json.object().is_ok_and(|object| has_extensions(&object)))
    }
}

impl<'j> ImagePart<'j> {
    fn decode(mut object: Object<'j>) -> Result<Self, JsonError> {
        object.take("type");
        object.take(CLIENT_IMAGE_KEY);
        let within = |error: JsonError| error.within("image_url");
        let Some(url) = object.get_present("image_url") else { return Ok(ImagePart { image_url: None, rest: object }) };
        match url.kind() {
            Kind::String => {}
            Kind::Object => {
                let mut inner = url.object()?;
                inner.take("detail");
                inner.take_string("url", url).map_err(within)?;
                if let Some((key, value)) = inner.iter().next() {
                    let message = "`image_url` may only have `url` and `detail`";
                    return Err(within(value.malformed(message).within(key)));
                }
                flatten_image_url(&mut object);
            }
            kind => {
                let message = format!("expected a string or an object with `url`, found {kind}");
                return Err(within(url.malformed(message)));
            }
        }
        let url = object.take("image_url").map(Json::as_str).transpose().map_err(within)?;
        Ok(ImagePart { image_url: url.map(ImageUrl::Text), rest: object })
    }
}

/// Moves the `url` and the `detail` of an `image_url` object to its image. One that has other keys stays as it is, so that
/// they survive.
pub(super) fn flatten_image_url(image: &mut Object<'_>) {
    let Some(mut inner) = image.get_object("image_url") else { return };
    if let (Some(url), detail, true) = (inner.take("url"), inner.take("detail"), inner.is_empty()) {
        image.take("image_url");
        image.insert("image_url", url);
        if let Some(detail) = detail.filter(|_| image.get("detail").is_none()) {
            image.insert("detail", detail);
        }
    }
}

/// The key of the text of a part of this type.
pub fn text_key(kind: &str) -> &'static str {
    part_text_key(kind).unwrap_or("text")
}
