//! The versions of an item that a stream has: in its `done` events, in the `output` of the terminal events, and in pieces.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashSet};

use super::event::item_texts;
use crate::json::Json;
use crate::stream::{EventText, Place, TextPieces, without_spaces};

/// Members that differ between versions of one item.
const LABELS: [&str; 4] = ["id", "status", "call_id", "encrypted_content"];

/// How many times longer a text may be than a text that is looked for in its middle, so that the work stays linear.
const MAX_RATIO: usize = 32;
/// A text that is not longer is always searched.
const SMALL_TEXT: usize = 64 << 10;
/// How many pieces are searched for in vain. After that the text counts as another one, so that the work stays linear.
const MAX_REPEATED: usize = 32;

/// One version of an item.
#[derive(Debug)]
pub(super) struct Version<'j> {
    /// Its JSON: for a version in pieces, the JSON that the item began with.
    pub(super) json: Option<Json<'j>>,
    pub(super) key: ItemKey<'j>,
    pub(super) source: Source,
    pub(super) texts: BTreeMap<Place, Text<'j>>,
    visible: OnceCell<String>,
}

/// The events that a version comes from. Of versions with equal content, the one of the last source is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Source {
    /// The events of its texts.
    Pieces,
    /// An event whose end is missing, because the stream ends there.
    Cut,
    /// A terminal event.
    Terminal,
    /// A `done` event.
    Done,
}

/// A text of a version.
#[derive(Debug, Default)]
pub(super) struct Text<'j> {
    pub(super) value: Cow<'j, str>,
    /// Where each of its pieces ends, if it came in pieces.
    ends: Vec<usize>,
    /// The offset of its first event.
    pub(super) offset: usize,
    visible: OnceCell<String>,
}

/// What identifies an item.
#[derive(Debug, Clone, Default)]
pub(super) struct ItemKey<'j> {
    pub(super) kind: Cow<'j, str>,
    pub(super) id: Option<Cow<'j, str>>,
    pub(super) call_id: Option<Cow<'j, str>>,
}

impl<'j> ItemKey<'j> {
    pub(super) fn of(item: Json<'j>) -> Self {
        let [kind, id, call_id] = item.pick(["type", "id", "call_id"]).unwrap_or_default();
        let string = |json: Option<Json<'j>>| json?.as_str().ok().filter(|text| !text.is_empty());
        Self { kind: string(kind).unwrap_or_default(), id: string(id), call_id: string(call_id) }
    }

    /// Whether both are of one type, and neither names another call.
    pub(super) fn is_same_call(&self, other: &ItemKey<'_>) -> bool {
        let is_same = self.call_id.is_none() || other.call_id.is_none() || self.call_id == other.call_id;
        self.kind == other.kind && is_same
    }
}

impl<'j> Text<'j> {
    pub(super) fn new(value: Cow<'j, str>, offset: usize) -> Self {
        Self { value, offset, ..Self::default() }
    }

    /// A text that came in pieces after its start, unless they repeat the start. Some servers begin arguments with an empty
    /// object, and then send all of them.
    pub(super) fn of_pieces(start: &str, pieces: TextPieces, offset: usize) -> Self {
        let (pieces, mut ends) = pieces.into_parts();
        if start.is_empty() || pieces.starts_with(start) || start == "{}" && !pieces.is_empty() {
            return Self { ends, ..Self::new(pieces.into(), offset) };
        }
        for end in &mut ends {
            *end += start.len();
        }
        ends.insert(0, start.len());
        Self { ends, ..Self::new([start, &pieces].concat().into(), offset) }
    }

    /// The text without its whitespace, which servers add and remove.
    pub(super) fn visible(&self) -> &str {
        self.visible.get_or_init(|| without_spaces(&self.value))
    }

    /// Whether this text has another one in it, or all pieces of the other one.
    pub(super) fn has(&self, other: &Text<'_>) -> bool {
        contains(&self.value, &other.value)
            || is_near(self.value.len(), other.value.len()) && other.has_pieces_in(&self.value)
            || contains(self.visible(), other.visible())
    }

    /// Whether a text has all pieces in their order, apart from the whitespace around them. Between the pieces others may
    /// be missing, and a piece may come several times.
    fn has_pieces_in(&self, text: &str) -> bool {
        let (mut start, mut rest, mut last, mut repeated) = (0, text, None, 0);
        let mut is_next = |end: &usize| {
            let piece = self.value[start..*end].trim();
            start = *end;
            let before = last.replace(piece);
            if let Some(at) = rest.find(piece) {
                rest = &rest[at + piece.len()..];
                return true;
            }
            repeated += 1;
            before == Some(piece) && repeated <= MAX_REPEATED
        };
        !self.ends.is_empty() && self.ends.iter().all(&mut is_next)
    }
}

