//! Items: what the `input` and `output` arrays hold.

use std::borrow::Cow;

use super::clean::write_item;
use super::content::{CLIENT_PART_KEY, Part};
use super::event::part_text_key;
use super::extension::has_extensions;
use super::tool_output::ToolOutput;
use crate::element::ToolKind;
use crate::json::Object;
use crate::json::write::{self, ObjectWriter};
use crate::json::{Json, JsonError, Kind};

/// One item. Known kinds are read, every other is kept whole.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Item<'j> {
    /// `message`
    Message(Message<'j>),
    /// `function_call` or `custom_tool_call`
    ToolCall(ToolCall<'j>),
    /// `function_call_output` or `custom_tool_call_output`
    ToolResponse(ToolResponse<'j>),
    /// `reasoning`
    Reasoning(Reasoning<'j>),
    /// Any other item, whole.
    Other(Object<'j>),
    /// A block or a message that only another API has: `{"issuer", "block"}` or `{"api", "message"}`. It is never JSON
    /// of the Responses API.
    Foreign(Object<'j>),
}

/// A message.
#[derive(Debug, Clone, PartialEq)]
pub struct Message<'j> {
    /// Its `role`.
    pub role: Cow<'j, str>,
    /// Its parts. A string is read as one text part.
    pub content: Vec<Part<'j>>,
    /// Its other members.
    pub rest: Object<'j>,
}

/// Whether the members of a message say that its text is a comment of the model on its work, and not the answer.
pub fn is_commentary(members: &Object<'_>) -> bool {
    members.get_str("phase").is_some_and(|phase| phase == "commentary")
}

/// The model calls a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall<'j> {
    /// Which protocol.
    pub kind: ToolKind,
    /// The id that its output refers to.
    pub call_id: Cow<'j, str>,
    /// The tool.
    pub name: Cow<'j, str>,
    /// `arguments` or `input`, to the byte. Arguments given as an object are read as its JSON.
    pub input: Cow<'j, str>,
    /// Its other members.
    pub rest: Object<'j>,
}

/// The output of a tool.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResponse<'j> {
    /// Which protocol.
    pub kind: ToolKind,
    /// The call it answers.
    pub call_id: Cow<'j, str>,
    /// The answer.
    pub output: ToolOutput<'j>,
    /// Its other members.
    pub rest: Object<'j>,
}

/// A `reasoning` item.
#[derive(Debug, Clone, PartialEq)]
pub struct Reasoning<'j> {
    /// Its summaries.
    pub summary: Vec<Part<'j>>,
    /// Its `content`, if it is an array.
    pub content: Option<Vec<Part<'j>>>,
    /// Its other members.
    pub rest: Object<'j>,
}

/// A client-only key of items, which the API rejects.
pub(super) const CLIENT_ITEM_KEY: &str = "toolusedata";

impl<'j> Item<'j> {
    /// Reads an item. One that does not match its type is kept as [`Item::Other`]; the second value is the reason.
    ///
    /// Fails for a value that is not an object, and for a lone surrogate in a string that is used.
    pub fn decode_lenient(json: Json<'j>) -> Result<(Self, Option<JsonError>), JsonError> {
        let error = match Self::decode(json) {
            Ok(item) => return Ok((item, None)),
            Err(error) if error.is_lone_surrogate => return Err(error),
            Err(error) => error,
        };
        let mut object = json.object()?;
        object.take(CLIENT_ITEM_KEY);
        if object.get("type").is_none() {
            object.insert("type", Json::scalar("\"message\""));
        }
        Ok((Item::Other(object), Some(error)))
    }

    /// Reads an item that matches its type. An item with a member whose key begins with `@` is kept whole, so that the
    /// member is not an extension.
    pub fn decode(json: Json<'j>) -> Result<Self, JsonError> {
        let mut object = json.object()?;
        object.take(CLIENT_ITEM_KEY);
        if has_extensions(&object) {
            return Ok(Item::Other(object));
        }
        let item = Self::from_object(object, json)?;
        let is_extended = item.lists().into_iter().flat_map(|(_, parts)| parts).any(Part::is_extended);
        if is_extended { json.object().map(Item::Other) } else { Ok(item) }
    }

    fn from_object(object: Object<'j>, json: Json<'j>) -> Result<Self, JsonError> {
        let kind = match object.get("type") {
            Some(kind) if kind.kind() == Kind::String => kind.as_str().map_err(|error| error.within("type"))?,
            None if object.get("role").is_some() && object.get("content").is_some() => Cow::Borrowed("message"),
            _ => Cow::Borrowed(""),
        };
        match kind.as_ref() {
            "message" => Message::decode(object, json).map(Item::Message),
            "function_call" => ToolCall::decode(ToolKind::Function, object, json).map(Item::ToolCall),
            "custom_tool_call" => ToolCall::decode(ToolKind::Custom, object, json).map(Item::ToolCall),
            // It answers no call of the conversation.
            "function_call_output" if object.get("call_id").is_none_or(|id| id.kind() == Kind::Null) => {
                Ok(Item::Other(object))
            }
            "function_call_output" => ToolResponse::decode(ToolKind::Function, object, json).map(Item::ToolResponse),
            "custom_tool_call_output" => ToolResponse::decode(ToolKind::Custom, object, json).map(Item::ToolResponse),
            "reasoning" => Reasoning::decode(object),
            _ => Ok(Item::Other(object)),
        }
    }

    /// Its `type`.
    pub fn kind(&self) -> Cow<'j, str> {
        match self {
            Item::Message(_) => "message".into(),
            Item::ToolCall(call) => call.kind.call_type().into(),
            Item::ToolResponse(response) => response.kind.output_type().into(),
            Item::Reasoning(_) => "reasoning".into(),
            Item::Other(members) => members.get_str("type").unwrap_or_default(),
            Item::Foreign(_) => "".into(),
        }
    }

    /// Its `role`, whatever its type is. One that is not a string is given as JSON, and null counts as absent.
    pub fn role(&self) -> Option<Cow<'_, str>> {
        let role = match self {
            Item::Message(message) => return Some(Cow::Borrowed(&message.role)),
            Item::ToolCall(_) | Item::ToolResponse(_) | Item::Reasoning(_) | Item::Other(_) | Item::Foreign(_) => {
                self.rest().get("role")
            }
        };
        let role = role.filter(|role| role.kind() != Kind::Null)?;
        Some(role.as_str().unwrap_or(Cow::Borrowed(role.raw())))
    }

    /// Whether it is a call whose output may come later than the next message.
    pub fn is_async(&self) -> bool {
        self.rest().get("async").is_some_and(|is_async| is_async.raw() == "true")
    }

    /// Its members that are not read.
    pub fn rest(&self) -> &Object<'j> {
        match self {
            Item::Message(message) => &message.rest,
            Item::ToolCall(call) => &call.rest,
            Item::ToolResponse(response) => &response.rest,
            Item::Reasoning(reasoning) => &reasoning.rest,
            Item::Other(members) | Item::Foreign(members) => members,
        }
    }

    /// The undecoded members of the item and of its parts.
    pub fn objects(&self) -> Vec<&Object<'j>> {
        let parts = self.lists().into_iter().flat_map(|(_, parts)| parts);
        std::iter::once(self.rest()).chain(parts.filter_map(Part::rest)).collect()
    }

    /// Its parts, by the key of their array.
    pub fn lists(&self) -> [(&'static str, &[Part<'j>]); 2] {
        const NONE: (&str, &[Part<'_>]) = ("", &[]);
        match self {
            Item::Message(message) => [("content", &message.content), NONE],
            Item::ToolResponse(response) => [("output", response.output.parts()), NONE],
            Item::Reasoning(reasoning) => {
                [("summary", &reasoning.summary), ("content", reasoning.content.as_deref().unwrap_or_default())]
            }
            Item::ToolCall(_) | Item::Other(_) | Item::Foreign(_) => [NONE, NONE],
        }
    }

    /// Writes it as JSON.
    pub fn encode(&self, out: &mut String) {
        let mut object = ObjectWriter::new(out);
        match self {
            Item::Message(message) => {
                object.text("type", "message");
                object.text("role", &message.role);
                object.members(&message.rest);
                write::array(object.name("content"), &message.content, |out, part| part.encode(out));
            }
            Item::ToolCall(call) => {
                object.text("type", call.kind.call_type());
                object.text("call_id", &call.call_id);
                object.text("name", &call.name);
                object.text(call.kind.input_key(), &call.input);
                object.members(&call.rest);
            }
            Item::ToolResponse(response) => {
                object.text("type", response.kind.output_type());
                object.text("call_id", &response.call_id);
                response.output.encode(object.name("output"));
                object.members(&response.rest);
            }
            Item::Reasoning(reasoning) => {
                object.text("type", "reasoning");
                object.members(&reasoning.rest);
                write::array(object.name("summary"), &reasoning.summary, |out, part| part.encode(out));
                if let Some(content) = &reasoning.content {
                    write::array(object.name("content"), content, |out, part| part.encode(out));
                }
            }
            Item::Other(item) => write_item(&mut object, item),
            Item::Foreign(members) => object.members(members),
        }
        object.end();
    }
}

impl<'j> Message<'j> {
    fn decode(mut object: Object<'j>, json: Json<'j>) -> Result<Self, JsonError> {
        let role = object.take_string("role", json)?;
        let content = object.take("content").ok_or_else(|| json.malformed("is missing").within("content"))?;
        let content = match content.kind() {
            Kind::String => content.as_str().map(|text| vec![Part::text(text_type(&role), text)]),
            Kind::Array => Part::decode_all(content),
            kind => Err(content.malformed(format!("expected a string or an array of parts, found {kind}"))),
        };
        let content = content.map_err(|error| error.within("content"))?;
        object.take("type");
        object.take(CLIENT_PART_KEY);
        Ok(Message { role, content, rest: object })
    }
}

impl<'j> ToolCall<'j> {
    fn decode(kind: ToolKind, mut object: Object<'j>, json: Json<'j>) -> Result<Self, JsonError> {
        object.take("type");
        let call_id = object.take_string("call_id", json)?;
        let name = object.take_string("name", json)?;
        let input = match object.get(kind.input_key()) {
            Some(input) if kind == ToolKind::Function && input.kind() == Kind::Object => {
                object.take(kind.input_key());
                input.compact()
            }
            _ => object.take_string(kind.input_key(), json)?,
        };
        Ok(ToolCall { kind, call_id, name, input, rest: object })
    }
}

impl<'j> ToolResponse<'j> {
    fn decode(kind: ToolKind, mut object: Object<'j>, json: Json<'j>) -> Result<Self, JsonError> {
        object.take("type");
        let call_id = object.take_string("call_id", json)?;
        let output = object.take("output").ok_or_else(|| json.malformed("is missing").within("output"))?;
        let output = ToolOutput::decode(output).map_err(|error| error.within("output"))?;
        Ok(ToolResponse { kind, call_id, output, rest: object })
    }
}

impl<'j> Reasoning<'j> {
    fn decode(mut object: Object<'j>) -> Result<Item<'j>, JsonError> {
        let Some(summary) = object.get("summary").filter(|summary| summary.kind() == Kind::Array) else {
            return Ok(Item::Other(object));
        };
        let summary = Part::decode_summary(summary).map_err(|error| error.within("summary"))?;
        let content = object.get("content").filter(|content| content.kind() == Kind::Array);
        let content = content.map(Part::decode_all).transpose().map_err(|error| error.within("content"))?;
        object.take("type");
        object.take("summary");
        if content.is_some() {
            object.take("content");
        }
        Ok(Item::Reasoning(Reasoning { summary, content, rest: object }))
    }
}

/// The type of a role's plain text parts.
pub fn text_type(role: &str) -> &'static str {
    if role == "assistant" { "output_text" } else { "input_text" }
}

/// Whether parts of a type hold a text.
pub fn is_text_type(kind: &str) -> bool {
    kind == "input_text" || part_text_key(kind).is_some()
}

/// Whether parts of a type are plain text of a message, in any API.
pub fn is_plain_text_type(kind: &str) -> bool {
    matches!(kind, "input_text" | "output_text" | "text")
}
