//! The messages of a request as items.

use std::borrow::Cow;

use super::export::{Exporter, USER_BLOCKS, is_direct};
use super::fields::import_fields;
use super::part::{keep_cache_mark, nowhere};
use crate::json::{Json, JsonError, Kind, Object, StringArena};
use crate::responses::{Item, Message, Part, Reasoning, ToolCall, ToolKind, ToolOutput, ToolResponse};
use crate::wire::{Api, Incoming, Items, Mark, Members, Overlay, UnitKind, marks, unit_kind};

const API: Api = Api::Messages;

/// Reads a request.
pub fn import_request<'j>(request: Json<'j>, strings: &'j StringArena) -> Result<Incoming<'j>, JsonError> {
    let mut object = request.object()?;
    let messages = object.take("messages").ok_or_else(|| request.malformed("is missing").within("messages"))?;
    let messages = messages.array().map_err(|error| error.within("messages"))?;
    let import = Importer { strings, is_reply: false };
    let instructions = object.get("system").and_then(|system| import.instructions(system));
    if instructions.is_some() {
        object.take("system");
    }
    let messages = messages.into_iter().map(|message| import.message(message)).collect();
    Ok(Incoming {
        fields: import_fields(&object, strings)?,
        instructions: instructions.unwrap_or_default(),
        items: import.with_marks(messages),
    })
}

/// An element that is made of blocks of one message.
pub(super) struct Element<'j> {
    item: Item<'j>,
    /// The members for this API, without the mark.
    overlay: Overlay<'j>,
    original: Json<'j>,
}

/// Reads messages.
pub(super) struct Importer<'j> {
    pub(super) strings: &'j StringArena,
    /// The messages are replies, where the input of a call may be its text.
    pub(super) is_reply: bool,
}

