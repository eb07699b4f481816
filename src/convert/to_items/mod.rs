//! Converts a document to items.

mod agent;
pub(in crate::convert) mod files;
mod hosted_output;
#[cfg(feature = "html")]
mod html;
#[cfg(not(feature = "html"))]
#[path = "no_html.rs"]
mod html;
mod output;
mod parts;

pub(crate) use hosted_output::write_shell_output;

use std::borrow::Cow;

use crate::convert::metadata::Metadata;
use crate::convert::request::config::{Config, UPDATE_TYPE};
use crate::convert::request::is_instruction;
use crate::convert::request::stateless::without_state;
use crate::convert::{Context, RequestOptions};
use crate::diagnostic::{Diagnostics, DirectiveProblem, ElementProblem, RequestProblem};
use crate::document::{
    Block, DataComment, DataKind, Declaration, Field, ItemElement, ItemKind, JsonText, Part, ResponseKind, Role,
    ToolKind, Update,
};
use crate::json::{Json, Object};
use crate::responses::{self, Item, is_extension, text_type};
use crate::source::{Span, Spanned};

/// Prepares an item for the Responses API, which cannot get the items of other issuers and knows no extensions.
pub(super) fn for_responses<'d>(
    mut located: Located<'d>,
    options: &RequestOptions,
    diagnostics: &mut Diagnostics,
) -> Option<Located<'d>> {
    if located.item.is_foreign() {
        return None;
    }
    located.item.remove_extensions();
    let is_sent = !options.stateless || without_state(&mut located, diagnostics);
    is_sent.then_some(located)
}

/// Converts a block to an item for all APIs. Messages that belong in the instructions are not items.
pub(super) fn to_item<'d>(
    block: &'d Spanned<Block<'_>>,
    context: &Context<'d>,
    options: &RequestOptions,
    diagnostics: &mut Diagnostics,
) -> Option<Located<'d>> {
    let all_instructions = options.instructions;
    let mut conversion = ToItems { context, all_instructions, lists: Vec::new(), diagnostics };
    let item = conversion.item(block)?;
    Some(Located { item, span: block.span, lists: conversion.lists, fields: fields_comment(block.value.element()) })
}

