//! Converts the fields of a request to blocks.

use super::config::config;
use super::spanned;
use super::tools::declarations;
use crate::convert::metadata::comment;
use crate::convert::request::config::{API_MEMBER, has_unnamed_schema, is_extension_field};
use crate::document::{Block, DataComment, DataKind, Field, ItemElement, Part, Role};
use crate::element::Tag;
use crate::json::{Json, Kind, Object};
use crate::responses::is_extension;
use crate::source::Spanned;
use crate::wire::Api;

/// The blocks for a request's fields.
///
/// With `as_json` all fields are in the body of `<config>`.
pub(in crate::convert) fn request_blocks<'j>(
    request: &Object<'j>,
    lacks_input: bool,
    as_json: bool,
) -> Vec<Spanned<Block<'j>>> {
    let mut rest = request.clone();
    // A field of the Responses API that elements would give to another API is in a comment, and such a tool is in the body.
    let mut comment_fields = Object::default();
    let mut can_be_elements = !as_json;
    let api = request.get_str(API_MEMBER).and_then(|api| Api::from_name(&api)).unwrap_or_default();
    let is_for_other_api = api != Api::Responses;
    // Elsewhere a JSON Schema would get a name.
    let is_unnamed = |key: &str, value| api != Api::Messages && key == "text" && has_unnamed_schema(value);
    let is_for_comment = |key: &str| !is_for_other_api && is_extension_field(key);
    for (key, value) in request.iter().filter(|(key, value)| is_for_comment(key) || is_unnamed(key, *value)) {
        rest.take(key);
        comment_fields.insert(key.to_owned(), value);
    }
    can_be_elements &= is_for_other_api || !rest.get("tools").is_some_and(has_extensions);
    let tools = rest.get("tools").filter(|_| can_be_elements).and_then(|tools| declarations(tools, is_for_other_api));
    if tools.is_some() {
        rest.take("tools");
    }
    let instructions = rest.get("instructions").filter(|value| !as_json && value.kind() == Kind::String);
    let instructions = instructions.and_then(|value| value.as_str().ok());
    if instructions.is_some() {
        rest.take("instructions");
    }
    let mut blocks: Vec<Block<'j>> = Vec::new();
    blocks.extend(config(&rest, as_json).map(Block::Declaration));
    blocks.extend(tools.into_iter().flatten().map(Block::Declaration));
    let absent: &[&str] = if lacks_input { &["input"] } else { &[] };
    if lacks_input || !comment_fields.is_empty() {
        let json = spanned(comment(&comment_fields, None, absent).into());
        blocks.push(Block::Data(DataComment { kind: DataKind::Request, json }));
    }
    if let Some(instructions) = instructions {
        let body = vec![spanned(Part::Text(instructions))];
        let mut message = ItemElement::message(Role::System, body);
        message.attributes.set(Tag::System, "instructions", Field::Null);
        blocks.push(Block::Element(message));
    }
    blocks.into_iter().map(spanned).collect()
}

/// Whether a tool has a member that is not sent to the Responses API.
fn has_extensions(tools: Json<'_>) -> bool {
    let is_extended = |tool: &Json<'_>| tool.object().is_ok_and(|tool| tool.iter().any(|(key, _)| is_extension(key)));
    tools.array().is_ok_and(|tools| tools.iter().any(is_extended))
}
