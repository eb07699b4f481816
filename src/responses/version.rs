//! Compares the versions of an item that a stream has, and merges them.

use std::borrow::Cow;
use std::collections::HashSet;

use super::terminal::ItemKey;
use crate::json::write::array;
use crate::json::{Json, Kind, Object, StringArena, is_same};

/// How often one text is searched. Beyond that only its start and its end are compared, so that the work stays linear.
pub(super) const MAX_SEARCHES: u8 = 32;
/// How many versions members are taken from.
const MAX_MERGED: usize = 8;
/// Items with more members are not compared member by member.
const MAX_MEMBERS: usize = 256;

/// Members that may differ between versions of one item, and that are never taken from another version.
const LABELS: [&str; 3] = ["id", "status", "type"];
/// Members that may differ too, and that are taken only by a version that has none.
const OF_VERSION: [&str; 2] = ["call_id", "encrypted_content"];
/// Members that hold a text that arrives in pieces.
const TEXTS: [&str; 5] = ["arguments", "input", "code", "content", "summary"];

/// The text of one version of an item, without whitespace.
#[derive(Debug)]
pub(super) struct VisibleText {
    text: String,
    searches: u8,
}

impl VisibleText {
    pub(super) fn of(item: Json<'_>) -> Self {
        Self { text: without_spaces(&item_texts(item).concat()), searches: 0 }
    }

    /// Whether it contains `text`, whose whitespace is already removed.
    pub(super) fn contains(&mut self, text: &str) -> bool {
        contains(&self.text, text, &mut self.searches)
    }

    pub(super) fn is_equal(&self, other: &Self) -> bool {
        self.text == other.text
    }

    /// Whether it contains all texts of an item.
    fn contains_item(&mut self, item: Json<'_>) -> bool {
        let texts = item_texts(item);
        self.contains(&without_spaces(&texts.concat())) || texts.iter().all(|text| self.contains(&without_spaces(text)))
    }
}

/// Whether a text contains another one, as far as `searches` allows it.
pub(super) fn contains(text: &str, other: &str, searches: &mut u8) -> bool {
    if other.len() >= text.len() {
        return text == other;
    }
    text.starts_with(other) || text.ends_with(other) || {
        let may_search = *searches < MAX_SEARCHES;
        *searches = searches.saturating_add(1);
        may_search && text.contains(other)
    }
}

/// Whether two items can be versions of one: neither has a text or a member that contradicts the other one.
pub(super) fn is_compatible(a: Json<'_>, text_a: &mut VisibleText, b: Json<'_>, text_b: &mut VisibleText) -> bool {
    if a == b {
        return true;
    }
    let is_contained = if text_a.text.len() < text_b.text.len() {
        text_b.contains(&text_a.text)
    } else {
        text_a.contains(&text_b.text)
    };
    // Calls with other ids are versions of one only if nothing else differs.
    let is_equal = text_a.is_equal(text_b);
    let is_same_call = ItemKey::of(a).is_same_call(&ItemKey::of(b));
    let (Some(a), Some(b)) = (few_members(a), few_members(b)) else { return false };
    let is_kept = |key: &str| LABELS.contains(&key) || TEXTS.contains(&key) || OF_VERSION.contains(&key);
    let is_close = |value, other| is_empty(value) || is_empty(other) || extends(value, other) || extends(other, value);
    let fits = |value, other| if is_same_call { is_close(value, other) } else { is_same(value, other) };
    let mut others = a.iter().filter(|(key, _)| !is_kept(key));
    let members_fit = others.all(|(key, value)| b.get(key).is_none_or(|other| fits(value, other)));
    is_contained && (is_equal || is_same_call) && members_fit
}

