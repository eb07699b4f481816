//! A document to text: the one layout that everything is written in.

use std::borrow::Cow;

use super::{
    Agent, Block, Body, Declaration, Doc, DocForm, Document, Field, Image, Import, MediaSource, Message, OutputHint,
    Part, Reasoning, Summary, ToolCall, ToolKind, ToolResponse,
};
use crate::element::Tag;
use crate::source::Spanned;
use crate::syntax::write::{self, LineEnding, Opening, Whitespace};

/// Writes a document so that it reads back as the same document.
pub fn print(document: &Document<'_>, whitespace: Whitespace) -> String {
    print_with(document, whitespace, LineEnding::Lf)
}

/// The same, with another line break wherever one only lays the document out.
pub fn print_with(document: &Document<'_>, whitespace: Whitespace, line_ending: LineEnding) -> String {
    let mut printer = Printer { out: String::new(), whitespace, line_ending };
    for (index, block) in document.blocks.iter().enumerate() {
        if index > 0 {
            printer.out.push_str(line_ending.as_str());
        }
        printer.block(&block.value);
        printer.out.push_str(line_ending.as_str());
    }
    printer.out
}

struct Printer {
    out: String,
    whitespace: Whitespace,
    line_ending: LineEnding,
}

impl Printer {
    fn block(&mut self, block: &Block<'_>) {
        match block {
            Block::Message(message) => {
                self.open(message.role.tag(), |tag| message_attributes(tag, message), message.fields.as_ref());
                self.body(message.role.tag(), &message.body);
            }
            Block::ToolCall(call) => {
                self.open(Tag::ToolCall, |tag| call_attributes(tag, call), call.fields.as_ref());
                self.body(Tag::ToolCall, &call.body);
            }
            Block::ToolResponse(response) => {
                self.open(Tag::ToolResponse, |tag| response_attributes(tag, response), response.fields.as_ref());
                self.body(Tag::ToolResponse, &response.body);
            }
            Block::Reasoning(reasoning) => {
                self.open(Tag::Reasoning, |tag| reasoning_attributes(tag, reasoning), reasoning.fields.as_ref());
                self.body(Tag::Reasoning, &reasoning.body);
            }
            Block::Declaration(declaration) => self.declaration(declaration),
            Block::Import(import) => self.void(Tag::Import, |tag| import_attributes(tag, import)),
            Block::Item(json) => self.carried("item", json),
            Block::Request(json) => self.carried("request", json),
            Block::Comment(text) => write::comment(&mut self.out, text),
        }
    }

    fn declaration(&mut self, declaration: &Declaration<'_>) {
        let attributes = |tag: &mut Opening<'_>| tag.attributes(&declaration.attributes);
        match &declaration.body {
            None => self.void(declaration.tag, attributes),
            Some(body) => {
                self.open(declaration.tag, attributes, None);
                self.out.push_str(body);
                write::close(&mut self.out, declaration.tag);
            }
        }
    }

