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
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::convert::{Request, RequestOptions, WriteOptions, from_items};
    use crate::document::{Limits, print};
    use crate::json::is_same;
    use crate::resolve::Resolver;
    use crate::resources::NoFiles;
    use crate::responses::Item;
    use crate::source::Sources;
    use crate::syntax::write::Whitespace;

    /// Converts a document to items and compares them with JSON. Converts them back and compares the document.
    fn assert_items(text: &str, expected: &str) {
        let (sources, strings) = (Sources::new(), StringArena::default());
        let source = sources.add("", text.to_owned(), None);
        let resolver = Resolver::new(&sources, &NoFiles);
        let context = Context::new(&resolver, &strings, Whitespace::Layout, Limits::default());
        let mut diagnostics = Diagnostics::new();
        let document = context.read(source, &mut diagnostics);
        let mut request = Request::new(Span::new(source, 0..0), &sources).for_all_apis();
        let options = RequestOptions::default();
        request.convert_input(&document, &context, &options, &mut diagnostics);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let items: Vec<Item<'_>> = request.items.into_iter().map(|located| located.item).collect();
        let json = strings.json(|out| crate::json::write::array(out, &items, |out, item| item.encode(out)));
        let is_expected = Json::parse(expected, &strings).is_ok_and(|expected| is_same(json, expected));
        assert!(is_expected, "{}", json.raw());
        let written = from_items(&items, WriteOptions::default(), source, &BTreeSet::new());
        assert_eq!(print(&written, Whitespace::Layout), text);
        for mut item in items.into_iter().filter(|item| !item.is_foreign()) {
            assert!(!item.extensions().is_empty());
            item.remove_extensions();
            let json = strings.json(|out| item.encode(out));
            assert!(!json.raw().contains("\"@"), "{}", json.raw());
            assert_eq!(Item::decode(json), Ok(item));
        }
    }

    #[test]
    fn messages_have_names_and_cache_marks() {
        assert_items(
            "<user name=\"ann\" cache_control=\"5m\">\nHi.\n</user>\n",
            r#"[{"type":"message","role":"user","@name":"ann","@cache_control":{"type":"ephemeral","ttl":"5m"},
                "content":[{"type":"input_text","text":"Hi."}]}]"#,
        );
    }

    #[test]
    fn parts_have_issuers_and_cache_marks() {
        assert_items(
            "<user>\n<img file_id=\"f\" detail=\"low\" issuer=\"anthropic\" cache_control/>\n\
             <doc file_id=\"g\" issuer=\"anthropic\" cache_control=\"1h\"/>\n</user>\n",
            r#"[{"type":"message","role":"user","content":[
                {"type":"input_image","file_id":"f","detail":"low","@issuer":"anthropic","@cache_control":{"type":"ephemeral"}},
                {"type":"input_file","file_id":"g","@issuer":"anthropic","@cache_control":{"type":"ephemeral","ttl":"1h"}}]}]"#,
        );
    }

    #[test]
    fn outputs_have_failed_or_not() {
        assert_items(
            "<tool_response tool_call_id=\"a\" error>\nno\n</tool_response>\n\n\
             <tool_response tool_call_id=\"b\" error=\"false\">\nyes\n</tool_response>\n",
            r#"[{"type":"function_call_output","call_id":"a","output":"no","@error":true},
                {"type":"function_call_output","call_id":"b","output":"yes","@error":false}]"#,
        );
    }

    #[test]
    fn reasoning_of_another_issuer_is_an_item() {
        assert_items(
            "<reasoning issuer=\"anthropic\" signature=\"S\">\nT\n</reasoning>\n\n\
             <reasoning issuer=\"anthropic\" redacted=\"D\"></reasoning>\n\n\
             <reasoning issuer=\"chat\" field=\"reasoning\">\nT\n</reasoning>\n",
            r#"[{"type":"reasoning","@issuer":"anthropic","@signature":"S","summary":[{"type":"summary_text","text":"T"}]},
                {"type":"reasoning","@issuer":"anthropic","@redacted":"D","summary":[]},
                {"type":"reasoning","@issuer":"chat","@field":"reasoning","summary":[{"type":"summary_text","text":"T"}]}]"#,
        );
    }

    #[test]
    fn foreign_blocks_and_messages_are_items() {
        assert_items(
            "<!-- chatmd:foreign {\"issuer\":\"anthropic\",\"block\":{\"type\":\"x\"}} -->\n\n\
             <!-- chatmd:foreign {\"api\":\"chat\",\"message\":{\"role\":\"x\"}} -->\n",
            r#"[{"issuer":"anthropic","block":{"type":"x"}},{"api":"chat","message":{"role":"x"}}]"#,
        );
    }

    #[test]
    fn comments_have_members_of_other_apis() {
        assert_items(
            "<user><!-- chatmd:fields {\"@messages\":{\"@at\":\"new\"}} -->\n\
             <!-- chatmd:part {\"@chat\":{\"a\":1}} -->\nHi.\n\
             <!-- chatmd:part {\"type\":\"input_file\",\"@messages\":{\"type\":\"search_result\"}} -->\n</user>\n",
            r#"[{"type":"message","role":"user","@messages":{"@at":"new"},"content":[
                {"type":"input_text","text":"Hi.","@chat":{"a":1}},
                {"type":"input_file","@messages":{"type":"search_result"}}]}]"#,
        );
    }

    #[test]
    fn json_of_the_api_has_no_extensions() {
        let strings = StringArena::default();
        for json in [
            r#"{"type":"message","role":"user","content":[],"@name":"x"}"#,
            r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"x","@chat":1}]}"#,
            r#"{"type":"reasoning","summary":[{"type":"summary_text","text":"x","@chat":1}]}"#,
            r#"{"type":"function_call_output","call_id":"c","output":[{"type":"input_image","@chat":1}]}"#,
        ] {
            let item = Json::parse(json, &strings).and_then(Item::decode);
            let Ok(item @ Item::Other(_)) = item else { unreachable!("{json}: {item:?}") };
            assert_eq!(strings.json(|out| item.encode(out)).raw(), json);
        }
    }
}
