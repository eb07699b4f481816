//! Lists the files, URLs and ids in a document, without reading them.

use std::borrow::Cow;

use super::{Block, Body, DataComment, DataKind, Document, FILE_KEY, JsonText, MediaKind, MediaSource, Part};
use crate::element::Tag;
use crate::json::{Json, StringArena, is_valid};
use crate::source::{Span, Spanned};
use crate::syntax::{Attribute, Attributes};

/// How a reference is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// A file is read.
    File,
    /// Includes another file, which may refer to more.
    Import,
    /// A program fetches the URL.
    Fetch,
    /// A program runs another prompt.
    Agent,
    /// The URL or file id is sent to the API as it is.
    Api,
}

/// One reference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reference<'d> {
    /// A path, a URL or a file id, as it is written.
    pub target: Cow<'d, str>,
    /// How it is used.
    pub usage: Use,
    /// Where it is written.
    pub span: Span,
}

/// The references of a document, in order. Those of imported files are listed if the imports are expanded.
pub fn references<'d>(document: &'d Document<'_>) -> Vec<Reference<'d>> {
    let mut references = Vec::new();
    for block in &document.blocks {
        let span = block.span;
        match &block.value {
            Block::Element(element) => {
                body(&element.body, &mut references);
                let files = element.attributes.files();
                references.extend(files.map(|path| Reference { target: path.into(), usage: Use::File, span }));
            }
            Block::Import(import) => {
                references.push(Reference { target: import.source().target().into(), usage: Use::Import, span });
            }
            Block::Declaration(declaration) => {
                let file = declared_file(declaration.tag, &declaration.attributes);
                references.extend(file.and_then(|Attribute { value, span, .. }| {
                    Some(Reference { target: value.as_deref()?.into(), usage: Use::File, span: *span })
                }));
            }
            Block::Data(DataComment { kind: DataKind::ItemFiles, json }) => item_files(json, &mut references),
            Block::Data(_) | Block::Comment(_) => {}
        }
    }
    references
}

fn body<'d>(parts: &'d Body<'_>, references: &mut Vec<Reference<'d>>) {
    for part in parts {
        let Part::Media(media) = &part.value else { continue };
        let is_file = media.kind == MediaKind::Image || media.form().is_file();
        let usage = match (media.kind, media.source()) {
            (MediaKind::Agent, _) => Use::Agent,
            (MediaKind::Import, _) => Use::Import,
            (MediaKind::Image | MediaKind::Doc, MediaSource::Local(_)) => Use::File,
            (MediaKind::Image | MediaKind::Doc, MediaSource::Url(_)) if !is_file => Use::Fetch,
            (MediaKind::Image | MediaKind::Doc, MediaSource::Url(_) | MediaSource::FileId(_)) => Use::Api,
        };
        references.push(Reference { target: media.source().target().into(), usage, span: part.span });
        body(&media.body, references);
    }
}

/// The files that the JSON of an item refers to, each at the place of its path.
fn item_files(json: &Spanned<JsonText<'_>>, references: &mut Vec<Reference<'_>>) {
    let strings = StringArena::default();
    let mut values: Vec<Json<'_>> = Json::parse(&json.value, &strings).into_iter().collect();
    while let Some(value) = values.pop() {
        let members = value.object().unwrap_or_default();
        if let Some((path, target)) = members.get(FILE_KEY).and_then(|path| Some((path, path.as_str().ok()?))) {
            let start = json.span.start + path.offset();
            let span = Span::new(json.span.source, start..start + path.raw().len());
            references.push(Reference { target: target.into_owned().into(), usage: Use::File, span });
            continue;
        }
        let first = values.len();
        values.extend(members.iter().map(|(_, value)| value).chain(value.array().unwrap_or_default()));
        values[first..].reverse();
    }
}

/// The JSON Schema file of a tool or of a text format.
pub fn declared_file<'d, 's>(tag: Tag, attributes: &'d Attributes<'s>) -> Option<&'d Attribute<'s>> {
    let with_value = |name: &str| attributes.get(name).filter(|attribute| attribute.value.is_some());
    if tag == Tag::Tool {
        with_value("schema").or_else(|| with_value("input_schema"))
    } else if tag == Tag::Config {
        with_value("text_format").filter(|attribute| attribute.value.as_deref().is_some_and(is_schema_file))
    } else {
        None
    }
}

/// Whether a `text_format` names a file, and is not a format itself.
pub fn is_schema_file(text_format: &str) -> bool {
    let is_object = || text_format.trim_start().starts_with('{') && is_valid(text_format);
    !["text", "json_object"].contains(&text_format) && !is_object()
}
