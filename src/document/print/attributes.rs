//! The attributes of each element, in the order in which they are written.

use crate::document::{Agent, Doc, DocForm, Fields, Image, Import, ItemElement, MediaSource, Summary};
use crate::syntax::Attributes;
use crate::syntax::write::Opening;

pub(super) fn item_attributes(tag: &mut Opening<'_>, element: &ItemElement<'_>) {
    if let Some(kind) = element.kind.type_attribute() {
        tag.attribute("type", Some(kind));
    }
    fields(tag, &element.attributes, &element.extra);
}

pub(super) fn summary_attributes(tag: &mut Opening<'_>, summary: &Summary<'_>) {
    if let Some(kind) = &summary.kind {
        tag.attribute("type", Some(kind));
    }
    tag.attributes(&summary.extra);
}

pub(super) fn image_attributes(tag: &mut Opening<'_>, image: &Image<'_>) {
    source(tag, &image.source);
    fields(tag, &image.attributes, &image.extra);
}

pub(super) fn doc_attributes(tag: &mut Opening<'_>, doc: &Doc<'_>) {
    source(tag, &doc.source);
    flag(tag, "file", doc.form == DocForm::File && !matches!(doc.source, MediaSource::FileId(_)));
    flag(tag, "base64", doc.form == DocForm::Base64);
    if let Some(filename) = &doc.filename {
        tag.attribute("filename", Some(filename));
    }
    flag(tag, "strip", doc.form == DocForm::Strip);
    flag(tag, "markdown", doc.form == DocForm::Markdown);
    fields(tag, &doc.attributes, &doc.extra);
}

pub(super) fn agent_attributes(tag: &mut Opening<'_>, agent: &Agent<'_>) {
    source(tag, &agent.source);
    tag.attributes(&agent.extra);
}

pub(super) fn import_attributes(tag: &mut Opening<'_>, import: &Import<'_>) {
    tag.attribute("src", Some(&import.path));
    tag.attributes(&import.extra);
}

/// The attributes of an element that have a meaning, and the others after them.
fn fields(tag: &mut Opening<'_>, fields: &Fields<'_>, extra: &Attributes<'_>) {
    for (row, field) in fields.iter() {
        tag.attribute(row.name, field.text());
    }
    tag.attributes(extra);
}

fn flag(tag: &mut Opening<'_>, name: &str, is_set: bool) {
    if is_set {
        tag.attribute(name, None);
    }
}

fn source(tag: &mut Opening<'_>, source: &MediaSource<'_>) {
    match source {
        MediaSource::Url(url) => tag.attribute("src", Some(url)),
        MediaSource::Local(path) => {
            tag.attribute("src", Some(path));
            tag.attribute("local", None);
        }
        MediaSource::FileId(id) => tag.attribute("file_id", Some(id)),
    }
}
