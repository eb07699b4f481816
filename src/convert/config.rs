//! Converts `<config>` to request fields.

use std::borrow::Cow;
use std::sync::LazyLock;

use super::Context;
use super::files::text_of;
use super::join::Nested;
use crate::diagnostic::{Diagnostics, ElementProblem, RequestProblem, sanitize_short};
use crate::document::{Declaration, is_schema_file};
use crate::element::Tag;
use crate::json::write::{ObjectWriter, array, string};
use crate::json::{Json, Kind, Object, StringArena};
use crate::source::{Span, Spanned};
use crate::syntax::Attribute;

/// How an attribute's text becomes a field's value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FieldType {
    /// A number.
    Number,
    /// A whole number.
    Integer,
    /// `true` or `false`. Without a value it is `true`.
    Boolean,
    /// A string, whatever it looks like.
    Text,
    /// A JSON object.
    Object,
    /// A JSON array.
    Array,
    /// A JSON object, or else a string.
    Id,
    /// Names separated by commas.
    List,
    /// `auto`, `none`, `required`, or the name of a tool.
    ToolChoice,
    /// `text`, `json_object`, or a JSON Schema file.
    TextFormat,
}

/// Every attribute of `<config>` that sets a request field: its name, the path of the field, its type.
pub(super) const FIELDS: &[(&str, &str, FieldType)] = &[
    ("model", "model", FieldType::Text),
    ("max_tokens", "max_output_tokens", FieldType::Integer),
    ("temperature", "temperature", FieldType::Number),
    ("top_p", "top_p", FieldType::Number),
    ("reasoning_effort", "reasoning.effort", FieldType::Text),
    ("reasoning_summary", "reasoning.summary", FieldType::Text),
    ("text_format", "text.format", FieldType::TextFormat),
    ("text_format_name", "text.format.name", FieldType::Text),
    ("text_format_strict", "text.format.strict", FieldType::Boolean),
    ("text_format_description", "text.format.description", FieldType::Text),
    ("verbosity", "text.verbosity", FieldType::Text),
    ("tool_choice", "tool_choice", FieldType::ToolChoice),
    ("parallel_tool_calls", "parallel_tool_calls", FieldType::Boolean),
    ("max_tool_calls", "max_tool_calls", FieldType::Integer),
    ("store", "store", FieldType::Boolean),
    ("include", "include", FieldType::List),
    ("stream", "stream", FieldType::Boolean),
    ("background", "background", FieldType::Boolean),
    ("service_tier", "service_tier", FieldType::Text),
    ("truncation", "truncation", FieldType::Text),
    ("previous_response_id", "previous_response_id", FieldType::Text),
    ("conversation", "conversation", FieldType::Id),
    ("prompt_cache_key", "prompt_cache_key", FieldType::Text),
    ("prompt_cache_retention", "prompt_cache_retention", FieldType::Text),
    ("safety_identifier", "safety_identifier", FieldType::Text),
    ("user", "user", FieldType::Text),
    ("top_logprobs", "top_logprobs", FieldType::Integer),
    ("metadata", "metadata", FieldType::Object),
    ("prompt", "prompt", FieldType::Object),
    ("context_management", "context_management", FieldType::Array),
    ("stream_options", "stream_options", FieldType::Object),
];

/// The names of these attributes.
static NAMES: LazyLock<Vec<&str>> = LazyLock::new(|| FIELDS.iter().map(|(name, ..)| *name).collect());

/// Attributes for the host.
const NOT_SENT: [&str; 2] = ["id", "show_tool_call"];

/// The name of a JSON Schema that is read from a file and has no name.
const DEFAULT_SCHEMA_NAME: &str = "response";

/// A `<config>` whose body is read.
#[derive(Debug)]
pub(crate) struct Config<'d> {
    /// The element.
    pub(crate) declaration: &'d Declaration<'d>,
    /// Where its opening tag is.
    pub(crate) span: Span,
    /// The fields in its body.
    pub(crate) body: Option<Spanned<Object<'d>>>,
}

impl<'d> Config<'d> {
    /// Reads the body of a `<config>`.
    pub(super) fn read(declaration: &'d Declaration<'d>, span: Span, strings: &'d StringArena) -> Self {
        let body = declaration.json().map(|(json, span)| {
            Spanned::new(Json::parse(json, strings).and_then(Json::object).unwrap_or_default(), span)
        });
        Self { declaration, span, body }
    }
}

