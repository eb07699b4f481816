//! Converts items to a document.

mod config;
mod hosted_output;
mod output;
mod parts;
mod request;
mod tools;

use hosted_output::output_attribute;
use parts::{assistant_body, push_summary};
pub(super) use request::request_blocks;

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::convert::attributes;
use crate::convert::item_files::extract;
use crate::convert::metadata::{can_be_fields, comment, escape_comment};
use crate::document::{
    Block, Body, ConfigUpdates, DataComment, DataKind, Document, Field, ItemElement, ItemKind, JsonText, Part,
    ResponseKind, Role,
};
use crate::element::{AttributeKind, Tag};
use crate::json::{Json, Kind, Object};
use crate::options::{Envelope, OutputStyle};
use crate::resources::MediaStore;
use crate::responses::{self, Item};
use crate::source::{Span, Spanned};
use crate::syntax::write::Whitespace;

/// Longer values of attributes are written after the text of their element.
const MAX_ATTRIBUTE_LENGTH: usize = 100;

/// How items are written.
#[derive(Debug, Clone, Copy, Default)]
pub struct WriteOptions<'o> {
    /// How the parts of tool outputs are written.
    pub style: OutputStyle,
    /// Which whitespace of a body is content.
    pub whitespace: Whitespace,
    /// Which of a response's own fields (id, usage, …) are kept, in a comment for people.
    pub envelope: Envelope,
    /// Stores the images and files of `data:` URLs; `None` leaves them inline.
    pub media: Option<&'o MediaStore<'o>>,
}

/// Converts items to a document. Whatever elements cannot express is JSON in comments.
///
/// The items whose indexes are in `as_json` are written as JSON. `updates` knows whether a `<config>` comes before them.
pub(super) fn from_items<'j>(
    items: &'j [Item<'_>],
    options: WriteOptions<'_>,
    as_json: &BTreeSet<usize>,
    mut updates: ConfigUpdates,
) -> Document<'j> {
    let blocks = items.iter().enumerate().map(|(index, item)| {
        let mut block = match config::update(item).filter(|config| updates.allows(config)) {
            _ if as_json.contains(&index) => options.item_comment(item),
            Some(config) => Block::Declaration(config),
            None => options.block(item),
        };
        updates.mark(&mut block);
        spanned(block)
    });
    let mut document = Document { blocks: blocks.collect() };
    // An empty message at the end is sent only if it has metadata: otherwise it is where the next turn goes.
    if let Some(Block::Element(message)) = document.placeholder().map(|index| &mut document.blocks[index].value) {
        message.fields = Some(spanned("{}".into()));
    }
    document
}

/// Converts the instructions of a request to elements.
pub(super) fn instruction_blocks<'j>(
    messages: &'j [responses::Message<'_>],
    options: WriteOptions<'_>,
) -> Vec<Spanned<Block<'j>>> {
    let block = |message: &'j responses::Message<'_>| {
        let mut message = options.message(message)?;
        message.attributes.set(message.kind.tag(), "instructions", Field::Null);
        Some(spanned(Block::Element(message)))
    };
    messages.iter().filter_map(block).collect()
}

/// A value that is written nowhere yet.
pub(super) fn spanned<T>(value: T) -> Spanned<T> {
    Spanned::new(value, Span::NOWHERE)
}

fn data<'j>(kind: DataKind, json: String) -> Block<'j> {
    Block::Data(DataComment { kind, json: spanned(json.into()) })
}

