//! Tools and the choice of a tool, both ways.

use std::collections::HashSet;

use super::export::{LEGACY, is_legacy};
use crate::json::{Json, Kind, Object, StringArena};
use crate::wire::{Api, Ledger, LocatedTool, Members, Overlay, Place, Value, note, report_unsent, rules};

/// The tools of a request: those of `tools`, and those of the older `functions`.
#[derive(Default)]
pub(super) struct SentTools<'d> {
    pub(super) tools: Vec<Members<'d>>,
    pub(super) functions: Vec<Value<'d>>,
    /// For each of `tools`, the index of its declaration.
    pub(super) declared: Vec<usize>,
}

impl<'d> SentTools<'d> {
    /// Adds the fields of the tools.
    pub(super) fn insert_into(self, fields: &mut Members<'d>) {
        if !self.tools.is_empty() {
            fields.replace("tools", self.tools);
        }
        if !self.functions.is_empty() {
            fields.replace("functions", Value::Array(self.functions));
        }
    }
}

/// The tools as the API has them.
pub(super) fn export_tools<'d>(
    tools: &[LocatedTool<'d>],
    ledger: &mut Ledger,
    strings: &'d StringArena,
) -> SentTools<'d> {
    let mut sent = SentTools::default();
    for (index, tool) in tools.iter().enumerate() {
        let place = Place::element("tools", index, tool.span);
        let Ok(members) = tool.json.object() else { continue };
        if members.get_str("type").is_some_and(|kind| kind == "namespace") {
            for object in namespace(&members, ledger, strings, place) {
                sent.tools.push(object);
                sent.declared.push(index);
            }
            continue;
        }
        let Some(object) = export_tool(&members, None, ledger, strings, place) else { continue };
        let function = object.get("function").filter(|_| is_legacy(&Overlay::of(&members, Api::Chat)));
        if let Some(function) = function {
            sent.functions.push(function.clone());
        } else {
            sent.tools.push(object);
            sent.declared.push(index);
        }
    }
    refuse_collisions(&sent, tools, ledger);
    sent
}

/// The functions of a namespace, which is a part of their names.
fn namespace<'d>(
    members: &Object<'d>,
    ledger: &mut Ledger,
    strings: &'d StringArena,
    place: Place<'_>,
) -> Vec<Members<'d>> {
    note(ledger, rules::RESPELLED_TOOL, place, "the tools of a namespace are sent with its name before theirs");
    report_unsent(Api::Chat, members, &["type", "name", "tools"], place, ledger);
    let prefix = members.get_str("name").unwrap_or_default();
    let tools = members.get("tools").and_then(|tools| tools.array().ok()).unwrap_or_default();
    let objects = tools.into_iter().filter_map(|tool| tool.object().ok());
    objects.filter_map(|tool| export_tool(&tool, Some(&prefix), ledger, strings, place)).collect()
}

fn refuse_collisions(sent: &SentTools<'_>, tools: &[LocatedTool<'_>], ledger: &mut Ledger) {
    let mut names = HashSet::new();
    let is_respelled = |index: usize| {
        let kind = tools[index].json.object().ok().and_then(|tool| tool.get_str("type"));
        kind.is_some_and(|kind| kind == "namespace")
    };
    let has_namespace = sent.declared.iter().any(|index| is_respelled(*index));
    for (tool, index) in sent.tools.iter().zip(&sent.declared).filter(|_| has_namespace) {
        let inner = ["function", "custom"].iter().find_map(|key| tool.get(key)?.members());
        let Some(name) = inner.and_then(|inner| Some(inner.get_str("name")?.into_owned())) else { continue };
        if !names.insert(name.clone()) {
            let place = Place::element("tools", *index, tools[*index].span);
            note(ledger, rules::TOOL_NAME_COLLISION, place, format!("two tools would be sent as `{name}`"));
        }
    }
}

