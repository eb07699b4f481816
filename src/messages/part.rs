//! Parts of messages and outputs, both ways.

use std::borrow::Cow;

use super::export::{Exporter, cache_control};
use super::import::Importer;
use super::tools::is_cache_mark;
use crate::json::{Kind, Object, StringArena};
use crate::resources::media::{DataUrl, base64_type, decode_base64, is_data_url, is_web_url, media_type_of};
use crate::responses::{ImagePart, ImageUrl, Part, TextPart, is_plain_text_type};
use crate::source::Span;
use crate::wire::{Api, Members, Overlay, Place, Value, note, report_unsent, rules, unsent_part};

const API: Api = Api::Messages;
/// The types of images that the API accepts.
const IMAGES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

impl<'d> Exporter<'d> {
    /// The block of a part, if it has one. `keeps_empty`: an empty text is sent.
    pub(super) fn part(&mut self, part: &Part<'d>, place: Place<'_>, keeps_empty: bool) -> Option<Members<'d>> {
        let overlay = part.rest().map(|rest| Overlay::of(rest, API)).unwrap_or_default();
        let mut block = match part {
            Part::Text(_) | Part::Image(_) | Part::Other(_) if overlay.get("type").is_some() => {
                Self::own_part(part, &overlay)
            }
            Part::Text(text) => self.text(text, place, keeps_empty)?,
            Part::Image(image) => self.image(image, place)?,
            Part::Other(other) if other.get_str("type").as_deref() == Some("input_file") => self.file(other, place)?,
            Part::Other(_) | Part::Raw(_) => {
                let kind = part.rest().and_then(|rest| rest.get_str("type")).unwrap_or_default();
                return self.refuse(&kind, place);
            }
        };
        overlay.apply(&mut block);
        if let (Part::Text(text), Some(_)) = (part, overlay.get("source")) {
            set_document_text(&mut block, text);
        }
        Some(block)
    }

    /// Notes that the API has no such part. Always `None`.
    fn refuse(&mut self, kind: &str, place: Place<'_>) -> Option<Members<'d>> {
        note(&mut self.entries, rules::UNSUPPORTED_PART, place, format!("the Messages API has no part like `{kind}`"));
        None
    }

    /// A block that only this API has.
    fn own_part(part: &Part<'d>, overlay: &Overlay<'d>) -> Members<'d> {
        let mut block = Members::default();
        let kind = overlay.get("type").and_then(|kind| kind.as_str().ok());
        if let (Part::Text(text), Some("text")) = (part, kind.as_deref()) {
            block.insert("text", text.text.clone());
        }
        block
    }

    /// Notes a text whose type is not that of the texts in such a message or output.
    pub(super) fn note_type(&mut self, part: &Part<'d>, text_type: &str, place: Place<'_>) {
        if let Part::Text(part) = part
            && part.kind != text_type
            && is_plain_text_type(&part.kind)
        {
            note(&mut self.entries, rules::RESPELLED_FIELD, place, format!("`{}` is sent as a plain text", part.kind));
        }
    }

    fn text(&mut self, part: &TextPart<'d>, place: Place<'_>, keeps_empty: bool) -> Option<Members<'d>> {
        if let Some((rule, message)) = unsent_part(API, part) {
            note(&mut self.entries, rule, place, message);
            if part.text.is_empty() {
                return None;
            }
        }
        if part.text.is_empty() && !keeps_empty {
            note(&mut self.entries, rules::EMPTY_TEXT, place, "the Messages API takes no empty text");
            return None;
        }
        match part.kind.as_ref() {
            kind if is_plain_text_type(kind) => {}
            "refusal" => note(&mut self.entries, rules::RESPELLED_REFUSAL, place, "the refusal is sent as text"),
            kind => return self.refuse(kind, place),
        }
        report_unsent(API, &part.rest, &[], place, &mut self.entries);
        let mut block = Members::typed("text");
        block.insert("text", part.text.clone());
        cache_control(&mut block, &part.rest);
        Some(block)
    }

    fn image(&mut self, part: &ImagePart<'d>, place: Place<'_>) -> Option<Members<'d>> {
        let source = match &part.image_url {
            None => self.file_source(&part.rest, place)?,
            Some(ImageUrl::Text(url)) if is_web_url(url) => url_source(url.clone()),
            Some(url) => {
                let data = data_source(url).filter(|(media_type, _)| IMAGES.contains(&media_type.as_ref()));
                let Some((media_type, data)) = data else {
                    let url = url.text();
                    let kind = media_type_of(&url).unwrap_or("this URL");
                    let message = format!("the Messages API takes PNG, JPEG, GIF and WebP images, not `{kind}`");
                    note(&mut self.entries, rules::UNSUPPORTED_IMAGE, place, message);
                    return None;
                };
                base64_source(media_type, data)
            }
        };
        report_unsent(API, &part.rest, &["file_id", "image_url", "filename"], place, &mut self.entries);
        let mut block = Members::typed("image");
        block.insert("source", source);
        cache_control(&mut block, &part.rest);
        Some(block)
    }

    fn file(&mut self, part: &Object<'d>, place: Place<'_>) -> Option<Members<'d>> {
        let source = match (part.get_str("file_data"), part.get_str("file_url")) {
            (Some(url), _) if is_web_url(&url) => {
                note(&mut self.entries, rules::RESPELLED_FIELD, place, "`file_data` is a URL and is sent as one");
                url_source(url)
            }
            (Some(data), _) => self.file_data_source(data, part, place)?,
            (None, Some(url)) => url_source(url),
            (None, None) => self.file_source(part, place)?,
        };
        let taken = ["type", "file_data", "file_url", "file_id", "filename"];
        report_unsent(API, part, &taken, place, &mut self.entries);
        let mut block = Members::typed("document");
        block.insert("source", source);
        block.insert_some("title", part.get("filename"));
        cache_control(&mut block, part);
        Some(block)
    }

    fn file_data_source(&mut self, url: Cow<'d, str>, file: &Object<'_>, place: Place<'_>) -> Option<Members<'d>> {
        let name = || file.get_str("filename").unwrap_or_default();
        let declared = media_type_of(&url).map(str::to_owned);
        let data = if is_data_url(&url) {
            data_source(&ImageUrl::Text(url))
        } else {
            Some((base64_type(&url, &name()).into(), Value::from(url)))
        };
        match data {
            Some((media_type, data)) if media_type == "application/pdf" => Some(base64_source(media_type, data)),
            Some((media_type, data)) if media_type == "text/plain" => {
                let text = data.as_str().and_then(|data| String::from_utf8(decode_base64(&data)?).ok());
                let Some(text) = text else {
                    let message = "the data of the file is not UTF-8 text in base64";
                    note(&mut self.entries, rules::UNSUPPORTED_FILE, place, message);
                    return None;
                };
                note(&mut self.entries, rules::RESPELLED_FILE, place, "the file is sent as the text of a document");
                let mut source = Members::typed("text");
                source.insert("media_type", media_type);
                source.insert("data", text);
                Some(source)
            }
            other => {
                let kind = other.as_ref().map(|(media_type, _)| media_type.as_ref());
                let kind = kind.or(declared.as_deref()).unwrap_or("this data");
                let message = format!("the Messages API takes PDF and plain text files, not `{kind}`");
                note(&mut self.entries, rules::UNSUPPORTED_FILE, place, message);
                None
            }
        }
    }

    /// The source of a file that the API has already.
    fn file_source(&mut self, rest: &Object<'d>, place: Place<'_>) -> Option<Members<'d>> {
        let issuer = rest.get_str("@issuer");
        let Some(id) = rest.get_str("file_id").filter(|_| issuer.as_deref() == Some(API.issuer())) else {
            let message = "the file id belongs to another API; `issuer=\"anthropic\"` marks ids of this API";
            note(&mut self.entries, rules::FOREIGN_FILE, place, message);
            return None;
        };
        let mut source = Members::typed("file");
        source.insert("file_id", id);
        Some(source)
    }
}