impl WriteOptions<'_> {
    /// A whole item as JSON in a comment.
    fn item_comment<'j>(&self, item: &Item<'_>) -> Block<'j> {
        let mut json = String::new();
        item.encode(&mut json);
        match self.media.and_then(|media| extract(&json, media)) {
            Some(json) => data(DataKind::ItemFiles, escape_comment(json)),
            None => data(DataKind::Item, escape_comment(json)),
        }
    }

    fn block<'j>(&self, item: &'j Item<'_>) -> Block<'j> {
        let element = match item {
            Item::Message(message) => self.message(message),
            Item::ToolCall(call) => self.tool_call(call),
            Item::ToolResponse(response) => self.tool_response(response),
            Item::Reasoning(reasoning) => self.reasoning(reasoning),
            Item::Other(other) => self.hosted_output(other),
            Item::Foreign(members) => return data(DataKind::Foreign, comment(members, None, &[])),
        };
        element.map_or_else(|| self.item_comment(item), Block::Element)
    }

    fn message<'j>(&self, message: &'j responses::Message<'_>) -> Option<ItemElement<'j>> {
        let role = Role::from_name(&message.role)?;
        let mut rest = message.rest.clone();
        let has_id = rest.get("id").is_some_and(|id| matches!(id.kind(), Kind::String | Kind::Null));
        // A status attribute needs its id.
        let mut attributes = self.attributes(role.tag(), &mut rest, if has_id { &[] } else { &["status"] });
        let is_output = role == Role::Assistant && has_id;
        let lacks_status = is_output && message.rest.get("status").is_none();
        let absent: &[&str] = if lacks_status { &["status"] } else { &[] };
        let fields = fields(&rest, absent)?;
        let body = match role {
            Role::Assistant => {
                let (logprobs, body) = assistant_body(&message.content, is_output)?;
                attributes.set(role.tag(), "logprobs", logprobs);
                body
            }
            Role::User | Role::System | Role::Developer => self.body(&message.content, "input_text")?,
        };
        Some(ItemElement { attributes, fields, ..ItemElement::message(role, body) })
    }

    fn tool_call<'j>(&self, call: &'j responses::ToolCall<'_>) -> Option<ItemElement<'j>> {
        let mut rest = call.rest.clone();
        let mut attributes = self.attributes(Tag::ToolCall, &mut rest, &[]);
        attributes.set(Tag::ToolCall, "function_name", Field::Text(Cow::Borrowed(&call.name)));
        attributes.set(Tag::ToolCall, "tool_call_id", Field::Text(Cow::Borrowed(&call.call_id)));
        let fields = fields(&rest, &[])?;
        let body = text_body(Cow::Borrowed(&call.input));
        Some(ItemElement { attributes, fields, ..ItemElement::new(ItemKind::ToolCall(call.kind), body) })
    }

    fn tool_response<'j>(&self, response: &'j responses::ToolResponse<'_>) -> Option<ItemElement<'j>> {
        let (output, body) = self.output(&response.output)?;
        let call_id = Field::Text(Cow::Borrowed(response.call_id.as_ref()));
        let own = [("tool_call_id", call_id), ("output", output_attribute(output))];
        self.response(ResponseKind::Tool(response.kind), &mut response.rest.clone(), own, &[], body)
    }

    fn reasoning<'j>(&self, reasoning: &'j responses::Reasoning<'_>) -> Option<ItemElement<'j>> {
        let mut rest = reasoning.rest.clone();
        let is_foreign = rest.get("@issuer").is_some();
        let content = match (&reasoning.content, rest.get("content").map(Json::kind)) {
            (Some(parts), _) if parts.is_empty() => Field::Text(Cow::Borrowed("[]")),
            (None, Some(Kind::Null)) => {
                rest.take("content");
                Field::Null
            }
            _ => Field::Absent,
        };
        let is_content =
            |part: &responses::Part<'_>| matches!(part, responses::Part::Text(text) if text.kind == "reasoning_text");
        let contents = reasoning.content.as_deref().unwrap_or_default();
        if reasoning.summary.iter().any(is_content) || !contents.iter().all(is_content) {
            return None;
        }
        let mut body = Vec::new();
        match reasoning.summary.as_slice() {
            // The text of another issuer is one text.
            [responses::Part::Text(text)] if is_foreign && text.rest.is_empty() && text.kind == "summary_text" => {
                body.push(spanned(Part::Text(Cow::Borrowed(&text.text))));
            }
            summary => summary.iter().try_for_each(|part| push_summary(&mut body, part))?,
        }
        contents.iter().try_for_each(|part| push_summary(&mut body, part))?;
        // Long encrypted reasoning is in a comment after the text, so that people read the text first.
        let is_long = rest.get_str("encrypted_content").is_some_and(|text| text.len() > MAX_ATTRIBUTE_LENGTH);
        let unused: &[&str] = if is_long && !body.is_empty() { &["encrypted_content"] } else { &[] };
        let attributes = self.attributes(Tag::Reasoning, &mut rest, unused).with(Tag::Reasoning, "content", content);
        let fields = fields(&rest, &[])?;
        Some(ItemElement { attributes, fields, ..ItemElement::new(ItemKind::Reasoning, body) })
    }
}

/// A body that is one text.
pub(super) fn text_body(text: Cow<'_, str>) -> Body<'_> {
    if text.is_empty() { Vec::new() } else { vec![spanned(Part::Text(text))] }
}

/// The comment for fields that attributes cannot express; `None` if a comment cannot express them either.
#[allow(clippy::option_option)] // outer: whether an element is possible; inner: whether a comment is needed
pub(super) fn fields<'j>(rest: &Object<'j>, absent: &[&str]) -> Option<Option<Spanned<JsonText<'j>>>> {
    if !can_be_fields(rest) {
        return None;
    }
    let is_needed = !rest.is_empty() || !absent.is_empty();
    Some(is_needed.then(|| spanned(comment(rest, None, absent).into())))
}

/// Takes a member that is a string or null.
pub(super) fn field<'j>(rest: &mut Object<'j>, key: &str) -> Field<'j> {
    let field = rest.get(key).map_or(Field::Absent, |value| attributes::field(AttributeKind::Nullable, value));
    if field != Field::Absent {
        rest.take(key);
    }
    field
}
