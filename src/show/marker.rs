//! Short descriptions of images and files, one line each.

use std::borrow::Cow;

use super::clean::clean;
use crate::diagnostic::Diagnostics;
use crate::document::{Agent, Doc, DocForm, Fields, Image, Import, MediaSource, Summary};
use crate::resolve::Resolver;
use crate::resources::media::{is_data_url, short_hash};
use crate::responses::{Part, size};
use crate::sanitize::with_short_hashes;
use crate::source::Span;
use crate::syntax::Attributes;
use crate::transcript::{HostedItem, describe, file_data, image_bytes, image_url};

/// The length of the shortest hash.
const MIN_HASH_LENGTH: usize = 32;
/// How much of the start and of the end of a long name is shown.
const NAME_HEAD: usize = 20;
const NAME_TAIL: usize = 24;

/// Makes markers, and reads the files that they describe.
#[derive(Clone, Copy)]
pub(super) struct Markers<'w> {
    pub(super) resolver: &'w Resolver<'w>,
    /// Whether markers of different content must differ.
    pub(super) exact: bool,
}

impl Markers<'_> {
    /// `[image charts/a.png 640×480 png 12.3 kB]`
    pub(super) fn image(self, image: &Image<'_>, span: Span) -> String {
        let description = match &image.source {
            MediaSource::Url(url) if is_data_url(url) => self.image_url(url),
            MediaSource::Url(url) => self.name(url).into_owned(),
            MediaSource::FileId(id) => id.to_string(),
            MediaSource::Local(path) => {
                let bytes = self.bytes(path, span);
                let path = self.name(path);
                bytes.map_or(path.to_string(), |bytes| format!("{path} {}", image_bytes(bytes, "")))
            }
        };
        let known = self.fields(&image.attributes, &["detail"]);
        let description = description + self.origin(&image.source) + &known + &self.extra(&image.extra);
        marker("image", &description, image.attributes.text("detail"))
    }

    /// `[agent critic.md]`
    pub(super) fn agent(self, agent: &Agent<'_>) -> String {
        let (MediaSource::Url(name) | MediaSource::Local(name) | MediaSource::FileId(name)) = &agent.source;
        marker("agent", &[name, self.origin(&agent.source), &self.extra(&agent.extra)].concat(), None)
    }

    /// `[import rules.md]`
    pub(super) fn import(self, import: &Import<'_>) -> String {
        marker("import", &[&import.path, self.extra(&import.extra).as_str()].concat(), None)
    }

    /// The attributes of a summary, if they must be shown.
    pub(super) fn summary(self, summary: &Summary<'_>) -> Option<String> {
        let kind = summary.kind.as_ref().filter(|_| self.exact).map(|kind| format!(" type={kind}"));
        let attributes = kind.unwrap_or_default() + &self.extra(&summary.extra);
        (!attributes.is_empty()).then(|| marker("summary", attributes.trim_start(), None))
    }

    /// The known attributes of an element, if they must be shown.
    fn fields(self, fields: &Fields<'_>, hidden: &[&str]) -> String {
        if self.exact { known(fields, hidden) } else { String::new() }
    }

    /// The unknown attributes of an element, if they must be shown.
    fn extra(self, attributes: &Attributes<'_>) -> String {
        if self.exact { all_of(attributes) } else { String::new() }
    }

    /// `[file report.pdf 12.3 kB]`, or `[doc notes.md 1.2 kB]` if its text is sent.
    pub(super) fn doc(self, doc: &Doc<'_>, span: Span) -> String {
        let kind = if doc.form.is_file() { "file" } else { "doc" };
        let source = match &doc.source {
            MediaSource::Url(url) if doc.form == DocForm::Base64 || is_data_url(url) => self.file_data(url),
            MediaSource::Url(url) => self.name(url).into_owned(),
            MediaSource::FileId(id) => id.to_string(),
            MediaSource::Local(path) => {
                let bytes = self.bytes(path, span);
                let path = self.name(path);
                bytes.map_or(path.to_string(), |bytes| format!("{path} {}", size(bytes.len())))
            }
        };
        let form = match doc.form {
            DocForm::Strip if self.exact => " strip",
            DocForm::Markdown if self.exact => " markdown",
            DocForm::Base64 if self.exact => " base64",
            DocForm::Text | DocForm::File | DocForm::Base64 | DocForm::Strip | DocForm::Markdown => "",
        };
        let known = self.fields(&doc.attributes, &[]);
        let source = [source.as_str(), self.origin(&doc.source), form, &known, &self.extra(&doc.extra)].concat();
        let name = doc.filename.as_ref().filter(|name| !source.contains(name.as_ref()));
        marker(kind, &name.map_or(source.clone(), |name| format!("{name} {source}")), None)
    }

    /// The marker of a part of a tool output, or its text.
    pub(super) fn part(self, part: &Part<'_>) -> String {
        match part {
            Part::Text(part) => part.text.to_string(),
            Part::Image(part) => {
                let url = part.image_url.as_ref().map(|url| self.image_url(&url.text()));
                let source = url.map(Cow::Owned).or_else(|| part.rest.get_str("file_id")).unwrap_or_default();
                marker("image", &source, part.rest.get_str("detail").as_deref())
            }
            Part::Other(part) if part.get_str("type").as_deref() == Some("input_file") => {
                let data = part.get_str("file_data").map(|data| Cow::Owned(self.file_data(&data)));
                let words = [part.get_str("filename"), data, part.get_str("file_url"), part.get_str("file_id")];
                marker("file", &words.into_iter().flatten().collect::<Vec<_>>().join(" "), None)
            }
            Part::Other(part) if !self.exact && part.get("type").is_some() => hosted(&describe(part)),
            Part::Other(_) | Part::Raw(_) => {
                let mut json = String::new();
                part.encode(&mut json);
                json
            }
        }
    }

    fn image_url(self, url: &str) -> String {
        image_url(url) + &self.hash(url)
    }

    fn file_data(self, url: &str) -> String {
        file_data(url) + &self.hash(url)
    }

    /// A path or URL. Long hashes and the middle of long names are left out, so that the marker fits on a line.
    fn name(self, name: &str) -> Cow<'_, str> {
        if self.exact {
            Cow::Borrowed(name)
        } else {
            without_middle(with_short_hashes(name, |length| length >= MIN_HASH_LENGTH))
        }
    }

    /// A word that distinguishes a file and an id from a URL.
    fn origin(self, source: &MediaSource<'_>) -> &'static str {
        match source {
            MediaSource::Local(_) if self.exact => " local",
            MediaSource::FileId(_) if self.exact => " file_id",
            MediaSource::Local(_) | MediaSource::FileId(_) | MediaSource::Url(_) => "",
        }
    }

    /// A hash of the content of a `data:` URL.
    fn hash(self, url: &str) -> String {
        if self.exact && is_data_url(url) { format!(" #{}", short_hash(url.as_bytes())) } else { String::new() }
    }

    /// The content of a file, if the file can be read.
    fn bytes(&self, path: &str, span: Span) -> Option<&[u8]> {
        self.resolver.file(path, span, &mut Diagnostics::new()).map(|content| content.bytes.as_slice())
    }
}

/// All attributes: ` id=a local`.
pub(super) fn all_of(attributes: &Attributes<'_>) -> String {
    attributes.0.iter().map(|own| attribute(&own.name, own.value.as_deref())).collect()
}

/// All known attributes except the hidden ones: ` id=a status`.
pub(super) fn known(fields: &Fields<'_>, hidden: &[&str]) -> String {
    let shown = fields.iter().filter(|(row, _)| !hidden.contains(&row.name));
    shown.map(|(row, field)| attribute(row.name, field.text())).collect()
}

fn attribute(name: &str, value: Option<&str>) -> String {
    value.map_or_else(|| format!(" {name}"), |value| format!(" {name}={value}"))
}

/// `[audio wav 12.3 kB]`: a part that no element expresses.
pub(super) fn hosted(part: &HostedItem) -> String {
    marker(&part.title, &part.detail, None)
}

fn marker(kind: &str, description: &str, detail: Option<&str>) -> String {
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