impl<'j> Version<'j> {
    pub(super) fn new(json: Json<'j>, source: Source) -> Self {
        let text = |(place, text): (Place, EventText<'j>)| {
            let offset = text.offset;
            (place, Text::new(text.into_text().0, offset))
        };
        let texts = item_texts(json).into_iter().map(text).collect();
        Self { texts, ..Self::of_texts(Some(json), ItemKey::of(json), source) }
    }

    /// A version without texts.
    pub(super) fn of_texts(json: Option<Json<'j>>, key: ItemKey<'j>, source: Source) -> Self {
        Self { json, key, source, texts: BTreeMap::new(), visible: OnceCell::new() }
    }

    /// Whether an event has the version as a whole.
    pub(super) fn is_whole(&self) -> bool {
        self.source >= Source::Terminal
    }

    /// Whether it has any text.
    pub(super) fn has_text(&self) -> bool {
        self.texts.values().any(|text| !text.value.is_empty())
    }

    pub(super) fn text_length(&self) -> usize {
        self.texts.values().map(|text| text.value.len()).sum()
    }

    /// All its text without whitespace.
    pub(super) fn visible(&self) -> &str {
        self.visible.get_or_init(|| self.texts.values().map(Text::visible).collect())
    }

    /// Every other string of the item.
    fn others(&self) -> impl Iterator<Item = Cow<'j, str>> {
        let texts: HashSet<usize> = self.texts.values().map(|text| text.offset).collect();
        let is_other =
            move |(key, string): &(&str, Json<'j>)| !LABELS.contains(key) && !texts.contains(&string.offset());
        let strings = self.json.into_iter().flat_map(Json::strings);
        strings.filter(is_other).filter_map(|(_, string)| string.as_str_lossy())
    }

    /// Whether all its strings that are not texts are strings of another version.
    pub(super) fn has_only_strings_of(&self, other: &Self) -> bool {
        let known: HashSet<Cow<'_, str>> = other.others().collect();
        self.others().all(|string| string.is_empty() || known.contains(&string))
    }

    /// Whether a terminal version can be a version of the same item: the text of one is in the text of the other, and so are the
    /// other strings. Of two calls with different ids, the texts must be equal. A version in pieces may have less of everything.
    pub(super) fn is_compatible(&self, terminal: &Self) -> bool {
        let (own, its) = (self.visible(), terminal.visible());
        if self.source == Source::Pieces {
            return contains(its, own);
        }
        let is_in = || contains(own, its) || contains(its, own);
        let [a, b] =
            [self, terminal].map(|version| version.text_length() + version.json.map_or(0, |json| json.raw().len()));
        (own == its || self.key.is_same_call(&terminal.key) && is_in())
            && (is_near(a, b) && is_near(b, a))
            && (terminal.has_only_strings_of(self) || self.has_only_strings_of(terminal))
    }

    /// Whether this version is used, and not an earlier one. A version that an event has as a whole is better than any other,
    /// then more text is better, then more other strings, then the later source, then the later `done` event.
    pub(super) fn is_better_than(&self, earlier: &Self) -> bool {
        let others = |version: &Self| version.others().map(|string| string.len()).sum::<usize>();
        let by_text = self.is_whole().cmp(&earlier.is_whole()).then(self.text_length().cmp(&earlier.text_length()));
        let is_equal = self.json == earlier.json;
        let by_others = || if is_equal { Ordering::Equal } else { others(self).cmp(&others(earlier)) };
        match by_text.then_with(by_others).then(self.source.cmp(&earlier.source)) {
            Ordering::Greater => true,
            Ordering::Equal => self.source == Source::Done,
            Ordering::Less => false,
        }
    }
}

/// Whether a text has another one in it. A much shorter text is only looked for at both ends.
pub(super) fn contains(text: &str, part: &str) -> bool {
    text.starts_with(part) || text.ends_with(part) || is_near(text.len(), part.len()) && text.contains(part)
}

/// Whether a length is small, or at most some times another one.
fn is_near(length: usize, other: usize) -> bool {
    length <= SMALL_TEXT + MAX_RATIO * other
}

#[cfg(test)]
#[path = "../../tests/unit/responses_version.rs"]
mod tests;
