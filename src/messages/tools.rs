//! Tools and the choice of a tool, both ways.

use std::collections::HashMap;

use super::fields::unsent_tool_member;
use crate::json::{Json, Kind, Object, StringArena};
use crate::source::Span;
use crate::wire::{
    Api, Ledger, LedgerRule, LocatedTool, Members, Overlay, Place, SourceRequest, Value, note, report_unsent, rules,
};

const API: Api = Api::Messages;
/// The input of a custom tool that is sent as a function.
const CUSTOM_SCHEMA: &str = r#"{"type":"object","properties":{"input":{"type":"string"}},"required":["input"]}"#;

/// Adds the field `tools`, and removes a `tool_choice` that has no tool left. Returns where each tool is declared.
pub(super) fn export_tools<'d>(
    source: &SourceRequest<'_, 'd>,
    ledger: &mut Ledger,
    strings: &'d StringArena,
    fields: &mut Members<'d>,
) -> Vec<Span> {
    let mut export = Tools { sent: Vec::new(), names: HashMap::new(), allowed: allowed(source), ledger, strings };
    for (index, tool) in source.tools.iter().enumerate() {
        let place = Place::element("tools", index, tool.span);
        export.tool(tool, place, None);
    }
    let Tools { sent, .. } = export;
    if sent.is_empty() && !source.tools.is_empty() && fields.take("tool_choice").is_some() {
        let message = "no tool is left to choose";
        note(ledger, rules::UNSENT_FIELD, Place::field("tool_choice", source.place), message);
    }
    if !sent.is_empty() {
        let (tools, spans): (Vec<Members<'d>>, Vec<Span>) = sent.into_iter().unzip();
        fields.insert("tools", tools);
        return spans;
    }
    if let Some(tools) = source.fields.get("tools").filter(|tools| tools.is_empty_array()) {
        fields.insert("tools", tools);
    }
    Vec::new()
}

/// The names of the tools that `tool_choice` allows, if it names some.
fn allowed(source: &SourceRequest<'_, '_>) -> Option<Vec<String>> {
    let choice = source.fields.get("tool_choice")?.object().ok()?;
    let tools = choice.get("tools").filter(|_| choice.get_str("type").as_deref() == Some("allowed_tools"))?;
    let name = |tool: Json<'_>| tool.object().ok()?.get_str("name").map(std::borrow::Cow::into_owned);
    Some(tools.array().ok()?.into_iter().filter_map(name).collect())
}

struct Tools<'l, 'd> {
    sent: Vec<(Members<'d>, Span)>,
    /// The names that are sent, and whether a namespace is a part of them.
    names: HashMap<String, bool>,
    allowed: Option<Vec<String>>,
    ledger: &'l mut Ledger,
    strings: &'d StringArena,
}

impl<'d> Tools<'_, 'd> {
    fn tool(&mut self, tool: &LocatedTool<'d>, place: Place<'_>, namespace: Option<&str>) {
        let members = tool.json.object().unwrap_or_default();
        let kind = members.get_str("type").unwrap_or_default();
        let name = members.get_str("name").unwrap_or_default();
        let is_allowed = |allowed: &Vec<String>| allowed.iter().any(|allowed| *allowed == name);
        if kind != "namespace" && self.allowed.as_ref().is_some_and(|allowed| !is_allowed(allowed)) {
            return;
        }
        let overlay = Overlay::of(&members, API);
        let mut sent = match kind.as_ref() {
            "namespace" => {
                self.report(&members, &["type", "name", "tools"], place);
                let inner = members.get("tools").and_then(|tools| tools.array().ok()).unwrap_or_default();
                for (index, json) in inner.into_iter().enumerate() {
                    self.tool(&LocatedTool { json, ..*tool }, place.part("tools", index), Some(&name));
                }
                return;
            }
            "function" => self.function(&members, tool.is_strict_derived, &overlay, place),
            "custom" => self.custom(&members, place),
            _ if members.get_str("@issuer").as_deref() == Some(API.issuer()) => {
                let mut sent = Members::default();
                members.iter().filter(|(key, _)| !key.starts_with('@')).for_each(|(key, value)| {
                    sent.insert(key.to_owned(), value);
                });
                sent
            }
            kind => {
                let message = format!("the Messages API has no tool `{kind}`");
                note(self.ledger, rules::UNSENT_TOOL, place, message);
                return;
            }
        };
        if let Some(namespace) = namespace {
            sent.replace("name", format!("{namespace}__{name}"));
            note(self.ledger, rules::RESPELLED_TOOL, place, "the namespace is a part of the tool's name");
        }
        if let Some(cache_control) = members.get("@cache_control") {
            sent.replace("cache_control", cache_control);
        }
        overlay.apply(&mut sent);
        self.report_collision(&sent, namespace.is_some(), place);
        self.sent.push((sent, tool.span));
    }

    fn report_collision(&mut self, sent: &Members<'d>, is_in_namespace: bool, place: Place<'_>) {
        let name = sent.get_str("name").unwrap_or_default().into_owned();
        if let Some(other) = self.names.insert(name.clone(), is_in_namespace)
            && (other || is_in_namespace)
        {
            let message = format!("two tools would be sent as `{name}`");
            note(self.ledger, rules::TOOL_NAME_COLLISION, place, message);
        }
    }

    fn function(
        &mut self,
        members: &Object<'d>,
        is_strict_derived: bool,
        overlay: &Overlay<'d>,
        place: Place<'_>,
    ) -> Members<'d> {
        let mut sent = named(members);
        let parameters = members.get("parameters").filter(|parameters| parameters.kind() == Kind::Object);
        if parameters.is_none() && !overlay.decides("input_schema") {
            let message = "a tool without parameters is sent with `{\"type\":\"object\"}`";
            note(self.ledger, rules::RESPELLED_TOOL, place, message);
        }
        sent.insert("input_schema", parameters.map_or_else(|| Members::typed("object").into(), Value::from));
        let is_sent = |strict: &Json<'_>| !is_strict_derived && strict.kind() == Kind::Boolean;
        sent.insert_some("strict", members.get("strict").filter(is_sent));
        sent.insert_some("defer_loading", members.get("defer_loading"));
        self.report(members, &["type", "name", "description", "parameters", "strict", "defer_loading"], place);
        sent
    }

    fn custom(&mut self, members: &Object<'d>, place: Place<'_>) -> Members<'d> {
        let mut sent = named(members);
        note(self.ledger, rules::RESPELLED_TOOL, place, "the custom tool is sent as a function");
        sent.insert("input_schema", self.strings.json(|out| out.push_str(CUSTOM_SCHEMA)));
        let format = members.get("format").and_then(|format| format.object().ok());
        if format.is_some_and(|format| format.get_str("type").as_deref() == Some("grammar")) {
            let message = "the Messages API has no grammar for the input of a tool";
            note(self.ledger, rules::UNSENT_FIELD, place.member("format"), message);
        }
        self.report(members, &["type", "name", "description", "format"], place);
        sent
    }

    fn report(&mut self, members: &Object<'d>, taken: &[&str], place: Place<'_>) {
        for (key, value) in members.iter().filter(|(key, _)| !taken.contains(key)) {
            if key.starts_with('@') {
                let mut one = Object::default();
                one.insert(key.to_owned(), value);
                report_unsent(API, &one, &[], place, self.ledger);
            } else {
                let message = format!("the Messages API has no `{key}` of a tool");
                note(self.ledger, unsent_tool_member(key), place.member(key), message);
            }
        }
    }
}

