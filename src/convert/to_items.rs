//! Converts a document to items.

use std::borrow::Cow;

use super::files::text_of;
use super::instructions::is_instruction;
use super::metadata::Metadata;
use super::stateless::without_state;
use super::{Context, RequestOptions};
use crate::diagnostic::{Diagnostics, Problem};
use crate::document::{self, Block, DocForm, Document, Field, Part};
use crate::json::{Json, Kind, Object, StringArena};
use crate::responses::{self, Item, text_type};
use crate::source::{Span, Spanned};

/// Converts a document whose imports are expanded to items.
///
/// The empty message where the next turn will be written is not an item.
pub(super) fn to_items<'d>(
    document: &'d Document<'_>,
    context: &Context<'d>,
    options: &RequestOptions,
    diagnostics: &mut Diagnostics,
) -> Vec<Located<'d>> {
    report_foreign(document, diagnostics);
    let placeholder = document.placeholder();
    let blocks = document.blocks.iter().enumerate().filter(|(index, _)| Some(*index) != placeholder);
    blocks.filter_map(|(_, block)| to_item(block, context, options, diagnostics)).collect()
}

/// Warns of blocks that are never sent.
pub(super) fn report_foreign(document: &Document<'_>, diagnostics: &mut Diagnostics) {
    let mut foreign = document.blocks.iter().filter(|block| is_foreign(&block.value));
    if let Some(first) = foreign.next() {
        diagnostics.report(Problem::ForeignBlocks(1 + foreign.count()), first.span);
    }
}

/// Converts a block to the item that is sent, if it is one. Messages that belong in the instructions are not items.
pub(super) fn to_item<'d>(
    block: &'d Spanned<Block<'_>>,
    context: &Context<'d>,
    options: &RequestOptions,
    diagnostics: &mut Diagnostics,
) -> Option<Located<'d>> {
    let all_instructions = options.instructions;
    let mut conversion = ToItems { context, all_instructions, lists: Vec::new(), diagnostics };
    let item = conversion.item(block)?;
    let mut located = Located { item, span: block.span, lists: conversion.lists, fields: fields_comment(&block.value) };
    let is_sent = !options.stateless || without_state(&mut located, diagnostics);
    is_sent.then_some(located)
}

/// Whether a block belongs to another API, so that it is never sent.
pub(super) fn is_foreign(block: &Block<'_>) -> bool {
    matches!(block, Block::Foreign(_) | Block::Reasoning(document::Reasoning { issuer: Some(_), .. }))
}

/// An item and where it is written.
#[derive(Debug)]
pub struct Located<'d> {
    /// The item.
    pub item: Item<'d>,
    /// The opening tag or the comment that it comes from.
    pub span: Span,
    /// For each of its arrays, by name, where the elements are written, if the context records places.
    pub lists: Vec<(&'static str, Vec<Span>)>,
    /// Its `chatmd:fields` comment.
    pub fields: Option<Span>,
}

/// Where a block's `chatmd:fields` comment is.
fn fields_comment(block: &Block<'_>) -> Option<Span> {
    let fields = match block {
        Block::Message(message) => message.fields.as_ref(),
        Block::ToolCall(call) => call.fields.as_ref(),
        Block::ToolResponse(response) => response.fields.as_ref(),
        Block::Reasoning(reasoning) => reasoning.fields.as_ref(),
        Block::Declaration(_)
        | Block::Import(_)
        | Block::Item(_)
        | Block::ItemFiles(_)
        | Block::Foreign(_)
        | Block::Request(_)
        | Block::Comment(_) => None,
    };
    fields.map(|fields| fields.span)
}

/// The text of a message that belongs in the instructions, its parts on lines of their own.
pub(super) fn instruction_text(
    message: &document::Message<'_>,
    context: &Context<'_>,
    diagnostics: &mut Diagnostics,
) -> String {
    let mut conversion = ToItems { context, all_instructions: true, lists: Vec::new(), diagnostics };
    let mut texts = Vec::new();
    for part in &message.body {
        match &part.value {
            Part::Text(_) | Part::Agent(_) => texts.push(conversion.text(std::slice::from_ref(part))),
            Part::Doc(doc) if doc.form != DocForm::File => texts.push(conversion.text(std::slice::from_ref(part))),
            Part::Doc(_) | Part::Image(_) | Part::Summary(_) => {
                conversion.diagnostics.report(Problem::PartInInstructions, part.span);
            }
            // An import that could not be read is already reported.
            Part::Import(_) => {}
            // Each part has a line of its own. Other metadata cannot be kept.
            Part::Metadata(json) => {
                if !Metadata::read(json, part.span, context.strings, conversion.diagnostics).members.is_empty() {
                    conversion.diagnostics.report(Problem::PartInInstructions, part.span);
                }
            }
        }
    }
    texts.join("\n")
}

