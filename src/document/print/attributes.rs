//! The attributes of each element, in the order in which they are written.

use crate::document::{
    Agent, Doc, DocForm, Field, Image, Import, MediaSource, Message, OutputHint, Reasoning, ResponseKind, Summary,
    ToolCall, ToolResponse,
};
use crate::syntax::write::Opening;

pub(super) fn message_attributes(tag: &mut Opening<'_>, message: &Message<'_>) {
    field(tag, "id", &message.id);
    field(tag, "status", &message.status);
    field(tag, "phase", &message.phase);
    field(tag, "logprobs", &message.logprobs);
    flag(tag, "instructions", message.instructions);
    tag.attributes(&message.extra);
}

pub(super) fn call_attributes(tag: &mut Opening<'_>, call: &ToolCall<'_>) {
    kind(tag, ResponseKind::Tool(call.kind));
    tag.attribute("function_name", Some(&call.name));
    tag.attribute("tool_call_id", Some(&call.call_id));
    field(tag, "id", &call.id);
    field(tag, "status", &call.status);
    field(tag, "namespace", &call.namespace);
    field(tag, "caller", &call.caller);
    tag.attributes(&call.extra);
}

pub(super) fn response_attributes(tag: &mut Opening<'_>, response: &ToolResponse<'_>) {
    kind(tag, response.kind);
    tag.attribute("tool_call_id", Some(&response.call_id));
    field(tag, "id", &response.id);
    field(tag, "status", &response.status);
    match response.output {
        Some(OutputHint::Text) => tag.attribute("output", Some("text")),
        Some(OutputHint::Content) => tag.attribute("output", Some("content")),
        None => {}
    }
    flag(tag, "error", response.error);
    tag.attributes(&response.extra);
}

pub(super) fn reasoning_attributes(tag: &mut Opening<'_>, reasoning: &Reasoning<'_>) {
    field(tag, "id", &reasoning.id);
    field(tag, "status", &reasoning.status);
    field(tag, "content", &reasoning.content);
    field(tag, "encrypted_content", &reasoning.encrypted_content);
    if let Some(path) = &reasoning.encrypted_src {
        tag.attribute("encrypted_src", Some(path));
    }
    for (name, value) in
        [("issuer", &reasoning.issuer), ("signature", &reasoning.signature), ("redacted", &reasoning.redacted)]
    {
        if let Some(value) = value {
            tag.attribute(name, Some(value));
        }
    }
    tag.attributes(&reasoning.extra);
}

pub(super) fn summary_attributes(tag: &mut Opening<'_>, summary: &Summary<'_>) {
    if let Some(kind) = &summary.kind {
        tag.attribute("type", Some(kind));
    }
    tag.attributes(&summary.extra);
}

pub(super) fn image_attributes(tag: &mut Opening<'_>, image: &Image<'_>) {
    source(tag, &image.source);
    if let Some(detail) = &image.detail {
        tag.attribute("detail", Some(detail));
    }
    tag.attributes(&image.extra);
}

pub(super) fn doc_attributes(tag: &mut Opening<'_>, doc: &Doc<'_>) {
    source(tag, &doc.source);
    flag(tag, "file", doc.form == DocForm::File && !matches!(doc.source, MediaSource::FileId(_)));
    if let Some(filename) = &doc.filename {
        tag.attribute("filename", Some(filename));
    }
    flag(tag, "strip", doc.form == DocForm::Strip);
    flag(tag, "markdown", doc.form == DocForm::Markdown);
    tag.attributes(&doc.extra);
}

pub(super) fn agent_attributes(tag: &mut Opening<'_>, agent: &Agent<'_>) {
    source(tag, &agent.source);
    tag.attributes(&agent.extra);
}

pub(super) fn import_attributes(tag: &mut Opening<'_>, import: &Import<'_>) {
    tag.attribute("src", Some(&import.path));
    tag.attributes(&import.extra);
}

fn field(tag: &mut Opening<'_>, name: &str, field: &Field<'_>) {
    match field {
        Field::Absent => {}
        Field::Null => tag.attribute(name, None),
        Field::Text(value) => tag.attribute(name, Some(value)),
    }
}

fn flag(tag: &mut Opening<'_>, name: &str, is_set: bool) {
    if is_set {
        tag.attribute(name, None);
    }
}

fn kind(tag: &mut Opening<'_>, kind: ResponseKind) {
    if let Some(kind) = kind.attribute() {
        tag.attribute("type", Some(kind));
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
