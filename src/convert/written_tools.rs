//! The tools that a document has as JSON, to which those of the options are added.

use super::Context;
use crate::document::Document;
use crate::element::Tag;
use crate::json::{Json, Kind};
use crate::source::Span;

/// The tools in the body of `<config>` or in `chatmd:request`, and where they are; null is an empty list.
///
/// `None` if there are none, if they are not a list of objects, or if tools are declared with elements too.
pub(super) fn written_tools<'d>(document: &'d Document<'d>, context: &Context<'d>) -> Option<(Vec<Json<'d>>, Span)> {
    if document.declarations(Tag::Tool).next().is_some() {
        return None;
    }
    let config = document.declarations(Tag::Config).next().and_then(|(config, _)| config.json());
    let mut places = config.into_iter().chain(document.request_metadata().next());
    let (tools, span) = places.find_map(|(json, span)| {
        let fields = Json::parse(json, context.strings).and_then(Json::object).ok()?;
        Some((fields.get("tools")?, span))
    })?;
    let list = if tools.kind() == Kind::Null { Vec::new() } else { tools.array().ok()? };
    list.iter().all(|tool| tool.kind() == Kind::Object).then_some((list, span))
}
