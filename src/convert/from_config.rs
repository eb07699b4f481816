//! Converts request fields to the attributes of `<config>`.

use std::borrow::Cow;

use super::config::{FIELDS, Shape};
use crate::json::{Json, Kind, Object, is_valid};
use crate::source::Span;
use crate::syntax::{Attribute, Attributes};

/// Moves the fields of a request that `<config>` has attributes for to such attributes.
pub(super) fn config_attributes<'j>(request: &mut Object<'j>, no_span: Span) -> Attributes<'j> {
    let mut attributes = Vec::new();
    for top in ["reasoning", "text"] {
        take_nested(request, top, &mut attributes, no_span);
    }
    for (name, path, shape) in FIELDS.iter().filter(|(_, path, _)| !path.contains('.')) {
        if let Some(text) = request.get(path).and_then(|value| attribute_text(*shape, value)) {
            request.take(path);
            attributes.push(Attribute { name: (*name).into(), value: Some(text), span: no_span });
        }
    }
    let order = |attribute: &Attribute<'_>| FIELDS.iter().position(|(name, ..)| *name == attribute.name);
    attributes.sort_by_key(order);
    Attributes(attributes)
}

/// Moves a whole object, if there are attributes for all of it.
fn take_nested<'j>(request: &mut Object<'j>, top: &str, attributes: &mut Vec<Attribute<'j>>, no_span: Span) {
    let Some(inner) = request.get(top).and_then(|json| json.object().ok()) else { return };
    let attribute = |(key, value): (&str, Json<'j>)| {
        let (name, _, shape) = FIELDS.iter().find(|(_, path, _)| path.split_once('.') == Some((top, key)))?;
        Some(Attribute { name: (*name).into(), value: Some(attribute_text(*shape, value)?), span: no_span })
    };
    let all: Option<Vec<_>> = inner.iter().map(attribute).collect();
    if let Some(all) = all.filter(|all| !all.is_empty()) {
        request.take(top);
        attributes.extend(all);
    }
}

/// The attribute's text that gives exactly this value.
fn attribute_text(shape: Shape, value: Json<'_>) -> Option<Cow<'_, str>> {
    let text = value.as_str().ok();
    match shape {
        Shape::Text => text,
        Shape::Json => match text {
            Some(text) => (!is_valid(&text)).then_some(text),
            None => matches!(value.kind(), Kind::Boolean | Kind::Number).then(|| value.compact()),
        },
        Shape::Number => (value.kind() == Kind::Number).then(|| value.compact()),
        Shape::Integer => value.raw().parse::<u64>().is_ok().then(|| value.compact()),
        Shape::ToolChoice => text.filter(|text| ["auto", "none", "required"].contains(&text.as_ref())),
        Shape::List => listed(value),
        Shape::TextFormat => {
            let format = value.object().ok()?;
            let kind = format.get("type")?.as_str().ok()?;
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
