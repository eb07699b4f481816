//! What the Responses API gets of a document that has data of other APIs.

use super::Request;
use super::config::{DEFAULT_SCHEMA_NAME, has_unnamed_schema, is_extension_field, is_field};
use crate::convert::Context;
use crate::convert::to_items::{Located, for_responses};
use crate::diagnostic::Diagnostics;
use crate::json::{Json, Kind, Object, StringArena};
use crate::options::RequestOptions;
use crate::responses::{Item, Part, ToolOutput, is_extension};
use crate::wire::{Api, Entry, Place, note, report_extensions, rules, unsent_field, unsent_part};

const API: Api = Api::Responses;

impl<'d> Request<'d> {
    /// Prepares the items, tools and fields.
    pub(super) fn prepare_for_responses(
        &mut self,
        declared: Option<Api>,
        context: &Context<'d>,
        options: &RequestOptions,
        diagnostics: &mut Diagnostics,
    ) {
        let mut entries = Vec::new();
        let is_of_other_api = declared.is_some_and(|api| api != API);
        let mut index = 0;
        let mut kept = Vec::with_capacity(self.items.len());
        let mut before = Vec::with_capacity(self.items.len() + 1);
        for (position, mut located) in std::mem::take(&mut self.items).into_iter().enumerate() {
            before.push(kept.len());
            index += self.small.at(position).map(|piece| piece.count).sum::<usize>();
            let place = Place::element("input", index, located.span);
            prepare(&mut located, place, is_of_other_api, context.strings, &mut entries);
            if let Some(located) = for_responses(located, options, diagnostics) {
                index += 1;
                kept.push(located);
            }
        }
        before.push(kept.len());
        self.items = kept;
        self.small.place(&before);
        self.prepare_instructions(&mut entries);
        self.prepare_tools(is_of_other_api, context, &mut entries);
        self.prepare_fields(declared, context, &mut entries);
        self.ledger.extend(entries);
    }

    fn prepare_instructions(&mut self, entries: &mut Vec<Entry>) {
        for located in &mut self.instructions {
            let place = Place::field("instructions", located.span);
            report_item(&located.item, place, entries);
            located.item.remove_extensions();
        }
        if let [_, second, ..] = self.instructions.as_slice() {
            let message = "several instructions are sent as one text";
            note(entries, rules::RESPELLED_FIELD, Place::field("instructions", second.span), message);
        }
    }

    fn prepare_tools(&mut self, is_of_other_api: bool, context: &Context<'d>, entries: &mut Vec<Entry>) {
        let span = self.fields_place();
        let count = self.tools.len();
        let mut index = 0;
        self.tools.retain_mut(|tool| {
            let place = Place::element("tools", index, tool.span);
            index += 1;
            let sent = for_tool(tool.json, place, context.strings, entries);
            tool.json = sent.unwrap_or(tool.json);
            sent.is_some()
        });
        let written = self.fields.get_list("tools");
        let has_extensions =
            |tool: &Json<'d>| tool.object().is_ok_and(|tool| tool.iter().any(|(key, _)| is_extension(key)));
        // In a document for this API, such members of JSON are its own.
        if is_of_other_api && written.iter().any(has_extensions) {
            let place = |index: usize| Place::element("tools", index, span);
            let sent: Vec<Json<'d>> = written
                .into_iter()
                .enumerate()
                .filter_map(|(index, tool)| for_tool(tool, place(index), context.strings, entries))
                .collect();
            let list = context
                .strings
                .json(|out| crate::json::write::array(out, sent, |out, tool| out.push_str(&tool.compact())));
            self.fields.replace("tools", list);
        }
        if count > 0 && self.tools.is_empty() {
            self.fields.take("tools");
            if self.fields.take("tool_choice").is_some() {
                let message = "no tool is left to choose";
                note(entries, rules::UNSENT_FIELD, Place::field("tool_choice", span), message);
            }
        }
    }

    fn prepare_fields(&mut self, declared: Option<Api>, context: &Context<'d>, entries: &mut Vec<Entry>) {
        let place = self.fields_place();
        let is_of_other_api = declared.is_some_and(|api| api != API);
        let mut fields = Object::default();
        for (key, value) in self.fields.iter() {
            // The fields of a `chatmd:request` comment are sent as they are.
            let is_literal = self.comment.as_ref().is_some_and(|comment| comment.value.get(key).is_some());
            if is_literal {
                fields.insert(key.to_owned(), value);
            } else if is_extension(key) {
                let mut members = Object::default();
                members.insert(key.to_owned(), value);
                report_extensions(API, &members, Place::field(key, place), entries);
            } else if is_of_other_api && REDEFINED.contains(&key) {
                let message = format!("`{key}` means something else in {}", API.title());
                note(entries, unsent_field(key), Place::field(key, place), message);
            } else if is_extension_field(key) || is_of_other_api && !is_field(key) {
                let message = format!("{} has no `{key}`", API.title());
                note(entries, unsent_field(key), Place::field(key, place), message);
            } else {
                fields.insert(key.to_owned(), value);
            }
        }
        if is_of_other_api {
            name_format(&mut fields, context, Place::field("text.format", place), entries);
        }
        self.fields = fields;
    }
}

