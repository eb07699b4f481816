//! Items to messages.

use std::borrow::Cow;

use super::ToolImages;
use super::hoist::{Content, Output, OutputPart, text_of};
use super::part::Owner;
use crate::json::{Json, Object, StringArena};
use crate::responses::{Item, Message, Part, Reasoning, ToolCall, ToolKind, ToolOutput, ToolResponse};
use crate::wire::{Api, Ledger, Members, Overlay, Place, Value, note, report_unsent, rules, sent_call_id};

/// The field of reasoning that names no other.
pub(super) const REASONING_FIELD: &str = "reasoning_content";
/// The member of a call that says whether its message has a `content`.
pub(super) const CONTENT: &str = "@content";
/// The member of an output whose images and files came in a user message.
pub(super) const HOISTED: &str = "@hoisted";
/// The mark of a call, an output or a tool in the form before `tool_calls`.
pub(super) const LEGACY: &str = "@legacy";

/// Converts items to messages.
pub(super) struct Exporter<'l, 'd> {
    pub(super) strings: &'d StringArena,
    pub(super) ledger: &'l mut Ledger,
    pub(super) tool_images: ToolImages,
}

/// The parts of an assistant message.
#[derive(Default)]
struct Turn<'d> {
    content: Vec<Members<'d>>,
    refusal: Option<Value<'d>>,
    /// Each field of reasoning and its texts.
    reasoning: Vec<(Cow<'d, str>, Vec<String>)>,
    calls: Vec<Members<'d>>,
    legacy_call: Option<Value<'d>>,
    name: Option<Json<'d>>,
    overlays: Vec<Overlay<'d>>,
    /// Whether a message without texts has no `content` at all.
    lacks_content: bool,
    /// Whether there is an assistant message, even if it has no parts.
    has_message: bool,
}

impl<'d> Turn<'d> {
    /// Its message. `None` if nothing of it is sent.
    fn finish(mut self) -> Option<Members<'d>> {
        let is_silent = self.calls.is_empty() && self.legacy_call.is_none() && self.reasoning.is_empty();
        if is_silent && self.content.is_empty() && self.refusal.is_none() && !self.has_message {
            return None;
        }
        if let [only] = &self.content[..]
            && self.refusal.is_none()
            && only.len() == 2
            && let Some(refusal) = only.get("refusal")
        {
            self.refusal = Some(refusal.clone());
            self.content.clear();
        }
        let mut object = with_role("assistant");
        for (field, texts) in self.reasoning {
            object.insert(field, texts.join("\n"));
        }
        match self.content.is_empty() {
            false => object.insert("content", content(self.content)),
            true if is_silent && self.refusal.is_none() => object.insert("content", ""),
            true if self.lacks_content => {}
            true => object.insert("content", Json::NULL),
        }
        object.insert_some("refusal", self.refusal);
        object.insert_some("tool_calls", (!self.calls.is_empty()).then_some(self.calls));
        object.insert_some("function_call", self.legacy_call);
        object.insert_some("name", self.name);
        self.overlays.iter().for_each(|overlay| overlay.apply(&mut object));
        Some(object)
    }
}

impl<'l, 'd> Exporter<'l, 'd> {
    pub(super) fn new(strings: &'d StringArena, ledger: &'l mut Ledger) -> Self {
        Self { strings, ledger, tool_images: ToolImages::Hoist }
    }

