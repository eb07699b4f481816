//! Messages to items.

use std::borrow::Cow;
use std::collections::HashMap;

use super::export::{CONTENT, Exporter, HOISTED, LEGACY, REASONING_FIELD};
use super::fields::import_fields;
use super::fold::{Folded, folded};
use super::part::{Owner, import_part, set_overlay};
use crate::json::{Json, JsonError, Kind, Object, StringArena};
use crate::responses::{Item, Message, Part, Reasoning, TextPart, ToolCall, ToolKind, ToolOutput, ToolResponse};
use crate::wire::{Api, Incoming, Items, Ledger, Mark, Overlay, Place, UnitKind, Value, marks, unit_kind};

/// Reads a request.
pub fn import_request<'j>(request: Json<'j>, strings: &'j StringArena) -> Result<Incoming<'j>, JsonError> {
    let mut object = request.object()?;
    let messages = object.take("messages").ok_or_else(|| request.malformed("is missing").within("messages"))?;
    let messages = messages.array().map_err(|error| error.within("messages"))?;
    let items = Importer::new(strings, false).items(&messages).map_err(|error| error.within("messages"))?;
    Ok(Incoming { fields: import_fields(&object, strings)?, items, ..Incoming::default() })
}

/// A message and the items that say the same.
struct Imported<'j> {
    /// The message as it is sent again.
    wanted: Object<'j>,
    items: Vec<Item<'j>>,
    original: Json<'j>,
}

/// Reads messages.
pub(super) struct Importer<'j> {
    strings: &'j StringArena,
    /// The message is a reply: null and absent are the same there.
    is_reply: bool,
    /// The type and the name of the last call of each id.
    calls: HashMap<Cow<'j, str>, (ToolKind, Cow<'j, str>)>,
    /// How many calls of the older form there are.
    legacy: usize,
}

impl<'j> Importer<'j> {
    pub(super) fn new(strings: &'j StringArena, is_reply: bool) -> Self {
        Self { strings, is_reply, calls: HashMap::new(), legacy: 0 }
    }

