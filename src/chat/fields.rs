//! Request fields, both ways.

use super::export::LEGACY;
use super::tools::{export_choice, export_tools, import_choice, import_function, import_tool};
use crate::json::write::{ObjectWriter, array};
use crate::json::{Json, JsonError, Kind, Object, StringArena};
use crate::source::Span;
use crate::wire::{
    Api, Ledger, LedgerRule, LocatedTool, Members, Overlay, Place, SERVER_FIELDS, note, rules, unsent_field,
    unsent_member,
};

const API: Api = Api::Chat;
/// Fields that have the same name and meaning as in the Responses API.
const SAME: [&str; 14] = [
    "model",
    "stream",
    "temperature",
    "top_p",
    "metadata",
    "prompt_cache_key",
    "prompt_cache_options",
    "prompt_cache_retention",
    "store",
    "moderation",
    "service_tier",
    "parallel_tool_calls",
    "safety_identifier",
    "user",
];
/// Fields of the Responses API that this API has by other names, so that a field of the same name is another field.
const RENAMED: [&str; 8] =
    ["max_output_tokens", "reasoning", "text", "instructions", "input", "tools", "max_tokens_key", "api"];
/// The attribute that names the field of the token limit.
const MAX_TOKENS_KEY: &str = "max_tokens_key";

/// The fields of a request without messages and tools.
pub(super) fn export_fields<'d>(
    fields: &Object<'d>,
    declared: Option<Api>,
    span: Option<Span>,
    ledger: &mut Ledger,
    strings: &'d StringArena,
) -> Members<'d> {
    let mut export = FieldExporter { sent: Members::default(), fields, declared, span, ledger, strings };
    for (key, value) in fields.iter() {
        export.field(key, value);
    }
    export.sent
}

struct FieldExporter<'f, 'd> {
    sent: Members<'d>,
    fields: &'f Object<'d>,
    declared: Option<Api>,
    span: Option<Span>,
    ledger: &'f mut Ledger,
    strings: &'d StringArena,
}

impl<'d> FieldExporter<'_, 'd> {
    fn note(&mut self, path: &str, rule: &'static LedgerRule, message: String) {
        if let Some(span) = self.span {
            note(self.ledger, rule, Place::field(path, span), message);
        }
    }

    fn unsent(&mut self, path: &str, rule: &'static LedgerRule) {
        self.note(path, rule, format!("the Chat API has no `{path}`"));
    }

    fn field(&mut self, key: &str, value: Json<'d>) {
        match key {
            key if SAME.contains(&key) => self.sent.insert(key.to_owned(), value),
            "max_output_tokens" => {
                let named = self.fields.get_str(MAX_TOKENS_KEY);
                self.sent.insert(named.unwrap_or(API.max_tokens_field().into()), value);
            }
            // Tools are not fields here.
            MAX_TOKENS_KEY | "instructions" | "tools" | "@chat" => {}
            "reasoning" => self.members(key, value, |fields, key, value| match key {
                "effort" => fields.sent.insert("reasoning_effort", value),
                key => fields.unsent(&format!("reasoning.{key}"), rules::UNSENT_SETTING),
            }),
            "text" => self.members(key, value, |fields, key, value| match key {
                "format" => fields.sent.insert("response_format", nest_format(value, fields.strings)),
                "verbosity" => fields.sent.insert("verbosity", value),
                key => fields.unsent(&format!("text.{key}"), rules::UNSENT_SETTING),
            }),
            "tool_choice" => match export_choice(value, self.strings) {
                Some(choice) if self.is_legacy() => self.sent.insert("function_call", legacy_choice(choice)),
                Some(choice) => self.sent.insert("tool_choice", choice),
                None => self.note(key, rules::UNSENT_FIELD, "the Chat API cannot choose this tool".to_owned()),
            },
            key if SERVER_FIELDS.contains(&key) && value.kind() != Kind::Null => {
                let message = format!("`{key}` names messages that only the server of the Responses API has");
                self.note(key, rules::SERVER_HISTORY, message);
            }
            "@messages" => {
                let overlay = Overlay::of(self.fields, Api::Messages);
                let keys: Vec<String> = overlay.iter().map(|(key, _)| key.to_owned()).collect();
                for key in keys {
                    self.unsent(&key, unsent_member(&key));
                }
            }
            "@cache_control" => self.unsent("cache_control", rules::UNSENT_CACHE),
            key if self.declared == Some(API) => self.sent.insert(key.to_owned(), value),
            key => self.unsent(key, unsent_field(key)),
        }
    }

    /// Handles the members of a field that is an object.
    fn members(&mut self, field: &str, value: Json<'d>, mut each: impl FnMut(&mut Self, &str, Json<'d>)) {
        match value.object() {
            Ok(members) => members.iter().for_each(|(key, value)| each(self, key, value)),
            Err(_) => self.unsent(field, rules::UNSENT_SETTING),
        }
    }

    fn is_legacy(&self) -> bool {
        super::export::is_legacy(&Overlay::of(self.fields, API))
    }
}

