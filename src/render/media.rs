//! Images and files.

use super::Renderer;
use crate::diagnostic::Diagnostics;
use crate::document::{Doc, DocForm, Image, MediaSource};
use crate::resources::media::{DataUrl, dimensions, image_type, is_data_url};
use crate::responses::{Part, size};
use crate::source::Span;
use crate::transcript::{HostedItem, describe};

/// Longer names are cut.
const MAX_NAME_LENGTH: usize = 120;

impl Renderer<'_, '_> {
    /// `<img>`
    pub(super) fn image(&mut self, image: &Image<'_>, span: Span) {
        match &image.source {
            MediaSource::Url(url) => self.url_image(url, "", span),
            MediaSource::FileId(id) => self.chip("image", id, "uploaded file"),
            MediaSource::Local(path) => {
                let content = self.resolver.file(path, span, &mut Diagnostics::new());
                match content.map(|content| content.bytes.as_slice()) {
                    None => self.chip("image", path, "not found"),
                    Some(bytes) => self.image_bytes(bytes, path, span),
                }
            }
        }
    }

    /// An image at a URL, with the name of its file if it has one. Nothing is loaded from the web.
    pub(super) fn url_image(&mut self, url: &str, name: &str, span: Span) {
        match self.image_of_url(url) {
            Some(Ok(bytes)) => self.image_bytes(&bytes, name, span),
            Some(Err(why)) => {
                if self.options.has_source {
                    self.cannot_check(span, "image", name);
                }
                self.chip("image", name, &why);
            }
            None => self.chip("image", url, "on the web"),
        }
    }

    /// The image in a `data:` URL, or the reason why it is not shown; `None` for any other URL. The declared type does not count,
    /// only the bytes.
    pub(super) fn image_of_url(&self, url: &str) -> Option<Result<Vec<u8>, String>> {
        if !is_data_url(url) {
            return None;
        }
        let Some(bytes) = DataUrl::parse(url).and_then(DataUrl::bytes) else {
            return Some(Err(format!("broken, {}", size(url.len()))));
        };
        Some(self.why_not_shown(&bytes).map_or(Ok(bytes), Err))
    }

    /// The reason why an image is not shown, if there is one.
    fn why_not_shown(&self, bytes: &[u8]) -> Option<String> {
        let is_too_large = self.options.max_image_bytes.is_some_and(|max| bytes.len() > max);
        if image_type(bytes).is_none() {
            Some(format!("unknown format, {}", size(bytes.len())))
        } else if self.options.no_images || is_too_large {
            Some(format!("not included, {}", size(bytes.len())))
        } else {
            None
        }
    }

    fn image_bytes(&mut self, bytes: &[u8], name: &str, span: Span) {
        if let Some(why) = self.why_not_shown(bytes) {
            return self.chip("image", name, &why);
        }
        self.cannot_check(span, "image", name);
        let measures = dimensions(bytes).map(|(width, height)| format!("{width}×{height}"));
        let description = [Some(name.to_owned()), measures, Some(size(bytes.len()))];
        let description: Vec<String> = description.into_iter().flatten().filter(|one| !one.is_empty()).collect();
        let description = description.join(", ");
        self.html.markup("<details class=\"image\"><summary>");
        self.image_element(bytes, &format!("Image: {description}"));
        self.html.text_between("</summary><p>", &description, "</p></details>\n");
    }

    pub(super) fn image_element(&mut self, bytes: &[u8], alt: &str) {
        let Some(media_type) = image_type(bytes) else { return };
        self.images += 1;
        self.html.markup("<img src=\"data:");
        self.html.markup(media_type);
        self.html.markup(";base64,");
        self.html.base64(bytes);
        self.html.markup("\"");
        self.html.attribute("alt", alt);
        if let Some((width, height)) = dimensions(bytes) {
            self.html.attribute("width", &width.to_string());
            self.html.attribute("height", &height.to_string());
        }
        self.html.markup(" loading=\"lazy\" decoding=\"async\">");
    }