    fn open(&mut self, tag: Tag, attributes: impl Fn(&mut Opening<'_>), fields: Option<&Spanned<Cow<'_, str>>>) {
        let mut opening = Opening::new(&mut self.out, tag);
        attributes(&mut opening);
        opening.end();
        if let Some(fields) = fields {
            self.carried("fields", &fields.value);
        }
    }

    fn void(&mut self, tag: Tag, attributes: impl Fn(&mut Opening<'_>)) {
        let mut opening = Opening::new(&mut self.out, tag);
        attributes(&mut opening);
        opening.end_void();
    }

    /// A body and the closing tag behind it. In layout mode every part stands on lines of its own,
    /// except what joins the text beside it.
    fn body(&mut self, tag: Tag, body: &Body<'_>) {
        let is_message = matches!(tag, Tag::User | Tag::System | Tag::Developer | Tag::Agent);
        let has_parts = is_message || tag == Tag::ToolResponse && body.iter().any(|part| !part.value.is_text());
        let joins = |part: &Part<'_>| matches!(part, Part::Text(_)) || part.is_text() && !has_parts;
        let mut previous_joins = false;
        for part in body {
            if !(previous_joins && joins(&part.value)) {
                self.end_line();
            }
            previous_joins = joins(&part.value);
            self.part(&part.value);
        }
        if !body.is_empty() {
            self.end_line();
        }
        write::close(&mut self.out, tag);
    }

    fn part(&mut self, part: &Part<'_>) {
        match part {
            Part::Text(text) => write::text(&mut self.out, text, self.whitespace, self.line_ending),
            Part::Image(image) => self.void(Tag::Img, |tag| image_attributes(tag, image)),
            Part::Doc(doc) => self.void(Tag::Doc, |tag| doc_attributes(tag, doc)),
            Part::Agent(agent) => {
                self.open(Tag::Agent, |tag| agent_attributes(tag, agent), None);
                self.body(Tag::Agent, &agent.body);
            }
            Part::Import(import) => self.void(Tag::Import, |tag| import_attributes(tag, import)),
            Part::Summary(summary) => self.summary(summary),
            Part::Metadata(json) => self.carried("part", json),
        }
    }

    fn summary(&mut self, summary: &Summary<'_>) {
        self.open(Tag::Summary, |tag| summary_attributes(tag, summary), None);
        if !summary.text.is_empty() {
            self.end_line();
            write::text(&mut self.out, &summary.text, self.whitespace, self.line_ending);
            self.end_line();
        }
        write::close(&mut self.out, Tag::Summary);
    }

    fn carried(&mut self, kind: &str, json: &str) {
        write::comment(&mut self.out, &[" chatmd:", kind, " ", json, " "].concat());
    }

    fn end_line(&mut self) {
        if self.whitespace == Whitespace::Layout {
            write::end_line(&mut self.out, self.line_ending);
        }
    }
}

fn message_attributes(tag: &mut Opening<'_>, message: &Message<'_>) {
    field(tag, "id", &message.id);
    field(tag, "status", &message.status);
    field(tag, "phase", &message.phase);
    field(tag, "logprobs", &message.logprobs);
    flag(tag, "instructions", message.instructions);
    tag.attributes(&message.extra);
}

fn call_attributes(tag: &mut Opening<'_>, call: &ToolCall<'_>) {
    tool_kind(tag, call.kind);
    tag.attribute("function_name", Some(&call.name));
    tag.attribute("tool_call_id", Some(&call.call_id));
    field(tag, "id", &call.id);
    field(tag, "status", &call.status);
    tag.attributes(&call.extra);
}

fn response_attributes(tag: &mut Opening<'_>, response: &ToolResponse<'_>) {
    tool_kind(tag, response.kind);
    tag.attribute("tool_call_id", Some(&response.call_id));
    field(tag, "id", &response.id);
    field(tag, "status", &response.status);
    match response.output {
        Some(OutputHint::Text) => tag.attribute("output", Some("text")),
        Some(OutputHint::Content) => tag.attribute("output", Some("content")),
        None => {}
    }
    tag.attributes(&response.extra);
}

fn reasoning_attributes(tag: &mut Opening<'_>, reasoning: &Reasoning<'_>) {
    field(tag, "id", &reasoning.id);
    field(tag, "status", &reasoning.status);
    field(tag, "content", &reasoning.content);
    field(tag, "encrypted_content", &reasoning.encrypted_content);
    tag.attributes(&reasoning.extra);
}

fn summary_attributes(tag: &mut Opening<'_>, summary: &Summary<'_>) {
    if let Some(kind) = &summary.kind {
        tag.attribute("type", Some(kind));
    }
    tag.attributes(&summary.extra);
}

fn image_attributes(tag: &mut Opening<'_>, image: &Image<'_>) {
    source(tag, &image.source);
    if let Some(detail) = &image.detail {
        tag.attribute("detail", Some(detail));
    }
    tag.attributes(&image.extra);
}

fn doc_attributes(tag: &mut Opening<'_>, doc: &Doc<'_>) {
    source(tag, &doc.source);
    flag(tag, "file", doc.form == DocForm::File && !matches!(doc.source, MediaSource::FileId(_)));
    if let Some(filename) = &doc.filename {
        tag.attribute("filename", Some(filename));
    }
    flag(tag, "strip", doc.form == DocForm::Strip);
    flag(tag, "markdown", doc.form == DocForm::Markdown);
    tag.attributes(&doc.extra);
}

fn agent_attributes(tag: &mut Opening<'_>, agent: &Agent<'_>) {
    source(tag, &agent.source);
    tag.attributes(&agent.extra);
}

fn import_attributes(tag: &mut Opening<'_>, import: &Import<'_>) {
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

fn tool_kind(tag: &mut Opening<'_>, kind: ToolKind) {
    match kind {
        ToolKind::Function => {}
        ToolKind::Custom => tag.attribute("type", Some("custom_tool_call")),
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
