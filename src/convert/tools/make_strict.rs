//! Changes the parameters of a function so that they satisfy the rules of strict mode.

use std::collections::HashSet;

use super::strict::{KEYWORDS, inner_schemas, may_be_object, strict_violation};
use crate::json::{Json, Kind, Object, StringArena, write};

/// The parameters of a function with the least changes that make them strict: an optional property may be null and is
/// required, and `additionalProperties` is false. `None` if that is not enough, or would change what they accept.
pub fn make_strict(parameters: Json<'_>) -> Option<String> {
    let mut edits = Edits::default();
    edits.schema(parameters)?;
    let strict = edits.apply(parameters);
    let strings = StringArena::default();
    let is_strict = Json::parse(&strict, &strings).is_ok_and(|parameters| strict_violation(parameters).is_none());
    is_strict.then_some(strict)
}

/// Texts that are inserted or replaced.
#[derive(Default)]
struct Edits {
    /// Where each starts and ends, and the new text.
    edits: Vec<(usize, usize, String)>,
}

impl Edits {
    fn apply(mut self, json: Json<'_>) -> String {
        // Edits at one place stay in the order in which they were added.
        self.edits.sort_by_key(|(start, ..)| *start);
        let (mut out, mut at) = (String::new(), json.offset());
        let text = |from: usize, to: usize| &json.raw()[from - json.offset()..to - json.offset()];
        for (start, end, new) in self.edits {
            out.push_str(text(at, start));
            out.push_str(&new);
            at = end;
        }
        out + text(at, end(json))
    }

    fn insert(&mut self, at: usize, text: String) {
        self.edits.push((at, at, text));
    }

    /// Makes a schema and those inside it strict.
    fn schema(&mut self, json: Json<'_>) -> Option<()> {
        let schema = json.object().ok()?;
        if schema.repeated().next().is_some() || schema.iter().any(|(keyword, _)| !KEYWORDS.contains(&keyword)) {
            return None;
        }
        if may_be_object(&schema) || schema.get("properties").is_some() {
            self.object(json, &schema)?;
        }
        for (keyword, value) in schema.iter() {
            inner_schemas(keyword, value).ok()?.into_iter().try_for_each(|(_, inner)| self.schema(inner))?;
        }
        Some(())
    }

    /// Requires all properties of an object, and allows no others. An object without known properties may have any.
    fn object(&mut self, json: Json<'_>, schema: &Object<'_>) -> Option<()> {
        let properties = schema.get_object("properties")?;
        let listed = match schema.get("required") {
            Some(required) => required.array().ok()?,
            None => Vec::new(),
        };
        let required: HashSet<_> = listed.into_iter().filter_map(|name| name.as_str().ok()).collect();
        let mut names = Vec::new();
        for (name, property) in properties.iter().filter(|(name, _)| !required.contains(*name)) {
            self.nullable(property)?;
            names.push(string(name));
        }
        match schema.get("required") {
            Some(list) if !names.is_empty() => self.append(list, &names.join(comma(list))),
            None if !names.is_empty() => self.add(json, "required", &format!("[{}]", names.join(comma(json)))),
            Some(_) | None => {}
        }
        match schema.get("additionalProperties") {
            Some(value) if value.raw() != "false" => return None,
            Some(_) => {}
            None => self.add(json, "additionalProperties", "false"),
        }
        Some(())
    }

    /// Lets a value be null too.
    fn nullable(&mut self, json: Json<'_>) -> Option<()> {
        let schema = json.object().ok()?;
        let (kind, values, any_of) = (schema.get("type"), schema.get("enum"), schema.get("anyOf"));
        let is_alone = any_of.is_none() && schema.get("$ref").is_none() && schema.get("const").is_none();
        match any_of.filter(|_| kind.is_none() && values.is_none() && schema.get("$ref").is_none()) {
            Some(schemas) if schemas.array().ok()?.into_iter().any(takes_null) => {}
            Some(schemas) => self.append(schemas, &null_schema(json)),
            None if is_alone => {
                if let Some(kind) = kind {
                    self.add_null_type(kind);
                }
                let has_null =
                    |values: Json<'_>| values.array().is_ok_and(|all| all.iter().any(|one| one.raw() == "null"));
                if let Some(values) = values.filter(|values| !has_null(*values)) {
                    self.append(values, "null");
                }
            }
            None => {
                let colon = colon(json);
                self.insert(json.offset(), format!("{{\"anyOf\":{colon}["));
                self.insert(end(json), format!("{}{}]}}", comma(json), null_schema(json)));
            }
        }
        Some(())
    }

    fn add_null_type(&mut self, kind: Json<'_>) {
        match kind.kind() {
            Kind::Array if !takes(kind, "null") => self.append(kind, "\"null\""),
            Kind::String if !takes(kind, "null") => {
                let both = format!("[{}, \"null\"]", kind.raw());
                self.edits.push((kind.offset(), end(kind), both));
            }
            _ => {}
        }
    }

    /// Adds elements at the end of an array.
    fn append(&mut self, array: Json<'_>, elements: &str) {
        match array.array().unwrap_or_default().last() {
            Some(last) => self.insert(end(*last), format!("{}{elements}", separator(array))),
            None => self.insert(array.offset() + 1, elements.to_owned()),
        }
    }

    /// Adds a member at the end of an object that has some.
    fn add(&mut self, object: Json<'_>, key: &str, value: &str) {
        let last = object.object().unwrap_or_default().iter().map(|(_, value)| end(value)).max();
        if let Some(last) = last {
            self.insert(last, format!("{}\"{key}\":{}{value}", separator(object), colon(object)));
        }
    }
}

fn end(json: Json<'_>) -> usize {
    json.offset() + json.raw().len()
}

/// Whether a `type` is, or includes, this one.
fn takes(kind: Json<'_>, name: &str) -> bool {
    let is_it = |kind: &Json<'_>| kind.as_str().is_ok_and(|kind| kind == name);
    kind.array().map_or_else(|_| is_it(&kind), |kinds| kinds.iter().any(is_it))
}

fn takes_null(schema: Json<'_>) -> bool {
    schema.object().is_ok_and(|schema| schema.get("type").is_some_and(|kind| takes(kind, "null")))
}

/// The separator of the elements of an array or the members of an object: a line break if they are on lines of their own.
fn separator(json: Json<'_>) -> String {
    let inside = &json.raw()[1..];
    let space = &inside[..inside.len() - inside.trim_start().len()];
    if space.contains('\n') { format!(",{space}") } else { comma(json).to_owned() }
}

/// Whether values are written with spaces after colons and commas.
fn is_spaced(json: Json<'_>) -> bool {
    json.raw().contains(": ") || json.raw().contains(", ") || !json.raw().contains([':', ','])
}

fn comma(json: Json<'_>) -> &'static str {
    if is_spaced(json) { ", " } else { "," }
}

fn colon(json: Json<'_>) -> &'static str {
    if is_spaced(json) { " " } else { "" }
}

fn null_schema(json: Json<'_>) -> String {
    format!("{{\"type\":{}\"null\"}}", colon(json))
}

fn string(text: &str) -> String {
    let mut out = String::new();
    write::string(&mut out, text);
    out
}
