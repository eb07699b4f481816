//! Request fields, both ways.

use super::tools::{export_choice, import_choice, import_tool, is_cache_mark};
use crate::json::write::array;
use crate::json::{Json, JsonError, Kind, Object, StringArena};
use crate::source::Span;
use crate::wire::{
    Api, Ledger, LedgerRule, Members, Overlay, Place, SERVER_FIELDS, SourceRequest, note, report_unsent, rules,
    unsent_field, unsent_member,
};

const API: Api = Api::Messages;
/// The fields that a document gives in the words of the Responses API, whichever API it is for.
const NEUTRAL: [&str; 29] = [
    "model",
    "stream",
    "max_output_tokens",
    "temperature",
    "top_p",
    "reasoning",
    "text",
    "instructions",
    "tool_choice",
    "parallel_tool_calls",
    "tools",
    "safety_identifier",
    "user",
    "metadata",
    "prompt_cache_key",
    "prompt_cache_options",
    "prompt_cache_retention",
    "store",
    "moderation",
    "service_tier",
    "include",
    "truncation",
    "background",
    "max_tool_calls",
    "top_logprobs",
    "previous_response_id",
    "conversation",
    "prompt",
    "input",
];

/// The fields of the request, without the conversation, `system` and the tools. `tool_choice` is among them.
pub(super) fn export_fields<'d>(
    source: &SourceRequest<'_, 'd>,
    ledger: &mut Ledger,
    strings: &'d StringArena,
) -> Members<'d> {
    let mut export =
        Fields { sent: Members::default(), output: Object::default(), ledger, strings, span: source.place };
    for (key, value) in source.fields.iter() {
        export.field(key, value, source);
    }
    if let Some(choice) = export_choice(source, export.ledger) {
        export.sent.insert("tool_choice", choice);
    }
    export.finish(source.fields)
}

struct Fields<'l, 'd> {
    sent: Members<'d>,
    /// The members of `output_config`.
    output: Object<'d>,
    ledger: &'l mut Ledger,
    strings: &'d StringArena,
    span: Span,
}

