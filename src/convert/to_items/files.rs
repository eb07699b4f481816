//! Converts `<img>` and `<doc>` to parts and text.

use std::borrow::Cow;
use std::path::Path;

use super::html;
use crate::convert::Context;
use crate::diagnostic::{Diagnostics, FileProblem};
use crate::document::{DocForm, Media, MediaSource};
use crate::json::Object;
use crate::resources::media::{base64, data_url, file_type, image_type, is_animated_gif, is_data_url};
use crate::responses::{ImagePart, ImageUrl, Part};
use crate::source::Span;

impl<'d> Context<'d> {
    /// Converts an `<img>` to a part.
    pub(in crate::convert) fn image(
        &self,
        image: &'d Media<'_>,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<Part<'d>> {
        let mut rest = Object::default();
        let image_url = match image.source() {
            MediaSource::Url(url) => Some(ImageUrl::Text(Cow::Borrowed(url))),
            MediaSource::Local(path) => Some(self.image_file(path, span, diagnostics)?),
            MediaSource::FileId(id) => {
                rest.insert("file_id", self.strings.string(id));
                None
            }
        };
        self.insert_attributes(&mut rest, &image.attributes, span, diagnostics)?;
        Some(Part::Image(ImagePart { image_url, rest }))
    }

    fn image_file(&self, path: &str, span: Span, diagnostics: &mut Diagnostics) -> Option<ImageUrl<'d>> {
        let bytes = &self.resolver.file(path, span, diagnostics)?.bytes;
        match image_type(bytes) {
            Some(media_type) if !is_animated_gif(bytes) => Some(ImageUrl::File { media_type, bytes }),
            _ => {
                diagnostics.report(FileProblem::NotAnImage(path.to_owned()), span);
                None
            }
        }
    }

    /// The text of a `<doc>`.
    pub(in crate::convert) fn doc_text(
        &self,
        doc: &'d Media<'_>,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<Cow<'d, str>> {
        let (path, content) = match doc.source() {
            MediaSource::Local(path) => (path, self.resolver.file(path, span, diagnostics)?),
            MediaSource::Url(url) => (url, self.resolver.page(url, span, diagnostics)?),
            MediaSource::FileId(_) => return None,
        };
        let text = text_of(path, &content.bytes, span, diagnostics)?;
        let converted = match doc.form() {
            DocForm::Text | DocForm::File | DocForm::Base64 => return Some(Cow::Borrowed(text)),
            DocForm::Strip => html::strip(text),
            DocForm::Markdown => html::to_markdown(text),
        };
        match converted {
            Ok(text) => Some(Cow::Owned(text)),
            Err(why) => {
                diagnostics.report(FileProblem::HtmlNotConverted { path: path.to_string(), why }, span);
                None
            }
        }
    }

    /// Converts a `<doc file>` to a part.
    pub(in crate::convert) fn doc_file(
        &self,
        doc: &'d Media<'_>,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<Part<'d>> {
        let mut part = Object::default();
        part.insert("type", self.strings.string("input_file"));
        let (filename, is_plain) = (doc.attributes.text("filename"), doc.form() == DocForm::Base64);
        match doc.source() {
            MediaSource::Url(url) if is_plain || is_data_url(url) => {
                if let Some(name) = filename {
                    part.insert("filename", self.strings.string(name));
                }
                part.insert("file_data", self.strings.string(url));
            }
            MediaSource::Url(url) => part.insert("file_url", self.strings.string(url)),
            MediaSource::FileId(id) => part.insert("file_id", self.strings.string(id)),
            MediaSource::Local(path) => {
                let bytes = &self.resolver.file(path, span, diagnostics)?.bytes;
                let name = Path::new(path).file_name().unwrap_or_default().to_string_lossy();
                part.insert("filename", self.strings.string(filename.unwrap_or(&name)));
                let data = if is_plain { base64(bytes) } else { data_url(file_type(bytes, &name), bytes) };
                part.insert("file_data", self.strings.string(&data));
            }
        }
        self.insert_attributes(&mut part, &doc.attributes, span, diagnostics)?;
        Some(Part::Other(part))
    }
}

/// The text of a file. One that is not text is reported.
pub(in crate::convert) fn text_of<'c>(
    name: &str,
    bytes: &'c [u8],
    span: Span,
    diagnostics: &mut Diagnostics,
) -> Option<&'c str> {
    // A PDF may consist of ASCII characters only.
    let text = std::str::from_utf8(bytes).ok().filter(|_| !bytes.starts_with(b"%PDF-"));
    if text.is_none() {
        diagnostics.report(FileProblem::NotText(name.to_owned()), span);
    }
    text
}