/// The version that is used, and the others. A later `done` version is used if it has at least as much text, and a
/// terminal one if it has more.
pub(super) fn choose<'j>(done: &[Json<'j>], terminal: &[Json<'j>]) -> Option<(Json<'j>, Vec<Json<'j>>)> {
    let mut versions = done.iter().map(|json| (*json, true)).chain(terminal.iter().map(|json| (*json, false)));
    let (mut best, _) = versions.next()?;
    let mut best_length = None;
    let mut others = Vec::new();
    for (version, wins_ties) in versions.filter(|(version, _)| version.kind() == Kind::Object) {
        if version == best {
            continue;
        }
        let known = *best_length.get_or_insert_with(|| text_length(best));
        let length = text_length(version);
        if length > known || wins_ties && length == known {
            others.push(std::mem::replace(&mut best, version));
            best_length = Some(length);
        } else {
            others.push(version);
        }
    }
    Some((best, others))
}

/// Adds members that only other versions have to a version. Also returns the versions that contradict it.
pub(super) fn merge_versions<'j>(
    version: Json<'j>,
    others: &[Json<'j>],
    strings: &'j StringArena,
) -> (Json<'j>, Vec<Json<'j>>) {
    let mut visible = VisibleText::of(version);
    let mut members = few_members(version);
    let (mut is_changed, mut contradicting) = (false, Vec::new());
    for (at, other) in others.iter().enumerate() {
        let mut is_kept = visible.contains_item(*other);
        if at < MAX_MERGED {
            match (&mut members, few_members(*other)) {
                (Some(members), Some(more)) => {
                    let has_same_text = is_kept && VisibleText::of(*other).text == visible.text;
                    for (key, value) in more.iter().filter(|(key, _)| !LABELS.contains(key)) {
                        let merged = merge_member(members.get(key), key, value, has_same_text, strings);
                        is_kept &= !merged.loses;
                        if let Some(value) = merged.value {
                            members.replace(key.to_owned(), value);
                            is_changed = true;
                        }
                    }
                }
                (_, _) => is_kept = false,
            }
        }
        if !is_kept {
            contradicting.push(*other);
        }
    }
    let merged = members.filter(|_| is_changed).map(|members| strings.object(&members));
    (merged.unwrap_or(version), contradicting)
}

/// What becomes of a value of which another version has another one.
#[derive(Default)]
struct Merged<'j> {
    /// It replaces the known value.
    value: Option<Json<'j>>,
    /// A string of the other version is not kept.
    loses: bool,
}

fn merge_member<'j>(
    known: Option<Json<'j>>,
    key: &str,
    other: Json<'j>,
    has_same_text: bool,
    strings: &'j StringArena,
) -> Merged<'j> {
    let is_known = known.is_some_and(|known| !is_empty(known));
    // The texts themselves are compared elsewhere.
    let is_settled = OF_VERSION.contains(&key) || TEXTS.contains(&key) && !has_same_text;
    if is_known && is_settled {
        return Merged::default();
    }
    let merged = known.map_or(Merged { value: Some(other), loses: false }, |known| merge_value(known, other, strings));
    let value = merged.value.filter(|value| !is_empty(*value));
    Merged { value, loses: merged.loses && !TEXTS.contains(&key) }
}

/// Adds to a value what only the other one has. What both have stays as it is, unless the other string continues it.
fn merge_value<'j>(known: Json<'j>, other: Json<'j>, strings: &'j StringArena) -> Merged<'j> {
    if is_empty(other) || is_same(known, other) {
        return Merged::default();
    }
    if is_empty(known) || known.kind() == Kind::String && extends(other, known) {
        return Merged { value: Some(other), loses: false };
    }
    match (known.kind(), other.kind()) {
        (Kind::Object, Kind::Object) => merge_objects(known, other, strings),
        (Kind::Array, Kind::Array) => merge_arrays(known, other, strings),
        (_, _) => Merged { value: None, loses: !has_strings_of(known, other) },
    }
}

fn merge_objects<'j>(known: Json<'j>, other: Json<'j>, strings: &'j StringArena) -> Merged<'j> {
    let (Some(mut members), Some(more)) = (few_members(known), few_members(other)) else {
        return Merged { value: None, loses: !has_strings_of(known, other) };
    };
    let (mut is_changed, mut loses) = (false, false);
    for (key, value) in more.iter() {
        let merged = merge_member(members.get(key), key, value, true, strings);
        loses |= merged.loses;
        if let Some(value) = merged.value {
            members.replace(key.to_owned(), value);
            is_changed = true;
        }
    }
    Merged { value: is_changed.then(|| strings.object(&members)), loses }
}

