//! The attributes of an element as members of its item or part, in both directions.

use std::borrow::Cow;

use crate::convert::Context;
use crate::convert::from_items::WriteOptions;
use crate::convert::to_items::files::text_of;
use crate::diagnostic::Diagnostics;
use crate::document::{Field, Fields, is_numbering};
use crate::element::{AttributeKind, Tag};
use crate::json::{Json, Kind, Object, StringArena, is_valid};
use crate::source::Span;

impl<'d> Context<'d> {
    /// Adds the members that attributes are. Returns `None` if a file cannot be read, which is reported.
    pub(super) fn insert_attributes(
        &self,
        object: &mut Object<'d>,
        attributes: &Fields<'_>,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<()> {
        for (row, field) in attributes.iter() {
            let Some(key) = row.key else { continue };
            let value = match (row.kind, field) {
                (AttributeKind::File, Field::Text(path)) => {
                    let file = self.resolver.file(path, span, diagnostics)?;
                    Some(self.strings.string(text_of(path, &file.bytes, span, diagnostics)?))
                }
                (kind, field) => self.value(kind, field),
            };
            if let Some(value) = value {
                object.insert(key, value);
            }
        }
        Some(())
    }

    /// The JSON of an attribute's value.
    pub(super) fn value(&self, kind: AttributeKind, field: &Field<'_>) -> Option<Json<'d>> {
        match (kind, field.text()) {
            (AttributeKind::Own | AttributeKind::EmptyList | AttributeKind::Flag | AttributeKind::File, _) => None,
            (AttributeKind::ItemId, Some(id)) if is_numbering(id) => None,
            (AttributeKind::FlagOrFalse, text) => Some(if text == Some("false") { Json::FALSE } else { Json::TRUE }),
            (AttributeKind::CacheControl, Some("null")) => Some(Json::NULL),
            (AttributeKind::CacheControl, ttl) => Some(self.strings.write_object(|object| {
                object.text("type", "ephemeral");
                if let Some(ttl) = ttl {
                    object.text("ttl", ttl);
                }
            })),
            (AttributeKind::NullableOrObject, Some(text)) if is_object(text) => {
                Some(self.strings.written(self.strings.keep(text.to_owned())))
            }
            (
                AttributeKind::Text
                | AttributeKind::Nullable
                | AttributeKind::ItemId
                | AttributeKind::TextOrObject
                | AttributeKind::NullableOrObject
                | AttributeKind::Json
                | AttributeKind::Number
                | AttributeKind::Integer
                | AttributeKind::Boolean
                | AttributeKind::Object
                | AttributeKind::Array
                | AttributeKind::List
                | AttributeKind::ToolChoice
                | AttributeKind::TextFormat
                | AttributeKind::Api,
                text,
            ) => Some(text.map_or(Json::NULL, |text| self.strings.string(text))),
        }
    }
}

impl WriteOptions<'_> {
    /// Takes the members that attributes of an element can express. The attributes named in `unused` are not used.
    pub(super) fn attributes<'j>(&self, tag: Tag, rest: &mut Object<'j>, unused: &[&str]) -> Fields<'j> {
        let mut fields = Fields::default();
        for row in tag.definition().attributes.iter().filter(|row| !unused.contains(&row.name)) {
            let Some((key, value)) = row.key.and_then(|key| Some((key, rest.get(key)?))) else { continue };
            let field = if row.kind == AttributeKind::File { self.file(value) } else { field(row.kind, value) };
            if field != Field::Absent {
                rest.take(key);
                fields.push(row, field);
            }
        }
        fields
    }

    /// The file that holds a long string.
    fn file<'j>(&self, value: Json<'j>) -> Field<'j> {
        let path = value.as_str().ok().and_then(|text| self.media?.keep_text(&text));
        path.map_or(Field::Absent, |path| Field::Text(path.into()))
    }
}