impl<'d> Fields<'_, 'd> {
    fn note(&mut self, path: &str, rule: &'static LedgerRule, message: String) {
        note(self.ledger, rule, Place::field(path, self.span), message);
    }

    fn unsent(&mut self, path: &str) {
        self.note(path, rules::UNSENT_SETTING, format!("the Messages API has no `{path}`"));
    }

    fn field(&mut self, key: &str, value: Json<'d>, source: &SourceRequest<'_, 'd>) {
        match key {
            "model" | "stream" | "temperature" | "top_p" => self.sent.insert(key.to_owned(), value),
            "max_output_tokens" if value.kind() != Kind::Null => self.sent.insert(API.max_tokens_field(), value),
            "reasoning" => self.reasoning(value),
            "text" => self.text(value),
            "tool_choice" | "parallel_tool_calls" | "tools" | "instructions" => {}
            "safety_identifier" | "user" => self.user(key, value, source),
            "service_tier" if value.raw() == "\"auto\"" => self.sent.insert(key.to_owned(), value),
            key if SERVER_FIELDS.contains(&key) && value.kind() != Kind::Null => {
                let message = format!("`{key}` names messages that only the server of the Responses API has");
                self.note(key, rules::SERVER_HISTORY, message);
            }
            "@cache_control" => self.sent.insert("cache_control", value),
            key if key.starts_with('@') => {
                let mut members = Object::default();
                members.insert(key.to_owned(), value);
                report_unsent(API, &members, &[], Place::field(key, self.span), self.ledger);
            }
            "max_tokens_key" => self.unsent(key),
            key if source.declared == Some(API) && !NEUTRAL.contains(&key) => self.own(key, value),
            key => {
                let rule = unsent_field(key);
                self.note(key, rule, format!("the Messages API has no `{key}`"));
            }
        }
    }

    /// A field of this API.
    fn own(&mut self, key: &str, value: Json<'d>) {
        match value.object() {
            Ok(members) if key == "output_config" => {
                members.iter().for_each(|(key, value)| self.output.replace(key.to_owned(), value));
                if members.is_empty() {
                    self.sent.replace(key.to_owned(), value);
                }
            }
            _ => self.sent.replace(key.to_owned(), value),
        }
    }

    fn reasoning(&mut self, value: Json<'d>) {
        for (key, value) in value.object().unwrap_or_default().iter() {
            match (key, value.as_str().ok().as_deref()) {
                ("effort", Some("minimal")) => {
                    self.output.insert("effort", self.strings.string("low"));
                    self.note("reasoning.effort", rules::RESPELLED_FIELD, "`minimal` is sent as `low`".to_owned());
                }
                ("effort", Some("none")) => {
                    let disabled = self.strings.write_object(|thinking| thinking.text("type", "disabled"));
                    self.sent.insert("thinking", disabled);
                    let message = "`none` is sent as `thinking: {\"type\":\"disabled\"}`".to_owned();
                    self.note("reasoning.effort", rules::RESPELLED_FIELD, message);
                }
                ("effort", Some(_)) => self.output.insert("effort", value),
                (key, _) => self.unsent(&format!("reasoning.{key}")),
            }
        }
    }

    fn text(&mut self, value: Json<'d>) {
        for (key, value) in value.object().unwrap_or_default().iter() {
            match (key, value.object()) {
                ("format", Ok(format)) => self.format(&format),
                (key, _) => self.unsent(&format!("text.{key}")),
            }
        }
    }

    fn format(&mut self, format: &Object<'d>) {
        match format.get_str("type").as_deref() {
            Some("json_schema") => {
                let sent = ["type", "schema"].iter().filter_map(|key| Some((*key, format.get(key)?)));
                let mut object = Object::default();
                sent.for_each(|(key, value)| object.insert(key, value));
                self.output.insert("format", self.strings.object(&object));
                for (key, _) in format.iter().filter(|(key, _)| !["type", "schema"].contains(key)) {
                    self.unsent(&format!("text.format.{key}"));
                }
            }
            Some("text") => self.unsent("text.format"),
            kind => {
                let kind = kind.unwrap_or("this");
                let message = format!("the Messages API has no output format like `{kind}`");
                self.note("text.format", rules::UNSENT_FIELD, message);
            }
        }
    }

    fn user(&mut self, key: &str, value: Json<'d>, source: &SourceRequest<'_, 'd>) {
        let is_second = key == "user" && source.fields.get("safety_identifier").is_some();
        if is_second || value.kind() == Kind::Null {
            self.unsent(key);
            return;
        }
        let metadata = self.strings.write_object(|metadata| metadata.json("user_id", value));
        self.sent.insert("metadata", metadata);
        // In a document for this API, the field is the only name of `metadata.user_id`.
        if source.declared != Some(API) || key == "user" {
            self.note(key, rules::MOVED_FIELD, "it is sent as `metadata.user_id`".to_owned());
        }
    }

    fn finish(mut self, fields: &Object<'d>) -> Members<'d> {
        if !self.output.is_empty() {
            self.sent.replace("output_config", self.strings.object(&self.output));
        }
        let overlay = Overlay::of(fields, API);
        let has_limit = self.sent.get(API.max_tokens_field()).is_some();
        if !has_limit && overlay.get(API.max_tokens_field()).is_none() {
            let message = "the Messages API needs `max_tokens`, the limit of the answer's length".to_owned();
            self.note("max_output_tokens", rules::MISSING_MAX_TOKENS, message);
        }
        self.sent
    }
}

/// The rule of a member of a tool that this API does not have.
pub(super) fn unsent_tool_member(key: &str) -> &'static LedgerRule {
    match unsent_member(key) {
        rules::UNSENT_KEYS => rules::UNSENT_SETTING,
        rule => rule,
    }
}

