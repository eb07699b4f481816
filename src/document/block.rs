//! The blocks of a document.

use std::borrow::Cow;

use super::{Body, Field, Fields, Import, Role, Update};
use crate::element::{Tag, ToolKind};
use crate::json::lay_out;
use crate::source::{Span, Spanned};
use crate::syntax::Attributes;

/// An element or a directive at top level.
#[derive(Debug, Clone, PartialEq)]
pub enum Block<'s> {
    /// A message.
    Message(Message<'s>),
    /// A tool call of the model.
    ToolCall(ToolCall<'s>),
    /// The output of a tool call.
    ToolResponse(ToolResponse<'s>),
    /// Reasoning of the model.
    Reasoning(Reasoning<'s>),
    /// Configuration, a tool, or a declaration for the host of the conversation.
    Declaration(Declaration<'s>),
    /// The blocks of another file.
    Import(Import<'s>),
    /// A whole item that no element can express, as JSON.
    Item(Cow<'s, str>),
    /// The same, as JSON in which objects with [`FILE_KEY`] stand for the content of files.
    ItemFiles(Spanned<Cow<'s, str>>),
    /// Request fields that no element can express, as JSON.
    Request(Cow<'s, str>),
    /// A block of another API, as JSON. It is never sent.
    Foreign(Cow<'s, str>),
    /// A comment without metadata.
    Comment(Cow<'s, str>),
}

impl Block<'_> {
    /// The JSON of a whole item.
    pub fn item_json(&self) -> Option<&str> {
        match self {
            Block::Item(json) | Block::ItemFiles(Spanned { value: json, .. }) => Some(json),
            Block::Message(_)
            | Block::ToolCall(_)
            | Block::ToolResponse(_)
            | Block::Reasoning(_)
            | Block::Declaration(_)
            | Block::Import(_)
            | Block::Request(_)
            | Block::Foreign(_)
            | Block::Comment(_) => None,
        }
    }
}

/// The key of a file in the JSON of a [`Block::ItemFiles`].
pub const FILE_KEY: &str = "chatmd:file";

/// `<user>`, `<assistant>`, `<system>`, `<developer>`, or `<msg>` of such a role.
#[derive(Debug, Clone, PartialEq)]
pub struct Message<'s> {
    /// Its role.
    pub role: Role,
    /// Its attributes.
    pub attributes: Fields<'s>,
    /// Attributes without a meaning here.
    pub extra: Attributes<'s>,
    /// More fields of the item, as JSON.
    pub fields: Option<Spanned<Cow<'s, str>>>,
    /// Its content.
    pub body: Body<'s>,
}

/// The kind of item that a tool response is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ResponseKind {
    /// The output of a function or of a custom tool.
    Tool(ToolKind),
    /// A screenshot.
    Computer,
    /// The output of shell commands.
    Shell,
    /// The result of a patch.
    ApplyPatch,
    /// The answer to a request for approval.
    Approval,
}

impl ResponseKind {
    /// Every kind, with the type of the item it answers and the type of the item that it is.
    const TYPES: [(ResponseKind, &'static str, &'static str); 6] = [
        (ResponseKind::Tool(ToolKind::Function), "function_call", "function_call_output"),
        (ResponseKind::Tool(ToolKind::Custom), "custom_tool_call", "custom_tool_call_output"),
        (ResponseKind::Computer, "computer_call", "computer_call_output"),
        (ResponseKind::Shell, "shell_call", "shell_call_output"),
        (ResponseKind::ApplyPatch, "apply_patch_call", "apply_patch_call_output"),
        (ResponseKind::Approval, "mcp_approval_request", "mcp_approval_response"),
    ];

    /// Whether an item of this type is an output, also one of a type that is not in the table.
    pub fn is_output_type(name: &str) -> bool {
        name.ends_with("_output") || Self::from_item_type(name).is_some()
    }

    /// The key of the call's item that has its id.
    pub fn call_id_key(self) -> &'static str {
        match self {
            ResponseKind::Approval => "id",
            ResponseKind::Tool(_) | ResponseKind::Computer | ResponseKind::Shell | ResponseKind::ApplyPatch => {
                "call_id"
            }
        }
    }

    /// The key of its own item that has the id of the call.
    pub fn id_key(self) -> &'static str {
        match self {
            ResponseKind::Approval => "approval_request_id",
            ResponseKind::Tool(_) | ResponseKind::Computer | ResponseKind::Shell | ResponseKind::ApplyPatch => {
                "call_id"
            }
        }
    }

    /// The kind that a `type` attribute names: by the type of the call, or by that of the output.
    pub fn from_attribute(name: &str) -> Option<Self> {
        let is_named = |(_, call, output): &&(_, &str, &str)| *call == name || *output == name;
        Self::TYPES.iter().find(is_named).map(|(kind, _, _)| *kind)
    }

    /// The kind of an item of this type.
    pub fn from_item_type(name: &str) -> Option<Self> {
        Self::TYPES.iter().find(|(_, _, output)| *output == name).map(|(kind, _, _)| *kind)
    }

    /// The kind of output that a call of this type needs.
    pub fn from_call_type(name: &str) -> Option<Self> {
        Self::TYPES.iter().find(|(_, call, _)| *call == name).map(|(kind, _, _)| *kind)
    }

    /// The type of the call that it answers.
    pub fn call_type(self) -> &'static str {
        let named = Self::TYPES.iter().find(|(kind, _, _)| *kind == self);
        named.map(|(_, call, _)| *call).unwrap_or_default()
    }

    /// The `type` of its item.
    pub fn item_type(self) -> &'static str {
        let named = Self::TYPES.iter().find(|(kind, _, _)| *kind == self);
        named.map(|(_, _, output)| *output).unwrap_or_default()
    }

    /// The value of its `type` attribute. A function's output has none.
    pub fn attribute(self) -> Option<&'static str> {
        Some(self.call_type()).filter(|_| self != ResponseKind::Tool(ToolKind::Function))
    }
}

/// `<tool_call>`
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall<'s> {
    /// Its protocol.
    pub kind: ToolKind,
    /// The tool's name.
    pub name: Cow<'s, str>,
    /// The id that the output refers to.
    pub call_id: Cow<'s, str>,
    /// Its other attributes.
    pub attributes: Fields<'s>,
    /// Attributes without a meaning here.
    pub extra: Attributes<'s>,
    /// More fields of the item, as JSON.
    pub fields: Option<Spanned<Cow<'s, str>>>,
    /// The arguments, byte for byte.
    pub body: Body<'s>,
}

/// The form of a tool response that `output=` asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputHint {
    /// The body is text, even if it looks like JSON.
    Text,
    /// The body is parts.
    Content,
}

