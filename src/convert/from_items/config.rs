//! Converts request fields to `<config>`.

use std::borrow::Cow;

use crate::convert::config::{API, UPDATE_TYPE, field_path, is_other_api};
use crate::convert::{attributes, field_types};
use crate::document::{Declaration, DeclarationBody, Field};
use crate::element::{AttributeKind, Tag};
use crate::json::{Json, Kind, Object, is_valid};
use crate::responses::Item;
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
    let is_for_other_api = is_other_api(request.get_str(API).as_deref());
    let mut attributes: Vec<Attribute<'j>> = Vec::new();
    let mut body = Members::default();
    for (key, value) in request.iter() {
        let inner = value.object().ok().filter(|inner| NESTED.contains(&key) && inner.repeated().next().is_none());
        let other = || other_attribute(key, value, no_span).filter(|_| is_for_other_api);
        match (field_attribute(key, value, no_span).or_else(other), inner) {
            // The attribute says which fields there are.
            _ if as_json && key != API => body.json(key, value),
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
    let rows = Tag::Config.definition().attributes;
    let order =
        |attribute: &Attribute<'_>| rows.iter().position(|row| row.name == attribute.name).unwrap_or(rows.len());
    attributes.sort_by_key(order);
    let body = body.end().map(|json| json_body(json, no_span));
    Some(Declaration { tag: Tag::Config, attributes: Attributes(attributes), body, update: None })
}

/// The `<config>` for an item that changes settings; `None` if its attributes cannot express the item.
pub(super) fn update<'j>(item: &Item<'j>, no_span: Span) -> Option<Declaration<'j>> {
    let Item::Other(members) = item else { return None };
    let mut settings = members.clone();
    (settings.take_str("type")? == UPDATE_TYPE).then(|| config(&settings, false, no_span))?
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
    let row = Tag::Config.definition().attributes.iter().find(|row| row.key == Some(path))?;
    let value = match row.kind {
        AttributeKind::CacheControl => attributes::field(row.kind, value),
        kind => attribute_text(kind, value).map_or(Field::Absent, Field::Text),
    };
    let attribute = |value| Attribute { name: row.name.into(), value, span: no_span };
    match value {
        Field::Absent => None,
        Field::Null => Some(attribute(None)),
        Field::Text(text) => Some(attribute(Some(text))),
    }
}

/// The attribute that gives exactly this value to a field of another API than Responses.
fn other_attribute<'j>(key: &str, value: Json<'j>, no_span: Span) -> Option<Attribute<'j>> {
    let is_name = !key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    let has_row = field_path(key).is_some() || Tag::Config.attribute(key).is_some();
    let text = field_types::attribute_text(None, value).filter(|_| is_name && !has_row)?;
    Some(Attribute { name: key.to_owned().into(), value: Some(text), span: no_span })
}

/// The attribute's text that gives exactly this value.
fn attribute_text(kind: AttributeKind, value: Json<'_>) -> Option<Cow<'_, str>> {
    match kind {
        AttributeKind::Boolean => (value.kind() == Kind::Boolean).then(|| value.compact()),
        AttributeKind::Text | AttributeKind::Api => value.as_str().ok(),
        AttributeKind::TextOrObject => {
            value.as_str().ok().filter(|text| !text.trim_start().starts_with(['{', 'n']) || !is_valid(text))
        }
        AttributeKind::Number => (value.kind() == Kind::Number).then(|| value.compact()),
        AttributeKind::Integer => value.raw().parse::<u64>().is_ok().then(|| value.compact()),
        AttributeKind::ToolChoice => {
            value.as_str().ok().filter(|text| ["auto", "none", "required"].contains(&text.as_ref()))
        }
        AttributeKind::List => listed(value).filter(|text| text != "null"),
        AttributeKind::TextFormat => {
            let format = value.object().ok().filter(|format| format.repeated().next().is_none())?;
            let kind = format.get_str("type")?;
            (format.iter().count() == 1 && ["text", "json_object"].contains(&kind.as_ref())).then_some(kind)
        }
        _ => None,
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
