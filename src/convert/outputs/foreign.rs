//! The parts of tool results as MCP and other programs write them.

use std::borrow::Cow;

use super::refused::{holds_media, is_refused_type, refused_type};
use crate::json::{Json, Object, StringArena};
use crate::resources::media::{DataUrl, decode_base64, extension_of, has_scheme, is_data_url};
use crate::responses::{ImagePart, ImageUrl, Part};

/// What an element of a result is.
pub(in crate::convert) enum Element<'j> {
    /// A part of the Responses API.
    Part,
    /// A part of another program, such as an MCP server.
    Foreign(ConvertedPart<'j>),
    /// Media of this type, which the API does not accept.
    Refused(String),
}

/// A part of another program, as a part of the API.
pub(in crate::convert) struct ConvertedPart<'j> {
    pub(in crate::convert) part: Part<'j>,
    /// Whether it is a text or an image with exactly the keys that MCP gives them.
    pub(in crate::convert) is_plain_mcp: bool,
    /// Its keys that the API's part cannot express.
    pub(in crate::convert) unsent: Vec<Cow<'j, str>>,
    /// Whether its base64 is sent in another spelling.
    pub(in crate::convert) is_respelled: bool,
}

/// The URL with the content of an image or a file.
fn content_url<'p>(part: &'p Part<'_>) -> Option<Cow<'p, str>> {
    match part {
        Part::Image(image) => image.image_url.as_ref().map(ImageUrl::text),
        Part::Other(file) => file.get_str("file_data"),
        Part::Text(_) | Part::Raw(_) => None,
    }
}

fn text(text: Cow<'_, str>) -> Part<'_> {
    Part::text("input_text", text)
}

fn image<'j>(url: String, detail: Option<&str>, strings: &'j StringArena) -> Part<'j> {
    let mut rest = Object::default();
    if let Some(detail) = detail {
        rest.insert("detail", strings.string(detail));
    }
    Part::Image(ImagePart { image_url: Some(ImageUrl::Text(url.into())), rest })
}

fn file<'j>(members: &[(&'static str, &str)], strings: &'j StringArena) -> Part<'j> {
    let mut file = Object::default();
    file.insert("type", strings.string("input_file"));
    for (key, value) in members {
        file.insert(*key, strings.string(value));
    }
    Part::Other(file)
}

impl<'j> Element<'j> {
    /// Reads an element; `None` if it has none of the known shapes.
    pub(in crate::convert) fn read(json: Json<'j>, strings: &'j StringArena) -> Option<Self> {
        let kind = json.object().ok()?.get_str("type")?;
        match kind.as_ref() {
            refused if is_refused_type(refused) => Some(Element::Refused(kind.into_owned())),
            "input_text" => Some(Element::Part),
            "input_image" | "input_file" => {
                let refused = Part::decode(json).ok().and_then(|part| refused_type(&part));
                Some(refused.map_or(Element::Part, Element::Refused))
            }
            _ => read_foreign(json, strings),
        }
    }
}

fn read_foreign<'j>(json: Json<'j>, strings: &'j StringArena) -> Option<Element<'j>> {
    let mut members = json.object().ok()?;
    let count = members.iter().count();
    let kind = members.take_str("type")?;
    let part = match kind.as_ref() {
        "text" | "output_text" => text(members.take_str("text")?),
        "resource_link" => {
            // A part cannot express any of its members but as a text.
            members = Object::default();
            text(Cow::Borrowed(json.raw()))
        }
        "image" | "document" if members.get("source").is_some() => sourced(&mut members, kind == "image", strings)?,
        "image" => encoded(&mut members, &["mimeType"], true, strings)?,
        "image-data" => encoded(&mut members, &["mediaType"], true, strings)?,
        "file-data" => encoded(&mut members, &["mediaType"], false, strings)?,
        "media" => encoded(&mut members, &["mediaType", "mimeType"], false, strings)?,
        "image_url" => image_url(&mut members, strings)?,
        "resource" => resource(&mut members, strings)?,
        "audio" | "video" | "audio_url" | "video_url" => {
            return holds_media(json).then(|| Element::Refused(kind.into_owned()));
        }
        _ => return None,
    };
    if let Some(media_type) = refused_type(&part) {
        return Some(Element::Refused(media_type));
    }
    let is_plain_mcp = match kind.as_ref() {
        "text" | "output_text" => count == 2,
        "resource_link" => true,
        "image" => count == 3 && members.is_empty(),
        _ => false,
    };
    let unsent = members.iter().map(|(key, _)| key.to_owned().into()).filter(|key| key != "_meta").collect();
    let is_written = |sent: &str| json.strings().any(|(_, text)| text.as_str().is_ok_and(|text| text.ends_with(sent)));
    let url = content_url(&part);
    let sent = url.as_deref().and_then(DataUrl::parse);
    let is_respelled = sent.is_some_and(|sent| !is_written(sent.base64));
    Some(Element::Foreign(ConvertedPart { part, is_plain_mcp, unsent, is_respelled }))
}