/// The item that a block carries as JSON. Its problems are reported where it is converted.
pub(super) fn carried_item<'d>(block: &'d Spanned<Block<'_>>, context: &Context<'d>) -> Option<Item<'d>> {
    let mut diagnostics = Diagnostics::new();
    let diagnostics = &mut diagnostics;
    ToItems { context, all_instructions: false, lists: Vec::new(), diagnostics }.item(block)
}

pub(super) struct ToItems<'w, 'd> {
    pub(super) context: &'w Context<'d>,
    all_instructions: bool,
    /// Where the elements of the current item's arrays are written.
    pub(super) lists: Vec<(&'static str, Vec<Span>)>,
    pub(super) diagnostics: &'w mut Diagnostics,
}

impl<'d> ToItems<'_, 'd> {
    fn item(&mut self, block: &'d Spanned<Block<'_>>) -> Option<Item<'d>> {
        match &block.value {
            Block::Foreign(json) => {
                Metadata::read(json, block.span, self.context.strings, self.diagnostics);
                None
            }
            foreign if is_foreign(foreign) => None,
            Block::Message(message) if message.is_instructions(self.all_instructions) => None,
            Block::Message(message) => Some(Item::Message(self.message(message))),
            Block::ToolCall(call) => Some(Item::ToolCall(self.tool_call(call))),
            Block::ToolResponse(response) => self.tool_response(response, block.span),
            Block::Reasoning(reasoning) => self.reasoning(reasoning, block.span).map(Item::Reasoning),
            Block::Item(json) => self.item_comment(json, block.span).filter(|item| self.is_sent(item)),
            Block::ItemFiles(json) => self.item_files(json).filter(|item| self.is_sent(item)),
            Block::Declaration(_) | Block::Import(_) | Block::Request(_) | Block::Comment(_) => None,
        }
    }

    /// Whether an item that is carried as JSON does not belong in the instructions.
    fn is_sent(&self, item: &Item<'_>) -> bool {
        !self.all_instructions || !is_instruction(item)
    }

    fn item_comment(&mut self, json: &'d str, span: Span) -> Option<Item<'d>> {
        match Json::parse(json, self.context.strings).and_then(Item::decode_lenient) {
            Ok((item, _)) => Some(item),
            Err(error) => {
                self.diagnostics.report(Problem::MalformedDirective(error.to_string()), span);
                None
            }
        }
    }

    fn message(&mut self, message: &'d document::Message<'_>) -> responses::Message<'d> {
        let fields = self.fields(message.fields.as_ref());
        let is_output = message.role == document::Role::Assistant && message.id != Field::Absent;
        let mut rest = Object::default();
        self.insert(&mut rest, "id", &message.id);
        self.insert(&mut rest, "status", &message.status);
        if is_output && message.status == Field::Absent && fields.is_unmentioned("status") {
            rest.insert("status", self.context.strings.string("completed"));
        }
        self.insert(&mut rest, "phase", &message.phase);
        self.extend(&mut rest, &fields, &[], message.fields.as_ref());
        let role = message.role.name();
        let content = match message.role {
            document::Role::Assistant => self.assistant_content(message, is_output),
            document::Role::User | document::Role::System | document::Role::Developer => {
                self.content(&message.body, text_type(role))
            }
        };
        let content = self.list("content", content);
        responses::Message { role: role.into(), content, rest }
    }

    fn tool_call(&mut self, call: &'d document::ToolCall<'_>) -> responses::ToolCall<'d> {
        let fields = self.fields(call.fields.as_ref());
        let mut rest = Object::default();
        self.insert_id(&mut rest, &call.id);
        self.insert(&mut rest, "status", &call.status);
        self.insert(&mut rest, "namespace", &call.namespace);
        self.insert_caller(&mut rest, &call.caller);
        self.extend(&mut rest, &fields, &["call_id", "name"], call.fields.as_ref());
        let input = self.text(&call.body);
        responses::ToolCall {
            kind: kind(call.kind),
            call_id: Cow::Borrowed(&call.call_id),
            name: Cow::Borrowed(&call.name),
            input,
            rest,
        }
    }

    fn reasoning(&mut self, reasoning: &'d document::Reasoning<'_>, span: Span) -> Option<responses::Reasoning<'d>> {
        let fields = self.fields(reasoning.fields.as_ref());
        let mut rest = Object::default();
        self.insert(&mut rest, "id", &reasoning.id);
        self.insert(&mut rest, "status", &reasoning.status);
        self.insert(&mut rest, "encrypted_content", &reasoning.encrypted_content);
        if let Some(path) = &reasoning.encrypted_src {
            let file = self.context.resolver.file(path, span, self.diagnostics)?;
            let encrypted = text_of(path, &file.bytes, span, self.diagnostics)?;
            rest.insert("encrypted_content", self.context.strings.string(encrypted));
        }
        self.extend(&mut rest, &fields, &[], reasoning.fields.as_ref());
        let is_content = |(part, _): &(responses::Part<'_>, Span)| matches!(part, responses::Part::Text(text) if text.kind == "reasoning_text");
        let (content, summary): (Vec<_>, Vec<_>) =
            self.content(&reasoning.body, "summary_text").into_iter().partition(is_content);
        let summary = self.list("summary", summary);
        let mut content = (!content.is_empty()).then(|| self.list("content", content));
        match &reasoning.content {
            Field::Absent => {}
            Field::Null => rest.insert("content", Json::NULL),
            Field::Text(_) => content = content.or(Some(Vec::new())),
        }
        Some(responses::Reasoning { summary, content, rest })
    }

    pub(super) fn fields(&mut self, fields: Option<&'d Spanned<Cow<'_, str>>>) -> Metadata<'d> {
        fields
            .map(|json| Metadata::fields(&json.value, json.span, self.context.strings, self.diagnostics))
            .unwrap_or_default()
    }

    /// Adds the fields of a `chatmd:fields` comment. It must not set fields that the element already sets.
    pub(super) fn extend(
        &mut self,
        object: &mut Object<'d>,
        fields: &Metadata<'d>,
        own: &[&str],
        comment: Option<&Spanned<Cow<'_, str>>>,
    ) {
        let known = object.iter().map(|(key, _)| key).chain(own.iter().copied());
        let twice = known.into_iter().find(|key| !fields.is_unmentioned(key));
        if let (Some(key), Some(comment)) = (twice, comment) {
            self.diagnostics.report(Problem::ForbiddenField(key.to_owned()), comment.span);
        }
        for (key, value) in fields.members.iter() {
            object.insert(key.to_owned(), value);
        }
    }

    /// Adds the id of a call or an output, unless another program has numbered it.
    pub(super) fn insert_id(&self, object: &mut Object<'d>, id: &Field<'_>) {
        if !matches!(id, Field::Text(id) if document::is_numbering(id)) {
            self.insert(object, "id", id);
        }
    }

    /// Adds the `caller` of a tool: a JSON object if it is written as one, otherwise a string.
    fn insert_caller(&self, object: &mut Object<'d>, caller: &'d Field<'_>) {
        let json = match caller {
            Field::Text(text) => caller_object(text, self.context.strings),
            Field::Absent | Field::Null => None,
        };
        match json {
            Some(json) => object.insert("caller", json),
            None => self.insert(object, "caller", caller),
        }
    }

    pub(super) fn insert(&self, object: &mut Object<'d>, key: &'static str, field: &Field<'_>) {
        match field {
            Field::Absent => {}
            Field::Null => object.insert(key, Json::NULL),
            Field::Text(text) => object.insert(key, self.context.strings.string(text)),
        }
    }
}

/// The JSON object that a `caller` attribute is, if it is one.
pub(super) fn caller_object<'t>(text: &'t str, strings: &'t StringArena) -> Option<Json<'t>> {
    if !text.starts_with('{') {
        return None;
    }
    Json::parse(text, strings).ok().filter(|json| json.kind() == Kind::Object)
}

pub(super) fn kind(kind: document::ToolKind) -> responses::ToolKind {
    match kind {
        document::ToolKind::Function => responses::ToolKind::Function,
        document::ToolKind::Custom => responses::ToolKind::Custom,
    }
}
