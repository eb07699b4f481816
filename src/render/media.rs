//! Images and files.

use super::Renderer;
use crate::document::{DocForm, Media, MediaKind, MediaSource};
use crate::resources::media::{DataUrl, dimensions, image_type, is_data_url};
use crate::responses::size;
use crate::source::Span;
use crate::transcript::HostedItem;

/// Longer names are cut.
const MAX_NAME_LENGTH: usize = 120;

impl Renderer<'_, '_> {
    /// An image, a file, an agent or an import. Nothing is loaded from the web.
    pub(super) fn media(&mut self, media: &Media<'_>, bytes: Option<&[u8]>, span: Span) {
        let (source, filename) = (media.source(), media.attributes.text("filename"));
        let name = filename.unwrap_or(source.target());
        let kind = match media.kind {
            MediaKind::Image => "image",
            MediaKind::Doc => "file",
            MediaKind::Agent => return self.chip("agent", name, ""),
            MediaKind::Import => return self.chip("import", name, "not found"),
        };
        let is_image = media.kind == MediaKind::Image;
        match (source, bytes) {
            (MediaSource::Local(_), None) => self.chip(kind, name, "not found"),
            (MediaSource::Local(path), Some(bytes)) if is_image => self.image_bytes(bytes, path, span),
            (MediaSource::Local(_), Some(bytes)) => self.file(bytes, name, !media.form().is_file()),
            (MediaSource::FileId(_), _) => self.chip(kind, name, "uploaded file"),
            (MediaSource::Url(url), _) if is_image && is_data_url(url) => match self.image_of_url(url) {
                Ok(bytes) => self.image_bytes(&bytes, "", span),
                Err(why) => {
                    self.cannot_check_source(span, "image", "");
                    self.chip(kind, "", &why);
                }
            },
            (MediaSource::Url(data), _) if is_data_url(data) || media.form() == DocForm::Base64 => {
                let name = filename.unwrap_or("file");
                self.cannot_check_source(span, "file", name);
                let base64 = data.split_once(',').map_or(data, |(_, base64)| base64);
                self.chip(kind, name, &size(base64.trim_end_matches('=').len() * 3 / 4));
            }
            (MediaSource::Url(_), _) => self.chip(kind, name, "on the web"),
        }
    }

    /// A chip, and the text of a file if the model reads the text.
    fn file(&mut self, bytes: &[u8], name: &str, is_text: bool) {
        let length = size(bytes.len());
        match std::str::from_utf8(bytes) {
            Ok(text) if is_text => {
                self.html.markup("<details class=\"file\"><summary>");
                self.chip_inside("file", name, &length);
                self.html.markup("</summary>");
                self.verbatim(text);
                self.html.markup("</details>\n");
            }
            Ok(_) | Err(_) => self.chip("file", name, &length),
        }
    }

    /// The image in a `data:` URL, or the reason why it is not shown. The declared type does not count, only the bytes.
    pub(super) fn image_of_url(&self, url: &str) -> Result<Vec<u8>, String> {
        let bytes = DataUrl::parse(url).and_then(DataUrl::bytes).ok_or(format!("broken, {}", size(url.len())))?;
        self.why_not_shown(&bytes).map_or(Ok(bytes), Err)
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
        self.html.write("</summary><p>{}</p></details>\n", &[&description]);
    }

    pub(super) fn image_element(&mut self, bytes: &[u8], alt: &str) {
        let Some(media_type) = image_type(bytes) else { return };
        self.images += 1;
        self.html.markup("<img src=\"data:");
        self.html.markup(media_type);
        self.html.markup(";base64,");
        self.html.base64(bytes);
        self.html.write("\" alt=\"{}\"", &[&alt]);
        if let Some((width, height)) = dimensions(bytes) {
            self.html.write(" width=\"{}\" height=\"{}\"", &[&width, &height]);
        }
        self.html.markup(" loading=\"lazy\" decoding=\"async\">");
    }

    /// A part that no element expresses: its kind, a short description and its text.
    pub(super) fn own_part(&mut self, part: &HostedItem) {
        let (kind, detail) = (self.line(&part.title, MAX_NAME_LENGTH), self.line(&part.detail, MAX_NAME_LENGTH));
        self.html.write("<p class=\"chips\"><span class=\"chip\"><b>{}</b> {}</span></p>\n", &[&kind, &detail]);
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
        self.html.write("<span class=\"chip\"><b>{}</b> ", &[&kind]);
        let shown = self.line(name, MAX_NAME_LENGTH);
        self.link_or_text(name, &shown);
        if !note.is_empty() {
            self.html.write(" <small>{}</small>", &[&note]);
        }
        self.html.markup("</span>");
    }

    /// Opens a link, which must be a safe one. The other page learns nothing about this one.
    pub(super) fn open_link(&mut self, url: &str) {
        let url = self.prepared(url).into_owned();
        self.html.write("<a href=\"{}\" rel=\"noopener noreferrer nofollow\">", &[&url]);
    }
}
