//! Converts `<config>` to request fields.

use std::borrow::Cow;

use super::Context;
use super::files::text_of;
use super::set::set;
use crate::diagnostic::{Diagnostics, Problem};
use crate::element::Tag;
use crate::json::write::{ObjectWriter, array, string};
use crate::json::{Json, Kind, Object};
use crate::source::Span;
use crate::syntax::{Attribute, Attributes};

/// How an attribute's text becomes a field's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shape {
    /// A string, whatever it looks like.
    Text,
    /// A number.
    Number,
    /// A whole number.
    Integer,
    /// JSON if it is a boolean, null, number, array or object, else a string. Without a value it is `true`.
    Json,
    /// Names separated by commas.
    List,
    /// `auto`, `none`, `required`, or the name of a tool.
    ToolChoice,
    /// `text`, `json_object`, or a JSON Schema file.
    TextFormat,
}

/// Every attribute of `<config>` that sets a request field: its name, the path of the field, its shape.
pub(super) const FIELDS: &[(&str, &str, Shape)] = &[
    ("model", "model", Shape::Text),
    ("max_tokens", "max_output_tokens", Shape::Integer),
    ("temperature", "temperature", Shape::Number),
    ("top_p", "top_p", Shape::Number),
    ("reasoning_effort", "reasoning.effort", Shape::Text),
    ("reasoning_summary", "reasoning.summary", Shape::Text),
    ("text_format", "text.format", Shape::TextFormat),
    ("verbosity", "text.verbosity", Shape::Text),
    ("tool_choice", "tool_choice", Shape::ToolChoice),
    ("parallel_tool_calls", "parallel_tool_calls", Shape::Json),
    ("max_tool_calls", "max_tool_calls", Shape::Integer),
    ("store", "store", Shape::Json),
    ("include", "include", Shape::List),
    ("stream", "stream", Shape::Json),
    ("background", "background", Shape::Json),
    ("service_tier", "service_tier", Shape::Text),
    ("truncation", "truncation", Shape::Text),
    ("previous_response_id", "previous_response_id", Shape::Text),
    ("conversation", "conversation", Shape::Json),
    ("prompt_cache_key", "prompt_cache_key", Shape::Text),
    ("prompt_cache_retention", "prompt_cache_retention", Shape::Text),
    ("safety_identifier", "safety_identifier", Shape::Text),
    ("user", "user", Shape::Text),
    ("top_logprobs", "top_logprobs", Shape::Integer),
    ("metadata", "metadata", Shape::Json),
    ("prompt", "prompt", Shape::Json),
    ("context_management", "context_management", Shape::Json),
    ("stream_options", "stream_options", Shape::Json),
];

/// Attributes for the host, or that modify another attribute.
const NOT_SENT: [&str; 3] = ["id", "show_tool_call", "text_format_name"];

