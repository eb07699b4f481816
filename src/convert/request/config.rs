//! Converts `<config>` to request fields.

use std::borrow::Cow;

use super::field_types::wanted;
use crate::convert::Context;
use crate::convert::attributes::is_json;
use crate::convert::to_items::files::text_of;
use crate::diagnostic::{Diagnostics, ElementProblem, RequestProblem, sanitize_short};
use crate::document::{Declaration, Field, is_schema_file, read_attribute};
use crate::element::{AttributeDefinition, AttributeKind, Tag, is_of_ochat};
use crate::json::write::{array, string};
use crate::json::{Json, Kind, Object, StringArena};
use crate::responses::is_extension;
use crate::source::{Span, Spanned};
use crate::syntax::Attribute;
use crate::wire::Api;

/// The key of the API that a document is for. It is never sent.
pub(crate) const API_MEMBER: &str = "@api";

/// The `type` of the item for a later `<config>`.
pub(in crate::convert) const UPDATE_TYPE: &str = "configuration_update";

/// The name given to a JSON Schema without a name.
pub(super) const DEFAULT_SCHEMA_NAME: &str = "response";

/// A `<config>` whose body is read.
#[derive(Debug)]
pub(crate) struct Config<'d> {
    /// The element.
    pub(crate) declaration: &'d Declaration<'d>,
    /// Where its opening tag is.
    pub(crate) span: Span,
    /// The fields in its body.
    pub(crate) body: Option<Spanned<Object<'d>>>,
    /// The API that it names, if there is such an API.
    pub(crate) api: Option<Api>,
}

impl<'d> Config<'d> {
    /// Reads the body of a `<config>`.
    pub(in crate::convert) fn read(declaration: &'d Declaration<'d>, span: Span, strings: &'d StringArena) -> Self {
        let body = declaration.json().map(|(json, span)| {
            Spanned::new(Json::parse(json, strings).and_then(Json::object).unwrap_or_default(), span)
        });
        Self { declaration, span, body, api: declared_api(declaration) }
    }

    /// Whether it is written for another API than Responses, which has other fields.
    pub(in crate::convert) fn is_for_other_api(&self) -> bool {
        is_other_api(self.declaration.attributes.value("api"))
    }
}