/// Whether a block belongs to another API, so that it is never sent.
pub(super) fn is_foreign(block: &Block<'_>) -> bool {
    let is_of_issuer =
        |element: &ItemElement<'_>| element.kind == ItemKind::Reasoning && element.attributes.has("issuer");
    block.is_data(DataKind::Foreign) || block.element().is_some_and(is_of_issuer)
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

impl<'d> Located<'d> {
    /// An item without places of its own parts.
    pub(super) fn new(item: Item<'d>, span: Span) -> Self {
        Self { item, span, lists: Vec::new(), fields: None }
    }

    /// A message of the system with one text.
    pub(super) fn system(text: Cow<'d, str>, span: Span) -> Self {
        let content = vec![responses::Part::text("input_text", text)];
        Self::new(Item::Message(responses::Message { role: "system".into(), content, rest: Object::default() }), span)
    }
}

/// Where the `chatmd:fields` comment of an element is.
fn fields_comment(element: Option<&ItemElement<'_>>) -> Option<Span> {
    element?.fields.as_ref().map(|fields| fields.span)
}

/// A message that belongs in the instructions, with a text for each part of its body.
pub(super) fn instruction<'d>(
    message: &'d ItemElement<'_>,
    span: Span,
    context: &Context<'d>,
    diagnostics: &mut Diagnostics,
) -> Located<'d> {
    let mut conversion = ToItems { context, all_instructions: true, lists: Vec::new(), diagnostics };
    let mut texts = Vec::new();
    // Members of the next text that other APIs get.
    let mut rest = Object::default();
    for part in &message.body {
        match &part.value {
            // An import that could not be read is already reported.
            Part::Media(_) if part.value.is_import() => {}
            Part::Text(_) | Part::Media(_) if part.value.is_text() => {
                let text = conversion.text(std::slice::from_ref(part));
                let (kind, rest) = ("input_text".into(), std::mem::take(&mut rest));
                texts.push((responses::Part::Text(responses::TextPart { kind, text, rest }), part.span));
            }
            Part::Text(_) | Part::Media(_) | Part::Summary(_) => {
                conversion.diagnostics.report(ElementProblem::PartInInstructions, part.span);
            }
            // Each part has a line of its own. Other metadata cannot be kept.
            Part::Metadata(json) => {
                rest = Metadata::read(json, part.span, context.strings, conversion.diagnostics).members;
                if !rest.iter().all(|(key, _)| is_extension(key)) {
                    conversion.diagnostics.report(ElementProblem::PartInInstructions, part.span);
                }
            }
        }
    }
    let rest = conversion.members(message, &[], span).map(|(rest, _)| rest).unwrap_or_default();
    let parts = conversion.list("content", texts);
    let item = Item::Message(responses::Message { role: message.kind.tag().name().into(), content: parts, rest });
    Located { item, span, lists: conversion.lists, fields: fields_comment(Some(message)) }
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
            Block::Element(message) if message.is_instructions(self.all_instructions) => None,
            Block::Element(element) => match element.kind {
                ItemKind::Message(role) => self.message(role, element, block.span).map(Item::Message),
                ItemKind::ToolCall(kind) => self.tool_call(kind, element, block.span).map(Item::ToolCall),
                ItemKind::ToolResponse(kind) => self.tool_response(kind, element, block.span),
                ItemKind::Reasoning => self.reasoning(element, block.span).map(Item::Reasoning),
            },
            Block::Data(DataComment { kind, json }) => match kind {
                DataKind::Item => self.item_comment(&json.value, block.span).filter(|item| self.is_kept_as_item(item)),
                DataKind::ItemFiles => self.item_files(json).filter(|item| self.is_kept_as_item(item)),
                DataKind::Foreign => {
                    let members =
                        Metadata::read(&json.value, block.span, self.context.strings, self.diagnostics).members;
                    (!members.is_empty()).then_some(Item::Foreign(members))
                }
                DataKind::Request => None,
            },
            Block::Declaration(config) if config.update.is_some() => Some(self.update(config, block.span)),
            Block::Declaration(_) | Block::Import(_) | Block::Comment(_) => None,
        }
    }

    /// The item of a `<config>` that changes settings.
    fn update(&mut self, config: &'d Declaration<'_>, span: Span) -> Item<'d> {
        if config.update == Some(Update::Repeated) {
            self.diagnostics.report(RequestProblem::RepeatedUpdate, span);
        }
        let config = Config::read(config, span, self.context.strings);
        let mut item = Object::default();
        item.insert("type", self.context.strings.string(UPDATE_TYPE));
        for (key, value) in self.context.config_fields(&config, self.diagnostics).iter() {
            item.insert(key.to_owned(), value);
        }
        Item::Other(item)
    }

    /// Whether an item that is carried as JSON stays an item, because it does not belong in the instructions.
    fn is_kept_as_item(&self, item: &Item<'_>) -> bool {
        !self.all_instructions || !is_instruction(item)
    }

    fn item_comment(&mut self, json: &'d str, span: Span) -> Option<Item<'d>> {
        match Json::parse(json, self.context.strings).and_then(Item::decode_lenient) {
            Ok((item, _)) => Some(item),
            Err(error) => {
                self.diagnostics.report(DirectiveProblem::MalformedDirective(error.to_string()), span);
                None
            }
        }
    }

    /// The members that the attributes and the `chatmd:fields` of an element are, and these fields. The tag and the body
    /// set the keys in `own`. Returns `None` if a file cannot be read, which is reported.
    pub(super) fn members(
        &mut self,
        element: &'d ItemElement<'_>,
        own: &[&str],
        span: Span,
    ) -> Option<(Object<'d>, Metadata<'d>)> {
        let fields = element
            .fields
            .as_ref()
            .map(|json| Metadata::fields(&json.value, json.span, self.context.strings, self.diagnostics))
            .unwrap_or_default();
        let mut attributes = Cow::Borrowed(&element.attributes);
        let is_complete = match element.kind {
            ItemKind::Message(Role::Assistant) => attributes.has("id"),
            ItemKind::ToolResponse(kind) => kind == ResponseKind::ApplyPatch,
            ItemKind::Message(_) | ItemKind::ToolCall(_) | ItemKind::Reasoning => false,
        };
        if is_complete && !attributes.has("status") && fields.is_unmentioned("status") {
            attributes.to_mut().set(element.kind.tag(), "status", Field::Text("completed".into()));
        }
        let mut members = Object::default();
        self.context.insert_attributes(&mut members, &attributes, span, self.diagnostics)?;
        self.extend(&mut members, &fields, own, element.fields.as_ref());
        Some((members, fields))
    }

    fn message(&mut self, role: Role, message: &'d ItemElement<'_>, span: Span) -> Option<responses::Message<'d>> {
        let (mut rest, _) = self.members(message, &[], span)?;
        let content = match role {
            Role::Assistant => self.assistant_content(message),
            Role::User | Role::System | Role::Developer => self.content(&message.body, text_type(role.name())),
        };
        let content = self.list("content", content);
        rest.take(responses::CLIENT_PART_KEY);
        Some(responses::Message { role: role.name().into(), content, rest })
    }

    fn tool_call(&mut self, kind: ToolKind, call: &'d ItemElement<'_>, span: Span) -> Option<responses::ToolCall<'d>> {
        let (rest, _) = self.members(call, &["call_id", "name"], span)?;
        let (call_id, name) = (call.call_id().unwrap_or_default().into(), call.tool_name().into());
        Some(responses::ToolCall { kind, call_id, name, input: self.text(&call.body), rest })
    }

    fn reasoning(&mut self, reasoning: &'d ItemElement<'_>, span: Span) -> Option<responses::Reasoning<'d>> {
        let (mut rest, _) = self.members(reasoning, &[], span)?;
        let is_content = |(part, _): &(responses::Part<'_>, Span)| matches!(part, responses::Part::Text(text) if text.kind == "reasoning_text");
        let (content, summary): (Vec<_>, Vec<_>) =
            self.content(&reasoning.body, "summary_text").into_iter().partition(is_content);
        let summary = self.list("summary", summary);
        let mut content = (!content.is_empty()).then(|| self.list("content", content));
        match reasoning.attributes.get("content") {
            Field::Absent => {}
            Field::Null => rest.insert("content", Json::NULL),
            Field::Text(_) => content = content.or(Some(Vec::new())),
        }
        Some(responses::Reasoning { summary, content, rest })
    }

    /// Adds the fields of a `chatmd:fields` comment. It must not set fields that the element already sets.
    fn extend(
        &mut self,
        object: &mut Object<'d>,
        fields: &Metadata<'d>,
        own: &[&str],
        comment: Option<&Spanned<JsonText<'_>>>,
    ) {
        let known = object.iter().map(|(key, _)| key).chain(own.iter().copied());
        let twice = known.into_iter().find(|key| !fields.is_unmentioned(key));
        if let (Some(key), Some(comment)) = (twice, comment) {
            self.diagnostics.report(DirectiveProblem::ForbiddenField(key.to_owned()), comment.span);
        }
        for (key, value) in fields.members.iter() {
            object.insert(key.to_owned(), value);
        }
    }
}
