//! Builds items from the texts of a stream.

use std::collections::{BTreeMap, HashSet};

use super::event::{TextKind, TextPosition};
use super::nested::{insert_nested, is_nested};
use crate::json::write::array;
use crate::json::{Json, Object, StringArena};

/// The texts of one item, in the order of its parts.
pub(super) type Texts<'t> = BTreeMap<TextPosition, &'t str>;

/// Builds an item that never got a `done` event: as it was added, with its texts and the status `incomplete`.
pub(super) fn build<'j>(
    added: Option<Json<'j>>,
    id: Option<&str>,
    texts: &Texts<'_>,
    parts: &Parts<'_, 'j>,
    strings: &'j StringArena,
) -> Json<'j> {
    let members = added.and_then(|added| added.object().ok());
    let mut members = members.unwrap_or_else(|| skeleton(id, texts, strings));
    members.replace("status", strings.string("incomplete"));
    let rest = insert(&mut members, texts, parts.done, strings);
    let mut more: Vec<(&'static str, Json<'j>)> = parts.unknown.values().map(|part| ("content", *part)).collect();
    for (place, text) in rest {
        if let Some((list, part_type)) = place.kind.part() {
            more.push((list, new_part(place.kind, part_type, text, false, strings)));
        } else {
            let known = members.get_str(place.kind.key()).unwrap_or_default();
            members.replace(place.kind.key(), strings.string(&[known.as_ref(), text].concat()));
        }
    }
    append(&mut members, more, strings);
    strings.object(&members)
}

/// Parts of an item that were received in full.
#[derive(Clone, Copy)]
pub(super) struct Parts<'p, 'j> {
    /// Those of unknown types.
    pub(super) unknown: &'p BTreeMap<u64, Json<'j>>,
    /// Those with a text, which may have annotations too.
    pub(super) done: &'p BTreeMap<TextPosition, Json<'j>>,
}

/// Adds parts at the end of the lists of an item, unless they are there already.
fn append<'j>(members: &mut Object<'j>, more: Vec<(&'static str, Json<'j>)>, strings: &'j StringArena) {
    let mut lists: BTreeMap<&'static str, Vec<Json<'j>>> = BTreeMap::new();
    for (list, part) in more {
        lists.entry(list).or_default().push(part);
    }
    for (list, more) in lists {
        let mut parts = members.get(list).and_then(|list| list.array().ok()).unwrap_or_default();
        let known: HashSet<&str> = parts.iter().map(|part| part.raw()).collect();
        let more: Vec<Json<'j>> = more.into_iter().filter(|part| !known.contains(part.raw())).collect();
        parts.extend(more);
        members.replace(list, strings.json(|out| array(out, parts, |out, part| out.push_str(part.raw()))));
    }
}

/// Adds texts to a version of an item that has less text than arrived. Also returns the texts that do not fit.
pub(super) fn merge<'j, 't>(version: Json<'j>, texts: &Texts<'t>, strings: &'j StringArena) -> (Json<'j>, Texts<'t>) {
    let mut members = version.object().unwrap_or_default();
    let rest = insert(&mut members, texts, &BTreeMap::new(), strings);
    (if rest.len() == texts.len() { version } else { strings.object(&members) }, rest)
}

/// A minimal item for such texts.
fn skeleton<'j>(id: Option<&str>, texts: &Texts<'_>, strings: &'j StringArena) -> Object<'j> {
    let kind = texts.keys().next().map_or(TextKind::Output, |place| place.kind);
    let mut members = Object::default();
    members.insert("type", strings.string(kind.item_type()));
    if let Some(id) = id {
        members.insert("id", strings.string(id));
    }
    match kind {
        TextKind::Output | TextKind::Refusal => {
            members.insert("role", strings.string("assistant"));
            members.insert("content", Json::EMPTY_ARRAY);
        }
        TextKind::Summary | TextKind::Reasoning => members.insert("summary", Json::EMPTY_ARRAY),
        TextKind::Arguments | TextKind::Input | TextKind::Code | TextKind::Command | TextKind::Diff => {}
    }
    members
}

/// Adds texts to an item. A finished part is used for its text if there is one. Returns the texts that contradict what
/// the item already has.
fn insert<'j, 't>(
    members: &mut Object<'j>,
    texts: &Texts<'t>,
    done: &BTreeMap<TextPosition, Json<'j>>,
    strings: &'j StringArena,
) -> Texts<'t> {
    let mut rest = insert_nested(members, texts, strings);
    let mut lists: BTreeMap<&'static str, (Vec<Json<'j>>, usize)> = BTreeMap::new();
    for (place, text) in texts.iter().filter(|(place, _)| !is_nested(place.kind)) {
        let Some((list, part_type)) = place.kind.part() else {
            let known = members.get_str(place.kind.key()).unwrap_or_default();
            // Some servers begin arguments with an empty object, and then send all of them.
            if known == "{}" || text.contains(known.as_ref()) {
                members.replace(place.kind.key(), strings.string(text));
            } else if !known.contains(text) {
                rest.insert(*place, text);
            }
            continue;
        };
        let read = || members.get(list).and_then(|list| list.array().ok()).unwrap_or_default();
        let (parts, known) = lists.entry(list).or_insert_with(|| {
            let parts = read();
            let known = parts.len();
            (parts, known)
        });
        // Parts that were added here have no index of their own.
        let part = usize::try_from(place.part).ok().filter(|at| at < known).and_then(|at| parts.get_mut(at));
        let of_type = |part: &Object<'j>| part.get_str("type").is_some_and(|known| known == part_type);
        let has_text =
            |part: &Json<'j>| part.object().is_ok_and(|part| part.get_str(place.kind.key()).as_deref() == Some(text));
        let whole = done.get(place).copied().filter(has_text);
        if let Some((mut object, part)) = part.and_then(|part| Some((part.object().ok().filter(of_type)?, part))) {
            let known = object.get_str(place.kind.key()).unwrap_or_default();
            if text.contains(known.as_ref()) {
                object.replace(place.kind.key(), strings.string(text));
                *part = whole.unwrap_or_else(|| strings.object(&object));
            } else if !known.contains(text) {
                rest.insert(*place, text);
            }
        } else {
            // Only an item that has an id has annotations.
            let has_annotations = members.get("id").is_some();
            let new = || new_part(place.kind, part_type, text, has_annotations, strings);
            parts.push(whole.unwrap_or_else(new));
        }
    }
    for (key, (parts, _)) in lists {
        members.replace(key, strings.json(|out| array(out, parts, |out, part| out.push_str(part.raw()))));
    }
    rest
}

fn new_part<'j>(
    kind: TextKind,
    part_type: &str,
    text: &str,
    has_annotations: bool,
    strings: &'j StringArena,
) -> Json<'j> {
    strings.write_object(|part| {
        part.text("type", part_type);
        part.text(kind.key(), text);
        if kind == TextKind::Output && has_annotations {
            part.json("annotations", Json::EMPTY_ARRAY);
        }
    })
}