/// The name and the description of a tool.
fn named<'d>(members: &Object<'d>) -> Members<'d> {
    let mut sent = Members::default();
    for key in ["name", "description"] {
        sent.insert_some(key, members.get_present(key));
    }
    sent
}

/// The field `tool_choice`, which also says whether calls are parallel.
pub(super) fn export_choice<'d>(source: &SourceRequest<'_, 'd>, ledger: &mut Ledger) -> Option<Members<'d>> {
    let mut report = |rule, field, message: String| note(ledger, rule, Place::field(field, source.place), message);
    let chosen = source.fields.get("tool_choice").and_then(|choice| {
        let (chosen, difference) = chosen(choice);
        if let Some((rule, message)) = difference {
            report(rule, "tool_choice", message);
        }
        chosen
    });
    let is_none = chosen.as_ref().is_some_and(|choice| choice.get_str("type").as_deref() == Some("none"));
    let parallel = source.fields.get("parallel_tool_calls").map(Json::raw);
    let disabled = match parallel {
        Some("false") if !is_none => Some(Json::TRUE),
        Some("true") if !is_none && chosen.is_some() => Some(Json::FALSE),
        Some(_) | None => None,
    };
    if parallel.is_some() && disabled.is_none() {
        let message = "the Messages API has no `parallel_tool_calls`".to_owned();
        report(rules::UNSENT_SETTING, "parallel_tool_calls", message);
    }
    let mut choice = chosen.or_else(|| disabled.map(|_| Members::typed("auto")))?;
    if let Some(disabled) = disabled {
        choice.insert("disable_parallel_tool_use", disabled);
    }
    Some(choice)
}