/// `{"data": BASE64, KEY: TYPE}`, where KEY is one of `type_keys`.
fn encoded<'j>(
    members: &mut Object<'j>,
    type_keys: &[&str],
    is_image: bool,
    strings: &'j StringArena,
) -> Option<Part<'j>> {
    let media_type = type_keys.iter().find_map(|key| members.take_str(key))?;
    let data = members.take_str("data")?;
    media(members, &data, &media_type, is_image, None, strings)
}

/// `{"source": {"type": "base64", "media_type": TYPE, "data": BASE64}}` or `{"source": {"type": "url", "url": URL}}`.
fn sourced<'j>(members: &mut Object<'j>, is_image: bool, strings: &'j StringArena) -> Option<Part<'j>> {
    let mut source = members.take("source")?.object().ok()?;
    let content = match source.take_str("type")?.as_ref() {
        "base64" => {
            let (media_type, data) = (source.take_str("media_type")?, source.take_str("data")?);
            media(members, &data, &media_type, is_image, None, strings)
        }
        "url" => {
            let url = source.take_str("url")?;
            Some(if is_image { image(url.into_owned(), None, strings) } else { file(&[("file_url", &url)], strings) })
        }
        _ => None,
    };
    content.filter(|_| source.is_empty())
}

/// `{"image_url": {"url": URL}}`
fn image_url<'j>(members: &mut Object<'j>, strings: &'j StringArena) -> Option<Part<'j>> {
    let mut inner = members.take("image_url")?.object().ok()?;
    let (url, detail) = (inner.take_str("url")?, inner.take_str("detail"));
    let is_valid = match DataUrl::parse(&url) {
        Some(data) => is_base64(data.base64),
        None => !is_data_url(&url),
    };
    (is_valid && inner.is_empty()).then(|| image(url.into_owned(), detail.as_deref(), strings))
}

/// `{"resource": {"uri": URI, "text": TEXT}}`, or with a `blob` instead of the text.
fn resource<'j>(members: &mut Object<'j>, strings: &'j StringArena) -> Option<Part<'j>> {
    let mut inner = members.take("resource")?.object().ok()?;
    let (uri, media_type) = (inner.take_str("uri"), inner.take_str("mimeType"));
    let (own_text, blob) = (inner.take_str("text"), inner.get("blob"));
    if own_text.is_none() {
        inner.take("blob");
    }
    // Its other keys are read or reported with those of the element.
    for (key, value) in inner.iter() {
        members.insert(key.to_owned(), value);
    }
    if let Some(own_text) = own_text {
        return Some(text(own_text));
    }
    let blob = blob?.as_str().ok()?;
    let media_type = media_type.as_deref().unwrap_or("application/octet-stream");
    media(members, &blob, media_type, false, uri.as_deref(), strings)
}

/// An image or a file with this content. Any other type than that of an image is a file, unless an image is required.
fn media<'j>(
    members: &mut Object<'j>,
    data: &str,
    media_type: &str,
    is_image: bool,
    uri: Option<&str>,
    strings: &'j StringArena,
) -> Option<Part<'j>> {
    // Some programs put a whole `data:` URL there.
    let data = normal_base64(DataUrl::parse(data).map_or(data, |url| url.base64))?;
    if is_image || has_scheme(media_type, "image/") {
        let url = format!("data:{};base64,{data}", media_type.to_ascii_lowercase());
        return Some(image(url, None, strings));
    }
    let url = format!("data:{media_type};base64,{data}");
    let segment = uri.and_then(last_segment);
    let name = members.take_str("filename").or_else(|| members.take_str("title")).map(Cow::into_owned);
    let name = name.or_else(|| segment.map(str::to_owned)).unwrap_or_else(|| match extension_of(media_type) {
        Some(extension) => format!("file.{extension}"),
        None => "file".to_owned(),
    });
    Some(file(&[("filename", &name), ("file_data", &url)], strings))
}

/// The last segment of a URI, without its query and fragment.
fn last_segment(uri: &str) -> Option<&str> {
    let path = uri.split(['?', '#']).next()?;
    path.trim_end_matches('/').rsplit('/').next().filter(|name| !name.is_empty())
}

/// Base64 as the API accepts it. Line breaks, the letters of URLs and missing padding are accepted.
fn normal_base64(data: &str) -> Option<Cow<'_, str>> {
    if is_base64(data) {
        return Some(Cow::Borrowed(data));
    }
    let letter = |c: char| match c {
        '-' => '+',
        '_' => '/',
        other => other,
    };
    let mut normal: String = data.trim_end_matches(['=', '\r', '\n', ' ', '\t']).chars().map(letter).collect();
    normal.retain(|c| !c.is_ascii_whitespace());
    normal.extend(std::iter::repeat_n('=', (4 - normal.len() % 4) % 4));
    is_base64(&normal).then_some(Cow::Owned(normal))
}

pub(in crate::convert) fn is_base64(data: &str) -> bool {
    !data.is_empty() && decode_base64(data).is_some()
}
