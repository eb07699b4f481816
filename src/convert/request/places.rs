//! Where in a document the parts of its request are written.

use std::collections::HashSet;

use super::Request;
use crate::convert::config::field_path;
use crate::document::{Block, Document, ResponseKind};
use crate::json::{Json, Kind, Step, StringArena};
use crate::responses::is_extension;
use crate::source::{Span, Spanned};

/// How many members of an object are named.
const MAX_SHOWN_KEYS: usize = 12;

impl Request<'_> {
    /// Where the value at `path` is written. The nearest enclosing part that has a place counts.
    ///
    /// The path is what the API's errors name, such as `input[3].output[0].image_url`, or a JSON pointer.
    pub fn locate(&self, path: &str) -> Option<Span> {
        let wanted = steps(path)?;
        let is_on_the_way =
            |(pointer, _): &(String, Span)| steps(pointer).is_some_and(|steps| wanted.starts_with(&steps));
        let places = self.places().into_iter().filter(is_on_the_way);
        places.max_by_key(|(pointer, _)| pointer.len()).map(|(_, span)| span)
    }

    /// Follows a path as far as it exists. Returns the steps that exist as a path, a description of the value there, and
    /// whether that is the whole path.
    pub fn follow(&self, path: &str) -> (String, String, bool) {
        let (written, strings) = (self.to_json(), StringArena::default());
        let Ok(mut value) = Json::parse(&written, &strings) else { return (String::new(), String::new(), false) };
        let mut found = String::new();
        for step in steps(path).unwrap_or_default() {
            let next = match &step {
                Step::Key(key) => value.object().ok().and_then(|object| object.get(key)),
                Step::Index(index) => value.array().ok().and_then(|array| array.get(*index).copied()),
            };
            let Some(next) = next else { return (found, describe(value), false) };
            match step {
                Step::Key(key) if found.is_empty() => found = key,
                Step::Key(key) => found = format!("{found}.{key}"),
                Step::Index(index) => found = format!("{found}[{index}]"),
            }
            value = next;
        }
        (found, describe(value), true)
    }

    /// Every part that has a place of its own: a JSON pointer such as `/input/3/output/0`, and the place.
    pub(crate) fn places(&self) -> Vec<(String, Span)> {
        let mut places = Vec::new();
        let mut push = |pointer: String, span: Span| places.push((pointer, span));
        // The fields of another API may have other names.
        let is_sent = |field: &str| self.sent_places.is_none() || self.fields.get(field).is_some();
        if let Some(config) = &self.config {
            for (attribute, _) in config.declaration.attributes.with_last().filter(|(_, is_last)| *is_last) {
                let own = field_path(&attribute.name).filter(|path| !is_extension(path));
                let max_tokens = [self.api.max_tokens_field(), "max_tokens"];
                let names = if own == Some("max_output_tokens") { &max_tokens[..] } else { own.as_slice() };
                let is_here = |path: &&&str| path.split('.').next().is_some_and(is_sent);
                if let Some(path) = names.iter().find(is_here) {
                    push(format!("/{}", path.replace('.', "/")), attribute.span);
                }
            }
            if let Some(Spanned { value: body, span }) = &config.body {
                let sent = body.iter().filter(|(key, _)| !is_extension(key) && is_sent(key));
                sent.for_each(|(key, _)| push(format!("/{}", key.replace('~', "~0").replace('/', "~1")), *span));
            }
        }
        if let Some(sent) = &self.sent_places {
            places.extend(sent.iter().cloned());
            return places;
        }
        let mut push = |pointer: String, span: Span| places.push((pointer, span));
        for instruction in &self.instructions {
            push("/instructions".to_owned(), instruction.span);
        }
        for (index, tool) in self.tools.iter().enumerate() {
            push(format!("/tools/{index}"), tool.span);
        }
        let input = if self.is_input { "" } else { "/input" };
        for (index, item) in self.items.iter().enumerate() {
            push(format!("{input}/{index}"), item.span);
            for (name, elements) in &item.lists {
                for (element, span) in elements.iter().enumerate() {
                    push(format!("{input}/{index}/{name}/{element}"), *span);
                }
            }
        }
        places
    }
}

/// A value in words, with its members or the number of its elements.
fn describe(value: Json<'_>) -> String {
    match value.kind() {
        Kind::Object => {
            let object = value.object().unwrap_or_default();
            let keys: Vec<String> = object.iter().take(MAX_SHOWN_KEYS).map(|(key, _)| format!("`{key}`")).collect();
            format!("an object with {}", keys.join(", "))
        }
        Kind::Array => match value.array().unwrap_or_default().len() {
            1 => "an array with 1 element".to_owned(),
            length => format!("an array with {length} elements"),
        },
        kind => kind.to_string(),
    }
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
