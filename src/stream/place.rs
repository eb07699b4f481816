//! Where texts are in the JSON of their item.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::text::EventText;
use crate::json::write::{ObjectWriter, array, string};
use crate::json::{Json, Object, StringArena};

/// The place of a text in its item. The order is that of the parts of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Place {
    /// The index of the element of an array on the path; 0 if there is none.
    pub(crate) index: u64,
    /// The steps from the item to the text.
    pub(crate) path: &'static [TextStep],
}

/// One step into a JSON value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum TextStep {
    /// The member of this key.
    Key(&'static str),
    /// The element at the index of the place. If the type is not empty, the element is a part of this type.
    Element(&'static str),
}

/// The texts of an item at a path.
pub(crate) fn find_texts<'j>(item: Json<'j>, path: &'static [TextStep]) -> Vec<(Place, EventText<'j>)> {
    let (mut values, mut steps) = (vec![(0, item)], path);
    while let Some((step, rest)) = steps.split_first() {
        steps = rest;
        values = match step {
            TextStep::Key(key) => {
                let member = |(index, value): (u64, Json<'j>)| Some((index, value.pick([key]).ok()?[0]?));
                values.into_iter().filter_map(member).collect()
            }
            TextStep::Element(part_type) => {
                let elements = values.into_iter().flat_map(|(_, list)| list.array().unwrap_or_default());
                (0..).zip(elements).filter(|(_, element)| is_of_type(*element, part_type)).collect()
            }
        };
    }
    let text = |(index, value)| Some((Place { index, path }, EventText::read(Some(value)).ok()??));
    values.into_iter().filter_map(text).collect()
}

fn is_of_type(element: Json<'_>, part_type: &str) -> bool {
    let own_type = || element.pick(["type"]).ok()?[0]?.as_str().ok();
    part_type.is_empty() || own_type().is_some_and(|own| own == part_type)
}

/// A value to put into an item: a text, or a whole part in place of an element.
pub(crate) enum Put<'p, 'j> {
    Text(Cow<'p, str>),
    Part(Json<'j>),
}

/// An item with other texts. Texts and parts that it lacks are added; `new_part` has the other members of such a part.
pub(crate) fn with_texts<'j>(
    item: Json<'j>,
    texts: &BTreeMap<Place, Put<'_, 'j>>,
    new_part: &dyn Fn(&str, &mut ObjectWriter<'_>),
    strings: &'j StringArena,
) -> Json<'j> {
    let texts: Vec<Group<'_, '_, 'j>> = texts.iter().map(|(place, put)| (*place, place.path, put)).collect();
    if texts.is_empty() { item } else { strings.json(|out| write(out, Some(item), "", &texts, new_part)) }
}

/// A place, the steps of its path that are left, and what to put there.
type Group<'t, 'p, 'j> = (Place, &'static [TextStep], &'t Put<'p, 'j>);

/// Writes a value with other texts. `part_type` is the type of a part that is new.
fn write(
    out: &mut String,
    value: Option<Json<'_>>,
    part_type: &str,
    texts: &[Group<'_, '_, '_>],
    new_part: &dyn Fn(&str, &mut ObjectWriter<'_>),
) {
    match texts {
        [(_, [], Put::Text(text)), ..] => string(out, text),
        [(_, [], Put::Part(part)), ..] => out.push_str(&part.compact()),
        [(_, [TextStep::Key(_), ..], _), ..] => write_object(out, value, part_type, texts, new_part),
        [(_, [TextStep::Element(_), ..], _), ..] => write_array(out, value, texts, new_part),
        [] => {}
    }
}

fn write_object(
    out: &mut String,
    value: Option<Json<'_>>,
    part_type: &str,
    texts: &[Group<'_, '_, '_>],
    new_part: &dyn Fn(&str, &mut ObjectWriter<'_>),
) {
    let mut members: BTreeMap<&str, Vec<Group<'_, '_, '_>>> = BTreeMap::new();
    for (place, steps, put) in texts {
        if let [TextStep::Key(key), rest @ ..] = steps {
            members.entry(key).or_default().push((*place, rest, put));
        }
    }
    let known = value.and_then(|value| value.object().ok());
    let is_new = known.is_none() && !part_type.is_empty();
    let mut writer = ObjectWriter::new(out);
    if is_new {
        writer.text("type", part_type);
    }
    for (key, value) in known.iter().flat_map(Object::iter) {
        match members.remove(key) {
            Some(texts) => write(writer.key(key), Some(value), "", &texts, new_part),
            None => writer.json(key, value),
        }
    }
    for (key, texts) in members {
        write(writer.key(key), None, "", &texts, new_part);
    }
    if is_new {
        new_part(part_type, &mut writer);
    }
    writer.end();
}

fn write_array(
    out: &mut String,
    value: Option<Json<'_>>,
    texts: &[Group<'_, '_, '_>],
    new_part: &dyn Fn(&str, &mut ObjectWriter<'_>),
) {
    let mut elements: BTreeMap<(u64, &str), Vec<Group<'_, '_, '_>>> = BTreeMap::new();
    for (place, steps, put) in texts {
        if let [TextStep::Element(part_type), rest @ ..] = steps {
            elements.entry((place.index, part_type)).or_default().push((*place, rest, put));
        }
    }
    let known = value.and_then(|value| value.array().ok()).unwrap_or_default();
    let mut written: Vec<(Option<Json<'_>>, &str, Vec<Group<'_, '_, '_>>)> = Vec::new();
    for (index, element) in (0..).zip(known) {
        let of_type = elements.range((index, "")..(index + 1, "")).map(|(key, _)| *key);
        let key = of_type.into_iter().find(|(_, part_type)| is_of_type(element, part_type));
        let texts = key.and_then(|key| elements.remove(&key)).unwrap_or_default();
        written.push((Some(element), "", texts));
    }
    written.extend(elements.into_iter().map(|((_, part_type), texts)| (None, part_type, texts)));
    array(out, written, |out, (element, part_type, texts)| match element {
        Some(element) if texts.is_empty() => out.push_str(&element.compact()),
        Some(_) | None => write(out, element, part_type, &texts, new_part),
    });
}