    /// A user, system or developer message. `None` if nothing of it is sent.
    pub(super) fn message(&mut self, message: &Message<'d>, role: &str, place: Place<'_>) -> Option<Members<'d>> {
        let owner = if message.role == "user" { Owner::User } else { Owner::System };
        let parts = self.parts(&message.content, "content", owner, place);
        if parts.is_empty() && !message.content.is_empty() {
            return None;
        }
        let overlay = Overlay::of(&message.rest, Api::Chat);
        if parts.is_empty() {
            self.note_empty(&overlay, place);
        }
        report_unsent(Api::Chat, &message.rest, &["@name"], place, self.ledger);
        let mut object = with_role(role.to_owned());
        object.insert("content", if parts.is_empty() { "".into() } else { content(parts) });
        object.insert_some("name", message.rest.get("@name"));
        overlay.apply(&mut object);
        Some(object)
    }

    /// Notes that a message has no parts, unless the content that it is sent with is known.
    fn note_empty(&mut self, overlay: &Overlay<'d>, place: Place<'_>) {
        if overlay.get("content").is_none() {
            note(self.ledger, rules::RESPELLED_FIELD, place, "a message without parts is sent with an empty text");
        }
    }

    fn parts(&mut self, parts: &[Part<'d>], list: &'static str, owner: Owner, place: Place<'_>) -> Vec<Members<'d>> {
        parts.iter().enumerate().filter_map(|(index, part)| self.part(part, owner, place.part(list, index))).collect()
    }

    /// The assistant message of a turn. `None` if nothing of it is sent.
    pub(super) fn turn<'i>(&mut self, items: impl Iterator<Item = (&'i Item<'d>, Place<'i>)>) -> Option<Members<'d>>
    where
        'd: 'i,
    {
        let mut turn = Turn::default();
        for (item, place) in items {
            let overlay = Overlay::of(item.rest(), Api::Chat);
            match item {
                Item::Message(message) => {
                    self.add_message(&mut turn, message, place);
                    turn.overlays.push(overlay);
                }
                Item::Reasoning(reasoning) => {
                    self.add_reasoning(&mut turn, reasoning, place);
                    turn.overlays.push(overlay.message_members());
                }
                Item::ToolCall(call) => {
                    self.add_call(&mut turn, call, &overlay, place);
                    turn.overlays.push(overlay.message_members());
                }
                Item::ToolResponse(_) | Item::Other(_) | Item::Foreign(_) => {}
            }
        }
        turn.finish()
    }

    fn add_message(&mut self, turn: &mut Turn<'d>, message: &Message<'d>, place: Place<'_>) {
        report_unsent(Api::Chat, &message.rest, &["@name"], place, self.ledger);
        let mut is_sent = message.content.is_empty();
        if is_sent {
            self.note_empty(&Overlay::of(&message.rest, Api::Chat), place);
        }
        for (index, part) in message.content.iter().enumerate() {
            let Some(object) = self.part(part, Owner::Assistant, place.part("content", index)) else { continue };
            is_sent = true;
            let is_field = part.rest().is_some_and(is_refusal_field);
            match object.get("refusal").filter(|_| is_field && turn.refusal.is_none()) {
                Some(refusal) => turn.refusal = Some(refusal.clone()),
                None => turn.content.push(object),
            }
        }
        turn.has_message |= is_sent;
        if turn.name.is_none() {
            turn.name = message.rest.get("@name");
        } else if message.rest.get("@name").is_some() {
            note(self.ledger, rules::UNSENT_KEYS, place, "the name of a second message of the turn is not sent");
        }
    }

    fn add_reasoning(&mut self, turn: &mut Turn<'d>, reasoning: &Reasoning<'d>, place: Place<'_>) {
        report_unsent(Api::Chat, &reasoning.rest, &[], place, self.ledger);
        let field = reasoning.rest.get_str("@field").unwrap_or(Cow::Borrowed(REASONING_FIELD));
        let text: String = reasoning.summary.iter().filter_map(part_text).collect();
        match turn.reasoning.iter_mut().find(|(known, _)| *known == field) {
            Some((_, texts)) => {
                texts.push(text);
                note(self.ledger, rules::MOVED_TEXT, place, "the reasoning is joined with the reasoning before it");
            }
            None => turn.reasoning.push((field, vec![text])),
        }
    }

    fn add_call(&mut self, turn: &mut Turn<'d>, call: &ToolCall<'d>, overlay: &Overlay<'d>, place: Place<'_>) {
        let object = self.call(call, overlay, place);
        turn.lacks_content |= call.rest.get(CONTENT).is_some_and(|has_content| has_content.raw() == "false");
        match object.get("function").filter(|_| is_legacy(overlay)) {
            Some(called) => turn.legacy_call = Some(called.clone()),
            None => turn.calls.push(object),
        }
    }

    /// An element of `tool_calls`.
    pub(super) fn call(&mut self, call: &ToolCall<'d>, overlay: &Overlay<'d>, place: Place<'_>) -> Members<'d> {
        let taken: &[&str] = if call.rest.get_str("namespace").is_some() { &["namespace"] } else { &[] };
        report_unsent(Api::Chat, &call.rest, taken, place, self.ledger);
        let name = self.call_name(call, place);
        let (kind, key) = match call.kind {
            ToolKind::Function => ("function", "arguments"),
            ToolKind::Custom => ("custom", "input"),
        };
        let mut called = Members::default();
        called.insert("name", name);
        called.insert(key, call.input.clone());
        let is_kept = overlay.get("id").is_some() || is_legacy(overlay);
        let mut object = Members::default();
        object.insert("id", self.call_id(&call.call_id, is_kept, place));
        object.insert("type", kind);
        object.insert(kind, called);
        overlay.apply(&mut object);
        object
    }

    /// The name of a tool. A namespace is a part of it.
    fn call_name(&mut self, call: &ToolCall<'d>, place: Place<'_>) -> Cow<'d, str> {
        match call.rest.get_str("namespace") {
            Some(namespace) => {
                let name = format!("{namespace}__{}", call.name);
                note(self.ledger, rules::RESPELLED_TOOL, place, format!("the call is sent as a call of `{name}`"));
                Cow::Owned(name)
            }
            None => call.name.clone(),
        }
    }

    fn call_id(&mut self, id: &Cow<'d, str>, is_kept: bool, place: Place<'_>) -> Cow<'d, str> {
        match sent_call_id(Api::Chat, id) {
            Cow::Borrowed(_) => id.clone(),
            Cow::Owned(sent) => {
                if !is_kept {
                    note(self.ledger, rules::RESPELLED_ID, place, format!("the id is sent as `{sent}`"));
                }
                Cow::Owned(sent)
            }
        }
    }

    /// The output of a tool. Its content is added by [`Exporter::with_content`].
    pub(super) fn output(&mut self, response: &ToolResponse<'d>, place: Place<'_>) -> (Members<'d>, Output<'d>) {
        report_unsent(Api::Chat, &response.rest, &["@name"], place, self.ledger);
        let overlay = Overlay::of(&response.rest, Api::Chat);
        let id = self.call_id(&response.call_id, overlay.get("tool_call_id").is_some() || is_legacy(&overlay), place);
        let named = overlay.get("tool_call_id").map(|id| id.as_str().unwrap_or_default());
        let mut object = with_role("tool");
        object.insert("tool_call_id", id.clone());
        object.insert_some("name", response.rest.get("@name"));
        let content = match &response.output {
            ToolOutput::Text(text) => Content::Text(text.clone()),
            ToolOutput::Content(parts) => {
                if parts.is_empty() && overlay.get("content").is_none() {
                    note(
                        self.ledger,
                        rules::RESPELLED_FIELD,
                        place,
                        "an output without parts is sent as an empty text",
                    );
                }
                let inline = self.tool_images == ToolImages::Inline;
                let mut sent = Vec::with_capacity(parts.len());
                for (index, part) in parts.iter().enumerate() {
                    let Some(members) = self.part(part, Owner::Output, place.part("output", index)) else { continue };
                    let stays = inline || part.rest().is_some_and(|rest| Overlay::of(rest, Api::Chat).mark().is_some());
                    sent.push(OutputPart { members, stays });
                }
                if sent.is_empty() { Content::Text(Cow::Borrowed("")) } else { Content::Parts(sent) }
            }
        };
        (object, Output { call_id: named.unwrap_or(id), content })
    }

    /// The message of an output with its content.
    pub(super) fn with_content(
        mut object: Members<'d>,
        output: Output<'d>,
        response: &ToolResponse<'d>,
        called: Option<&str>,
    ) -> Members<'d> {
        let content: Value<'d> = match output.content {
            Content::Text(text) => text.into(),
            Content::Parts(parts) => parts.into_iter().map(|part| part.members).collect::<Vec<_>>().into(),
        };
        object.insert("content", content);
        let overlay = Overlay::of(&response.rest, Api::Chat);
        if is_legacy(&overlay) {
            object.replace("role", "function");
            object.take("tool_call_id");
            if object.get("name").is_none() {
                object.insert_some("name", called.map(str::to_owned));
            }
        }
        overlay.apply(&mut object);
        object
    }
}

/// One plain text as a string, anything else as an array.
fn content(mut parts: Vec<Members<'_>>) -> Value<'_> {
    let text = match &mut parts[..] {
        [part] if part.len() == 2 && text_of(part).is_some() => part.take("text"),
        _ => None,
    };
    text.unwrap_or_else(|| parts.into())
}

fn with_role<'d>(role: impl Into<Cow<'d, str>>) -> Members<'d> {
    let mut object = Members::default();
    object.insert("role", role.into());
    object
}

/// Whether an item has the mark of the older form.
pub(super) fn is_legacy(overlay: &Overlay<'_>) -> bool {
    overlay.get(LEGACY).is_some_and(|mark| mark.raw() == "true")
}

/// Whether the refusal is the field `refusal` of its message, and not a part of its content.
fn is_refusal_field(rest: &Object<'_>) -> bool {
    Overlay::of(rest, Api::Chat).get("@at").is_some_and(|mark| mark.raw() == "\"field\"")
}

/// The text of a part.
fn part_text<'p>(part: &'p Part<'_>) -> Option<&'p str> {
    match part {
        Part::Text(part) => Some(&part.text),
        Part::Image(_) | Part::Other(_) | Part::Raw(_) => None,
    }
}