/// One tool. `None` if it is not sent, which is noted.
fn export_tool<'d>(
    members: &Object<'d>,
    namespace: Option<&str>,
    ledger: &mut Ledger,
    strings: &'d StringArena,
    place: Place<'_>,
) -> Option<Members<'d>> {
    let overlay = Overlay::of(members, Api::Chat);
    let kind = members.get_str("type").unwrap_or_default();
    let name = match namespace {
        Some(namespace) => members.get_str("name").map(|name| Value::from(format!("{namespace}__{name}"))),
        None => members.get("name").map(Value::from),
    };
    let mut own = Members::default();
    own.insert_some("name", name);
    let mut object = Members::typed(kind.clone());
    match kind.as_ref() {
        "function" => {
            report_unsent(Api::Chat, members, &["type", "name", "description", "parameters", "strict"], place, ledger);
            own.insert_some("description", members.get_present("description"));
            own.insert_some("parameters", members.get_present("parameters"));
            own.insert_some("strict", members.get("strict"));
            object.insert("function", own);
        }
        "custom" => {
            report_unsent(Api::Chat, members, &["type", "name", "description", "format"], place, ledger);
            own.insert_some("description", members.get("description"));
            own.insert_some("format", members.get("format").map(|format| nest_grammar(format, strings)));
            object.insert("custom", own);
        }
        _ if members.get_str("@issuer").is_some_and(|issuer| issuer == Api::Chat.issuer()) => {
            report_unsent(Api::Chat, &only_marks(members), &[], place, ledger);
            for (key, value) in members.iter().filter(|(key, _)| *key != "type" && !key.starts_with('@')) {
                object.insert(key.to_owned(), value);
            }
        }
        kind => {
            note(ledger, rules::UNSENT_TOOL, place, format!("the Chat API has no tool `{kind}`"));
            return None;
        }
    }
    overlay.apply(&mut object);
    Some(object)
}

fn only_marks<'d>(members: &Object<'d>) -> Object<'d> {
    let mut marks = Object::default();
    members.iter().filter(|(key, _)| key.starts_with('@')).for_each(|(key, value)| marks.insert(key.to_owned(), value));
    marks
}

/// `{"type":"grammar","syntax":…}` as `{"type":"grammar","grammar":{"syntax":…}}`.
fn nest_grammar<'d>(format: Json<'d>, strings: &'d StringArena) -> Json<'d> {
    match format.object() {
        Ok(mut members) if members.get_str("type").is_some_and(|kind| kind == "grammar") => {
            members.take("type");
            let mut nested = Object::default();
            nested.insert("type", Json::scalar("\"grammar\""));
            nested.insert("grammar", strings.object(&members));
            strings.object(&nested)
        }
        Ok(_) | Err(_) => format,
    }
}

/// The opposite of [`nest_grammar`].
fn flatten_grammar<'j>(format: Json<'j>, strings: &'j StringArena) -> Json<'j> {
    let Ok(members) = format.object() else { return format };
    match members.get("grammar").map(Json::object) {
        Some(Ok(grammar)) if members.get_str("type").is_some_and(|kind| kind == "grammar") => {
            let mut flat = Object::default();
            flat.insert("type", Json::scalar("\"grammar\""));
            grammar.iter().for_each(|(key, value)| flat.insert(key.to_owned(), value));
            strings.object(&flat)
        }
        Some(_) | None => format,
    }
}

