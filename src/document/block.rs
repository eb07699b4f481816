//! The blocks of a document.

use std::borrow::Cow;

use super::{Body, Directive, DirectiveKind, Field, Fields, JsonText, Media, OutputHint, ResponseKind, Role, Update};
use crate::element::{Tag, ToolKind};
use crate::json::{Json, Object, StringArena, lay_out};
use crate::source::{Span, Spanned};
use crate::syntax::Attributes;

/// An element or a comment at top level.
#[derive(Debug, Clone, PartialEq)]
pub enum Block<'s> {
    /// An element that is an item.
    Element(ItemElement<'s>),
    /// Configuration, a tool, or a declaration for the host of the conversation.
    Declaration(Declaration<'s>),
    /// The blocks of another file.
    Import(Media<'s>),
    /// JSON in a comment, for whatever elements cannot express.
    Data(DataComment<'s>),
    /// A comment without metadata.
    Comment(Cow<'s, str>),
}

/// JSON in a comment at top level.
#[derive(Debug, Clone, PartialEq)]
pub struct DataComment<'s> {
    /// The meaning of the JSON.
    pub kind: DataKind,
    /// The JSON.
    pub json: Spanned<JsonText<'s>>,
}

/// The meaning of JSON in a comment at top level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DataKind {
    /// A whole item.
    Item,
    /// A whole item, in which objects with [`FILE_KEY`] stand for the content of files.
    ItemFiles,
    /// Fields of the request.
    Request,
    /// A block of another API, which is never sent.
    Foreign,
}

/// The key of a file in the JSON of a [`DataKind::ItemFiles`].
pub const FILE_KEY: &str = "chatmd:file";

/// An element that is an item: a message, a tool call, a tool response or reasoning.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemElement<'s> {
    /// The kind of the item.
    pub kind: ItemKind,
    /// The attributes that have a meaning, except `type`.
    pub attributes: Fields<'s>,
    /// Attributes without a meaning here.
    pub extra: Attributes<'s>,
    /// More fields of the item, as JSON.
    pub fields: Option<Spanned<JsonText<'s>>>,
    /// The content of a message, the arguments of a call, an output, or summaries.
    pub body: Body<'s>,
}

/// The kind of item that an element is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ItemKind {
    /// `<user>`, `<assistant>`, `<system>`, `<developer>`, or `<msg>` of such a role.
    Message(Role),
    /// `<tool_call>`
    ToolCall(ToolKind),
    /// `<tool_response>`
    ToolResponse(ResponseKind),
    /// `<reasoning>`
    Reasoning,
}

impl<'s> Block<'s> {
    /// The element that is an item.
    pub fn element(&self) -> Option<&ItemElement<'s>> {
        if let Block::Element(element) = self { Some(element) } else { None }
    }

    /// The JSON of a whole item.
    pub fn item_json(&self) -> Option<&str> {
        match self {
            Block::Data(DataComment { kind, json }) if kind.is_item() => Some(&json.value),
            Block::Data(_) | Block::Element(_) | Block::Declaration(_) | Block::Import(_) | Block::Comment(_) => None,
        }
    }

    /// The members of a whole item that is JSON.
    pub fn item<'a>(&'a self, strings: &'a StringArena) -> Option<Object<'a>> {
        Json::parse(self.item_json()?, strings).and_then(Json::object).ok()
    }

    /// Whether the block is JSON of this kind.
    pub fn is_data(&self, kind: DataKind) -> bool {
        matches!(self, Block::Data(data) if data.kind == kind)
    }
}

impl DataKind {
    /// Whether the JSON is a whole item.
    pub fn is_item(self) -> bool {
        match self {
            DataKind::Item | DataKind::ItemFiles => true,
            DataKind::Request | DataKind::Foreign => false,
        }
    }
}

impl DataComment<'_> {
    /// The comment with the JSON.
    pub fn directive(&self) -> Directive<'_> {
        Directive { kind: DirectiveKind::Data(self.kind), data: &self.json.value }
    }
}

impl ItemKind {
    /// The element.
    pub fn tag(self) -> Tag {
        match self {
            ItemKind::Message(role) => role.tag(),
            ItemKind::ToolCall(_) => Tag::ToolCall,
            ItemKind::ToolResponse(_) => Tag::ToolResponse,
            ItemKind::Reasoning => Tag::Reasoning,
        }
    }

    /// Whether the model writes such items.
    pub fn is_of_model(self) -> bool {
        match self {
            ItemKind::Message(role) => role == Role::Assistant,
            ItemKind::ToolCall(_) | ItemKind::Reasoning => true,
            ItemKind::ToolResponse(_) => false,
        }
    }

    /// The value of the `type` attribute. Functions have none.
    pub fn type_attribute(self) -> Option<&'static str> {
        match self {
            ItemKind::ToolCall(kind) => ResponseKind::Tool(kind).attribute(),
            ItemKind::ToolResponse(kind) => kind.attribute(),
            ItemKind::Message(_) | ItemKind::Reasoning => None,
        }
    }
}

impl<'s> ItemElement<'s> {
    /// An element with a body and nothing else.
    pub fn new(kind: ItemKind, body: Body<'s>) -> Self {
        ItemElement { kind, attributes: Fields::default(), extra: Attributes::default(), fields: None, body }
    }

    /// A message with a body and nothing else.
    pub fn message(role: Role, body: Body<'s>) -> Self {
        Self::new(ItemKind::Message(role), body)
    }

    /// The answer to the call with an id.
    pub fn answer(kind: ResponseKind, call_id: Cow<'s, str>, body: Body<'s>) -> Self {
        let attributes = Fields::default().with(Tag::ToolResponse, "tool_call_id", Field::Text(call_id));
        ItemElement { attributes, ..Self::new(ItemKind::ToolResponse(kind), body) }
    }

    /// The role of a message.
    pub fn role(&self) -> Option<Role> {
        if let ItemKind::Message(role) = self.kind { Some(role) } else { None }
    }

    /// The name of the tool that a call names.
    pub fn tool_name(&self) -> &str {
        self.attributes.text("function_name").unwrap_or_default()
    }

    /// The id that a call has, and that its output refers to. An output with a name may answer no call.
    pub fn call_id(&self) -> Option<&str> {
        self.attributes.text("tool_call_id")
    }

    /// The form of an output that the author asks for.
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

    /// Whether the element is an empty `<user>` without fields. At the end of a document it is not sent.
    pub fn is_placeholder(&self) -> bool {
        self.role() == Some(Role::User) && self.attributes.is_empty() && self.fields.is_none() && self.body.is_empty()
    }

    /// Whether the element belongs in the request's `instructions`, given whether all messages of the system do.
    pub fn is_instructions(&self, all: bool) -> bool {
        let is_system = matches!(self.kind, ItemKind::Message(Role::System | Role::Developer));
        self.attributes.has("instructions") || all && is_system
    }
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
#[derive(Debug, Clone, PartialEq)]
pub enum DeclarationBody<'s> {
    /// One JSON object: the fields of a request or of a tool, or the parameters of a function.
    Json(Spanned<JsonText<'s>>),
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
