//! `<msg>`: another spelling of messages, tool calls and tool responses.

use super::Role;
use crate::element::{BodyKind, Tag};
use crate::syntax::Attributes;

/// The element that a `<msg>` means, by its role and flags. Any other element means itself.
///
/// A `<msg>` whose role is missing or unknown stays a `<msg>`.
pub fn canonical_tag(tag: Tag, attributes: &Attributes<'_>) -> Tag {
    if tag != Tag::Msg {
        return tag;
    }
    let is_call = attributes.has("tool_call") || attributes.has("function_call");
    match attributes.value("role") {
        Some("assistant" | "tool") if is_call => Tag::ToolCall,
        Some("tool") => Tag::ToolResponse,
        Some(name) => Role::from_name(name).map_or(Tag::Msg, Role::tag),
        None => Tag::Msg,
    }
}

/// What the body of an element may contain.
pub fn body_kind(tag: Tag, attributes: &Attributes<'_>) -> BodyKind {
    canonical_tag(tag, attributes).definition().body
}