/// The attribute that expresses a value.
pub(super) fn field(kind: AttributeKind, value: Json<'_>) -> Field<'_> {
    let (found, text) = (value.kind(), value.as_str().ok());
    let spelled = |is_expressed: bool| if is_expressed { Field::Text(value.compact()) } else { Field::Absent };
    let text_if = |is_expressed: &dyn Fn(&str) -> bool| {
        text.clone().filter(|text| is_expressed(text)).map_or(Field::Absent, Field::Text)
    };
    match kind {
        AttributeKind::Own
        | AttributeKind::EmptyList
        | AttributeKind::Flag
        | AttributeKind::File
        | AttributeKind::Object
        | AttributeKind::Array => Field::Absent,
        AttributeKind::Nullable | AttributeKind::ItemId | AttributeKind::NullableOrObject if found == Kind::Null => {
            Field::Null
        }
        AttributeKind::Text | AttributeKind::Api | AttributeKind::Nullable => text_if(&|_| true),
        AttributeKind::ItemId => text_if(&|id| !is_numbering(id)),
        AttributeKind::NullableOrObject if found == Kind::Object => spelled(true),
        AttributeKind::NullableOrObject => text_if(&|text| !is_object(text)),
        AttributeKind::TextOrObject => text_if(&|text| !is_json(kind, text)),
        AttributeKind::Json if found == Kind::String => text_if(&|text| !is_json(kind, text)),
        AttributeKind::Json => spelled(matches!(found, Kind::Boolean | Kind::Number)),
        AttributeKind::FlagOrFalse => match value.raw() {
            "true" => Field::Null,
            "false" => Field::Text(Cow::Borrowed("false")),
            _ => Field::Absent,
        },
        AttributeKind::Boolean => spelled(found == Kind::Boolean),
        AttributeKind::Number => spelled(found == Kind::Number),
        AttributeKind::Integer => spelled(value.raw().parse::<u64>().is_ok()),
        AttributeKind::CacheControl => cache_control(value).unwrap_or_default(),
        AttributeKind::ToolChoice => text_if(&|text| ["auto", "none", "required"].contains(&text)),
        AttributeKind::List => listed(value).filter(|text| text != "null").map_or(Field::Absent, Field::Text),
        AttributeKind::TextFormat => text_format(value).map_or(Field::Absent, Field::Text),
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

/// The type of a text format that has nothing else.
fn text_format(value: Json<'_>) -> Option<Cow<'_, str>> {
    let format = value.object().ok().filter(|format| format.repeated().next().is_none())?;
    let kind = format.get_str("type")?;
    (format.iter().count() == 1 && ["text", "json_object"].contains(&kind.as_ref())).then_some(kind)
}

fn cache_control(value: Json<'_>) -> Option<Field<'_>> {
    if value.kind() == Kind::Null {
        return Some(Field::Text(Cow::Borrowed("null")));
    }
    let mut members = value.object().ok()?;
    let is_ephemeral = members.take_str("type")? == "ephemeral";
    let ttl = members.take("ttl").map(Json::as_str).transpose().ok()?;
    let is_known = matches!(ttl.as_deref(), None | Some("5m" | "1h"));
    (is_ephemeral && is_known && members.is_empty()).then(|| ttl.map_or(Field::Null, Field::Text))
}

/// Whether the text of an attribute is JSON, and not a string.
pub(super) fn is_json(kind: AttributeKind, text: &str) -> bool {
    let text = text.trim_start();
    let may_be =
        if kind == AttributeKind::TextOrObject { text.starts_with(['{', 'n']) } else { !text.starts_with('"') };
    may_be && is_valid(text)
}

/// Whether a text is the JSON of an object.
fn is_object(text: &str) -> bool {
    text.starts_with('{') && Json::parse(text, &StringArena::default()).is_ok_and(|json| json.kind() == Kind::Object)
}

#[cfg(test)]
#[path = "../../tests/unit/convert_attributes.rs"]
mod tests;
