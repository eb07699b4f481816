//! Converts request fields to `<config>`.

use std::borrow::Cow;

use super::config::{FIELDS, FieldType};
use crate::document::{Declaration, DeclarationBody};
use crate::element::Tag;
use crate::json::{Json, Kind, Object, is_valid};
use crate::source::{Span, Spanned};
use crate::syntax::{Attribute, Attributes};

/// The fields whose members have attributes of their own.
const NESTED: [&str; 2] = ["reasoning", "text"];

/// The `<config>` for fields of a request: as attributes where possible, otherwise in its body. `None` if there are no
/// fields.
///
/// With `as_json` all fields are in the body.
pub(super) fn config<'j>(request: &Object<'j>, as_json: bool, no_span: Span) -> Option<Declaration<'j>> {
    if request.is_empty() {
        return None;
    }
    let mut attributes: Vec<Attribute<'j>> = Vec::new();
    let mut body = Members::default();
    for (key, value) in request.iter() {
        let inner = value.object().ok().filter(|inner| NESTED.contains(&key) && inner.repeated().next().is_none());
        match (field_attribute(key, value, no_span), inner) {
            _ if as_json => body.json(key, value),
            (Some(attribute), _) => attributes.push(attribute),
            (None, Some(inner)) if !inner.is_empty() => {
                let mut rest = Members::default();
                for (inner_key, value) in inner.iter() {
                    match field_attribute(&format!("{key}.{inner_key}"), value, no_span) {
                        Some(attribute) if !inner_key.contains('.') => attributes.push(attribute),
                        Some(_) | None => rest.json(inner_key, value),
                    }
                }
                if let Some(rest) = rest.end() {
                    body.raw(key, &rest);
                }
            }
            (None, Some(_) | None) => body.json(key, value),
        }
    }
    let order = |attribute: &Attribute<'_>| FIELDS.iter().position(|(name, ..)| *name == attribute.name);
    attributes.sort_by_key(order);
    let body = body.end().map(|json| json_body(json, no_span));
    Some(Declaration { tag: Tag::Config, attributes: Attributes(attributes), body })
}

/// JSON as the body of a declaration.
pub(super) fn json_body<'j>(json: String, no_span: Span) -> DeclarationBody<'j> {
    DeclarationBody::Json(Spanned::new(Cow::Owned(json), no_span))
}

/// The members of an object that may have none.
#[derive(Default)]
pub(super) struct Members {
    json: String,
}

impl Members {
    /// Adds a member.
    pub(super) fn json(&mut self, key: &str, value: Json<'_>) {
        self.raw(key, value.raw());
    }

    fn raw(&mut self, key: &str, json: &str) {
        self.json.push(if self.json.is_empty() { '{' } else { ',' });
        crate::json::write::string(&mut self.json, key);
        self.json.push(':');
        self.json.push_str(json);
    }

    /// The object; `None` if it has no members.
    pub(super) fn end(mut self) -> Option<String> {
        (!self.json.is_empty()).then(|| {
            self.json.push('}');
            self.json
        })
    }
}

/// The attribute that gives exactly this value to the field at a path.
fn field_attribute<'j>(path: &str, value: Json<'j>, no_span: Span) -> Option<Attribute<'j>> {
    let (name, _, field_type) = FIELDS.iter().find(|(_, known, _)| *known == path)?;
    let text = attribute_text(*field_type, value)?;
    Some(Attribute { name: (*name).into(), value: Some(text), span: no_span })
}

/// The attribute's text that gives exactly this value.
fn attribute_text(field_type: FieldType, value: Json<'_>) -> Option<Cow<'_, str>> {
    match field_type {
        FieldType::Boolean => (value.kind() == Kind::Boolean).then(|| value.compact()),
        FieldType::Text => value.as_str().ok(),
        FieldType::Object | FieldType::Array => None,
        FieldType::Id => {
            value.as_str().ok().filter(|text| !text.trim_start().starts_with(['{', 'n']) || !is_valid(text))
        }
        FieldType::Number => (value.kind() == Kind::Number).then(|| value.compact()),
        FieldType::Integer => value.raw().parse::<u64>().is_ok().then(|| value.compact()),
        FieldType::ToolChoice => {
            value.as_str().ok().filter(|text| ["auto", "none", "required"].contains(&text.as_ref()))
        }
        FieldType::List => listed(value).filter(|text| text != "null"),
        FieldType::TextFormat => {
            let format = value.object().ok().filter(|format| format.repeated().next().is_none())?;
            let kind = format.get_str("type")?;
            (format.iter().count() == 1 && ["text", "json_object"].contains(&kind.as_ref())).then_some(kind)
        }
    }
}

/// Comma-separated names that read as exactly this array.
pub(super) fn listed(array: Json<'_>) -> Option<Cow<'static, str>> {
    let names = array.array().ok().filter(|names| !names.is_empty())?;
    let names: Vec<_> = names.into_iter().map(|name| name.as_str().ok()).collect::<Option<_>>()?;
    let is_simple =
        |name: &Cow<'_, str>| !name.is_empty() && name.trim() == name.as_ref() && !name.contains([',', '[']);
    names.iter().all(is_simple).then(|| Cow::Owned(names.join(",")))
}
