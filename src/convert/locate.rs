//! Finds where in a document a part of its request comes from.

use std::collections::HashSet;

use super::Context;
use super::instructions::instruction_texts;
use super::request::{RequestOptions, located_items, tools};
use super::to_items::Located;
use crate::diagnostic::Diagnostics;
use crate::document::{Block, Document, ResponseKind};
use crate::element::Tag;
use crate::json::{Json, StringArena};
use crate::source::{Span, Spanned};

/// One step of a path: `output`, or `[0]`.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Step {
    Key(String),
    Index(usize),
}

/// A part of the request and its place in the sources.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceMapping {
    /// A JSON pointer into the request: `/input/3/output/0`.
    pub pointer: String,
    /// Where it is written.
    pub span: Span,
}

/// Finds where the value at `path` of the document's request is written. The nearest enclosing part that has a place
/// counts.
///
/// The path is what the API's errors name, such as `input[3].output[0].image_url`, or a JSON pointer.
pub fn locate<'d>(
    document: &'d Document<'d>,
    context: &Context<'d>,
    options: &'d RequestOptions,
    path: &str,
    diagnostics: &mut Diagnostics,
) -> Option<Span> {
    let wanted = steps(path)?;
    // The places do not depend on what is in other files, and a missing file must not hide them.
    let resolver = context.resolver.without_reading();
    let context = &Context { resolver: &resolver, locates_parts: true, ..*context };
    let items = located_items(document, context, options, diagnostics);
    let places = places(items.iter(), document, context, options, diagnostics);
    let is_on_the_way = |place: &&SourceMapping| steps(&place.pointer).is_some_and(|steps| wanted.starts_with(&steps));
    places.iter().filter(is_on_the_way).max_by_key(|place| place.pointer.len()).map(|place| place.span)
}

/// Every part of the request that has a place of its own, given its items.
pub fn places<'i, 'd: 'i>(
    items: impl Iterator<Item = &'i Located<'d>>,
    document: &'d Document<'d>,
    context: &Context<'d>,
    options: &'d RequestOptions,
    diagnostics: &mut Diagnostics,
) -> Vec<SourceMapping> {
    let mut places = Vec::new();
    let mut push = |pointer: String, span: Span| places.push(SourceMapping { pointer, span });
    if let Some((config, _)) = document.declarations(Tag::Config).next() {
        for (attribute, _) in config.attributes.with_last().filter(|(_, is_last)| *is_last) {
            if let Some(path) = super::config::field_path(&attribute.name) {
                push(format!("/{}", path.replace('.', "/")), attribute.span);
            }
        }
        if let Some((json, span)) = config.json() {
            let body = Json::parse(json, context.strings).and_then(Json::object).unwrap_or_default();
            body.iter().for_each(|(key, _)| push(format!("/{}", key.replace('~', "~0").replace('/', "~1")), span));
        }
    }
    // What is wrong with them is reported where they are converted.
    for (_, span) in instruction_texts(document, context, options, &mut Diagnostics::new()) {
        push("/instructions".to_owned(), span);
    }
    if let Some(first) = document.blocks.first() {
        for (index, tool) in tools(document, context, options, first.span, diagnostics).iter().enumerate() {
            push(format!("/tools/{index}"), tool.span);
        }
    }
    for (index, Located { span, lists, .. }) in items.enumerate() {
        push(format!("/input/{index}"), *span);
        for (name, elements) in lists {
            for (element, span) in elements.iter().enumerate() {
                push(format!("/input/{index}/{name}/{element}"), *span);
            }
        }
    }
    places
}

/// The steps of `input[3].output[0]` or `/input/3/output/0`.
fn steps(path: &str) -> Option<Vec<Step>> {
    let path = path.trim();
    let step = |step: &str| step.parse().map_or_else(|_| Step::Key(step.to_owned()), Step::Index);
    if let Some(pointer) = path.strip_prefix('/') {
        return Some(pointer.split('/').map(|one| step(&one.replace("~1", "/").replace("~0", "~"))).collect());
    }
    let steps: Vec<Step> = path.split(['.', '[', ']']).filter(|one| !one.is_empty()).map(step).collect();
    (!steps.is_empty()).then_some(steps)
}

/// The call whose id the message names, or else the output with that id, and its place.
pub fn named_call(document: &Document<'_>, message: &str) -> Option<(String, Span)> {
    let ids = document.blocks.iter().filter_map(|block| match &block.value {
        Block::ToolCall(call) => Some((call.call_id.clone(), true, block.span)),
        Block::ToolResponse(response) => Some((response.call_id.clone(), false, block.span)),
        Block::Item(json) | Block::ItemFiles(Spanned { value: json, .. }) => {
            let strings = StringArena::default();
            let item = Json::parse(json, &strings).and_then(Json::object).ok()?;
            let is_call = item.get_str("type").is_some_and(|kind| !ResponseKind::is_output_type(&kind));
            Some((item.get_str("call_id")?.into_owned().into(), is_call, block.span))
        }
        Block::Message(_)
        | Block::Reasoning(_)
        | Block::Declaration(_)
        | Block::Import(_)
        | Block::Request(_)
        | Block::Foreign(_)
        | Block::Comment(_) => None,
    });
    let words: HashSet<&str> = message.split(|c: char| !is_id_char(c)).filter(|word| !word.is_empty()).collect();
    let named: Vec<_> = ids.filter(|(id, ..)| words.contains(id.as_ref())).collect();
    let call = named.iter().find(|(_, is_call, _)| *is_call).or(named.first())?;
    Some((call.0.to_string(), call.2))
}

/// Whether a character can be part of an id.
fn is_id_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}
