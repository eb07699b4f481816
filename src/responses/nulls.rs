//! Removes null members, which SDKs write for every field that is not set.

use std::collections::HashSet;

use crate::json::write::{self, ObjectWriter};
use crate::json::{Json, Kind, StringArena};

/// The keys whose values are data of other programs, where null may have a meaning.
const OPAQUE: [&str; 6] = ["parameters", "schema", "input_schema", "arguments", "metadata", "environment"];

/// A text in which no object of the API has a null member: JSON, JSON lines, or a stream of events. Other text stays as
/// it is.
///
/// ```
/// let dumped = r#"{"type": "message", "status": null, "content": [{"text": "Hi!", "logprobs": null}]}"#;
/// assert_eq!(chatmd::internal::responses::without_nulls(dumped), r#"{"type":"message","content":[{"text":"Hi!"}]}"#);
/// ```
pub fn without_nulls(text: &str) -> String {
    if let Some(json) = cleaned(text) {
        return json;
    }
    let lines = text.split_inclusive('\n').map(|line| {
        let (prefix, data) = line.split_at(if line.starts_with("data:") { "data:".len() } else { 0 });
        cleaned(data).map_or_else(|| line.to_owned(), |json| format!("{prefix}{json}\n"))
    });
    lines.collect()
}

/// A JSON object or array without null members; `None` if the text is something else.
fn cleaned(text: &str) -> Option<String> {
    let text = text.trim_start_matches('\u{feff}').trim();
    if !text.starts_with(['{', '[']) {
        return None;
    }
    let strings = StringArena::default();
    let json = Json::parse(text, &strings).ok()?;
    let mut out = String::with_capacity(text.len());
    value(&mut out, json);
    Some(out)
}

fn value(out: &mut String, json: Json<'_>) {
    match (json.kind(), json.object(), json.array()) {
        (Kind::Object, Ok(object), _) => {
            let mut writer = ObjectWriter::new(out);
            // Keep all values of a repeated member, so that it is reported when the text is read.
            let repeated: HashSet<&str> = object.repeated().map(|(key, _)| key).collect();
            let stays = |key: &str, member: Json<'_>| member.kind() != Kind::Null || repeated.contains(key);
            let members = object.repeated().chain(object.iter());
            for (key, member) in members.filter(|(key, member)| stays(key, *member)) {
                if OPAQUE.contains(&key) {
                    writer.json(key, member);
                } else {
                    value(writer.key(key), member);
                }
            }
            writer.end();
        }
        (Kind::Array, _, Ok(elements)) => write::array(out, elements, value),
        (..) => out.push_str(&json.compact()),
    }
}
