//! The tool-output union: a string, or an array of parts.

use std::borrow::Cow;
use std::fmt::Write;

use super::content::{ImagePart, Part};
use crate::json::write;
use crate::json::{Json, JsonError, Kind};

/// The output of a tool. `"x"`, `[{input_text x}]`, `""` and `[]` are four different values and stay so.
///
/// ```
/// use chatmd::internal::json::{Json, StringArena};
/// use chatmd::internal::responses::ToolOutput;
///
/// let json = r#"[{"type":"input_text","text":"a chart:"},{"type":"input_image","image_url":"https://example.com/a.png"}]"#;
/// let arena = StringArena::default();
/// let output = ToolOutput::decode(Json::parse(json, &arena)?)?;
/// assert_eq!(output.to_persisted_string(), json);
/// assert_eq!(output.to_display_string(), "a chart:\n<image src=\"https://example.com/a.png\"/>");
/// # Ok::<(), chatmd::internal::json::JsonError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub enum ToolOutput<'j> {
    /// A JSON string.
    Text(Cow<'j, str>),
    /// A JSON array of parts.
    Content(Vec<Part<'j>>),
}

impl<'j> ToolOutput<'j> {
    /// Reads either branch.
    pub fn decode(json: Json<'j>) -> Result<Self, JsonError> {
        match json.kind() {
            Kind::String => json.as_str().map(ToolOutput::Text),
            Kind::Array => Part::decode_all(json).map(ToolOutput::Content),
            kind => Err(json.malformed(format!("expected a string or an array of parts, found {kind}"))),
        }
    }

    /// The parts; none if it is text.
    pub fn parts(&self) -> &[Part<'j>] {
        match self {
            ToolOutput::Text(_) => &[],
            ToolOutput::Content(parts) => parts,
        }
    }

    /// The same, to be changed.
    pub(super) fn parts_mut(&mut self) -> &mut [Part<'j>] {
        match self {
            ToolOutput::Text(_) => &mut [],
            ToolOutput::Content(parts) => parts,
        }
    }

    /// Writes the same branch as JSON.
    pub fn encode(&self, out: &mut String) {
        match self {
            ToolOutput::Text(text) => write::string(out, text),
            ToolOutput::Content(parts) => write::array(out, parts, |out, part| part.encode(out)),
        }
    }

    /// For people: text as it is, parts as lines, an image as a marker. Base64 is abridged.
    pub fn to_display_string(&self) -> String {
        self.to_display_string_with(marker)
    }

    /// The same with the caller's own marker for every part that is not text.
    pub fn to_display_string_with(&self, marker: impl Fn(&Part<'j>) -> String) -> String {
        let display = |part: &Part<'j>| match part {
            Part::Text(part) => part.text.to_string(),
            Part::Image(_) | Part::Other(_) | Part::Raw(_) => marker(part),
        };
        match self {
            ToolOutput::Text(text) => text.to_string(),
            ToolOutput::Content(parts) => parts.iter().map(display).collect::<Vec<_>>().join("\n"),
        }
    }

    /// For a file that is read again: text as it is, parts as their JSON array, compact.
    pub fn to_persisted_string(&self) -> String {
        match self {
            ToolOutput::Text(text) => text.to_string(),
            ToolOutput::Content(_) => {
                let mut out = String::new();
                self.encode(&mut out);
                out
            }
        }
    }
}

fn marker(part: &Part<'_>) -> String {
    match part {
        Part::Text(part) => part.text.to_string(),
        Part::Image(part) => display_image(part),
        Part::Raw(json) => json.compact().into_owned(),
        Part::Other(part) => {
            let mut marker = format!("<{}", part.get_str("type").unwrap_or_default().trim_start_matches("input_"));
            for key in ["filename", "file_id", "file_url", "file_data"] {
                if let Some(value) = part.get_str(key) {
                    let _ = write!(marker, " {key}=\"{}\"", abridged(&value));
                }
            }
            marker + "/>"
        }
    }
}

fn display_image(part: &ImagePart<'_>) -> String {
    let mut marker = "<image".to_owned();
    if let Some(url) = &part.image_url {
        let _ = write!(marker, " src=\"{}\"", abridged(&url.text()));
    }
    for key in ["file_id", "detail"] {
        if let Some(value) = part.rest.get_str(key) {
            let _ = write!(marker, " {key}=\"{value}\"");
        }
    }
    marker + "/>"
}

/// A URL as it is, or the head of a `data:` URL and how many bytes follow.
fn abridged(url: &str) -> Cow<'_, str> {
    let Some((head, data)) = url.split_once(',').filter(|(head, _)| head.starts_with("data:")) else {
        return if url.len() > 200 { Cow::Owned(format!("… {}", size(url.len()))) } else { Cow::Borrowed(url) };
    };
    let bytes = if head.ends_with(";base64") { data.trim_end_matches('=').len() * 3 / 4 } else { data.len() };
    Cow::Owned(format!("{head},… {}", size(bytes)))
}

/// A number of bytes for people.
///
/// ```
/// assert_eq!(["999 B", "12.3 kB", "1.0 MB"], [999, 12_345, 1_000_000].map(chatmd::internal::responses::size));
/// ```
pub fn size(bytes: usize) -> String {
    match bytes {
        0..1000 => format!("{bytes} B"),
        1000..1_000_000 => format!("{}.{} kB", bytes / 1000, bytes % 1000 / 100),
        _ => format!("{}.{} MB", bytes / 1_000_000, bytes % 1_000_000 / 100_000),
    }
}