fn merge_arrays<'j>(known: Json<'j>, other: Json<'j>, strings: &'j StringArena) -> Merged<'j> {
    let (known_elements, other_elements) = (known.array().unwrap_or_default(), other.array().unwrap_or_default());
    if known_elements.len() != other_elements.len() {
        let has_more = known_elements.len() < other_elements.len()
            && known_elements.iter().zip(&other_elements).all(|(known, other)| is_same(*known, *other));
        return Merged { value: has_more.then_some(other), loses: !has_more && !has_strings_of(known, other) };
    }
    let (mut is_changed, mut loses) = (false, false);
    let mut merge = |(known, other)| {
        let merged = merge_value(known, other, strings);
        loses |= merged.loses;
        is_changed |= merged.value.is_some();
        merged.value.unwrap_or(known)
    };
    let elements: Vec<Json<'j>> = known_elements.into_iter().zip(other_elements).map(&mut merge).collect();
    let json = || strings.json(|out| array(out, elements, |out, element| out.push_str(element.raw())));
    Merged { value: is_changed.then(json), loses }
}

/// Whether a value has every string of another one, or continues it.
fn has_strings_of(more: Json<'_>, less: Json<'_>) -> bool {
    if more.kind() == Kind::String || less.kind() == Kind::String {
        return extends(more, less);
    }
    let known: HashSet<&str> = more.strings().map(|(_, string)| string.raw()).collect();
    less.strings().all(|(_, string)| known.contains(string.raw()))
}

/// Whether a value is the other one, or a string that starts with it.
fn extends(value: Json<'_>, other: Json<'_>) -> bool {
    is_same(value, other)
        || value.kind() == Kind::String && other.kind() == Kind::String && value.inside().starts_with(other.inside())
}

/// Whether a value is null or empty.
fn is_empty(value: Json<'_>) -> bool {
    match value.kind() {
        Kind::Null => true,
        Kind::String => value.raw() == "\"\"",
        Kind::Array | Kind::Object => value.raw()[1..value.raw().len() - 1].trim_ascii().is_empty(),
        Kind::Boolean | Kind::Number => false,
    }
}

/// The members of an item, unless they are too many to compare.
fn few_members(item: Json<'_>) -> Option<Object<'_>> {
    item.object().ok().filter(|members| members.iter().nth(MAX_MEMBERS).is_none())
}

/// How many characters people can read in an item.
pub(super) fn text_length(item: Json<'_>) -> usize {
    item_texts(item).iter().map(|text| text.chars().count()).sum()
}

/// What people can read in an item: its arguments, its input, its code, its patch, its commands, and the texts of its parts.
fn item_texts(item: Json<'_>) -> Vec<Cow<'_, str>> {
    let members = item.object().unwrap_or_default();
    let own = ["arguments", "input", "code"].iter();
    let mut texts: Vec<_> = own.filter_map(|key| members.get(key)?.as_str_lossy()).collect();
    let inner = |key: &str, inner: &'static str| members.get(key)?.pick([inner]).ok()?[0];
    texts.extend(inner("operation", "diff").and_then(Json::as_str_lossy));
    let commands = inner("action", "commands").and_then(|commands| commands.array().ok()).unwrap_or_default();
    texts.extend(commands.into_iter().filter_map(Json::as_str_lossy));
    let parts = ["content", "summary"].iter().filter_map(|key| members.get(key)?.array().ok()).flatten();
    for part in parts.filter_map(|part| part.object().ok()) {
        texts.extend(["text", "refusal"].iter().filter_map(|key| part.get(key)?.as_str_lossy()));
    }
    texts
}

/// A text without its whitespace, which servers add and remove.
pub(super) fn without_spaces(text: &str) -> String {
    text.split_whitespace().collect()
}