    /// `<doc>`: a chip, and the text if the model reads the text.
    pub(super) fn doc(&mut self, doc: &Doc<'_>, span: Span) {
        let name = doc.filename.as_deref();
        match &doc.source {
            MediaSource::Url(url) if doc.form == DocForm::Base64 || is_data_url(url) => {
                self.data_file(url, name.unwrap_or("file"), span);
            }
            MediaSource::Url(url) => self.chip("file", name.unwrap_or(url), "on the web"),
            MediaSource::FileId(id) => self.chip("file", name.unwrap_or(id), "uploaded file"),
            MediaSource::Local(path) => {
                let content = self.resolver.file(path, span, &mut Diagnostics::new());
                let Some(content) = content else { return self.chip("file", name.unwrap_or(path), "not found") };
                let length = size(content.bytes.len());
                match std::str::from_utf8(&content.bytes) {
                    Ok(text) if !doc.form.is_file() => {
                        self.html.markup("<details class=\"file\"><summary>");
                        self.chip_inside("file", name.unwrap_or(path), &length);
                        self.html.markup("</summary>");
                        self.verbatim(text);
                        self.html.markup("</details>\n");
                    }
                    Ok(_) | Err(_) => self.chip("file", name.unwrap_or(path), &length),
                }
            }
        }
    }

    fn data_file(&mut self, url: &str, name: &str, span: Span) {
        if self.options.has_source {
            self.cannot_check(span, "file", name);
        }
        let base64 = url.split_once(',').map_or(url, |(_, base64)| base64);
        self.chip("file", name, &size(base64.trim_end_matches('=').len() * 3 / 4));
    }

    /// A part of a message or a tool output, as the API has it.
    pub(super) fn part(&mut self, part: &Part<'_>, span: Span) {
        match part {
            Part::Text(part) => self.output_text(&part.text),
            Part::Image(part) => match (&part.image_url, part.rest.get_str("file_id")) {
                (Some(url), _) => self.url_image(&url.text(), "", span),
                (None, id) => self.chip("image", &id.unwrap_or_default(), "uploaded file"),
            },
            Part::Other(file) if file.get_str("type").as_deref() == Some("input_file") => {
                let text = |key: &str| file.get_str(key).unwrap_or_default();
                let name =
                    [text("filename"), text("file_url"), text("file_id")].into_iter().find(|one| !one.is_empty());
                let name = name.unwrap_or_default();
                match file.get_str("file_data") {
                    Some(data) => self.data_file(&data, &name, span),
                    None => self.chip("file", &name, ""),
                }
            }
            Part::Other(part) if part.get("type").is_some() => self.own_part(&describe(part)),
            Part::Other(_) | Part::Raw(_) => {
                let mut json = String::new();
                part.encode(&mut json);
                self.json(&json);
            }
        }
    }

    /// A part that no element expresses: its kind, a short description and its text.
    pub(super) fn own_part(&mut self, part: &HostedItem) {
        self.html.markup("<p class=\"chips\"><span class=\"chip\"><b>");
        let (kind, detail) = (self.line(&part.title, MAX_NAME_LENGTH), self.line(&part.detail, MAX_NAME_LENGTH));
        self.html.text(&kind);
        self.html.text_between("</b> ", &detail, "</span></p>\n");
        if !part.output.trim().is_empty() {
            self.output_text(&part.output);
        }
    }

    /// A file, an image that is not shown, or an import.
    pub(super) fn chip(&mut self, kind: &'static str, name: &str, note: &str) {
        self.html.markup("<p class=\"chips\">");
        self.chip_inside(kind, name, note);
        self.html.markup("</p>\n");
    }

    fn chip_inside(&mut self, kind: &'static str, name: &str, note: &str) {
        self.html.markup("<span class=\"chip\"><b>");
        self.html.markup(kind);
        self.html.markup("</b> ");
        let shown = self.line(name, MAX_NAME_LENGTH);
        self.link_or_text(name, &shown);
        if !note.is_empty() {
            self.html.text_between(" <small>", note, "</small>");
        }
        self.html.markup("</span>");
    }

    /// Opens a link, which must be a safe one. The other page learns nothing about this one.
    pub(super) fn open_link(&mut self, url: &str) {
        let url = self.prepared(url).into_owned();
        self.html.markup("<a");
        self.html.attribute("href", &url);
        self.html.markup(" rel=\"noopener noreferrer nofollow\">");
    }
}