/// The fields of the Responses API that mean something else in a document for the Chat API.
const REDEFINED: [&str; 2] = ["stream_options", "top_logprobs"];

/// Names a JSON Schema, which has no name on the Messages API.
fn name_format<'d>(fields: &mut Object<'d>, context: &Context<'d>, place: Place<'_>, entries: &mut Vec<Entry>) {
    if fields.get("text").is_some_and(has_unnamed_schema) {
        let mut text = fields.get_object("text").unwrap_or_default();
        let mut format = text.get_object("format").unwrap_or_default();
        format.insert("name", context.strings.string(DEFAULT_SCHEMA_NAME));
        text.replace("format", context.strings.object(&format));
        fields.replace("text", context.strings.object(&text));
        note(entries, rules::RESPELLED_FIELD, place, "the JSON Schema is sent with the name `response`");
    }
}

/// Reports the members for other APIs of an item and its parts.
fn report_item(item: &Item<'_>, place: Place<'_>, entries: &mut Vec<Entry>) {
    if !matches!(item, Item::Other(_) | Item::Foreign(_)) {
        report_extensions(API, item.rest(), place, entries);
    }
    for (list, parts) in item.lists() {
        for (index, part) in parts.iter().enumerate().filter(|(_, part)| part.has_extensions()) {
            if let Some(rest) = part.rest() {
                report_extensions(API, rest, place.part(list, index), entries);
            }
        }
    }
}

/// Reports what the API does not get of an item, and removes the parts that it does not have.
fn prepare<'d>(
    located: &mut Located<'d>,
    place: Place<'_>,
    is_of_other_api: bool,
    strings: &'d StringArena,
    entries: &mut Vec<Entry>,
) {
    if located.item.is_foreign() {
        let issuer = match &located.item {
            Item::Reasoning(reasoning) => reasoning.rest.get_str("@issuer"),
            Item::Message(_) | Item::ToolCall(_) | Item::ToolResponse(_) | Item::Other(_) | Item::Foreign(_) => None,
        };
        let message = match issuer {
            Some(issuer) => format!("reasoning of `{issuer}` is not sent to OpenAI: only `{issuer}` can read it"),
            None => "a block of another API is not sent: only the API that made it can read it".to_owned(),
        };
        note(entries, rules::FOREIGN_BLOCKS, place, message);
        return;
    }
    report_item(&located.item, place, entries);
    let (list, parts) = match &mut located.item {
        Item::Message(message) => ("content", &mut message.content),
        Item::ToolResponse(output) => match &mut output.output {
            ToolOutput::Content(parts) => ("output", parts),
            ToolOutput::Text(_) => return,
        },
        Item::ToolCall(_) | Item::Reasoning(_) | Item::Other(_) | Item::Foreign(_) => return,
    };
    let spans = located.lists.iter().find(|(name, _)| *name == list).map_or(&[][..], |(_, spans)| spans);
    let mut indices = 0..;
    parts.retain_mut(|part| {
        let index = indices.next().unwrap_or_default();
        // Most parts are sent as they are, so no place is made for them.
        if !is_of_other_api && !part.has_extensions() {
            return true;
        }
        keeps(part, place.with_parts(spans).part(list, index), is_of_other_api, strings, entries)
    });
}

/// Whether the API gets a part.
fn keeps<'d>(
    part: &mut Part<'d>,
    place: Place<'_>,
    is_of_other_api: bool,
    strings: &'d StringArena,
    entries: &mut Vec<Entry>,
) -> bool {
    let Some(rest) = part.rest() else { return true };
    if let Part::Text(text) = &*part
        && let Some((rule, message)) = unsent_part(API, text)
    {
        note(entries, rule, place, message);
        return !text.text.is_empty();
    }
    let issuer = rest.get_str("@issuer").filter(|issuer| issuer != API.issuer());
    if let Some(issuer) = issuer.filter(|_| rest.get("file_id").is_some()) {
        note(entries, rules::FOREIGN_FILE, place, format!("the file id belongs to `{issuer}`"));
    }
    if let Part::Other(file) = part
        && is_of_other_api
        && file.get("file_data").is_some_and(|data| data.kind() == Kind::String)
        && file.get("filename").is_none()
    {
        file.insert("filename", strings.string("file.pdf"));
        note(entries, rules::ADDED_FILENAME, place, "the file is sent as `file.pdf`");
    }
    true
}

/// A tool as the API gets it; `None` if it belongs to another one.
fn for_tool<'d>(
    json: Json<'d>,
    place: Place<'_>,
    strings: &'d StringArena,
    entries: &mut Vec<Entry>,
) -> Option<Json<'d>> {
    let mut tool = json.object().unwrap_or_default();
    if !tool.iter().any(|(key, _)| is_extension(key)) {
        return Some(json);
    }
    if let Some(issuer) = tool.get_str("@issuer").filter(|issuer| issuer != API.issuer()) {
        let kind = tool.get_str("type").unwrap_or_default();
        note(entries, rules::UNSENT_TOOL, place, format!("the tool `{kind}` belongs to `{issuer}`"));
        return None;
    }
    report_extensions(API, &tool, place, entries);
    tool.retain(|key| !is_extension(key));
    Some(strings.object(&tool))
}
