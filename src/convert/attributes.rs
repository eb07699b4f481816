//! The attributes of an element as members of its item or part, in both directions.

use std::borrow::Cow;

use super::Context;
use super::files::text_of;
use super::from_items::FromItems;
use crate::diagnostic::Diagnostics;
use crate::document::{Field, Fields, is_numbering};
use crate::element::{AttributeKind, Tag};
use crate::json::{Json, Kind, Object, StringArena};
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
            let value = match (row.kind, field) {
                (AttributeKind::File, Field::Text(path)) => {
                    let file = self.resolver.file(path, span, diagnostics)?;
                    Some(self.strings.string(text_of(path, &file.bytes, span, diagnostics)?))
                }
                (kind, field) => self.value(kind, field),
            };
            if let (Some(key), Some(value)) = (row.key, value) {
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
            (AttributeKind::CacheControl, ttl) => Some(self.object(|object| {
                object.text("type", "ephemeral");
                if let Some(ttl) = ttl {
                    object.text("ttl", ttl);
                }
            })),
            (AttributeKind::TextOrObject, Some(text)) if is_object(text) => Some(self.alloc_json(text.to_owned())),
            (_, Some(text)) => Some(self.strings.string(text)),
            (_, None) => Some(Json::NULL),
        }
    }
}

impl FromItems<'_> {
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
        let path = value.as_str().ok().and_then(|text| self.options.media?.keep_text(&text));
        path.map_or(Field::Absent, |path| Field::Text(path.into()))
    }
}

/// The attribute that expresses a value.
pub(super) fn field(kind: AttributeKind, value: Json<'_>) -> Field<'_> {
    let text = value.as_str().ok();
    match (kind, text) {
        (AttributeKind::Own | AttributeKind::EmptyList | AttributeKind::Flag | AttributeKind::File, _) => Field::Absent,
        (AttributeKind::ItemId, Some(id)) if is_numbering(&id) => Field::Absent,
        (AttributeKind::TextOrObject, Some(text)) if is_object(&text) => Field::Absent,
        (AttributeKind::TextOrObject, None) if value.kind() == Kind::Object => Field::Text(value.compact()),
        (AttributeKind::FlagOrFalse, _) => match value.raw() {
            "true" => Field::Null,
            "false" => Field::Text(Cow::Borrowed("false")),
            _ => Field::Absent,
        },
        (AttributeKind::CacheControl, _) => cache_control(value).unwrap_or_default(),
        (_, Some(text)) => Field::Text(text),
        (AttributeKind::Nullable | AttributeKind::ItemId | AttributeKind::TextOrObject, None)
            if value.kind() == Kind::Null =>
        {
            Field::Null
        }
        (_, None) => Field::Absent,
    }
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

/// Whether a text is the JSON of an object.
fn is_object(text: &str) -> bool {
    text.starts_with('{') && Json::parse(text, &StringArena::default()).is_ok_and(|json| json.kind() == Kind::Object)
}

#[cfg(test)]
#[path = "../../tests/unit/convert_attributes.rs"]
mod tests;