    /// The items of messages, with the marks that keep these messages.
    pub(super) fn items(mut self, messages: &[Json<'j>]) -> Result<Items<'j>, JsonError> {
        let objects: Vec<Object<'j>> = (messages.iter().enumerate())
            .map(|(index, json)| json.object().map_err(|error| error.within_index(index)))
            .collect::<Result<_, _>>()?;
        let objects: Vec<Object<'j>> = objects.into_iter().map(canonical).collect();
        let objects = folded(&objects, self.strings);
        let mut imported = Vec::with_capacity(objects.len());
        for Folded { index, message: wanted, moved } in objects {
            let within = |error: JsonError| error.within_index(index);
            let items = self.message(&wanted, &moved).map_err(within)?;
            imported.push(Imported { wanted, items, original: messages[index] });
        }
        self.mark(&mut imported);
        Ok(imported.into_iter().flat_map(|message| with_originals(message.items, message.original)).collect())
    }

    /// Adds the marks, and the members that the rules would not give.
    fn mark(&self, imported: &mut [Imported<'j>]) {
        let kinds: Vec<Vec<(UnitKind<'_>, bool)>> = imported
            .iter()
            .map(|message| message.items.iter().map(|item| (unit_kind(Api::Chat, item), false)).collect())
            .collect();
        let marks = marks(Api::Chat, &kinds);
        for (message, marks) in imported.iter_mut().zip(marks) {
            let difference = self.difference(message);
            for (index, (item, mark)) in message.items.iter_mut().zip(marks).enumerate() {
                self.add_overlay(item, mark, difference.as_ref().filter(|_| index == 0));
            }
        }
    }

    /// The members that the export of the items does not give.
    fn difference(&self, message: &Imported<'j>) -> Option<Overlay<'j>> {
        let mut ledger = Ledger::new(Api::Chat);
        let mut exporter = Exporter::new(self.strings, &mut ledger);
        let nowhere = Place::default();
        let derived = match &message.items[..] {
            [item] if is_whole(item) => return None,
            [Item::Message(own)] if own.role != "assistant" => exporter.message(own, &own.role, nowhere),
            [Item::ToolResponse(response)] => {
                let (object, output) = exporter.output(response, nowhere);
                let called = self.calls.get(&response.call_id).map(|(_, name)| name.as_ref());
                Some(Exporter::with_content(object, output, response, called))
            }
            items => exporter.turn(items.iter().map(|item| (item, nowhere))),
        };
        let mut wanted = message.wanted.clone();
        let mut derived = derived.unwrap_or_default();
        let is_known = match (wanted.get_present("content"), derived.get("content")) {
            (None, content) => self.is_reply && content.is_none_or(Value::is_null),
            // The only text of the items is the string that they are read from.
            (Some(content), Some(Value::Text(text))) => {
                content.kind() == Kind::String && text.is_empty() == (content.raw() == "\"\"")
            }
            (Some(_), _) => false,
        };
        if is_known {
            derived.take("content");
            wanted.take("content");
        }
        Some(Overlay::between(&derived, &wanted, self.strings)).filter(|overlay| !overlay.is_empty())
    }

    fn add_overlay(&self, item: &mut Item<'j>, mark: Option<Mark>, difference: Option<&Overlay<'j>>) {
        if mark.is_none() && difference.is_none() || is_whole(item) {
            return;
        }
        let is_message = matches!(item, Item::Message(_) | Item::ToolResponse(_));
        let rest = match item {
            Item::Message(message) => &mut message.rest,
            Item::ToolCall(call) => &mut call.rest,
            Item::ToolResponse(response) => &mut response.rest,
            Item::Reasoning(reasoning) => &mut reasoning.rest,
            Item::Other(_) | Item::Foreign(_) => return,
        };
        let mut overlay = Overlay::of(rest, Api::Chat);
        rest.take(Api::Chat.overlay_key());
        match difference {
            Some(difference) if is_message => overlay.extend(difference),
            Some(difference) => overlay.set_message(difference, self.strings),
            None => {}
        }
        overlay.set_mark(mark, self.strings);
        overlay.insert_into(rest, Api::Chat, self.strings);
    }

    fn message(&mut self, message: &Object<'j>, moved: &[usize]) -> Result<Vec<Item<'j>>, JsonError> {
        let items = match message.get_str("role").as_deref().filter(|_| Overlay::can_hold(message)) {
            Some(role @ ("user" | "system" | "developer")) => self.plain(message, role.to_owned())?,
            Some("assistant") => self.assistant(message)?,
            Some("tool") => self.output(message, moved)?,
            Some("function") => self.legacy_output(message)?,
            Some(_) | None => None,
        };
        Ok(items.unwrap_or_else(|| vec![whole(message, self.strings)]))
    }

    fn plain(&self, message: &Object<'j>, role: String) -> Result<Option<Vec<Item<'j>>>, JsonError> {
        let owner = if role == "user" { Owner::User } else { Owner::System };
        let Some(content) = self.content(message, owner)?.filter(|parts| !parts.is_empty()) else { return Ok(None) };
        let mut rest = Object::default();
        insert_name(message, &mut rest);
        Ok(Some(vec![Item::Message(Message { role: role.into(), content, rest })]))
    }

    /// The parts of a message; none if it has no content. `None` if a part cannot be said.
    fn content(&self, message: &Object<'j>, owner: Owner) -> Result<Option<Vec<Part<'j>>>, JsonError> {
        let Some(content) = message.get("content") else { return Ok(Some(Vec::new())) };
        let within = |error: JsonError| error.within("content");
        match content.kind() {
            Kind::Null => Ok(Some(Vec::new())),
            Kind::String => {
                let text = content.as_str().map_err(within)?;
                Ok(Some(vec![Part::text(owner.text_type(), text)]))
            }
            Kind::Array => {
                let part = |(index, json)| {
                    import_part(json, owner, self.strings).map_err(|error: JsonError| within(error.within_index(index)))
                };
                content.array()?.into_iter().enumerate().map(part).collect()
            }
            Kind::Boolean | Kind::Number | Kind::Object => Ok(None),
        }
    }

    fn assistant(&mut self, message: &Object<'j>) -> Result<Option<Vec<Item<'j>>>, JsonError> {
        let mut items: Vec<Item<'j>> = Vec::new();
        for (key, value) in message.iter().filter(|(_, value)| value.kind() == Kind::String) {
            if key == REASONING_FIELD || key == "reasoning" {
                items.push(reasoning(key, value.as_str().map_err(|error| error.within(key))?, self.strings));
            }
        }
        let Some(mut content) = self.content(message, Owner::Assistant)? else { return Ok(None) };
        let refusal = message.get("refusal").filter(|refusal| refusal.kind() == Kind::String);
        if let Some(refusal) = refusal {
            content.push(self.refusal(refusal, content.is_empty())?);
        }
        if !content.is_empty() {
            let mut rest = Object::default();
            insert_name(message, &mut rest);
            items.push(Item::Message(Message { role: "assistant".into(), content, rest }));
        }
        for call in message.get("tool_calls").and_then(|calls| calls.array().ok()).unwrap_or_default() {
            items.extend(self.call(call)?.map(Item::ToolCall));
        }
        items.extend(self.legacy_call(message)?.map(Item::ToolCall));
        let first_call =
            items.iter_mut().find_map(|item| if let Item::ToolCall(call) = item { Some(call) } else { None });
        if let Some(call) = first_call.filter(|_| message.get("content").is_none() && !self.is_reply) {
            call.rest.insert(CONTENT, Json::FALSE);
        }
        Ok((!items.is_empty()).then_some(items))
    }

    /// A refusal that is a field of its message.
    fn refusal(&self, refusal: Json<'j>, is_alone: bool) -> Result<Part<'j>, JsonError> {
        let text = refusal.as_str().map_err(|error| error.within("refusal"))?;
        let mut part = Part::Text(TextPart { kind: "refusal".into(), text, rest: Object::default() });
        if !is_alone {
            let mut overlay = Overlay::default();
            overlay.set("@at", Json::scalar("\"field\""));
            set_overlay(&mut part, &overlay, self.strings);
        }
        Ok(part)
    }

    /// A call. `None` if no element can say it.
    fn call(&mut self, json: Json<'j>) -> Result<Option<ToolCall<'j>>, JsonError> {
        let Some(wanted) = json.object().ok().filter(Overlay::can_hold) else { return Ok(None) };
        let is_custom = wanted.get("function").is_none() && wanted.get("custom").is_some();
        let (kind, key, input) = if is_custom {
            (ToolKind::Custom, "custom", "input")
        } else {
            (ToolKind::Function, "function", "arguments")
        };
        let Some(called) = wanted.get(key).and_then(|called| called.object().ok()) else { return Ok(None) };
        let text = |value: Option<Json<'j>>| match value {
            Some(value) if value.kind() == Kind::String => value.as_str(),
            Some(value) if value.kind() != Kind::Null => Ok(value.compact()),
            Some(_) | None => Ok(Cow::Borrowed("")),
        };
        let within = |error: JsonError| error.within("tool_calls");
        let call_id = text(wanted.get("id")).map_err(within)?;
        let name = text(called.get("name")).map_err(within)?;
        let input = text(called.get(input)).map_err(within)?;
        self.calls.insert(call_id.clone(), (kind, name.clone()));
        let mut call = ToolCall { kind, call_id, name, input, rest: Object::default() };
        let mut ledger = Ledger::new(Api::Chat);
        let derived = Exporter::new(self.strings, &mut ledger).call(&call, &Overlay::default(), Place::default());
        Overlay::between(&derived, &wanted, self.strings).insert_into(&mut call.rest, Api::Chat, self.strings);
        Ok(Some(call))
    }

    fn legacy_call(&mut self, message: &Object<'j>) -> Result<Option<ToolCall<'j>>, JsonError> {
        let Some(called) = message.get("function_call").and_then(|called| called.object().ok()) else {
            return Ok(None);
        };
        let string = |key: &str| called.get(key).filter(|value| value.kind() == Kind::String).map(Json::as_str);
        let (Some(name), Some(input)) = (string("name").transpose()?, string("arguments").transpose()?) else {
            return Ok(None);
        };
        self.legacy += 1;
        let call_id: Cow<'j, str> = format!("legacy_{}", self.legacy).into();
        self.calls.insert(call_id.clone(), (ToolKind::Function, name.clone()));
        let mut call = ToolCall { kind: ToolKind::Function, call_id, name, input, rest: Object::default() };
        legacy_overlay().insert_into(&mut call.rest, Api::Chat, self.strings);
        Ok(Some(call))
    }

    fn output(&mut self, message: &Object<'j>, moved: &[usize]) -> Result<Option<Vec<Item<'j>>>, JsonError> {
        let call_id = message.get("tool_call_id").filter(|id| id.kind() == Kind::String);
        let call_id = call_id.map(Json::as_str).transpose().map_err(|error| error.within("tool_call_id"))?;
        let call_id = call_id.unwrap_or_default();
        let content = message.get_present("content");
        let output = match content.map(|content| (content, content.kind())) {
            Some((_, Kind::Array)) => {
                let Some(mut parts) = self.content(message, Owner::Output)? else { return Ok(None) };
                let stays = parts.iter_mut().enumerate().filter(|(index, _)| !moved.contains(index));
                stays.for_each(|(_, part)| mark_media(part, self.strings));
                ToolOutput::Content(parts)
            }
            Some((text, Kind::String)) => ToolOutput::Text(text.as_str().map_err(|error| error.within("content"))?),
            Some(_) | None => ToolOutput::Text(Cow::Borrowed("")),
        };
        let kind = self.calls.get(&call_id).map_or(ToolKind::Function, |(kind, _)| *kind);
        let mut rest = Object::default();
        insert_name(message, &mut rest);
        if !moved.is_empty() {
            rest.insert(HOISTED, Json::TRUE);
        }
        Ok(Some(vec![Item::ToolResponse(ToolResponse { kind, call_id, output, rest })]))
    }

    fn legacy_output(&mut self, message: &Object<'j>) -> Result<Option<Vec<Item<'j>>>, JsonError> {
        let Some(content) = message.get("content").filter(|content| content.kind() == Kind::String) else {
            return Ok(None);
        };
        let text = content.as_str().map_err(|error| error.within("content"))?;
        let call_id = format!("legacy_{}", self.legacy.max(1)).into();
        let mut rest = Object::default();
        legacy_overlay().insert_into(&mut rest, Api::Chat, self.strings);
        let output = ToolOutput::Text(text);
        Ok(Some(vec![Item::ToolResponse(ToolResponse { kind: ToolKind::Function, call_id, output, rest })]))
    }
}

/// Items with the JSON that each comes from: a call, or its message.
pub(super) fn with_originals<'j>(items: Vec<Item<'j>>, message: Json<'j>) -> Items<'j> {
    let calls = message.object().ok().and_then(|message| message.get("tool_calls")?.array().ok());
    let mut calls = calls.unwrap_or_default().into_iter();
    let original = |item: Item<'j>| {
        let call = if matches!(item, Item::ToolCall(_)) { calls.next() } else { None };
        (item, call.unwrap_or(message))
    };
    items.into_iter().map(original).collect()
}

fn legacy_overlay<'j>() -> Overlay<'j> {
    let mut overlay = Overlay::default();
    overlay.set(LEGACY, Json::TRUE);
    overlay
}

/// Marks an image or a file that stays in its output.
fn mark_media<'j>(part: &mut Part<'j>, strings: &'j StringArena) {
    let rest = match part {
        Part::Text(part) if Overlay::of(&part.rest, Api::Chat).get("type").is_some() => &mut part.rest,
        Part::Image(part) => &mut part.rest,
        Part::Other(part) => part,
        Part::Text(_) | Part::Raw(_) => return,
    };
    let mut overlay = Overlay::of(rest, Api::Chat);
    rest.take(Api::Chat.overlay_key());
    overlay.set_mark(Some(Mark::Here), strings);
    overlay.insert_into(rest, Api::Chat, strings);
}

fn reasoning<'j>(field: &str, text: Cow<'j, str>, strings: &'j StringArena) -> Item<'j> {
    let mut rest = Object::default();
    rest.insert("@issuer", Json::scalar("\"chat\""));
    if field != REASONING_FIELD {
        rest.insert("@field", strings.string(field));
    }
    let summary = if text.is_empty() { Vec::new() } else { vec![Part::text("summary_text", text)] };
    Item::Reasoning(Reasoning { summary, content: None, rest })
}

fn insert_name<'j>(message: &Object<'j>, rest: &mut Object<'j>) {
    if let Some(name) = message.get("name").filter(|name| name.kind() == Kind::String) {
        rest.insert("@name", name);
    }
}

/// A message whose content is one text as a string, and one refusal as a field.
pub(super) fn canonical(mut message: Object<'_>) -> Object<'_> {
    let is_said = ["user", "system", "developer", "assistant"];
    if !message.get_str("role").is_some_and(|role| is_said.contains(&role.as_ref())) {
        return message;
    }
    let parts = message.get("content").and_then(|content| content.array().ok()).unwrap_or_default();
    let [part] = &parts[..] else { return message };
    let Some(part) = part.object().ok().filter(|part| part.iter().count() == 2) else { return message };
    for key in ["text", "refusal"] {
        let is_type = part.get_str("type").is_some_and(|kind| kind == key);
        let Some(text) = part.get(key).filter(|text| is_type && text.kind() == Kind::String) else { continue };
        if key == "text" {
            message.replace("content", text);
        } else {
            message.replace("content", Json::NULL);
            message.replace("refusal", text);
        }
    }
    message
}

/// A message that no element can say.
fn whole<'j>(message: &Object<'j>, strings: &'j StringArena) -> Item<'j> {
    let mut object = Object::default();
    object.insert("api", Json::scalar("\"chat\""));
    object.insert("message", strings.object(message));
    Item::Foreign(object)
}

/// Whether an item is a whole message.
fn is_whole(item: &Item<'_>) -> bool {
    matches!(item, Item::Foreign(_))
}
