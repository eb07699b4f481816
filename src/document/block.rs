//! The blocks of a document.

use std::borrow::Cow;

use super::{Body, Import, Role};
use crate::element::Tag;
use crate::source::Spanned;
use crate::syntax::Attributes;

/// Something at top level.
#[derive(Debug, Clone, PartialEq)]
pub enum Block<'s> {
    /// What somebody said.
    Message(Message<'s>),
    /// The model calls a tool.
    ToolCall(ToolCall<'s>),
    /// What the tool answered.
    ToolResponse(ToolResponse<'s>),
    /// What the model thought.
    Reasoning(Reasoning<'s>),
    /// Configuration, a tool, or something for the host of the conversation.
    Declaration(Declaration<'s>),
    /// Another file's blocks.
    Import(Import<'s>),
    /// A whole item that no element can stand for, as JSON.
    Item(Cow<'s, str>),
    /// Request fields that no element can say, as JSON.
    Request(Cow<'s, str>),
    /// A comment for people.
    Comment(Cow<'s, str>),
}

/// A field said by an attribute: `status="completed"` is a text, a bare `status` is null.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Field<'s> {
    /// No such attribute.
    #[default]
    Absent,
    /// The attribute without a value.
    Null,
    /// The attribute's value.
    Text(Cow<'s, str>),
}

/// `<user>`, `<assistant>`, `<system>`, `<developer>`, or `<msg>` of such a role.
#[derive(Debug, Clone, PartialEq)]
pub struct Message<'s> {
    /// Who speaks.
    pub role: Role,
    /// The item's id.
    pub id: Field<'s>,
    /// The item's status.
    pub status: Field<'s>,
    /// The item's phase.
    pub phase: Field<'s>,
    /// `[]` or null where each text part has such `logprobs`.
    pub logprobs: Field<'s>,
    /// Whether it belongs in the request's `instructions`.
    pub instructions: bool,
    /// Attributes that mean nothing here.
    pub extra: Attributes<'s>,
    /// More fields of the item, as JSON.
    pub fields: Option<Spanned<Cow<'s, str>>>,
    /// What is said.
    pub body: Body<'s>,
}

/// Which of the API's two tool protocols a call or an output belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolKind {
    /// Arguments are JSON.
    Function,
    /// Input is free text.
    Custom,
}

/// `<tool_call>`
#[derive(Debug, Clone, PartialEq)]
pub struct ToolCall<'s> {
    /// Whose protocol.
    pub kind: ToolKind,
    /// The tool's name.
    pub name: Cow<'s, str>,
    /// What the output will refer to.
    pub call_id: Cow<'s, str>,
    /// The item's id.
    pub id: Field<'s>,
    /// The item's status.
    pub status: Field<'s>,
    /// Attributes that mean nothing here.
    pub extra: Attributes<'s>,
    /// More fields of the item, as JSON.
    pub fields: Option<Spanned<Cow<'s, str>>>,
    /// The arguments, to the byte.
    pub body: Body<'s>,
}

/// What `output=` settles about a tool response.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OutputHint {
    /// The body is text, whatever it looks like.
    Text,
    /// The body is parts.
    Content,
}

/// `<tool_response>`
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResponse<'s> {
    /// Whose protocol.
    pub kind: ToolKind,
    /// The call it answers.
    pub call_id: Cow<'s, str>,
    /// The item's id.
    pub id: Field<'s>,
    /// The item's status.
    pub status: Field<'s>,
    /// What the author says about the output's form.
    pub output: Option<OutputHint>,
    /// Attributes that mean nothing here.
    pub extra: Attributes<'s>,
    /// More fields of the item, as JSON.
    pub fields: Option<Spanned<Cow<'s, str>>>,
    /// The output.
    pub body: Body<'s>,
}

/// `<reasoning>`
#[derive(Debug, Clone, PartialEq)]
pub struct Reasoning<'s> {
    /// The item's id.
    pub id: Field<'s>,
    /// The item's status.
    pub status: Field<'s>,
    /// The reasoning itself, sealed.
    pub encrypted_content: Field<'s>,
    /// `[]` or null where the item has such a `content`.
    pub content: Field<'s>,
    /// Attributes that mean nothing here.
    pub extra: Attributes<'s>,
    /// More fields of the item, as JSON.
    pub fields: Option<Spanned<Cow<'s, str>>>,
    /// Its summaries.
    pub body: Body<'s>,
}

/// `<config>`, `<tool>`, `<script>`, `<shell_access>` or `<moderator_runtime>`.
#[derive(Debug, Clone, PartialEq)]
pub struct Declaration<'s> {
    /// Which of them.
    pub tag: Tag,
    /// All its attributes.
    pub attributes: Attributes<'s>,
    /// What stands between its tags, as written; `None` for `<tag/>`.
    pub body: Option<Cow<'s, str>>,
}

impl<'s> Message<'s> {
    /// A message that says nothing but its body.
    pub fn plain(role: Role, body: Body<'s>) -> Self {
        Message {
            role,
            id: Field::Absent,
            status: Field::Absent,
            phase: Field::Absent,
            logprobs: Field::Absent,
            instructions: false,
            extra: Attributes::default(),
            fields: None,
            body,
        }
    }
}

impl Message<'_> {
    /// Whether it is an empty `<user>` that says nothing of its item. At the end of a document it is not sent.
    pub fn is_placeholder(&self) -> bool {
        let says_nothing = [&self.id, &self.status, &self.phase].iter().all(|field| **field == Field::Absent);
        self.role == Role::User && says_nothing && self.fields.is_none() && self.body.is_empty()
    }

    /// Whether it belongs in the request's `instructions`, given whether all such messages do.
    pub fn is_instructions(&self, all: bool) -> bool {
        self.instructions || all && matches!(self.role, Role::System | Role::Developer)
    }
}
