//! Where in a document the parts of its request are written.

use std::borrow::Cow;
use std::collections::HashSet;

use super::Request;
use super::config::field_path;
use crate::document::{Block, Document, ItemKind, ResponseKind};
use crate::json::{Json, Kind, Step, StringArena};
use crate::outcome::ApiError;
use crate::responses::is_extension;
use crate::source::{Span, Spanned};
use crate::wire::{Api, sent_call_id};

/// The lists of a request whose elements errors name.
const LISTS: [&str; 4] = ["input", "messages", "system", "tools"];
/// How many members of an object are named.
const MAX_SHOWN_KEYS: usize = 12;

impl Request<'_> {
    /// Where the value at `path` is written. The nearest enclosing part that has a place counts.
    ///
    /// The path is what the API's errors name, such as `input[3].output[0].image_url`, or a JSON pointer.
    pub fn locate(&self, path: &str) -> Option<Span> {
        let wanted = self.steps(path)?;
        let is_on_the_way =
            |(pointer, _): &(String, Span)| steps(pointer).is_some_and(|steps| wanted.starts_with(&steps));
        let places = self.places().into_iter().filter(is_on_the_way);
        places.max_by_key(|(pointer, _)| pointer.len()).map(|(_, span)| span)
    }

    /// Where the first part of the list at `path` is written.
    pub fn locate_inside(&self, path: &str) -> Option<Span> {
        let wanted = self.steps(path)?;
        let is_inside = |pointer: &str| steps(pointer).is_some_and(|steps| steps.starts_with(&wanted));
        self.places().into_iter().find(|(pointer, _)| is_inside(pointer)).map(|(_, span)| span)
    }

    /// Follows a path as far as it exists. Returns the steps that exist as a path, a description of the value there, and
    /// whether that is the whole path.
    pub fn follow(&self, path: &str) -> (String, String, bool) {
        let (written, strings) = (self.to_json(), StringArena::default());
        let Ok(mut value) = Json::parse(&written, &strings) else { return (String::new(), String::new(), false) };
        let mut found = String::new();
        for step in self.steps(path).unwrap_or_default() {
            let Some(next) = inside(value, &step) else { return (found, describe(value), false) };
            match step {
                Step::Key(key) if found.is_empty() => found = key,
                Step::Key(key) => found = format!("{found}.{key}"),
                Step::Index(index) => found = format!("{found}[{index}]"),
            }
            value = next;
        }
        (found, describe(value), true)
    }

    /// The steps of a path. Errors of the Messages API name the type of a block between the block and its key:
    /// `messages.1.content.0.image.source`.
    fn steps(&self, path: &str) -> Option<Vec<Step>> {
        let all = steps(path)?;
        if self.api == Api::Responses {
            return Some(all);
        }
        let (written, strings) = (self.to_json(), StringArena::default());
        let mut value = Json::parse(&written, &strings).ok();
        let mut kept = Vec::new();
        for step in all {
            let next = value.and_then(|value| inside(value, &step));
            if next.is_none() && value.is_some_and(|value| is_type_of(&step, value)) {
                continue;
            }
            value = next;
            kept.push(step);
        }
        Some(kept)
    }

    /// The name that a field of the Responses API has in this request.
    fn sent_name<'n>(&self, name: &'n str) -> &'n str {
        match (self.api, name) {
            (Api::Messages | Api::Chat, "max_output_tokens") => {
                let newer = self.api.max_tokens_field();
                if self.fields.get(newer).is_some() { newer } else { "max_tokens" }
            }
            (Api::Messages, "reasoning/effort") => "output_config/effort",
            (Api::Chat, "reasoning/effort") => "reasoning_effort",
            (Api::Messages, "text/format") => "output_config/format",
            (Api::Chat, "text/format") => "response_format",
            (Api::Chat, "text/verbosity") => "verbosity",
            (Api::Responses | Api::Messages | Api::Chat, name) => name,
        }
    }

    /// Every part that has a place of its own: a JSON pointer such as `/input/3/output/0`, and the place.
    pub(crate) fn places(&self) -> Vec<(String, Span)> {
        let mut places = Vec::new();
        let mut push = |pointer: String, span: Span| places.push((pointer, span));
        // The fields of another API may have other names, or may not be sent.
        let is_sent = |field: &str| self.fields.get(field).is_some();
        if let Some(config) = &self.config {
            for (attribute, _) in config.declaration.attributes.with_last().filter(|(_, is_last)| *is_last) {
                let path = match field_path(&attribute.name) {
                    Some(path) if self.sent_places.is_some() || !is_extension(path) => path,
                    None if self.sent_places.is_some() => &attribute.name,
                    Some(_) | None => continue,
                };
                let path = path.trim_start_matches('@').replace('.', "/");
                let pointer = self.sent_name(&path);
                if is_sent(pointer.split('/').next().unwrap_or_default()) {
                    push(format!("/{pointer}"), attribute.span);
                }
            }
            if let Some(Spanned { value: body, span }) = &config.body {
                let own =
                    body.get(self.api.overlay_key()).and_then(|members| members.object().ok()).unwrap_or_default();
                for (key, _) in body.iter().chain(own.iter()).filter(|(key, _)| !is_extension(key) && is_sent(key)) {
                    push(format!("/{}", key.replace('~', "~0").replace('/', "~1")), *span);
                }
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

/// The value at a step.
fn inside<'j>(value: Json<'j>, step: &Step) -> Option<Json<'j>> {
    match step {
        Step::Key(key) => value.object().ok()?.get(key),
        Step::Index(index) => value.array().ok()?.get(*index).copied(),
    }
}

/// Whether a step is the type of an object. A tool without a type is a custom one.
fn is_type_of(step: &Step, value: Json<'_>) -> bool {
    let Ok(object) = value.object() else { return false };
    match step {
        Step::Key(key) => object.get_str("type").as_deref().unwrap_or("custom") == key,
        Step::Index(_) => false,
    }
}

/// The path of the part of a request that an error of an API is about.
pub fn named_part(error: &ApiError) -> Option<&str> {
    error.param.as_deref().or_else(|| named_path(&error.message))
}

/// The path that a message of an API begins with or names: `messages.1.content.0.image.source: …`, `… 'messages[1].content'`.
fn named_path(message: &str) -> Option<&str> {
    let is_path = |text: &str| {
        !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_.[]".contains(&byte))
    };
    let begins = message.split_once(':').map(|(head, _)| head).filter(|head| is_path(head));
    let is_in_list = |word: &&str| {
        let rest = LISTS.iter().find_map(|list| word.strip_prefix(list)).unwrap_or_default();
        rest.starts_with(['.', '[']) && is_path(word)
    };
    let words = message.split(|c: char| c.is_whitespace() || "'\"`(),:".contains(c));
    begins.or_else(|| words.map(|word| word.trim_end_matches('.')).find(is_in_list))
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
    let is_closed = path.matches('[').count() == path.matches(']').count();
    (is_closed && !steps.is_empty()).then_some(steps)
}

/// The call whose id the message names, or else the output with that id, and its place.
pub fn named_call(document: &Document<'_>, api: Api, message: &str) -> Option<(String, Span)> {
    let strings = StringArena::default();
    let ids = document.blocks.iter().filter_map(|block| match &block.value {
        Block::Element(element) => {
            let is_call = matches!(element.kind, ItemKind::ToolCall(_));
            Some((Cow::Borrowed(element.call_id()?), is_call, block.span))
        }
        other => {
            let item = other.item(&strings)?;
            let is_call = item.get_str("type").is_some_and(|kind| !ResponseKind::is_output_type(&kind));
            Some((item.get_str("call_id")?, is_call, block.span))
        }
    });
    let words: HashSet<&str> = message.split(|c: char| !is_id_char(c)).filter(|word| !word.is_empty()).collect();
    let named: Vec<_> =
        ids.filter(|(id, ..)| words.contains(id.as_ref()) || words.contains(sent_call_id(api, id).as_ref())).collect();
    let call = named.iter().find(|(_, is_call, _)| *is_call).or(named.first())?;
    Some((call.0.to_string(), call.2))
}

/// Whether a character can be part of an id.
fn is_id_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}
