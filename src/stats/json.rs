//! What a document costs, for scripts.

use super::{Image, Row, Stats, Subject};
use crate::json::write::{ObjectWriter, array, string};

/// One JSON object with `model`, `instructions`, `tools`, `items` and `total`. What is not known or not there is null.
pub fn to_json(stats: &Stats) -> String {
    let mut json = String::new();
    let mut object = ObjectWriter::new(&mut json);
    optional(object.key("model"), stats.model.as_deref(), string);
    for (key, subject) in [("instructions", Subject::Instructions), ("tools", Subject::Tools)] {
        optional(object.key(key), stats.rows.iter().find(|row| row.subject == subject), row);
    }
    let is_item = |row: &&Row| matches!(row.subject, Subject::Item(_));
    array(object.key("items"), stats.rows.iter().filter(is_item), row);
    total(object.key("total"), stats);
    object.end();
    json
}

fn row(out: &mut String, row: &Row) {
    let mut object = ObjectWriter::new(out);
    if let Subject::Item(item) = &row.subject {
        number(object.key("index"), item.index);
        object.text("type", &item.kind);
        for (key, value) in [("role", &item.role), ("name", &item.name), ("call_id", &item.call_id)] {
            if let Some(value) = value {
                object.text(key, value);
            }
        }
    }
    optional(object.key("line"), row.line, number);
    number(object.key("bytes"), row.cost.bytes);
    number(object.key("tokens"), row.cost.tokens());
    array(object.key("images"), &row.cost.images, image);
    number(object.key("files"), row.cost.files);
    object.end();
}

fn image(out: &mut String, image: &Image) {
    let mut object = ObjectWriter::new(out);
    optional(object.key("width"), image.size.map(|(width, _)| width), number);
    optional(object.key("height"), image.size.map(|(_, height)| height), number);
    optional(object.key("media_type"), image.media_type.as_deref(), string);
    optional(object.key("bytes"), image.bytes, number);
    optional(object.key("tokens"), image.tokens, number);
    object.end();
}

fn total(out: &mut String, stats: &Stats) {
    let total = stats.total();
    let mut object = ObjectWriter::new(out);
    for (key, count) in [
        ("items", total.items),
        ("bytes", total.bytes),
        ("images", total.images),
        ("tokens", total.tokens),
        ("unknown_images", total.unknown_images),
        ("unknown_files", total.unknown_files),
        ("tool_output_tokens", total.tool_output_tokens),
    ] {
        number(object.key(key), count);
    }
    optional(object.key("tool_output_share"), share(total.tool_output_tokens, total.tokens), |out, share| {
        out.push_str(&share);
    });
    object.end();
}

/// A part of a whole between 0 and 1, with four digits; none of nothing.
fn share(part: usize, whole: usize) -> Option<String> {
    let share = part.saturating_mul(10_000).checked_div(whole)?;
    Some(format!("{}.{:04}", share / 10_000, share % 10_000))
}

fn number(out: &mut String, number: usize) {
    out.push_str(&number.to_string());
}

fn optional<T>(out: &mut String, value: Option<T>, write: impl Fn(&mut String, T)) {
    match value {
        Some(value) => write(out, value),
        None => out.push_str("null"),
    }
}