/// A tool as the document says it. `None` if it cannot be said.
pub(super) fn import_tool<'j>(json: Json<'j>, strings: &'j StringArena) -> Option<Object<'j>> {
    let wanted = json.object().ok().filter(Overlay::can_hold)?;
    let inner = |key: &str| wanted.get(key).and_then(|inner| inner.object().ok());
    let mut tool = Object::default();
    let (kind, members, keys): (_, _, &[&'static str]) = match (inner("function"), inner("custom")) {
        (Some(function), _) => ("function", function, &["name", "description", "parameters", "strict"]),
        (None, Some(custom)) => ("custom", custom, &["name", "description", "format"]),
        (None, None) => {
            let kind = wanted.get("type").filter(|kind| kind.kind() == Kind::String)?;
            // Such a type would be read as a tool of another form.
            if ["\"function\"", "\"custom\"", "\"namespace\""].contains(&kind.raw()) {
                return None;
            }
            tool = wanted.clone();
            tool.insert("@issuer", Json::scalar("\"chat\""));
            return Some(tool);
        }
    };
    tool.insert("type", strings.string(kind));
    for key in keys {
        let Some(value) = members.get(key) else { continue };
        tool.insert(*key, if *key == "format" { flatten_grammar(value, strings) } else { value });
    }
    members.get_str("name")?;
    let mut ledger = Ledger::new(Api::Chat);
    let derived = export_tool(&tool, None, &mut ledger, strings, Place::default())?;
    Overlay::between(&derived, &wanted, strings).insert_into(&mut tool, Api::Chat, strings);
    Some(tool)
}

/// A function of the older `functions` as the document says it.
pub(super) fn import_function<'j>(json: Json<'j>, strings: &'j StringArena) -> Option<Object<'j>> {
    let wrapped = strings.write_object(|tool| {
        tool.text("type", "function");
        tool.json("function", json);
    });
    let mut tool = import_tool(wrapped, strings)?;
    let mut overlay = Overlay::of(&tool, Api::Chat);
    tool.take(Api::Chat.overlay_key());
    overlay.set(LEGACY, Json::TRUE);
    overlay.insert_into(&mut tool, Api::Chat, strings);
    Some(tool)
}

/// The choice of a tool as the API has it. `None` if the API has no such choice.
pub(super) fn export_choice<'d>(choice: Json<'d>, strings: &'d StringArena) -> Option<Json<'d>> {
    let Ok(members) = choice.object() else { return Some(choice) };
    let Some(kind) = members.get_str("type") else { return Some(choice) };
    match kind.as_ref() {
        "function" | "custom" => Some(nest_choice(&members, &kind, strings)),
        "allowed_tools" => {
            let tools = members.get("tools").and_then(|tools| tools.array().ok()).unwrap_or_default();
            let nest = |tool: Json<'d>| match tool.object() {
                Ok(tool) => {
                    let kind = tool.get_str("type").unwrap_or_default();
                    nest_choice(&tool, &kind, strings)
                }
                Err(_) => tool,
            };
            let tools: Vec<Json<'d>> = tools.into_iter().map(nest).collect();
            Some(strings.write_object(|object| {
                object.text("type", "allowed_tools");
                let mut allowed = crate::json::write::ObjectWriter::new(object.name("allowed_tools"));
                if let Some(mode) = members.get("mode") {
                    allowed.json("mode", mode);
                }
                crate::json::write::array(allowed.name("tools"), tools, |out, tool| out.push_str(&tool.compact()));
                allowed.end();
            }))
        }
        _ => None,
    }
}

/// `{"type":"function","name":…}` as `{"type":"function","function":{"name":…}}`.
fn nest_choice<'d>(choice: &Object<'d>, kind: &str, strings: &'d StringArena) -> Json<'d> {
    let mut inner = choice.clone();
    inner.take("type");
    let inner = strings.object(&inner);
    strings.write_object(|object| {
        object.key("type").push_str(strings.string(kind).raw());
        object.json(kind, inner);
    })
}

/// The opposite of [`export_choice`].
pub(super) fn import_choice<'j>(choice: Json<'j>, strings: &'j StringArena) -> Json<'j> {
    let Ok(members) = choice.object() else { return choice };
    let Some(kind) = members.get_str("type") else { return choice };
    let Some(Ok(inner)) = members.get(&kind).map(Json::object) else { return choice };
    let mut flat = Object::default();
    flat.insert("type", strings.string(&kind));
    for (key, value) in inner.iter() {
        let tools = value.array().ok().filter(|_| kind == "allowed_tools" && key == "tools");
        let value = match tools {
            Some(tools) => {
                let tools: Vec<Json<'j>> = tools.into_iter().map(|tool| import_choice(tool, strings)).collect();
                strings.json(|out| crate::json::write::array(out, tools, |out, tool| out.push_str(tool.raw())))
            }
            None => value,
        };
        flat.insert(key.to_owned(), value);
    }
    strings.object(&flat)
}
