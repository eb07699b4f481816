//! What a live display shows of a stream, for all APIs.

use std::borrow::Cow;

use crate::json::Object;

/// One thing that a live display shows.
///
/// The function `live` of each API reads the events of its streams, and whole bodies, into these. It ignores the events of
/// other APIs.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum LiveEvent<'e> {
    /// More of a text.
    Text(LiveText<'e>),
    /// All texts of an item that has any. They are shown if nothing of the item was.
    Whole(Vec<LiveText<'e>>),
    /// An item begins: its members as the Responses API has them, or the block of a tool that another server runs.
    Begin(ItemName, Object<'e>),
    /// More of the arguments of the call that has begun last.
    Arguments(Cow<'e, str>),
    /// An item ends: its members if they are known.
    End(ItemName, Option<Object<'e>>),
    /// The whole reply. It is shown if nothing else was.
    Reply(Vec<LiveEvent<'e>>),
}

/// What tells the items of one stream apart.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum ItemName {
    Index(u64),
    Id(String),
    Unnamed,
}

/// A text of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LiveText<'e> {
    pub(crate) item: ItemName,
    /// The index of its part.
    pub(crate) part: u64,
    pub(crate) kind: LiveKind,
    pub(crate) text: Cow<'e, str>,
}

/// What a text is for its reader.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LiveKind {
    /// The text of a message.
    Answer,
    Refusal,
    /// Reasoning, or a summary of it.
    Reasoning,
}