impl<'d> Context<'d> {
    /// The request fields that a `<config>` sets. `choose` gives the `tool_choice` of a declared tool by its name.
    pub(super) fn config_fields(
        &self,
        config: &Config<'d>,
        choose: &dyn Fn(&str) -> Option<String>,
        diagnostics: &mut Diagnostics,
    ) -> Object<'d> {
        let attributes = &config.declaration.attributes;
        let mut fields = Object::default();
        for (attribute, _) in attributes.with_last().filter(|(_, is_last)| *is_last) {
            if let Some((_, path, field_type)) = field(&attribute.name) {
                if let Some(value) = self.config_value(*field_type, attribute, choose, diagnostics) {
                    let members = self.at_path(path, value);
                    self.join(&mut fields, &members, Nested::Join, attribute.span, diagnostics);
                }
            } else if !NOT_SENT.contains(&attribute.name.as_ref()) && !attribute.name.starts_with("ochat-") {
                let name = attribute.name.to_string();
                let known = NAMES.as_slice();
                diagnostics.report(
                    ElementProblem::UnknownAttribute { tag: Tag::Config, name, known: known.to_vec() },
                    attribute.span,
                );
            }
        }
        if let Some(Spanned { value: body, span }) = &config.body {
            let mut body = body.clone();
            if body.take("input").is_some() {
                diagnostics.report(RequestProblem::InputInConfig, *span);
            }
            self.join(&mut fields, &body, Nested::Join, *span, diagnostics);
        }
        if attributes.value("text_format").is_some_and(is_schema_file) {
            self.name_schema(&mut fields, config.span, diagnostics);
        }
        fields
    }

    /// Names a JSON Schema that was read from a file, unless it has a name.
    fn name_schema(&self, fields: &mut Object<'d>, span: Span, diagnostics: &mut Diagnostics) {
        let member = |object: &Object<'d>, key: &str| object.get(key).and_then(|json| json.object().ok());
        let format = member(fields, "text").and_then(|text| member(&text, "format"));
        if format.is_some_and(|format| format.get("name").is_none()) {
            let members = self.at_path("text.format.name", self.strings.string(DEFAULT_SCHEMA_NAME));
            self.join(fields, &members, Nested::Join, span, diagnostics);
        }
    }

    fn config_value(
        &self,
        field_type: FieldType,
        attribute: &'d Attribute<'d>,
        choose: &dyn Fn(&str) -> Option<String>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Json<'d>> {
        let mut refuse = |wanted: &'static str| {
            let (name, found) = (attribute.name.to_string(), attribute.value.as_deref().map(shown));
            diagnostics.report(RequestProblem::InvalidConfig { name, wanted, found }, attribute.span);
            None
        };
        let Some(text) = attribute.value.as_deref() else {
            return if field_type == FieldType::Boolean { Some(Json::TRUE) } else { refuse("a value") };
        };
        let json = || Json::parse(text, self.strings).ok();
        let of_kind = |kind: Kind| json().filter(|json| json.kind() == kind);
        let or_null = |kind: Kind| json().filter(|json| [kind, Kind::Null].contains(&json.kind()));
        match field_type {
            FieldType::Boolean => or_null(Kind::Boolean).or_else(|| refuse(field_type.wanted())),
            FieldType::Text => Some(self.strings.string(text)),
            FieldType::Object => or_null(Kind::Object).or_else(|| refuse(field_type.wanted())),
            FieldType::Array => or_null(Kind::Array).or_else(|| refuse(field_type.wanted())),
            FieldType::Id => or_null(Kind::Object).or_else(|| Some(self.strings.string(text))),
            FieldType::Number => of_kind(Kind::Number).or_else(|| refuse(field_type.wanted())),
            FieldType::Integer => {
                let number = of_kind(Kind::Number).filter(|json| json.raw().parse::<u64>().is_ok());
                let is_negative = || text.trim_start().starts_with('-') && text.trim().parse::<f64>().is_ok();
                number.or_else(|| refuse(if is_negative() { "a positive number" } else { field_type.wanted() }))
            }
            FieldType::List => of_kind(Kind::Null).or_else(|| Some(self.list(text))),
            FieldType::ToolChoice => of_kind(Kind::Null).or_else(|| Some(self.tool_choice(text, choose))),
            FieldType::TextFormat => self.text_format(text, attribute.span, diagnostics),
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

    fn text_format(&self, text: &'d str, span: Span, diagnostics: &mut Diagnostics) -> Option<Json<'d>> {
        if !is_schema_file(text) {
            let json = Json::parse(text, self.strings).ok();
            return json.or_else(|| Some(self.object(|format| format.text("type", text))));
        }
        let schema = self.json_file(text, span, diagnostics)?;
        Some(self.object(|format| {
            format.text("type", "json_schema");
            format.json("schema", schema);
        }))
    }

    /// Reads a file that holds a JSON object.
    pub(super) fn json_file(&self, path: &str, span: Span, diagnostics: &mut Diagnostics) -> Option<Json<'d>> {
        if !self.resolver.reads() {
            return Json::parse("{}", self.strings).ok();
        }
        let content = self.resolver.file(path, span, diagnostics)?;
        let text = text_of(path, &content.bytes, span, diagnostics)?;
        let parsed = Json::parse(text, self.strings).and_then(|json| json.object().map(|_| json));
        match parsed {
            Ok(json) => Some(json),
            Err(error) => {
                diagnostics
                    .report(RequestProblem::InvalidSchema { path: path.to_owned(), what: error.to_string() }, span);
                None
            }
        }
    }

    /// Allocates a JSON object whose members `write` writes.
    pub(super) fn object(&self, write: impl FnOnce(&mut ObjectWriter<'_>)) -> Json<'d> {
        self.strings.write_object(write)
    }

    /// Allocates JSON that was just written.
    pub(super) fn alloc_json(&self, json: String) -> Json<'d> {
        self.strings.written(self.strings.keep(json))
    }
}

/// A value as it is shown in a message.
pub(super) fn shown(text: &str) -> String {
    const MAX_SHOWN_LENGTH: usize = 32;
    sanitize_short(text, MAX_SHOWN_LENGTH)
}

/// The path of the field that an attribute sets: `reasoning.effort`.
pub fn field_path(attribute: &str) -> Option<&'static str> {
    field(attribute).map(|(_, path, _)| *path)
}

/// The field that an attribute sets. `max_output_tokens` is another name of `max_tokens`.
fn field(attribute: &str) -> Option<&'static (&'static str, &'static str, FieldType)> {
    let attribute = if attribute == "max_output_tokens" { "max_tokens" } else { attribute };
    FIELDS.iter().find(|(name, ..)| *name == attribute)
}
