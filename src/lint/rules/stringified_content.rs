//! `stringified-content`: content parts that are sent as a JSON text.

use crate::diagnostic::{Diagnostics, Message, Rule, rule, thousands};
use crate::json::{Json, StringArena};
use crate::lint::text::SentText;
use crate::syntax::is_whitespace;
use crate::tokens::text_tokens;

/// The types of content parts in the Responses API, in Chat Completions and in MCP. A part has one of the keys.
const REQUIRED_MEMBERS: [(&str, &[&str]); 8] = [
    ("input_text", &["text"]),
    ("output_text", &["text"]),
    ("text", &["text"]),
    ("input_image", &["image_url", "file_id"]),
    ("image_url", &["image_url"]),
    ("image", &["data", "source"]),
    ("input_file", &["file_data", "file_id", "file_url"]),
    ("file", &["file"]),
];

/// `<user>[{"type":"input_image","image_url":"…"}]</user>`
pub(super) const STRINGIFIED_CONTENT: Rule = rule!("stringified-content" Warning Malformed is_allowable);

pub(super) fn check_text(text: &SentText<'_>, diagnostics: &mut Diagnostics) {
    if applies_to(text) {
        let message = Message::new(
            format!("content parts written as text cost about {} tokens", thousands(text_tokens(text.text))),
            "sent as text",
            "in a message write `<img>` and text; a tool response without `output=` may hold the array itself",
        );
        diagnostics.add(&STRINGIFIED_CONTENT, message, text.span_of(0..text.text.len().min(1)));
    }
}

/// Whether a text is an array of content parts. The arguments of a call may well be one.
pub(super) fn applies_to(text: &SentText<'_>) -> bool {
    let trimmed = text.text.trim_matches(is_whitespace);
    if !text.is_content || !trimmed.starts_with('[') {
        return false;
    }
    let is_part = |json: &Json<'_>| {
        let Ok(members) = json.object() else { return false };
        let kind = members.get_str("type").unwrap_or_default();
        REQUIRED_MEMBERS.iter().any(|(name, keys)| *name == kind && keys.iter().any(|key| members.get(key).is_some()))
    };
    let strings = StringArena::default();
    let elements = Json::parse(trimmed, &strings).and_then(Json::array);
    elements.is_ok_and(|elements| !elements.is_empty() && elements.iter().all(is_part))
}
