//! Finds the texts of a stream that are missing from a version of their item.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use super::event::Place;
use super::piece::Piece;
use super::streamed_item::{StreamedItem, item_places};
use super::version::{Said, without_spaces};
use crate::json::Json;

/// The texts that arrived for an item, and which of them a version lacks.
pub(super) struct Unsaid<'t> {
    pub(super) texts: BTreeMap<Place, Cow<'t, str>>,
    pub(super) places: BTreeSet<Place>,
    /// Offsets of texts with a piece that appears neither in the version nor in the rest of the text.
    pub(super) dropped: Vec<usize>,
}

impl<'t> Unsaid<'t> {
    pub(super) fn new(item: &'t StreamedItem<'_>, version: Json<'_>) -> Self {
        let known: BTreeMap<Place, Piece<'_>> = item_places(version).into_iter().collect();
        let mut said = None;
        let mut says = |place: &Place, text: &str| {
            let known = known.get(place).map_or("", |piece| &**piece);
            known == text || {
                let text = without_spaces(text);
                without_spaces(known).contains(&text) || said.get_or_insert_with(|| Said::of(version)).says(&text)
            }
        };
        let mut unsaid = Self { texts: BTreeMap::new(), places: BTreeSet::new(), dropped: Vec::new() };
        for (place, text) in &item.texts {
            if let Some(whole) = text.whole().filter(|whole| says(place, whole)) {
                // Its own event and its item agree, so pieces that differ were lost or repeated.
                if !says(place, text.deltas()) {
                    unsaid.dropped.push(text.deltas_at);
                }
                unsaid.texts.insert(*place, Cow::Borrowed(whole));
                continue;
            }
            let mut arrived = text.arrived();
            if !arrived.contains(text.start()) && !says(place, text.start()) {
                // Only a version without text has less than the start.
                if known.values().all(|piece| piece.is_empty()) {
                    arrived = text.all();
                } else {
                    unsaid.dropped.push(text.offset);
                }
            }
            if !says(place, &arrived) {
                unsaid.places.insert(*place);
            }
            if !arrived.is_empty() {
                unsaid.texts.insert(*place, arrived);
            }
        }
        unsaid
    }
}