impl<'j> Importer<'j> {
    /// The items of messages, with the marks that keep the messages apart.
    pub(super) fn with_marks(&self, messages: Vec<Vec<Element<'j>>>) -> Items<'j> {
        let kinds: Vec<Vec<(UnitKind<'_>, bool)>> = messages
            .iter()
            .map(|message| message.iter().map(|one| (unit_kind(API, &one.item), needs_mark(&one.item))).collect())
            .collect();
        let marks = marks(API, &kinds);
        let mut items = Vec::new();
        for (message, marks) in messages.into_iter().zip(marks) {
            for (Element { mut item, mut overlay, original }, mark) in message.into_iter().zip(marks) {
                overlay.set_mark(mark, self.strings);
                overlay.insert_into(rest_mut(&mut item), API, self.strings);
                items.push((item, original));
            }
        }
        items
    }

    /// The instructions that `system` is, unless only a member for this API can say it.
    fn instructions(&self, system: Json<'j>) -> Option<Vec<Message<'j>>> {
        let message = |block: Json<'j>| {
            let block = block.object().ok().filter(Overlay::can_hold)?;
            let text = block.get_str("text").filter(|_| block.get_str("type").as_deref() == Some("text"))?;
            let (content, mut rest) = self.parts(vec![block], "input_text");
            let mut overlay = Overlay::default();
            overlay.set_mark(text.is_empty().then_some(Mark::Here), self.strings);
            overlay.insert_into(&mut rest, API, self.strings);
            Some(Message { role: Cow::Borrowed("system"), content, rest })
        };
        let blocks = if system.kind() == Kind::String { self.text_blocks(system) } else { system };
        blocks.array().ok().filter(|blocks| !blocks.is_empty())?.into_iter().map(message).collect()
    }

    /// A list with one text block.
    fn text_blocks(&self, text: Json<'j>) -> Json<'j> {
        let mut block = Object::default();
        block.insert("type", self.strings.string("text"));
        block.insert("text", text);
        self.strings.objects(&[block])
    }

    /// The elements of a message. A message that elements cannot say is kept whole.
    pub(super) fn message(&self, json: Json<'j>) -> Vec<Element<'j>> {
        let elements = json.object().ok().and_then(|message| self.elements(message));
        let mut elements = elements.filter(|elements| !elements.is_empty()).unwrap_or_else(|| vec![self.whole(json)]);
        if let [Element { item: Item::Message(message), original, .. }] = &mut elements[..]
            && message.role != "assistant"
        {
            *original = json;
        }
        elements
    }

    /// The elements of the message that a reply is. Each comes from its block.
    pub(super) fn message_of(&self, reply: Json<'j>, blocks: &[Json<'j>], message: Json<'j>) -> Vec<Element<'j>> {
        let mut elements = self.message(message);
        let is_one_each = elements.len() == blocks.len();
        for (index, element) in elements.iter_mut().enumerate() {
            element.original = if is_one_each { blocks[index] } else { reply };
        }
        elements
    }

    fn whole(&self, json: Json<'j>) -> Element<'j> {
        let mut message = json;
        if let Ok(mut members) = json.object()
            && let Some(text) = members.get("content").filter(|content| content.kind() == Kind::String)
        {
            members.replace("content", self.text_blocks(text));
            message = self.strings.object(&members);
        }
        let mut foreign = Object::default();
        foreign.insert("api", self.strings.string(API.name()));
        foreign.insert("message", message);
        Element { item: Item::Foreign(foreign), overlay: Overlay::default(), original: json }
    }

    fn elements(&self, mut message: Object<'j>) -> Option<Vec<Element<'j>>> {
        let role = message.take_str("role")?;
        let content = message.take("content")?;
        if !Overlay::can_hold(&message) {
            return None;
        }
        let blocks = match content.kind() {
            Kind::String => self.text_blocks(content).array().ok()?,
            Kind::Array => content.array().ok()?,
            Kind::Null | Kind::Boolean | Kind::Number | Kind::Object => return None,
        };
        // A block of a turn that no element can say is kept alone.
        if !blocks.iter().all(|block| block.object().is_ok_and(|block| role == "assistant" || is_sayable(&block))) {
            return None;
        }
        let mut elements = match role.as_ref() {
            "user" => self.user(&blocks),
            "assistant" => blocks.into_iter().map(|block| self.assistant(block)).collect(),
            "system" => vec![self.plain("system", &blocks)?],
            _ => return None,
        };
        let first = elements.first_mut()?;
        let members = Overlay::new(message);
        match first.item {
            Item::Message(_) => first.overlay.extend(&members),
            Item::ToolCall(_) | Item::ToolResponse(_) | Item::Reasoning(_) | Item::Other(_) | Item::Foreign(_) => {
                first.overlay.set_message(&members, self.strings);
            }
        }
        Some(elements)
    }

    /// A message of one role with these blocks.
    fn plain(&self, role: &'static str, blocks: &[Json<'j>]) -> Option<Element<'j>> {
        let original = *blocks.first()?;
        let objects = blocks.iter().filter_map(|block| block.object().ok());
        let (content, rest) = match role {
            // Only this API has other parts than texts in system messages.
            "system" if objects.clone().any(|block| block.get_str("type").as_deref() != Some("text")) => {
                (objects.map(|block| self.system_part(&block)).collect(), Object::default())
            }
            _ => self.parts(objects.collect(), "input_text"),
        };
        let item = Item::Message(Message { role: Cow::Borrowed(role), content, rest });
        Some(Element { item, overlay: Overlay::default(), original })
    }

    /// A user message: outputs, and runs of other blocks.
    fn user(&self, blocks: &[Json<'j>]) -> Vec<Element<'j>> {
        let mut elements = Vec::new();
        let mut run: Vec<Json<'j>> = Vec::new();
        for block in blocks {
            match self.output(*block) {
                Some(output) => {
                    elements.extend(self.plain("user", &std::mem::take(&mut run)));
                    elements.push(output);
                }
                None => run.push(*block),
            }
        }
        elements.extend(self.plain("user", &run));
        elements
    }

    fn output(&self, json: Json<'j>) -> Option<Element<'j>> {
        let block = json.object().ok().filter(|block| block.get_str("type").as_deref() == Some("tool_result"))?;
        let call_id = block.get_str("tool_use_id")?;
        let output = match block.get("content") {
            Some(content) if content.kind() == Kind::Array => {
                let parts: Vec<Object<'j>> =
                    content.array().ok()?.into_iter().map(|part| part.object().ok()).collect::<Option<_>>()?;
                if !parts.iter().all(is_sayable) {
                    return None;
                }
                ToolOutput::Content(parts.iter().map(|part| self.part(part, "input_text")).collect())
            }
            Some(content) if content.kind() == Kind::String => ToolOutput::Text(content.as_str().ok()?),
            Some(_) | None => ToolOutput::Text(Cow::Borrowed("")),
        };
        let mut rest = Object::default();
        if let Some(is_error) = block.get("is_error").filter(|value| value.kind() == Kind::Boolean) {
            rest.insert("@error", is_error);
        }
        keep_cache_mark(&block, &mut rest);
        let empty = ToolOutput::Text(Cow::Borrowed(""));
        let item = ToolResponse { kind: ToolKind::Function, call_id, output: empty, rest };
        let mut derived = Exporter::new(self.strings).output(&item, nowhere(), true, &mut Vec::new());
        let mut wanted = block.clone();
        // The export gives back a text, and the block of each part, so these contents need no comparison.
        if block.get("content").is_some_and(|content| [Kind::Array, Kind::String].contains(&content.kind())) {
            derived.take("content");
            wanted.take("content");
        }
        let overlay = Overlay::between(&derived, &wanted, self.strings);
        Some(Element { item: Item::ToolResponse(ToolResponse { output, ..item }), overlay, original: json })
    }

    /// One block of an assistant message.
    fn assistant(&self, json: Json<'j>) -> Element<'j> {
        let block = json.object().unwrap_or_default();
        let known = match block.get_str("type").as_deref() {
            _ if !is_sayable(&block) => None,
            Some("text") => self.text(&block),
            Some("tool_use") => self.call(&block),
            Some("thinking" | "redacted_thinking") => self.reasoning(&block),
            Some(_) | None => None,
        };
        let (item, overlay) = known.unwrap_or_else(|| {
            let mut foreign = Object::default();
            foreign.insert("issuer", self.strings.string(API.issuer()));
            foreign.insert("block", json);
            (Item::Foreign(foreign), Overlay::default())
        });
        Element { item, overlay, original: json }
    }

    fn text(&self, block: &Object<'j>) -> Option<(Item<'j>, Overlay<'j>)> {
        let (content, rest) = self.parts(vec![block.clone()], "output_text");
        let has_own_type =
            |part: &Part<'j>| part.rest().is_some_and(|rest| Overlay::of(rest, API).get("type").is_some());
        let message = Message { role: Cow::Borrowed("assistant"), content, rest };
        (!message.content.iter().any(has_own_type)).then(|| (Item::Message(message), Overlay::default()))
    }

    fn call(&self, block: &Object<'j>) -> Option<(Item<'j>, Overlay<'j>)> {
        let mut wanted = block.clone();
        let input = match wanted.take("input")? {
            // The line breaks of a request that is written on several lines do not belong to its values.
            input if input.kind() == Kind::Object && input.raw().contains(['\n', '\r']) => input.compact(),
            input if input.kind() == Kind::Object => Cow::Borrowed(input.raw()),
            input if input.kind() == Kind::String && self.is_reply => input.as_str().ok()?,
            _ => return None,
        };
        let mut rest = Object::default();
        keep_cache_mark(block, &mut rest);
        if let Some(caller) = block.get("caller").filter(|caller| is_direct(*caller)) {
            rest.insert("caller", caller);
        }
        let call = ToolCall {
            kind: ToolKind::Function,
            call_id: block.get_str("id")?,
            name: block.get_str("name")?,
            input,
            rest,
        };
        let derived = Exporter::new(self.strings).call(&call, nowhere());
        // Cut arguments cannot be sent, but the other members are kept.
        let mut derived = derived.unwrap_or_else(|| {
            let mut known = Members::from(wanted.clone());
            known.retain(|key| ["type", "id", "name", "cache_control"].contains(&key));
            known
        });
        derived.take("input");
        Some((Item::ToolCall(call), Overlay::between(&derived, &wanted, self.strings)))
    }

    fn reasoning(&self, block: &Object<'j>) -> Option<(Item<'j>, Overlay<'j>)> {
        let mut rest = Object::default();
        rest.insert("@issuer", self.strings.string(API.issuer()));
        let is_text = |value: &Json<'_>| value.kind() == Kind::String;
        let mut summary = Vec::new();
        if block.get_str("type").as_deref() == Some("thinking") {
            let text = block.get_str("thinking")?;
            if let Some(signature) = block.get("signature").filter(is_text) {
                rest.insert("@signature", signature);
            }
            if !text.is_empty() {
                summary.push(Part::text("summary_text", text));
            }
        } else {
            rest.insert("@redacted", block.get("data").filter(is_text)?);
        }
        let reasoning = Reasoning { summary, content: None, rest };
        let overlay = match Exporter::new(self.strings).reasoning(&reasoning, nowhere()) {
            Some(derived) => Overlay::between(&derived, block, self.strings),
            // A stream was cut before the signature. The API would reject the block: it is kept, and not sent.
            None if self.is_reply => Overlay::default(),
            None => {
                let mut members = block.clone();
                members.retain(|key| key != "thinking");
                Overlay::new(members)
            }
        };
        Some((Item::Reasoning(reasoning), overlay))
    }
}

/// Whether a part can say a block.
fn is_sayable(block: &Object<'_>) -> bool {
    Overlay::can_hold(block) && block.get_str("type").is_some()
}

fn rest_mut<'i, 'j>(item: &'i mut Item<'j>) -> &'i mut Object<'j> {
    match item {
        Item::Message(message) => &mut message.rest,
        Item::ToolCall(call) => &mut call.rest,
        Item::ToolResponse(output) => &mut output.rest,
        Item::Reasoning(reasoning) => &mut reasoning.rest,
        Item::Other(members) | Item::Foreign(members) => members,
    }
}

/// Whether only a mark keeps an item as it is: it has an empty text, or it is a block of another kind of message.
fn needs_mark(item: &Item<'_>) -> bool {
    let is_empty = |part: &Part<'_>| match part {
        Part::Text(text) => text.text.is_empty() && Overlay::of(&text.rest, API).get("type").is_none(),
        Part::Image(_) | Part::Other(_) | Part::Raw(_) => false,
    };
    match item {
        Item::Message(message) => message.content.iter().any(is_empty),
        Item::ToolResponse(output) => output.output.parts().iter().any(is_empty),
        Item::Foreign(foreign) => {
            let kind = foreign.get("block").and_then(|block| block.object().ok()?.get_str("type"));
            kind.is_some_and(|kind| USER_BLOCKS.contains(&kind.as_ref()))
        }
        Item::ToolCall(_) | Item::Reasoning(_) | Item::Other(_) => false,
    }
}
