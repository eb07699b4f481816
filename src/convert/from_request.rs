//! Converts the fields of a request to blocks.

use super::from_config::config_attributes;
use super::metadata::comment;
use super::tools::declarations;
use crate::document::{self, Block, Declaration, Part};
use crate::element::Tag;
use crate::json::{Kind, Object};
use crate::source::{Span, Spanned};

/// The blocks for a request's fields.
///
/// With `as_json` they are all in a comment.
pub(super) fn request_blocks<'j>(
    request: &Object<'j>,
    lacks_input: bool,
    as_json: bool,
    no_span: Span,
) -> Vec<Spanned<Block<'j>>> {
    let mut rest = request.clone();
    let mut blocks = Vec::new();
    if as_json {
        blocks.push(Block::Request(comment(&rest, None, absent(lacks_input)).into()));
        return blocks.into_iter().map(|block| Spanned::new(block, no_span)).collect();
    }
    let attributes = config_attributes(&mut rest, no_span);
    if !attributes.0.is_empty() {
        blocks.push(Block::Declaration(Declaration { tag: Tag::Config, attributes, body: None }));
    }
    if let Some(tools) = rest.get("tools").and_then(|tools| declarations(tools, no_span)) {
        rest.take("tools");
        blocks.extend(tools.into_iter().map(|tool| Block::Declaration(tool.value)));
    }
    let instructions = rest.get("instructions").filter(|value| value.kind() == Kind::String);
    let instructions = instructions.and_then(|value| value.as_str().ok());
    if instructions.is_some() {
        rest.take("instructions");
    }
    let absent = absent(lacks_input);
    if !rest.is_empty() || !absent.is_empty() {
        blocks.push(Block::Request(comment(&rest, None, absent).into()));
    }
    if let Some(instructions) = instructions {
        let body = vec![Spanned::new(Part::Text(instructions), no_span)];
        let message =
            document::Message { instructions: true, ..document::Message::plain(document::Role::System, body) };
        blocks.push(Block::Message(message));
    }
    blocks.into_iter().map(|block| Spanned::new(block, no_span)).collect()
}

/// The default fields that the request does not have.
fn absent(lacks_input: bool) -> &'static [&'static str] {
    if lacks_input { &["input"] } else { &[] }
}