impl<'d> Context<'d> {
    /// The request fields that a `<config>` sets. `choose` gives the `tool_choice` of a declared tool by its name.
    pub(super) fn config_fields(
        &self,
        config: &'d Attributes<'d>,
        span: Span,
        choose: &dyn Fn(&str) -> Option<String>,
        diagnostics: &mut Diagnostics,
    ) -> Object<'d> {
        let mut fields = Object::default();
        for (attribute, is_last) in config.with_last() {
            let known = FIELDS.iter().find(|(name, ..)| *name == attribute.name);
            if let (true, Some((_, path, shape))) = (is_last, known) {
                if let Some(value) = self.config_value(*shape, attribute, config, span, choose, diagnostics) {
                    set(&mut fields, path, value, self);
                }
            } else if is_last && !NOT_SENT.contains(&attribute.name.as_ref()) && !attribute.name.starts_with("ochat-") {
                let name = attribute.name.to_string();
                diagnostics.report(Problem::UnknownAttribute { tag: Tag::Config, name }, attribute.span);
            }
        }
        fields
    }

    fn config_value(
        &self,
        shape: Shape,
        attribute: &'d Attribute<'d>,
        config: &'d Attributes<'d>,
        span: Span,
        choose: &dyn Fn(&str) -> Option<String>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Json<'d>> {
        let mut refuse = |wanted: &'static str| {
            diagnostics.report(Problem::InvalidConfig { name: attribute.name.to_string(), wanted }, attribute.span);
            None
        };
        let Some(text) = attribute.value.as_deref() else {
            return if shape == Shape::Json { Some(Json::TRUE) } else { refuse("a value") };
        };
        let number = Json::parse(text, self.strings).ok().filter(|json| json.kind() == Kind::Number);
        match shape {
            Shape::Text => Some(self.strings.string(text)),
            Shape::Json => Some(self.json_or_string(text)),
            Shape::Number => number.or_else(|| refuse("a number")),
            Shape::Integer => {
                number.filter(|json| json.raw().parse::<u64>().is_ok()).or_else(|| refuse("a whole number"))
            }
            Shape::List => Some(self.list(text)),
            Shape::ToolChoice => Some(self.tool_choice(text, choose)),
            Shape::TextFormat => self.text_format(text, config.value("text_format_name"), span, diagnostics),
        }
    }

    /// JSON if the text is a boolean, null, number, array or object; else the text as a string.
    pub(super) fn json_or_string(&self, text: &'d str) -> Json<'d> {
        match Json::parse(text, self.strings).ok().filter(|json| json.kind() != Kind::String) {
            Some(json) => json,
            None => self.strings.string(text),
        }
    }

    /// A JSON array as it is, or names separated by commas.
    pub(super) fn list(&self, text: &'d str) -> Json<'d> {
        if let Some(json) = Json::parse(text, self.strings).ok().filter(|json| json.kind() == Kind::Array) {
            return json;
        }
        let mut json = String::new();
        let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
        array(&mut json, names, string);
        self.alloc_json(json)
    }

    /// The `tool_choice` for `auto`, `none`, `required`, a name, or JSON.
    fn tool_choice(&self, text: &'d str, choose: &dyn Fn(&str) -> Option<String>) -> Json<'d> {
        if ["auto", "none", "required"].contains(&text) {
            return self.strings.string(text);
        }
        let object = Json::parse(text, self.strings).ok().and_then(|json| Some((json, json.object().ok()?)));
        let name = match &object {
            None => Cow::Borrowed(text),
            // Chat Completions has the name one level deeper.
            Some((json, object)) => {
                let function = object.get("function").and_then(|function| function.object().ok());
                match function.and_then(|function| function.get("name")?.as_str().ok()) {
                    Some(name) => name,
                    None => return *json,
                }
            }
        };
        let json = choose(&name).unwrap_or_else(|| {
            let mut json = String::new();
            let mut choice = ObjectWriter::new(&mut json);
            choice.text("type", "function");
            choice.text("name", &name);
            choice.end();
            json
        });
        self.alloc_json(json)
    }

    fn text_format(
        &self,
        text: &'d str,
        name: Option<&str>,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<Json<'d>> {
        if let Some(json) = Json::parse(text, self.strings).ok().filter(|json| json.kind() == Kind::Object) {
            return Some(json);
        }
        let mut json = String::new();
        let mut format = ObjectWriter::new(&mut json);
        if text == "text" || text == "json_object" {
            format.text("type", text);
        } else {
            let schema = self.json_file(text, span, diagnostics)?;
            format.text("type", "json_schema");
            format.text("name", name.unwrap_or("response"));
            format.json("schema", schema);
        }
        format.end();
        Some(self.alloc_json(json))
    }

    /// Reads a file that holds a JSON object.
    pub(super) fn json_file(&self, path: &str, span: Span, diagnostics: &mut Diagnostics) -> Option<Json<'d>> {
        let content = self.resolver.file(path, span, diagnostics)?;
        let text = text_of(path, &content.bytes, span, diagnostics)?;
        let parsed = Json::parse(text, self.strings).and_then(|json| json.object().map(|_| json));
        match parsed {
            Ok(json) => Some(json),
            Err(error) => {
                diagnostics.report(Problem::InvalidSchema { path: path.to_owned(), what: error.to_string() }, span);
                None
            }
        }
    }

    /// Allocates a JSON object whose members `write` writes.
    pub(super) fn object(&self, write: impl FnOnce(&mut ObjectWriter<'_>)) -> Json<'d> {
        let mut json = String::new();
        let mut object = ObjectWriter::new(&mut json);
        write(&mut object);
        object.end();
        self.alloc_json(json)
    }

    /// Allocates JSON that was just written.
    pub(super) fn alloc_json(&self, json: String) -> Json<'d> {
        self.strings.written(self.strings.keep(json))
    }
}

/// The JSON pointer of the field that an attribute sets.
pub(super) fn pointer(attribute: &str) -> Option<String> {
    let (_, path, _) = FIELDS.iter().find(|(name, ..)| *name == attribute)?;
    Some(format!("/{}", path.replace('.', "/")))
}