/// `<tool_response>`
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResponse<'s> {
    /// Its kind.
    pub kind: ResponseKind,
    /// The call it answers. An output with a name may answer none, and the id is then absent or null.
    pub call_id: Field<'s>,
    /// Its other attributes.
    pub attributes: Fields<'s>,
    /// Attributes without a meaning here.
    pub extra: Attributes<'s>,
    /// More fields of the item, as JSON.
    pub fields: Option<Spanned<Cow<'s, str>>>,
    /// The output.
    pub body: Body<'s>,
}

/// `<reasoning>`
#[derive(Debug, Clone, PartialEq)]
pub struct Reasoning<'s> {
    /// Its attributes.
    pub attributes: Fields<'s>,
    /// Attributes without a meaning here.
    pub extra: Attributes<'s>,
    /// More fields of the item, as JSON.
    pub fields: Option<Spanned<Cow<'s, str>>>,
    /// Its summaries.
    pub body: Body<'s>,
}

/// `<config>`, `<tool>`, `<script>`, `<shell_access>` or `<moderator_runtime>`.
#[derive(Debug, Clone, PartialEq)]
pub struct Declaration<'s> {
    /// Its element.
    pub tag: Tag,
    /// All its attributes.
    pub attributes: Attributes<'s>,
    /// The text between its tags. `None` for `<tag/>`.
    pub body: Option<DeclarationBody<'s>>,
    /// Whether it is a later `<config>` that changes settings. Only the reader of a whole document knows.
    pub update: Option<Update>,
}

