//! Request fields of this API in the words of the Responses API.

use super::fields::{NEUTRAL, export_fields};
use super::tools::{import_tool, is_cache_mark};
use crate::json::write::array;
use crate::json::{Json, JsonError, Kind, Object, StringArena};
use crate::source::Span;
use crate::wire::{Api, Ledger, Outgoing, Overlay};

const API: Api = Api::Messages;

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
            "tool_choice" => tool_choice(value, &mut fields, strings),
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
    let outgoing = Outgoing {
        declared: Some(API),
        fields,
        instructions: Vec::new(),
        items: Vec::new(),
        tools: Vec::new(),
        place: Span::NOWHERE,
    };
    let mut ledger = Ledger::new(API);
    let mut derived = export_fields(&outgoing, &mut ledger, strings);
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

fn tool_choice<'j>(value: Json<'j>, fields: &mut Object<'j>, strings: &'j StringArena) {
    let Ok(members) = value.object() else { return };
    let disabled = members.get("disable_parallel_tool_use");
    let parallel = match disabled.map(Json::raw) {
        None => None,
        Some("true") => Some(Json::FALSE),
        Some("false") => Some(Json::TRUE),
        Some(_) => return,
    };
    let name = members.get("name").filter(|name| name.as_str().is_ok());
    let count = members.iter().count() - usize::from(disabled.is_some());
    let choice = match (members.get_str("type").as_deref(), name) {
        (Some("auto"), None) if count == 1 => strings.string("auto"),
        (Some("any"), None) if count == 1 => strings.string("required"),
        (Some("none"), None) if count == 1 && disabled.is_none() => strings.string("none"),
        (Some("tool"), Some(name)) if count == 2 => strings.write_object(|choice| {
            choice.text("type", "function");
            choice.json("name", name);
        }),
        (_, _) => return,
    };
    fields.insert("tool_choice", choice);
    if let Some(parallel) = parallel {
        fields.insert("parallel_tool_calls", parallel);
    }
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