/// The members of `tool_choice` without the parallel calls, and the rule and the message about what differs.
fn chosen(choice: Json<'_>) -> (Option<Members<'_>>, Option<(&'static LedgerRule, String)>) {
    let mode = |mode: &str| match mode {
        "required" => Members::typed("any"),
        "none" => Members::typed("none"),
        _ => Members::typed("auto"),
    };
    if let Ok(name) = choice.as_str() {
        return (Some(mode(&name)), None);
    }
    let object = choice.object().unwrap_or_default();
    match (object.get_str("type").as_deref(), object.get("name").filter(|name| name.kind() == Kind::String)) {
        (Some("function" | "custom"), Some(name)) => {
            let mut sent = Members::typed("tool");
            sent.insert("name", name);
            (Some(sent), None)
        }
        (Some("allowed_tools"), _) => {
            let sent = mode(&object.get_str("mode").unwrap_or_default());
            (Some(sent), Some((rules::RESPELLED_FIELD, "only the allowed tools are sent".to_owned())))
        }
        (_, _) if choice.kind() == Kind::Null => {
            (None, Some((rules::UNSENT_SETTING, "the Messages API has no `tool_choice`".to_owned())))
        }
        (kind, _) => {
            let message = format!("the Messages API cannot choose `{}`", kind.unwrap_or("this tool"));
            (None, Some((rules::UNSENT_FIELD, message)))
        }
    }
}

/// Adds the fields that `tool_choice` says in the words of the Responses API.
pub(super) fn import_choice<'j>(value: Json<'j>, fields: &mut Object<'j>, strings: &'j StringArena) {
    let Ok(members) = value.object() else { return };
    let disabled = members.get("disable_parallel_tool_use");
    let parallel = match disabled.map(Json::raw) {
        None => None,
        Some("true") => Some(Json::FALSE),
        Some("false") => Some(Json::TRUE),
        Some(_) => return,
    };
    let name = members.get("name").filter(|name| name.as_str().is_ok());
    let count = members.iter().count() - usize::from(disabled.is_some());
    let choice = match (members.get_str("type").as_deref(), name) {
        (Some("auto"), None) if count == 1 => strings.string("auto"),
        (Some("any"), None) if count == 1 => strings.string("required"),
        (Some("none"), None) if count == 1 && disabled.is_none() => strings.string("none"),
        (Some("tool"), Some(name)) if count == 2 => strings.write_object(|choice| {
            choice.text("type", "function");
            choice.json("name", name);
        }),
        (_, _) => return,
    };
    fields.insert("tool_choice", choice);
    if let Some(parallel) = parallel {
        fields.insert("parallel_tool_calls", parallel);
    }
}

/// A tool of this API in the words of the Responses API.
pub(super) fn import_tool<'j>(tool: Json<'j>, strings: &'j StringArena) -> Option<Json<'j>> {
    let members = tool.object().ok()?;
    let kind = members.get("type").filter(|kind| kind.kind() != Kind::Null).map(|kind| kind.as_str().ok());
    if members.iter().any(|(key, _)| key.starts_with('@') || key == "-") {
        return None;
    }
    let mut wide = Object::default();
    let is_function = matches!(kind.as_ref().map(Option::as_deref), None | Some(Some("custom")));
    let cache_control = members.get("cache_control").filter(|mark| is_cache_mark(*mark));
    if is_function {
        let schema = members.get("input_schema").filter(|schema| schema.kind() == Kind::Object);
        wide.insert("type", strings.string("function"));
        wide.insert("name", strings.string(&members.get_str("name").filter(|name| !name.is_empty())?));
        let is_text = |value: &Json<'_>| value.kind() == Kind::String;
        let is_boolean = |value: &Json<'_>| value.kind() == Kind::Boolean;
        let description = members.get("description").filter(is_text);
        let strict = members.get("strict").filter(is_boolean);
        let defer_loading = members.get("defer_loading").filter(is_boolean);
        let known = [("description", description), ("parameters", schema), ("strict", strict)];
        for (key, value) in known.into_iter().chain([("defer_loading", defer_loading)]) {
            if let Some(value) = value {
                wide.insert(key, value);
            }
        }
    } else {
        // A type that has another meaning in a declaration.
        kind.flatten().filter(|kind| !["", "function", "namespace"].contains(&kind.as_ref()))?;
        members.iter().filter(|(key, _)| *key != "cache_control").for_each(|(key, value)| {
            wide.insert(key.to_owned(), value);
        });
        wide.insert("@issuer", strings.string(API.issuer()));
    }
    if let Some(cache_control) = cache_control {
        wide.insert("@cache_control", cache_control);
    }
    let derived = exported(strings.object(&wide), strings)?;
    Overlay::between(&derived, &members, strings).insert_into(&mut wide, API, strings);
    Some(strings.object(&wide))
}

/// The tool that is sent for a tool in the words of the Responses API.
fn exported<'j>(json: Json<'j>, strings: &'j StringArena) -> Option<Members<'j>> {
    let mut ledger = Ledger::new(API);
    let mut export = Tools { sent: Vec::new(), names: HashMap::new(), allowed: None, ledger: &mut ledger, strings };
    let span = Span::NOWHERE;
    export.tool(&LocatedTool::given(json, span), Place::field("tools", span), None);
    export.sent.pop().map(|(tool, _)| tool)
}

/// Whether the attribute `cache_control` can say a mark.
pub(super) fn is_cache_mark(mark: Json<'_>) -> bool {
    let Ok(members) = mark.object() else { return mark.kind() == Kind::Null };
    let ttl = members.get("ttl").map(|ttl| ttl.as_str().ok());
    let is_known = match ttl.as_ref().map(Option::as_deref) {
        None => members.iter().count() == 1,
        Some(ttl) => members.iter().count() == 2 && matches!(ttl, Some("5m" | "1h")),
    };
    is_known && members.get_str("type").as_deref() == Some("ephemeral")
}
