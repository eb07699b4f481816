//! Blocks of messages and outputs as parts.

use std::borrow::Cow;

use super::blocks::Blocks;
use super::import::Import;
use super::tools::is_cache_mark;
use crate::json::{Kind, Object, StringArena};
use crate::responses::{ImagePart, ImageUrl, Part, TextPart};
use crate::source::Span;
use crate::wire::{Api, Overlay, Place};

const API: Api = Api::Messages;

/// The part of a block of a message or a result.
pub(crate) fn import_part<'j>(block: &Object<'j>, text_type: &'static str, strings: &'j StringArena) -> Part<'j> {
    Import { strings, is_reply: false }.part(block, text_type)
}

impl<'j> Import<'j> {
    /// Parts, and the members of their message: a cache mark on a last text is said on the message.
    pub(super) fn parts(&self, blocks: Vec<Object<'j>>, text_type: &'static str) -> (Vec<Part<'j>>, Object<'j>) {
        let mut rest = Object::default();
        let last = blocks.len().saturating_sub(1);
        let part = |(index, mut block): (usize, Object<'j>)| {
            let is_text = block.get_str("type").as_deref() == Some("text") && block.get_str("text").is_some();
            if index == last && is_text {
                keep_cache_mark(&block, &mut rest);
                if rest.get("@cache_control").is_some() {
                    block.take("cache_control");
                }
            }
            self.part(&block, text_type)
        };
        let parts = blocks.into_iter().enumerate().map(part).collect();
        (parts, rest)
    }

    /// The part of a block, with the members that the part cannot say.
    pub(super) fn part(&self, block: &Object<'j>, text_type: &'static str) -> Part<'j> {
        let source = block.get("source").and_then(|source| source.object().ok()).unwrap_or_default();
        let source_type = source.get_str("type");
        if block.iter().count() == 2
            && let (Some("text"), Some(text)) = (block.get_str("type").as_deref(), block.get_str("text"))
        {
            return Part::text(text_type, text);
        }
        let known = match (block.get_str("type").as_deref(), source_type.as_deref()) {
            (Some("text"), _) => block.get_str("text").map(|text| Part::text(text_type, text)),
            (Some("image"), Some(kind)) => self.image(block, &source, kind),
            (Some("document"), Some("text")) => return self.text_document(block, source),
            (Some("document"), Some(kind)) => self.file(block, &source, kind),
            (_, _) => None,
        };
        known.and_then(|part| self.with_members(part, block)).unwrap_or_else(|| self.own_part(block))
    }

    /// The part of a block of a system message, where only this API has images and files.
    pub(super) fn system_part(&self, block: &Object<'j>) -> Part<'j> {
        match self.part(block, "input_text") {
            Part::Image(_) | Part::Other(_) => self.own_part(block),
            part @ (Part::Text(_) | Part::Raw(_)) => part,
        }
    }

    /// Adds the members that a part cannot say; `None` if the block of the part is another one.
    fn with_members(&self, mut part: Part<'j>, block: &Object<'j>) -> Option<Part<'j>> {
        let mut blocks = Blocks::new(self.strings);
        let derived = blocks.part(&part, &nowhere(), true).filter(|_| blocks.entries.is_empty())?;
        let rest = match &mut part {
            Part::Text(text) => &mut text.rest,
            Part::Image(image) => &mut image.rest,
            Part::Other(other) => other,
            Part::Raw(_) => return None,
        };
        let overlay = Overlay::between(&derived, block, self.strings);
        overlay.insert_into(rest, API, self.strings);
        Some(part)
    }

    /// A part that only this API has.
    fn own_part(&self, block: &Object<'j>) -> Part<'j> {
        let (mut derived, mut rest) = (Object::default(), Object::default());
        if block.get_str("type").as_deref() == Some("text") {
            derived.insert("text", self.strings.string(""));
        }
        Overlay::between(&derived, block, self.strings).insert_into(&mut rest, API, self.strings);
        Part::Text(TextPart { kind: Cow::Borrowed("input_text"), text: Cow::Borrowed(""), rest })
    }

    /// A document that is a text: its text is in the body.
    fn text_document(&self, block: &Object<'j>, mut source: Object<'j>) -> Part<'j> {
        let Some(text) = source.take_str("data") else { return self.own_part(block) };
        let mut members = block.clone();
        members.replace("source", self.strings.object(&source));
        let mut rest = Object::default();
        Overlay::new(members).insert_into(&mut rest, API, self.strings);
        Part::Text(TextPart { kind: Cow::Borrowed("input_text"), text, rest })
    }

    fn image(&self, block: &Object<'j>, source: &Object<'j>, kind: &str) -> Option<Part<'j>> {
        let mut rest = Object::default();
        keep_cache_mark(block, &mut rest);
        let image_url = match kind {
            "base64" => Some(data_url(source)?),
            "url" => Some(source.get_str("url")?.into_owned()),
            "file" => {
                self.file_id(source, &mut rest)?;
                None
            }
            _ => return None,
        };
        let image_url = image_url.map(|url| ImageUrl::Text(Cow::Borrowed(self.strings.keep(url))));
        Some(Part::Image(ImagePart { image_url, rest }))
    }

    fn file(&self, block: &Object<'j>, source: &Object<'j>, kind: &str) -> Option<Part<'j>> {
        let mut part = Object::default();
        part.insert("type", self.strings.string("input_file"));
        match kind {
            "base64" => part.insert("file_data", self.strings.string(&data_url(source)?)),
            "url" => part.insert("file_url", source.get("url").filter(|url| url.kind() == Kind::String)?),
            "file" => self.file_id(source, &mut part)?,
            _ => return None,
        }
        if let Some(title) = block.get("title").filter(|title| title.kind() == Kind::String) {
            part.insert("filename", title);
        }
        keep_cache_mark(block, &mut part);
        Some(Part::Other(part))
    }

    fn file_id(&self, source: &Object<'j>, rest: &mut Object<'j>) -> Option<()> {
        rest.insert("file_id", source.get("file_id").filter(|id| id.kind() == Kind::String)?);
        rest.insert("@issuer", self.strings.string(API.issuer()));
        Some(())
    }
}

/// Keeps a cache mark that an attribute can say.
pub(super) fn keep_cache_mark<'j>(block: &Object<'j>, rest: &mut Object<'j>) {
    if let Some(mark) = block.get("cache_control").filter(|mark| is_cache_mark(*mark)) {
        rest.insert("@cache_control", mark);
    }
}

pub(super) fn nowhere() -> Place {
    Place::new("", Span::NOWHERE)
}

fn data_url(source: &Object<'_>) -> Option<String> {
    Some(format!("data:{};base64,{}", source.get_str("media_type")?, source.get_str("data")?))
}
