//! Finds the texts of a stream that are missing from a version of their item.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::event::TextPosition;
use super::event_text::EventText;
use super::streamed_item::{StreamedItem, item_places};
use super::version::{VisibleText, without_spaces};
use crate::json::Json;

/// The texts that arrived for an item, and which of them a version lacks.
pub(super) struct MissingTexts<'t> {
    pub(super) texts: BTreeMap<TextPosition, Cow<'t, str>>,
    pub(super) places: BTreeSet<TextPosition>,
    /// Offsets of texts with a piece that appears neither in the version nor in the rest of the text.
    pub(super) dropped: Vec<usize>,
}

impl<'t> MissingTexts<'t> {
    pub(super) fn new(item: &'t StreamedItem<'_>, version: Json<'_>) -> Self {
        let known: BTreeMap<TextPosition, EventText<'_>> = item_places(version).into_iter().collect();
        let mut visible = None;
        let mut contains = |place: &TextPosition, text: &str| {
            let known = known.get(place).map_or("", |piece| &**piece);
            known == text || {
                let text = without_spaces(text);
                without_spaces(known).contains(&text)
                    || visible.get_or_insert_with(|| VisibleText::of(version)).contains(&text)
            }
        };
        let mut missing = Self { texts: BTreeMap::new(), places: BTreeSet::new(), dropped: Vec::new() };
        for (place, text) in &item.texts {
            if let Some(whole) = text.whole().filter(|whole| contains(place, whole)) {
                // Both its own event and its item have it, so pieces that differ were lost or repeated, unless they belong
                // to another item.
                let is_explained = text.explains_deltas() || contains(place, text.deltas());
                if is_explained || !text.is_mixed {
                    if !is_explained {
                        missing.dropped.push(text.deltas_at);
                    }
                    missing.texts.insert(*place, Cow::Borrowed(whole));
                    continue;
                }
            }
            let mut arrived = text.arrived();
            if !arrived.contains(text.start()) && !contains(place, text.start()) {
                // Only a version without text has less than the start.
                if known.values().all(|piece| piece.is_empty()) {
                    arrived = text.all();
                } else {
                    missing.dropped.push(text.offset);
                }
            }
            if !contains(place, &arrived) {
                missing.places.insert(*place);
            }
            if !arrived.is_empty() {
                missing.texts.insert(*place, arrived);
            }
        }
        missing
    }
}
