//! Items whose base64 is in files: `chatmd:item-files`.
//!
//! In their JSON an object `{"chatmd:file": PATH}` stands for the file's content in base64, and
//! `{"chatmd:file": PATH, "media_type": TYPE}` for its `data:` URL.

use crate::convert::to_items::ToItems;
use crate::diagnostic::DirectiveProblem;
use crate::document::{FILE_KEY, JsonText};
use crate::json::write::{self, ObjectWriter};
use crate::json::{Json, JsonError, Kind, Object, StringArena};
use crate::resources::MediaStore;
use crate::resources::media::{base64, data_url};
use crate::responses::Item;
use crate::source::{Span, Spanned};

const TYPE_KEY: &str = "media_type";

impl<'d> ToItems<'_, 'd> {
    /// The item of a `chatmd:item-files`.
    pub(super) fn item_files(&mut self, comment: &'d Spanned<JsonText<'_>>) -> Option<Item<'d>> {
        let mut text = String::new();
        let strings = self.context.strings;
        let json = Json::parse(&comment.value, strings);
        let expanded = json.and_then(|json| self.expand(&mut text, json, comment.span));
        let text = strings.keep(text);
        let item = expanded.and_then(|is_whole| if is_whole { Json::parse(text, strings).map(Some) } else { Ok(None) });
        match item.and_then(|json| json.map(Item::decode_lenient).transpose()) {
            Ok(item) => item.map(|(item, _)| item),
            Err(error) => {
                self.diagnostics.report(DirectiveProblem::MalformedDirective(error.to_string()), comment.span);
                None
            }
        }
    }

    /// Writes JSON with the content of its files. Returns false if a file cannot be used, which is reported.
    fn expand(&mut self, out: &mut String, json: Json<'_>, comment: Span) -> Result<bool, JsonError> {
        let mut is_whole = true;
        rewrite(out, json, &mut |out, value| {
            let file = value.object().ok().filter(|members| members.get(FILE_KEY).is_some());
            let Some(file) = file else { return Ok(false) };
            is_whole &= self.expand_file(out, file, comment)?;
            Ok(true)
        })?;
        Ok(is_whole)
    }

    fn expand_file(&mut self, out: &mut String, mut file: Object<'_>, comment: Span) -> Result<bool, JsonError> {
        let Some(path) = file.take(FILE_KEY) else { return Ok(false) };
        let name = path.as_str().map_err(|error| error.within(FILE_KEY))?;
        let media_type = file.take(TYPE_KEY);
        let media_type = media_type.map(Json::as_str).transpose().map_err(|error| error.within(TYPE_KEY))?;
        if let Some((key, value)) = file.iter().next() {
            return Err(value.malformed(format!("a file has only `{FILE_KEY}` and `{TYPE_KEY}`")).within(key));
        }
        let start = comment.start + path.offset();
        let span = Span::new(comment.source, start..start + path.raw().len());
        let Some(content) = self.context.resolver.file(&name, span, self.diagnostics) else { return Ok(false) };
        let text = match media_type {
            Some(media_type) => data_url(&media_type, &content.bytes),
            None => base64(&content.bytes),
        };
        write::string(out, &text);
        Ok(true)
    }
}

/// The JSON of an item with its base64 in files; `None` if there is none, or if the item itself has such a key.
pub(super) fn extract(item: &str, media: &MediaStore<'_>) -> Option<String> {
    let (mut out, mut has_files, strings) = (String::new(), false, StringArena::default());
    let written = rewrite(&mut out, Json::parse(item, &strings).ok()?, &mut |out, value| {
        if value.object().is_ok_and(|members| members.get(FILE_KEY).is_some()) {
            return Err(value.malformed("an item cannot have this key"));
        }
        let Some((path, media_type)) = value.as_str().ok().and_then(|text| media.keep_base64(&text)) else {
            return Ok(false);
        };
        has_files = true;
        let mut object = ObjectWriter::new(out);
        object.text(FILE_KEY, &path);
        if let Some(media_type) = media_type {
            object.text(TYPE_KEY, &media_type);
        }
        object.end();
        Ok(true)
    });
    written.ok().filter(|()| has_files).map(|()| out)
}

/// Writes JSON. Each value is as it is, unless `replace` writes another one in its place and returns true.
fn rewrite(
    out: &mut String,
    json: Json<'_>,
    replace: &mut dyn FnMut(&mut String, Json<'_>) -> Result<bool, JsonError>,
) -> Result<(), JsonError> {
    if replace(out, json)? {
        return Ok(());
    }
    match json.kind() {
        Kind::Array => {
            out.push('[');
            for (index, element) in json.array()?.into_iter().enumerate() {
                out.push_str(if index > 0 { "," } else { "" });
                rewrite(out, element, replace)?;
            }
            out.push(']');
        }
        Kind::Object => {
            let members = json.object()?;
            let mut object = ObjectWriter::new(out);
            for (key, value) in members.iter() {
                rewrite(object.key(key), value, replace)?;
            }
            object.end();
        }
        Kind::Null | Kind::Boolean | Kind::Number | Kind::String => out.push_str(json.raw()),
    }
    Ok(())
}
