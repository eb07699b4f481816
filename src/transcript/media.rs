//! Images and files, and their descriptions in words.

use std::borrow::Cow;

use crate::document::{DocForm, Fields, Media, MediaKind, MediaSource};
use crate::resources::media::{DataUrl, dimensions, image_type, is_data_url};
use crate::responses::{ImageUrl, Part, size};
use crate::syntax::Attributes;

/// An image, a file, an agent or an import.
#[derive(Debug, Default)]
pub(crate) struct MediaPiece<'t> {
    /// `image`, `file`, `agent` or `import`.
    pub(crate) kind: &'static str,
    /// Whether the text of a file is sent, and not the file itself.
    pub(crate) is_text: bool,
    /// The name that a file is sent with, if not its own.
    pub(crate) filename: Option<Cow<'t, str>>,
    /// Where the content is.
    pub(crate) content: Content<'t>,
    /// How closely a model looks at an image.
    pub(crate) detail: Option<Cow<'t, str>>,
    /// Its other attributes.
    pub(crate) attributes: Vec<(&'t str, Option<&'t str>)>,
}

/// Where the content of an image or a file is.
#[derive(Debug)]
pub(crate) enum Content<'t> {
    /// A `data:` URL, or base64.
    Data(Cow<'t, str>),
    /// A URL.
    Web(Cow<'t, str>),
    /// A file that was uploaded to the API.
    Uploaded(Cow<'t, str>),
    /// A file with its content, if the file can be read.
    File(&'t str, Option<&'t [u8]>),
    /// A name, if the content is not shown.
    Name(&'t str),
}

impl Default for Content<'_> {
    fn default() -> Self {
        Content::Name("")
    }
}

impl<'t> Content<'t> {
    fn of_url(url: Cow<'t, str>) -> Self {
        if is_data_url(&url) { Content::Data(url) } else { Content::Web(url) }
    }
}

impl<'t> MediaPiece<'t> {
    /// What an element is. `read` reads a file.
    pub(crate) fn of_element(media: &'t Media<'_>, read: impl FnOnce(&'t str) -> Option<&'t [u8]>) -> Self {
        let (form, text) = (media.form(), |name| media.attributes.text(name).map(Cow::Borrowed));
        let (kind, content) = match (media.kind, media.source()) {
            (MediaKind::Agent, source) => ("agent", Content::Name(source.target())),
            (MediaKind::Import, source) => ("import", Content::Name(source.target())),
            (kind @ (MediaKind::Image | MediaKind::Doc), source) => {
                let content = match source {
                    MediaSource::Url(base64) if form == DocForm::Base64 => Content::Data(base64.into()),
                    MediaSource::Url(url) => Content::of_url(url.into()),
                    MediaSource::FileId(id) => Content::Uploaded(id.into()),
                    MediaSource::Local(path) => Content::File(path, read(path)),
                };
                (if kind == MediaKind::Image { "image" } else { "file" }, content)
            }
        };
        // The other attributes are shown in another way, and so is an id.
        let others = known(&media.attributes).filter(|(name, _)| !["src", "file", "filename", "detail"].contains(name));
        let others = others.map(|(name, value)| (name, value.filter(|_| name != "file_id")));
        let attributes = others.chain(all(&media.extra)).collect();
        let is_text = media.kind == MediaKind::Doc && !form.is_file();
        MediaPiece { kind, is_text, filename: text("filename"), content, detail: text("detail"), attributes }
    }

    /// The image at a URL.
    pub(crate) fn of_image_url(url: impl Into<Cow<'t, str>>) -> Self {
        MediaPiece { kind: "image", content: Content::of_url(url.into()), ..MediaPiece::default() }
    }

    /// The image or the file that a part is.
    pub(crate) fn of_part(part: &Part<'t>) -> Option<Self> {
        match part {
            Part::Image(image) => {
                let id = image.rest.get_str("file_id").unwrap_or_default();
                let url = image.image_url.clone().map(ImageUrl::into_text);
                let content = url.map_or(Content::Uploaded(id), Content::of_url);
                Some(MediaPiece {
                    kind: "image",
                    content,
                    detail: image.rest.get_str("detail"),
                    ..MediaPiece::default()
                })
            }
            Part::Other(file) if file.get_str("type").as_deref() == Some("input_file") => {
                let content = |key, content: fn(Cow<'t, str>) -> Content<'t>| file.get_str(key).map(content);
                let data = content("file_data", Content::Data).or_else(|| content("file_url", Content::Web));
                let content = data.or_else(|| content("file_id", Content::Uploaded)).unwrap_or_default();
                Some(MediaPiece { kind: "file", filename: file.get_str("filename"), content, ..MediaPiece::default() })
            }
            Part::Text(_) | Part::Other(_) | Part::Raw(_) => None,
        }
    }
}

/// The attributes that have a meaning.
pub(crate) fn known<'t>(fields: &'t Fields<'_>) -> impl Iterator<Item = (&'t str, Option<&'t str>)> {
    fields.iter().map(|(row, field)| (row.name, field.text()))
}

/// All attributes of a tag, or those without a meaning.
pub(crate) fn all<'t>(attributes: &'t Attributes<'_>) -> impl Iterator<Item = (&'t str, Option<&'t str>)> {
    attributes.0.iter().map(|own| (own.name.as_ref(), own.value.as_deref()))
}

/// The image of a `data:` URL in words, or any other URL as it is.
pub(crate) fn image_url(url: &str) -> String {
    let (head, data) = match url.split_once(',') {
        Some((head, data)) if is_data_url(url) => (head, data),
        _ => return url.to_owned(),
    };
    match DataUrl::parse(url).map(|parsed| (parsed.bytes(), parsed.media_type)) {
        Some((Some(bytes), media_type)) => image_bytes(&bytes, media_type),
        Some((None, media_type)) => format!("{}, broken base64, {}", short(media_type), size(data.len())),
        None => format!("{} {}", short(head.get("data:".len()..).unwrap_or_default()), size(data.len())),
    }
}

/// `640×480 png 12.3 kB`. The type of the content is preferred to the declared type.
pub(crate) fn image_bytes(bytes: &[u8], declared: &str) -> String {
    let kind = image_type(bytes).unwrap_or(declared);
    let measured = dimensions(bytes).map(|(width, height)| format!("{width}×{height}"));
    let words = [measured.map(Cow::Owned), Some(Cow::Borrowed(short(kind))), Some(Cow::Owned(size(bytes.len())))];
    let words: Vec<Cow<'_, str>> = words.into_iter().flatten().filter(|word| !word.is_empty()).collect();
    words.join(" ")
}

/// The size of the file in a `data:` URL. The API also accepts base64 without the head of such a URL.
pub(crate) fn file_data(data: &str) -> String {
    let (head, content) = data.split_once(',').unwrap_or((";base64", data));
    if !head.ends_with(";base64") {
        return size(content.len());
    }
    let bytes = DataUrl { media_type: "", base64: content }.bytes();
    bytes.map_or(format!("broken base64, {}", size(content.len())), |bytes| size(bytes.len()))
}

fn short(media_type: &str) -> &str {
    media_type.strip_prefix("image/").unwrap_or(media_type)
}
