//! What a `chatmd:part` comment tells a reader.

use super::citations::{Citation, citations};
use super::hosted::{HostedItem, describe};
use crate::api::Api;
use crate::json::{Json, StringArena};
use crate::responses::{Part, is_text_type};

/// A `chatmd:part` comment.
#[derive(Debug)]
pub(crate) struct PartComment<'c> {
    json: &'c str,
    /// Whether the comment is a part of its own, and not about the text after it.
    pub(crate) is_part: bool,
    /// Whether the text after the comment is a refusal.
    pub(crate) is_refusal: bool,
    /// The sources that the text after the comment cites.
    pub(crate) citations: Vec<Citation>,
    /// The part that only one API has, or the kind of the text after the comment for that API.
    pub(crate) own: Option<HostedItem>,
}

impl<'c> PartComment<'c> {
    /// Reads the JSON of a comment.
    pub(crate) fn read(json: &'c str) -> Self {
        let strings = StringArena::default();
        let part = Json::parse(json, &strings).and_then(Json::object).unwrap_or_default();
        let kind = part.get_str("type").unwrap_or_default();
        let is_part = !kind.is_empty() && !is_text_type(&kind);
        let own = Api::all().find_map(|api| part.get_object(api.overlay_key()));
        let own = own.filter(|own| own.get("type").is_some()).map(|own| describe(&own));
        Self { json, is_part, is_refusal: kind == "refusal", citations: citations(&part), own }
    }

    /// Calls `show` with the part that the comment is, if it is one.
    pub(crate) fn with_part<R>(&self, show: impl FnOnce(&Part<'_>) -> R) -> Option<R> {
        let strings = StringArena::default();
        let part = Json::parse(self.json, &strings).and_then(Part::decode).ok().filter(|_| self.is_part)?;
        Some(show(&part))
    }
}