fn base64_source<'d>(media_type: Cow<'d, str>, data: Value<'d>) -> Members<'d> {
    let mut source = Members::typed("base64");
    source.insert("media_type", media_type);
    source.insert("data", data);
    source
}

fn url_source(url: Cow<'_, str>) -> Members<'_> {
    let mut source = Members::typed("url");
    source.insert("url", url);
    source
}

/// The media type and the base64 of a `data:` URL.
fn data_source<'d>(url: &ImageUrl<'d>) -> Option<(Cow<'d, str>, Value<'d>)> {
    match url {
        ImageUrl::File { media_type, bytes } => Some((Cow::Borrowed(*media_type), Value::File(bytes))),
        ImageUrl::Text(Cow::Borrowed(url)) => {
            let DataUrl { media_type, base64 } = DataUrl::parse(url)?;
            Some((media_type.into(), base64.into()))
        }
        ImageUrl::Text(Cow::Owned(url)) => {
            let DataUrl { media_type, base64 } = DataUrl::parse(url)?;
            Some((media_type.to_owned().into(), base64.to_owned().into()))
        }
    }
}

/// Sets the text of a document whose source has none.
fn set_document_text<'d>(block: &mut Members<'d>, part: &TextPart<'d>) {
    let Some(mut source) = block.get("source").and_then(Value::members) else { return };
    if source.get_str("type").as_deref() == Some("text") && source.get("data").is_none() {
        source.insert("data", part.text.clone());
        block.replace("source", source);
    }
}

/// The part of a block of a message or a result.
pub(crate) fn import_part<'j>(block: &Object<'j>, text_type: &'static str, strings: &'j StringArena) -> Part<'j> {
    Importer { strings, is_reply: false }.part(block, text_type)
}

impl<'j> Importer<'j> {
    /// The parts of blocks, and members of their message. A cache mark becomes a member of the message if the last block is a
    /// text and has the mark.
    pub(super) fn parts(&self, blocks: Vec<Object<'j>>, text_type: &'static str) -> (Vec<Part<'j>>, Object<'j>) {
        let mut rest = Object::default();
        let last = blocks.len().saturating_sub(1);
        let part = |(index, mut block): (usize, Object<'j>)| {
            let is_text = block.get("text").is_some_and(|text| text.kind() == Kind::String);
            if index == last && is_text && block.get_str("type").as_deref() == Some("text") {
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

    /// Adds the members of the block that the part lacks. `None` if the part is not sent, or only with a ledger entry.
    fn with_members(&self, mut part: Part<'j>, block: &Object<'j>) -> Option<Part<'j>> {
        let mut export = Exporter::new(self.strings);
        let derived = export.part(&part, nowhere(), true).filter(|_| export.entries.is_empty())?;
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
        let (mut derived, mut rest) = (Members::default(), Object::default());
        if block.get_str("type").as_deref() == Some("text") {
            derived.insert("text", "");
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

/// The place of data without a document.
pub(super) fn nowhere() -> Place<'static> {
    Place::field("", Span::NOWHERE)
}

fn data_url(source: &Object<'_>) -> Option<String> {
    Some(format!("data:{};base64,{}", source.get_str("media_type")?, source.get_str("data")?))
}
