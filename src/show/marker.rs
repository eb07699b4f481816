//! Short descriptions of images, files and parts, one line each.

use std::borrow::Cow;

use super::clean::clean;
use crate::document::{DocForm, Media, MediaKind, MediaSource};
use crate::resources::media::{is_data_url, short_hash};
use crate::responses::size;
use crate::sanitize::with_short_hashes;
use crate::transcript::{HostedItem, all, file_data, image_bytes, image_url, known};

/// The length of the shortest hash.
const MIN_HASH_LENGTH: usize = 32;
/// How much of the start and of the end of a long name is shown.
const NAME_HEAD: usize = 20;
const NAME_TAIL: usize = 24;

/// `[image charts/a.png 640×480 png 12.3 kB]`, `[file report.pdf 12.3 kB]`, `[agent critic.md]`, or `[doc notes.md 1.2 kB]`
/// if its text is sent. If markers of different content must differ, all attributes and hashes are shown.
pub(super) fn media(media: &Media<'_>, bytes: Option<&[u8]>, is_exact: bool) -> String {
    let name = |name: &str| {
        if is_exact {
            name.to_owned()
        } else {
            without_middle(with_short_hashes(name, |length| length >= MIN_HASH_LENGTH)).into_owned()
        }
    };
    let (is_image, form) = (media.kind == MediaKind::Image, media.form());
    let mut shown = match (media.kind, media.source()) {
        (MediaKind::Agent | MediaKind::Import, source) => source.target().to_owned(),
        (_, MediaSource::FileId(id)) => id.to_owned(),
        (_, MediaSource::Local(path)) => match bytes {
            None => name(path),
            Some(bytes) if is_image => format!("{} {}", name(path), image_bytes(bytes, "")),
            Some(bytes) => format!("{} {}", name(path), size(bytes.len())),
        },
        (_, MediaSource::Url(data)) if is_data_url(data) || form == DocForm::Base64 => {
            let hash = if is_exact && is_data_url(data) {
                format!(" #{}", short_hash(data.as_bytes()))
            } else {
                String::new()
            };
            (if is_image { image_url(data) } else { file_data(data) }) + &hash
        }
        (_, MediaSource::Url(url)) => name(url),
    };
    if is_exact {
        // The others are shown in another way, and so is an id.
        let others = known(&media.attributes).filter(|(name, _)| !["src", "file", "filename", "detail"].contains(name));
        let others = others.map(|(name, value)| (name, value.filter(|_| name != "file_id")));
        shown += &attributes(others.chain(all(&media.extra)));
    }
    let filename = media.attributes.text("filename").filter(|name| !shown.contains(name)).unwrap_or_default();
    let space = if filename.is_empty() || shown.is_empty() { "" } else { " " };
    let kind = match media.kind {
        MediaKind::Image => "image",
        MediaKind::Doc if form.is_file() => "file",
        MediaKind::Doc => "doc",
        MediaKind::Agent => "agent",
        MediaKind::Import => "import",
    };
    marker(kind, &[filename, space, &shown].concat(), media.attributes.text("detail"))
}

/// `[audio wav 12.3 kB]`: a part that no element expresses.
pub(super) fn hosted(part: &HostedItem) -> String {
    marker(&part.title, &part.detail, None)
}

/// ` id=a local`
pub(super) fn attributes<'a>(attributes: impl Iterator<Item = (&'a str, Option<&'a str>)>) -> String {
    attributes.map(|(name, value)| value.map_or(format!(" {name}"), |value| format!(" {name}={value}"))).collect()
}

pub(super) fn marker(kind: &str, description: &str, detail: Option<&str>) -> String {
    let space = if description.is_empty() { "" } else { " " };
    let detail = detail.map_or(String::new(), |detail| format!(", detail {detail}"));
    clean(&format!("[{kind}{space}{description}{detail}]")).replace('\n', " ")
}

/// The start and the end of a long name.
fn without_middle(name: Cow<'_, str>) -> Cow<'_, str> {
    let count = name.chars().take(NAME_HEAD + NAME_TAIL + 2).count();
    if count <= NAME_HEAD + NAME_TAIL + 1 {
        return name;
    }
    let head: String = name.chars().take(NAME_HEAD).collect();
    let tail = name.char_indices().rev().nth(NAME_TAIL - 1).map_or(0, |(start, _)| start);
    Cow::Owned(format!("{head}…{}", &name[tail..]))
}