/// The fields of a request without `messages` and `system`. A field that the words of the Responses API give back exactly
/// is said in these words, another one by its own name, and the rest as members for this API.
pub(super) fn import_fields<'j>(request: &Object<'j>, strings: &'j StringArena) -> Result<Object<'j>, JsonError> {
    if let Some((key, value)) = request.iter().find(|(key, _)| key.starts_with('@') || *key == "-") {
        return Err(value.malformed("a request of the Messages API has no such field").within(key));
    }
    let mut fields = Object::default();
    let mut own = Object::default();
    for (key, value) in request.iter() {
        match key {
            "max_tokens" if value.kind() == Kind::Number => fields.insert("max_output_tokens", value),
            "output_config" => output_config(value, &mut fields, &mut own, strings),
            "tool_choice" => import_choice(value, &mut fields, strings),
            "metadata" => user(value, &mut fields),
            "cache_control" if is_cache_mark(value) => fields.insert("@cache_control", value),
            "tools" => {
                if let Some(tools) = tools(value, strings) {
                    fields.insert("tools", tools);
                }
            }
            "service_tier" if value.raw() != "\"auto\"" => {}
            "model" | "stream" | "temperature" | "top_p" | "service_tier" => fields.insert(key.to_owned(), value),
            "max_tokens_key" => {}
            _ if NEUTRAL.contains(&key) => {}
            _ => own.insert(key.to_owned(), value),
        }
    }
    own.iter().for_each(|(key, value)| fields.insert(key.to_owned(), value));
    rest(request, &fields, strings).insert_into(&mut fields, API, strings);
    Ok(fields)
}

/// The members that neither the words of the Responses API nor names of this API give.
fn rest<'j>(request: &Object<'j>, fields: &Object<'j>, strings: &'j StringArena) -> Overlay<'j> {
    let source = SourceRequest {
        declared: Some(API),
        fields,
        instructions: Vec::new(),
        items: Vec::new(),
        tools: Vec::new(),
        place: Span::NOWHERE,
    };
    let mut ledger = Ledger::new(API);
    let mut derived = export_fields(&source, &mut ledger, strings);
    let mut wanted = request.clone();
    let count = |tools: Option<Json<'_>>| Some(tools?.array().ok()?.len());
    if fields.get("tools").is_some() && count(fields.get("tools")) == count(request.get("tools")) {
        wanted.take("tools");
        derived.take("tools");
    }
    Overlay::between(&derived, &wanted, strings)
}

fn output_config<'j>(value: Json<'j>, fields: &mut Object<'j>, own: &mut Object<'j>, strings: &'j StringArena) {
    let Ok(members) = value.object() else {
        own.insert("output_config", value);
        return;
    };
    let mut rest = Object::default();
    for (key, value) in members.iter() {
        match (key, value.as_str().ok().as_deref(), schema(value)) {
            ("effort", Some(effort), _) if !["minimal", "none"].contains(&effort) => {
                fields.insert("reasoning", strings.write_object(|reasoning| reasoning.json("effort", value)));
            }
            ("format", _, Some(schema)) => {
                let format = strings.write_object(|format| {
                    format.text("type", "json_schema");
                    format.json("schema", schema);
                });
                fields.insert("text", strings.write_object(|text| text.json("format", format)));
            }
            (key, _, _) => rest.insert(key.to_owned(), value),
        }
    }
    if !rest.is_empty() || members.is_empty() {
        own.insert("output_config", strings.object(&rest));
    }
}

/// The JSON Schema of an output format.
fn schema(format: Json<'_>) -> Option<Json<'_>> {
    let format = format.object().ok().filter(|format| format.get_str("type").as_deref() == Some("json_schema"))?;
    format.get("schema").filter(|schema| schema.kind() == Kind::Object)
}

fn user<'j>(metadata: Json<'j>, fields: &mut Object<'j>) {
    let Ok(members) = metadata.object() else { return };
    let id = members.get("user_id").filter(|id| id.kind() == Kind::String && members.iter().count() == 1);
    if let Some(id) = id {
        fields.insert("safety_identifier", id);
    }
}

/// The tools that a declaration can say.
fn tools<'j>(all: Json<'j>, strings: &'j StringArena) -> Option<Json<'j>> {
    let tools: Vec<Json<'j>> = all.array().ok()?.into_iter().filter_map(|tool| import_tool(tool, strings)).collect();
    let list = || strings.json(|out| array(out, &tools, |out, tool| out.push_str(tool.raw())));
    (!tools.is_empty() || all.is_empty_array()).then(list)
}
