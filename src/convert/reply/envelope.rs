//! A response's own fields (id, model, usage, …), kept in a comment for people: `<!-- response {…} -->`.

use std::borrow::Cow;

use crate::convert::calls::last_answer::is_input;
use crate::convert::metadata::comment;
use crate::document::{Block, Document};
use crate::json::{Json, Object, StringArena};
use crate::options::Envelope;
use crate::outcome::Usage;

/// The fields of [`Envelope::Usage`].
const USAGE_FIELDS: [&str; 2] = ["model", "usage"];
/// The first word of the comment.
const LABEL: &str = "response";

impl Envelope {
    /// The comment for the fields of a response; `None` if there is nothing to keep.
    pub(in crate::convert) fn comment(self, fields: &Object<'_>) -> Option<Block<'static>> {
        let mut kept = Object::default();
        for (key, value) in fields.iter() {
            let is_kept = match self {
                Envelope::None => false,
                Envelope::Usage => USAGE_FIELDS.contains(&key) && value.raw() != "null",
                Envelope::All => true,
            };
            if is_kept {
                kept.insert(key.to_owned(), value);
            }
        }
        let json = comment(&kept, None, &[]);
        (!kept.is_empty()).then(|| Block::Comment(format!(" {LABEL} {json} ").into()))
    }
}

/// Whether a block is the comment of a response.
pub fn is_envelope(block: &Block<'_>) -> bool {
    matches!(block, Block::Comment(text) if json_of(text).is_some())
}

/// The model and the tokens in a comment of [`Envelope::Usage`], in words. `None` for other comments.
pub fn describe_usage(comment: &str) -> Option<String> {
    let strings = StringArena::default();
    let fields = Json::parse(json_of(comment)?, &strings).and_then(Json::object).ok()?;
    if fields.iter().any(|(key, _)| !USAGE_FIELDS.contains(&key)) {
        return None;
    }
    let (model, usage) = (fields.get_str("model"), Usage::of_response(&fields));
    let words = [model.map(Cow::into_owned), usage.map(|usage| usage.to_string())];
    Some(words.into_iter().flatten().collect::<Vec<_>>().join(", ")).filter(|words| !words.is_empty())
}

/// The JSON in the comment of a response.
fn json_of(comment: &str) -> Option<&str> {
    comment.trim().strip_prefix(LABEL).map(str::trim_start).filter(|json| json.starts_with('{'))
}

/// Whether the last reply is marked as incomplete: by `<!-- incomplete: … -->` after its items, or by the status in the
/// response comment before them.
pub fn ended_early(document: &Document<'_>) -> bool {
    let mut is_after_items = true;
    for block in document.blocks.iter().rev().map(|block| &block.value) {
        match block {
            Block::Comment(text) if text.trim_start().starts_with("incomplete:") => return is_after_items,
            Block::Comment(text) => {
                let strings = StringArena::default();
                let Some(json) = json_of(text) else { continue };
                let fields = Json::parse(json, &strings).and_then(Json::object).unwrap_or_default();
                let is_incomplete = fields.get_str("status").is_some_and(|status| status == "incomplete");
                // A reply without items says nothing about the one before.
                if is_incomplete || !is_after_items {
                    return is_incomplete;
                }
            }
            Block::Element(element) if element.is_placeholder() => {}
            Block::Element(_) | Block::Import(_) if is_input(block) => return false,
            Block::Element(_) | Block::Import(_) => is_after_items = false,
            Block::Data(_) => is_after_items &= block.item_json().is_none(),
            Block::Declaration(_) => {}
        }
    }
    false
}

/// The sum of the usage in the comments of a document. `None` if no comment has any.
pub fn usage_of_document(document: &Document<'_>) -> Option<Usage> {
    let strings = StringArena::default();
    let usages = document.blocks.iter().filter_map(|block| {
        let Block::Comment(text) = &block.value else { return None };
        let fields = Json::parse(json_of(text)?, &strings).and_then(Json::object).ok()?;
        Usage::of_response(&fields)
    });
    usages.reduce(Usage::plus)
}