/// The body of a declaration.
#[derive(Debug, Clone)]
pub enum DeclarationBody<'s> {
    /// One JSON object: the fields of a request or of a tool, or the parameters of a function.
    Json(Spanned<Cow<'s, str>>),
    /// The source text, for the consumer of the declaration.
    Source(Cow<'s, str>),
}

impl DeclarationBody<'_> {
    /// Its text as it is printed: JSON is laid out.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            DeclarationBody::Json(json) => Cow::Owned(lay_out(&json.value, 0, 0)),
            DeclarationBody::Source(text) => Cow::Borrowed(text),
        }
    }
}

/// Whitespace between the tokens of JSON means nothing.
impl PartialEq for DeclarationBody<'_> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (DeclarationBody::Json(one), DeclarationBody::Json(other)) if one == other => true,
            (DeclarationBody::Json(_), DeclarationBody::Json(_)) => self.text() == other.text(),
            (DeclarationBody::Source(one), DeclarationBody::Source(other)) => one == other,
            (DeclarationBody::Json(_), DeclarationBody::Source(_))
            | (DeclarationBody::Source(_), DeclarationBody::Json(_)) => false,
        }
    }
}

impl Declaration<'_> {
    /// The JSON object in its body, and where it is written.
    pub fn json(&self) -> Option<(&str, Span)> {
        match &self.body {
            Some(DeclarationBody::Json(json)) => Some((&json.value, json.span)),
            Some(DeclarationBody::Source(_)) | None => None,
        }
    }

    /// The text in its body that is not JSON, as it is written.
    pub fn source(&self) -> Option<&str> {
        match &self.body {
            Some(DeclarationBody::Source(text)) => Some(text),
            Some(DeclarationBody::Json(_)) | None => None,
        }
    }
}

/// Whether an `id` attribute of a call or an output is the numbering of another program, which is not sent.
pub fn is_numbering(id: &str) -> bool {
    !id.is_empty() && id.bytes().all(|b| b.is_ascii_digit())
}

impl<'s> Message<'s> {
    /// A message with a body and no other fields.
    pub fn plain(role: Role, body: Body<'s>) -> Self {
        Message { role, attributes: Fields::default(), extra: Attributes::default(), fields: None, body }
    }
}

impl OutputHint {
    /// The form that a value of `output=` asks for.
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "text" => Some(OutputHint::Text),
            "content" => Some(OutputHint::Content),
            _ => None,
        }
    }

    /// The value of `output=`.
    pub fn name(self) -> &'static str {
        match self {
            OutputHint::Text => "text",
            OutputHint::Content => "content",
        }
    }
}

impl ToolResponse<'_> {
    /// The form that the author asks for.
    pub fn output(&self) -> Option<OutputHint> {
        self.attributes.text("output").and_then(OutputHint::from_name)
    }

    /// Marks the tool as failed.
    pub fn set_failed(&mut self) {
        self.attributes.set(Tag::ToolResponse, "error", Field::Null);
    }

    /// Whether the tool has failed.
    pub fn has_failed(&self) -> bool {
        self.attributes.is_true("error")
    }
}

impl Message<'_> {
    /// Whether it is an empty `<user>` without fields. At the end of a document it is not sent.
    pub fn is_placeholder(&self) -> bool {
        self.role == Role::User && self.attributes.is_empty() && self.fields.is_none() && self.body.is_empty()
    }

    /// Whether it belongs in the request's `instructions`, given whether all such messages do.
    pub fn is_instructions(&self, all: bool) -> bool {
        self.attributes.has("instructions") || all && matches!(self.role, Role::System | Role::Developer)
    }
}