impl<'d> Context<'d> {
    /// The request fields that a `<config>` sets.
    pub(in crate::convert) fn config_fields(&self, config: &Config<'d>, diagnostics: &mut Diagnostics) -> Object<'d> {
        let attributes = &config.declaration.attributes;
        let mut fields = Object::default();
        let is_for_other_api = config.is_for_other_api();
        for (attribute, _) in attributes.with_last().filter(|(_, is_last)| *is_last) {
            let name = attribute.name.as_ref();
            let (path, value) = match field(name) {
                Some(AttributeDefinition { key: None, .. }) => continue,
                // Other APIs have an object where Responses has an array, so it is read as any JSON.
                Some(AttributeDefinition { key: Some(path), kind, .. })
                    if !is_for_other_api || *kind != AttributeKind::Array =>
                {
                    (*path, self.config_value(*kind, attribute, diagnostics))
                }
                None if is_of_ochat(name) => continue,
                Some(_) | None if is_for_other_api => {
                    (name, self.config_value(AttributeKind::Json, attribute, diagnostics))
                }
                Some(_) | None => {
                    let problem = ElementProblem::UnknownAttribute { tag: Tag::Config, name: name.to_owned() };
                    diagnostics.report(problem, attribute.span);
                    continue;
                }
            };
            if let Some(value) = value {
                let members = self.at_path(path, value);
                self.join(&mut fields, &members, attribute.span, diagnostics);
            }
        }
        if let Some(Spanned { value: body, span }) = &config.body {
            let mut body = body.clone();
            if body.take("input").is_some() {
                diagnostics.report(RequestProblem::InputInConfig, *span);
            }
            self.join(&mut fields, &body, *span, diagnostics);
        }
        if config.api != Some(Api::Messages) {
            self.name_schema(&mut fields, config.span, diagnostics);
        }
        fields
    }

    /// Names a JSON Schema unless it has a name, which all APIs but the Messages API require.
    fn name_schema(&self, fields: &mut Object<'d>, span: Span, diagnostics: &mut Diagnostics) {
        if fields.get("text").is_some_and(has_unnamed_schema) {
            let members = self.at_path("text.format.name", self.strings.string(DEFAULT_SCHEMA_NAME));
            self.join(fields, &members, span, diagnostics);
        }
    }

    /// The JSON of an attribute of `<config>` or `<tool>`. A wrong value is reported.
    pub(in crate::convert) fn config_value(
        &self,
        kind: AttributeKind,
        attribute: &'d Attribute<'d>,
        diagnostics: &mut Diagnostics,
    ) -> Option<Json<'d>> {
        let mut refuse = |wanted: &'static str| {
            let (name, found) = (attribute.name.to_string(), attribute.value.as_deref().map(shown));
            diagnostics.report(RequestProblem::InvalidConfig { name, wanted, found }, attribute.span);
            None
        };
        let Some(text) = attribute.value.as_deref() else {
            return match kind {
                AttributeKind::Boolean | AttributeKind::Json => Some(Json::TRUE),
                AttributeKind::CacheControl | AttributeKind::Nullable => self.value(kind, &Field::Null),
                AttributeKind::Own
                | AttributeKind::Text
                | AttributeKind::ItemId
                | AttributeKind::TextOrObject
                | AttributeKind::NullableOrObject
                | AttributeKind::EmptyList
                | AttributeKind::Flag
                | AttributeKind::FlagOrFalse
                | AttributeKind::File
                | AttributeKind::Number
                | AttributeKind::Integer
                | AttributeKind::Object
                | AttributeKind::Array
                | AttributeKind::List
                | AttributeKind::ToolChoice
                | AttributeKind::TextFormat
                | AttributeKind::Api => refuse("a value"),
            };
        };
        let json = || Json::parse(text, self.strings).ok();
        let of_kind = |kind: Kind| json().filter(|json| json.kind() == kind);
        let or_null = |kind: Kind| json().filter(|json| [kind, Kind::Null].contains(&json.kind()));
        match kind {
            AttributeKind::Boolean => or_null(Kind::Boolean).or_else(|| refuse(wanted(kind))),
            AttributeKind::Object => or_null(Kind::Object).or_else(|| refuse(wanted(kind))),
            AttributeKind::Array => or_null(Kind::Array).or_else(|| refuse(wanted(kind))),
            AttributeKind::TextOrObject => or_null(Kind::Object).or_else(|| Some(self.strings.string(text))),
            AttributeKind::Number => of_kind(Kind::Number).or_else(|| refuse(wanted(kind))),
            AttributeKind::Integer => {
                let number = of_kind(Kind::Number).filter(|json| json.raw().parse::<u64>().is_ok());
                let is_negative = || text.trim_start().starts_with('-') && text.trim().parse::<f64>().is_ok();
                number.or_else(|| refuse(if is_negative() { "a positive number" } else { wanted(kind) }))
            }
            AttributeKind::List => of_kind(Kind::Null).or_else(|| Some(self.list(text))),
            AttributeKind::ToolChoice => of_kind(Kind::Null).or_else(|| Some(self.tool_choice(text))),
            AttributeKind::Json => json().filter(|_| is_json(kind, text)).or_else(|| Some(self.strings.string(text))),
            AttributeKind::TextFormat => self.text_format(text, attribute.span, diagnostics),
            AttributeKind::Api if Api::from_name(text).is_none() => refuse(wanted(kind)),
            AttributeKind::Own
            | AttributeKind::Text
            | AttributeKind::Nullable
            | AttributeKind::ItemId
            | AttributeKind::NullableOrObject
            | AttributeKind::EmptyList
            | AttributeKind::Flag
            | AttributeKind::FlagOrFalse
            | AttributeKind::CacheControl
            | AttributeKind::File
            | AttributeKind::Api => self.value(kind, &read_attribute(kind, attribute.clone(), diagnostics)),
        }
    }

    /// A JSON array as it is, or names separated by commas.
    pub(in crate::convert) fn list(&self, text: &'d str) -> Json<'d> {
        if let Some(json) = Json::parse(text, self.strings).ok().filter(|json| json.kind() == Kind::Array) {
            return json;
        }
        let names = text.split(',').map(str::trim).filter(|name| !name.is_empty());
        self.strings.json(|out| array(out, names, string))
    }

    /// The `tool_choice` for `auto`, `none`, `required`, a name, or JSON.
    fn tool_choice(&self, text: &'d str) -> Json<'d> {
        if ["auto", "none", "required"].contains(&text) {
            return self.strings.string(text);
        }
        let function = |name: Cow<'d, str>| {
            self.strings.write_object(|choice| {
                choice.text("type", "function");
                choice.text("name", &name);
            })
        };
        match ToolChoice::read(text, self.strings) {
            ToolChoice::Tool(name) => function(name),
            ToolChoice::Json(json) => json,
        }
    }

    fn text_format(&self, text: &'d str, span: Span, diagnostics: &mut Diagnostics) -> Option<Json<'d>> {
        if !is_schema_file(text) {
            let json = Json::parse(text, self.strings).ok();
            return json.or_else(|| Some(self.strings.write_object(|format| format.text("type", text))));
        }
        let schema = self.json_file(text, span, diagnostics)?;
        Some(self.strings.write_object(|format| {
            format.text("type", "json_schema");
            format.json("schema", schema);
        }))
    }

    /// Reads a file that holds a JSON object.
    pub(in crate::convert) fn json_file(
        &self,
        path: &str,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<Json<'d>> {
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
}

/// The `tool_choice` of a `<config>`.
pub(super) enum ToolChoice<'d> {
    /// The name of a tool.
    Tool(Cow<'d, str>),
    /// Any other choice.
    Json(Json<'d>),
}

impl<'d> ToolChoice<'d> {
    /// Reads a name, or the JSON of a choice.
    pub(super) fn read(text: &'d str, strings: &'d StringArena) -> Self {
        let Ok((json, object)) = Json::parse(text, strings).and_then(|json| Ok((json, json.object()?))) else {
            return ToolChoice::Tool(Cow::Borrowed(text));
        };
        // Chat Completions has the name one level deeper.
        let name = object.get_object("function").and_then(|function| function.get_str("name"));
        name.map_or(ToolChoice::Json(json), ToolChoice::Tool)
    }
}

/// Whether a text format is a JSON Schema without a name, which the Responses API requires.
pub(in crate::convert) fn has_unnamed_schema(text: Json<'_>) -> bool {
    let format = text.object().ok().and_then(|text| text.get_object("format"));
    format.is_some_and(|format| {
        format.get_str("type").is_some_and(|kind| kind == "json_schema") && format.get("name").is_none()
    })
}

/// The API that a `<config>` names.
pub(in crate::convert) fn declared_api(config: &Declaration<'_>) -> Option<Api> {
    config.attributes.value("api").and_then(Api::from_name)
}

/// A value as it is shown in a message.
pub(in crate::convert) fn shown(text: &str) -> String {
    const MAX_SHOWN_LENGTH: usize = 32;
    sanitize_short(text, MAX_SHOWN_LENGTH)
}

/// Whether a `<config>` is for another API than Responses, which has other fields.
pub(in crate::convert) fn is_other_api(api: Option<&str>) -> bool {
    api.is_some_and(|api| api != Api::Responses.name())
}

/// Whether the Responses API has a request field of this name.
pub(in crate::convert) fn is_field(key: &str) -> bool {
    /// Fields without an attribute.
    const OTHER_FIELDS: [&str; 5] = ["input", "instructions", "tools", "moderation", "prompt_cache_options"];
    let is_root = |path: &str| path.split('.').next() == Some(key);
    let mut rows = Tag::Config.definition().attributes.iter().filter(|row| row.api.is_none() && !is_extension(key));
    OTHER_FIELDS.contains(&key) || rows.any(|row| row.key.is_some_and(is_root))
}

/// Whether a request field is only for other APIs.
pub(in crate::convert) fn is_extension_field(key: &str) -> bool {
    is_extension(key) || Tag::Config.attribute(key).is_some_and(|row| row.key == Some(key) && row.api.is_some())
}

/// The path of the field that an attribute sets: `reasoning.effort`.
pub fn field_path(attribute: &str) -> Option<&'static str> {
    field(attribute)?.key
}

/// The row of an attribute. `max_output_tokens` is another name of `max_tokens`.
fn field(attribute: &str) -> Option<&'static AttributeDefinition> {
    Tag::Config.attribute(if attribute == "max_output_tokens" { "max_tokens" } else { attribute })
}