/// The name of a function where the older field has only the name.
fn legacy_choice(choice: Json<'_>) -> Json<'_> {
    choice.object().ok().and_then(|choice| choice.get("function")).unwrap_or(choice)
}

/// `{"type":"json_schema","name":…}` as `{"type":"json_schema","json_schema":{"name":…}}`.
fn nest_format<'d>(format: Json<'d>, strings: &'d StringArena) -> Json<'d> {
    match format.object() {
        Ok(mut members) if members.get_str("type").is_some_and(|kind| kind == "json_schema") => {
            members.take("type");
            strings.write_object(|object| {
                object.text("type", "json_schema");
                let mut schema = ObjectWriter::new(object.name("json_schema"));
                schema.members(&members);
                schema.end();
            })
        }
        Ok(_) | Err(_) => format,
    }
}

/// The opposite of [`nest_format`].
fn flatten_format<'j>(format: Json<'j>, strings: &'j StringArena) -> Option<Json<'j>> {
    let mut members = format.object().ok()?;
    let inner = members.take("json_schema").map(|inner| inner.object().ok());
    if let Some(inner) = inner {
        inner?.iter().for_each(|(key, value)| members.insert(key.to_owned(), value));
    }
    Some(strings.object(&members))
}

/// The request fields of a document for this API, without messages.
pub(super) fn import_fields<'j>(request: &Object<'j>, strings: &'j StringArena) -> Result<Object<'j>, JsonError> {
    if let Some((key, value)) = request.iter().find(|(key, _)| key.starts_with('@') || *key == "-") {
        return Err(value.malformed("a request of the Chat API has no such field").within(key));
    }
    let mut fields = Object::default();
    let mut overlay = Overlay::default();
    let (mut reasoning, mut text, mut tools) = (Object::default(), Object::default(), Vec::new());
    let has = |key: &str| request.get(key).is_some();
    for (key, value) in request.iter() {
        match key {
            "max_completion_tokens" => fields.insert("max_output_tokens", value),
            "max_tokens" if !has(API.max_tokens_field()) => {
                fields.insert("max_output_tokens", value);
                fields.insert(MAX_TOKENS_KEY, Json::scalar("\"max_tokens\""));
            }
            "reasoning_effort" => reasoning.insert("effort", value),
            "verbosity" => text.insert("verbosity", value),
            "response_format" => match flatten_format(value, strings) {
                Some(format) => text.insert("format", format),
                None => fields.insert("response_format", value),
            },
            "tool_choice" => {
                let choice = Some(import_choice(value, strings)).filter(|one| export_choice(*one, strings).is_some());
                if let Some(choice) = choice {
                    fields.insert("tool_choice", choice);
                }
            }
            "function_call" if !has("tool_choice") => {
                overlay.set(LEGACY, Json::TRUE);
                fields.insert("tool_choice", import_legacy_choice(value, strings));
            }
            "tools" => tools.extend(import_tools(value, import_tool, strings)),
            "functions" => tools.extend(import_tools(value, import_function, strings)),
            key if RENAMED.contains(&key) || SERVER_FIELDS.contains(&key) => {}
            key => fields.insert(key.to_owned(), value),
        }
    }
    for (key, members) in [("reasoning", reasoning), ("text", text)] {
        if !members.is_empty() {
            fields.insert(key, strings.object(&members));
        }
    }
    overlay.insert_into(&mut fields, API, strings);
    let mut ledger = Ledger::new(API);
    let mut derived = export_fields(&fields, Some(API), None, &mut ledger, strings);
    let placed = tools.iter().map(|json| LocatedTool::given(*json, Span::NOWHERE));
    export_tools(&placed.collect::<Vec<_>>(), &mut ledger, strings).insert_into(&mut derived);
    overlay.extend(&Overlay::between(&derived, request, strings));
    fields.take(API.overlay_key());
    if !tools.is_empty() {
        fields.insert("tools", strings.json(|out| array(out, tools, |out, tool: Json<'_>| out.push_str(tool.raw()))));
    }
    overlay.insert_into(&mut fields, API, strings);
    Ok(fields)
}

/// The tools of a field. None if one of them cannot be said.
fn import_tools<'j>(
    tools: Json<'j>,
    import: impl Fn(Json<'j>, &'j StringArena) -> Option<Object<'j>>,
    strings: &'j StringArena,
) -> Vec<Json<'j>> {
    let tools = tools.array().unwrap_or_default().into_iter();
    let tools: Option<Vec<Json<'j>>> = tools.map(|tool| Some(strings.object(&import(tool, strings)?))).collect();
    tools.unwrap_or_default()
}

/// The choice of a function by its name alone as the Responses API has it.
fn import_legacy_choice<'j>(choice: Json<'j>, strings: &'j StringArena) -> Json<'j> {
    match choice.object() {
        Ok(members) => strings.write_object(|object| {
            object.text("type", "function");
            object.members(&members);
        }),
        Err(_) => choice,
    }
}
