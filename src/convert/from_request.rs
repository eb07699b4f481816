//! Converts the fields of a request to blocks.

use super::from_config::config;
use super::from_tools::declarations;
use super::metadata::comment;
use crate::document::{self, Block, Field, Fields, Part};
use crate::element::Tag;
use crate::json::{Kind, Object};
use crate::source::{Span, Spanned};

/// The blocks for a request's fields.
///
/// With `as_json` all fields are in the body of `<config>`.
pub(super) fn request_blocks<'j>(
    request: &Object<'j>,
    lacks_input: bool,
    as_json: bool,
    no_span: Span,
) -> Vec<Spanned<Block<'j>>> {
    let mut rest = request.clone();
    let tools = rest.get("tools").filter(|_| !as_json).and_then(|tools| declarations(tools, no_span));
    if tools.is_some() {
        rest.take("tools");
    }
    let instructions = rest.get("instructions").filter(|value| !as_json && value.kind() == Kind::String);
    let instructions = instructions.and_then(|value| value.as_str().ok());
    if instructions.is_some() {
        rest.take("instructions");
    }
    let mut blocks: Vec<Block<'j>> = Vec::new();
    blocks.extend(config(&rest, as_json, no_span).map(Block::Declaration));
    blocks.extend(tools.into_iter().flatten().map(Block::Declaration));
    if lacks_input {
        blocks.push(Block::Request(comment(&Object::default(), None, &["input"]).into()));
    }
    if let Some(instructions) = instructions {
        let body = vec![Spanned::new(Part::Text(instructions), no_span)];
        let attributes = Fields::default().with(Tag::System, "instructions", Field::Null);
        let message = document::Message { attributes, ..document::Message::plain(document::Role::System, body) };
        blocks.push(Block::Message(message));
    }
    blocks.into_iter().map(|block| Spanned::new(block, no_span)).collect()
}
