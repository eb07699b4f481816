//! Converts request fields to `<config>`.

use std::borrow::Cow;

use super::spanned;
use crate::convert::attributes::field;
use crate::convert::request::config::{API_MEMBER, UPDATE_TYPE, field_path, is_other_api};
use crate::document::{Declaration, DeclarationBody, Field};
use crate::element::{AttributeKind, Tag};
use crate::json::write::ObjectWriter;
use crate::json::{Json, Object};
use crate::responses::Item;
use crate::source::Span;
use crate::syntax::{Attribute, Attributes};

/// The fields whose members have attributes of their own.
const NESTED: [&str; 2] = ["reasoning", "text"];

/// The `<config>` for fields of a request: as attributes where possible, otherwise in its body. `None` if there are no
/// fields.
///
/// With `as_json` all fields are in the body.
pub(super) fn config<'j>(request: &Object<'j>, as_json: bool) -> Option<Declaration<'j>> {
    if request.is_empty() {
        return None;
    }
    let is_for_other_api = is_other_api(request.get_str(API_MEMBER).as_deref());
    let mut attributes: Vec<Attribute<'j>> = Vec::new();
    let body = object_json(|body| {
        for (key, value) in request.iter() {
            let inner = value.object().ok().filter(|inner| NESTED.contains(&key) && inner.repeated().next().is_none());
            let other = || other_attribute(key, value).filter(|_| is_for_other_api);
            match (field_attribute(key, value).or_else(other), inner) {
                // The attribute says which fields there are.
                _ if as_json && key != API_MEMBER => body.json(key, value),
                (Some(attribute), _) => attributes.push(attribute),
                (None, Some(inner)) if !inner.is_empty() => {
                    let rest = object_json(|rest| {
                        for (inner_key, value) in inner.iter() {
                            match field_attribute(&format!("{key}.{inner_key}"), value) {
                                Some(attribute) if !inner_key.contains('.') => attributes.push(attribute),
                                Some(_) | None => rest.json(inner_key, value),
                            }
                        }
                    });
                    if let Some(rest) = rest {
                        body.key(key).push_str(&rest);
                    }
                }
                (None, Some(_) | None) => body.json(key, value),
            }
        }
    });
    let rows = Tag::Config.definition().attributes;
    let order =
        |attribute: &Attribute<'_>| rows.iter().position(|row| row.name == attribute.name).unwrap_or(rows.len());
    attributes.sort_by_key(order);
    let body = body.map(json_body);
    Some(Declaration { tag: Tag::Config, attributes: Attributes(attributes), body, update: None })
}

/// The `<config>` for an item that changes settings; `None` if its attributes cannot express the item.
pub(super) fn update<'j>(item: &Item<'j>) -> Option<Declaration<'j>> {
    let Item::Other(members) = item else { return None };
    let mut settings = members.clone();
    (settings.take_str("type")? == UPDATE_TYPE).then(|| config(&settings, false))?
}

/// JSON as the body of a declaration.
pub(super) fn json_body<'j>(json: String) -> DeclarationBody<'j> {
    DeclarationBody::Json(spanned(json.into()))
}

/// The JSON of an object; `None` if it has no members.
pub(super) fn object_json(write: impl FnOnce(&mut ObjectWriter<'_>)) -> Option<String> {
    let mut json = String::new();
    let mut object = ObjectWriter::new(&mut json);
    write(&mut object);
    object.end();
    Some(json).filter(|json| json != "{}")
}

/// The attribute that gives exactly this value to the field at a path.
fn field_attribute<'j>(path: &str, value: Json<'j>) -> Option<Attribute<'j>> {
    let row = Tag::Config.definition().attributes.iter().find(|row| row.key == Some(path))?;
    attribute(row.name.into(), field(row.kind, value))
}

/// The attribute that gives exactly this value to a field of another API than Responses.
fn other_attribute<'j>(key: &str, value: Json<'j>) -> Option<Attribute<'j>> {
    let is_name = !key.is_empty() && key.bytes().all(|b| b.is_ascii_lowercase() || b == b'_');
    let has_row = field_path(key).is_some() || Tag::Config.attribute(key).is_some();
    let field = field(AttributeKind::Json, value);
    attribute(key.to_owned().into(), field).filter(|_| is_name && !has_row)
}

/// An attribute with this value, if there is one.
pub(super) fn attribute<'j>(name: Cow<'j, str>, field: Field<'j>) -> Option<Attribute<'j>> {
    let value = match field {
        Field::Absent => return None,
        Field::Null => None,
        Field::Text(text) => Some(text),
    };
    Some(Attribute { name, value, span: Span::NOWHERE })
}
