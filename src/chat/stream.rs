//! Streams of the Chat API: the body with its choices that the chunks add up to.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::json::write::{ObjectWriter, array};
use crate::json::{Json, JsonError, Kind, Object, StringArena};
use crate::outcome::error_of;
use crate::stream::{self, Collect, Event, EventText, LiveKind, StreamEnd, Streamed, StreamedBody, StreamedObject};

/// The keys of a delta that bring more of a text, and what the text is for its reader.
pub(super) const TEXTS: [(&str, LiveKind); 4] = [
    ("reasoning_content", LiveKind::Reasoning),
    ("reasoning", LiveKind::Reasoning),
    ("content", LiveKind::Answer),
    ("refusal", LiveKind::Refusal),
];

/// Reads a stream, which is at offset `at` of a larger text, into a body as [`super::import_reply`] reads it:
/// `{"choices":[{"index","message","finish_reason"}],…}`. Without any chunk there is no body. The body is complete if the
/// chosen choice is, or all are.
pub fn read_stream<'j>(text: &'j str, at: usize, chosen: Option<u64>, strings: &'j StringArena) -> Streamed<'j> {
    let mut reply = Reply::default();
    stream::read(text, at, strings, &mut reply);
    reply.finish(chosen, strings)
}

/// The reply of a stream.
#[derive(Default)]
struct Reply<'j> {
    members: StreamedObject<'j>,
    choices: BTreeMap<u64, Choice<'j>>,
    has_chunks: bool,
    is_done: bool,
    error: Option<Json<'j>>,
    streamed: Streamed<'j>,
}

#[derive(Default)]
struct Choice<'j> {
    message: StreamedObject<'j>,
    /// The members of the choice besides the message.
    members: StreamedObject<'j>,
    /// The parts of a `content` that is a list.
    parts: Vec<StreamedObject<'j>>,
    calls: Vec<Call<'j>>,
    function_call: Option<Call<'j>>,
    /// The elements of `reasoning_details`, by their `index`.
    details: Vec<(Option<u64>, StreamedObject<'j>)>,
    /// An empty `finish_reason` came.
    is_ended: bool,
}

/// A call: its members, and those of its `function` or `custom`.
#[derive(Default)]
struct Call<'j> {
    index: Option<u64>,
    members: StreamedObject<'j>,
    inner: BTreeMap<&'static str, StreamedObject<'j>>,
}

impl<'j> Collect<'j> for Reply<'j> {
    const TEXT_KEYS: &'static [&'static str] =
        &["content", "refusal", "reasoning_content", "reasoning", "text", "summary", "thinking", "arguments", "input"];

    fn take(&mut self, event: &Event<'_, 'j>) {
        let json = event.keep();
        let Ok(object) = json.object() else { return };
        self.has_chunks = true;
        self.streamed.is_partial |= event.is_cut();
        self.error = error_of(&object, json).or(self.error);
        let is_own = |key: &str| !["choices", "object", "error"].contains(&key);
        for (key, value) in object.iter().filter(|(key, value)| is_own(key) && !event.cuts(*value)) {
            self.members.set(key, value);
        }
        for choice in object.get_objects("choices") {
            let index = choice.get_index("index").unwrap_or_default();
            self.choices.entry(index).or_default().take(&choice, event);
        }
    }

    fn skip(&mut self, error: Option<JsonError>) {
        self.streamed.skip(error);
    }

    fn done(&mut self) {
        self.is_done = true;
    }
}

impl<'j> Reply<'j> {
    fn finish(mut self, chosen: Option<u64>, strings: &'j StringArena) -> Streamed<'j> {
        if !self.has_chunks && !self.is_done {
            return self.streamed;
        }
        let mut counting =
            self.choices.iter().filter(|(index, _)| chosen.is_none_or(|chosen| chosen == **index)).peekable();
        let is_ended = self.is_done || counting.peek().is_some() && counting.all(|(_, choice)| choice.is_ended());
        let end = match self.error {
            Some(error) => StreamEnd::Error(error),
            None if is_ended && !self.streamed.is_only_cut() => StreamEnd::Complete,
            None => StreamEnd::Cut,
        };
        let mut lost = Vec::new();
        let choices: Vec<_> =
            self.choices.into_iter().map(|(index, choice)| choice.json(index, strings, &mut lost)).collect();
        let mut starts = Vec::new();
        let json = strings.write_object(|body| {
            body.text("object", "chat.completion");
            self.members.write_members(body, &mut lost);
            array(body.name("choices"), choices, |out, (choice, inside)| {
                starts.extend(inside.into_iter().map(|(at, start)| (out.len() + at, start)));
                out.push_str(choice.raw());
            });
        });
        self.streamed.malformed.append(&mut lost);
        self.streamed.bodies.push(StreamedBody { json, starts, end });
        self.streamed
    }
}

impl<'j> Choice<'j> {
    fn is_ended(&self) -> bool {
        self.is_ended || self.members.get("finish_reason").is_some_and(|reason| reason.kind() != Kind::Null)
    }

    /// Takes a choice of a chunk.
    fn take(&mut self, choice: &Object<'j>, event: &Event<'_, 'j>) {
        for (key, value) in choice.iter().filter(|(_, value)| !event.cuts(*value)) {
            match key {
                "index" | "delta" | "message" => {}
                "finish_reason" if value.raw() == "\"\"" => self.is_ended = true,
                _ => self.members.set(key, value),
            }
        }
        // Some servers send a whole message.
        let is_new = self.message.is_empty() && self.parts.is_empty() && self.calls.is_empty();
        let delta = choice.get("delta").or_else(|| choice.get("message").filter(|_| is_new));
        let delta = delta.and_then(|delta| delta.object().ok()).unwrap_or_default();
        for (key, value) in delta.iter() {
            self.take_member(key, value, event);
        }
    }

    fn take_member(&mut self, key: &str, value: Json<'j>, event: &Event<'_, 'j>) {
        let elements = || value.array().unwrap_or_default().into_iter().filter_map(|element| element.object().ok());
        match key {
            "tool_calls" => elements().for_each(|call| self.call(&call).take(&call, event)),
            "function_call" if value.kind() == Kind::Object => {
                let call = self.function_call.get_or_insert_default();
                call.take_inner("function", &value.object().unwrap_or_default(), event);
            }
            "content" if value.kind() == Kind::Array => elements().for_each(|part| self.take_part(&part, event)),
            "content" if !self.parts.is_empty() => {
                let mut part = Object::default();
                part.insert("type", Json::scalar("\"text\""));
                part.insert("text", value);
                self.take_part(&part, event);
            }
            "reasoning_details" => elements().for_each(|detail| self.take_detail(&detail, event)),
            _ if TEXTS.iter().any(|(known, _)| *known == key) && matches!(value.kind(), Kind::String | Kind::Null) => {
                match EventText::read(Some(value)) {
                    Ok(Some(text)) => self.message.push(key, &text),
                    Ok(None) | Err(_) => self.message.set(key, value),
                }
            }
            "role" => self.message.set_once(key, value),
            _ if !event.cuts(value) => self.message.set(key, value),
            _ => {}
        }
    }

    /// The call that an element of `tool_calls` continues: by its `index`, else by its `id`, else the last.
    fn call(&mut self, call: &Object<'j>) -> &mut Call<'j> {
        let (index, id) = (call.get_index("index"), call.get_str("id").filter(|id| !id.is_empty()));
        let known = match (index, &id) {
            (Some(_), _) => self.calls.iter().position(|known| known.index == index),
            (None, Some(id)) => self.calls.iter().position(|known| known.members.text("id").as_deref() == Some(id)),
            (None, None) => self.calls.len().checked_sub(1),
        };
        let at = known.unwrap_or(self.calls.len());
        if at == self.calls.len() {
            self.calls.push(Call { index, ..Call::default() });
        }
        &mut self.calls[at]
    }

    /// Takes a part of a `content` that is a list. A part continues the part before it if that has the same type and both
    /// are text.
    fn take_part(&mut self, part: &Object<'j>, event: &Event<'_, 'j>) {
        if self.parts.is_empty()
            && let Some(text) = self.message.text("content").map(Cow::into_owned)
        {
            self.message.remove("content");
            let mut first = StreamedObject::default();
            first.set("type", Json::scalar("\"text\""));
            first.push_str("text", &text);
            self.parts.extend((!text.is_empty()).then_some(first));
        }
        let kind = part.get_str("type").unwrap_or_default();
        let key = if kind == "thinking" { "thinking" } else { "text" };
        let text = match part.get(key).and_then(|text| text.array().ok()) {
            Some(inner) => Some(inner.into_iter().filter_map(|text| text.object().ok()?.get_str("text")).collect()),
            None => part.get(key).and_then(Json::as_str_lossy).map(Cow::into_owned),
        };
        let text = text.filter(|_| matches!(kind.as_ref(), "text" | "thinking"));
        let continues = |last: &&mut StreamedObject<'j>| last.text("type").as_deref() == Some(kind.as_ref());
        match (text, self.parts.last_mut().filter(continues)) {
            (Some(text), Some(last)) => last.push_str(key, &text),
            (text, _) => {
                let mut new = StreamedObject::default();
                part.iter().filter(|(_, value)| !event.cuts(*value)).for_each(|(key, value)| new.set(key, value));
                if let Some(text) = text {
                    new.remove(key);
                    new.push_str(key, &text);
                }
                self.parts.push(new);
            }
        }
    }

    /// Takes an element of `reasoning_details`. Texts of one `index` are joined.
    fn take_detail(&mut self, detail: &Object<'j>, event: &Event<'_, 'j>) {
        let index = detail.get_index("index");
        let same_type = |known: &StreamedObject<'j>| known.text("type") == detail.get_str("type");
        let at = self
            .details
            .iter()
            .rposition(|(known, members)| *known == index && (index.is_some() || same_type(members)));
        let at = at.unwrap_or(self.details.len());
        if at == self.details.len() {
            self.details.push((index, StreamedObject::default()));
        }
        for (key, value) in detail.iter() {
            match (key, EventText::read(Some(value))) {
                ("text" | "summary", Ok(Some(text))) => self.details[at].1.push(key, &text),
                _ if event.cuts(value) => {}
                _ => self.details[at].1.set(key, value),
            }
        }
    }

    /// Its JSON, and where the parts of this JSON begin.
    fn json(
        mut self,
        index: u64,
        strings: &'j StringArena,
        lost: &mut Vec<JsonError>,
    ) -> (Json<'j>, Vec<(usize, usize)>) {
        let mut starts = Vec::new();
        let start = self.message.start();
        self.message.set_once("role", Json::scalar("\"assistant\""));
        self.members.set("finish_reason", Json::NULL);
        let json = strings.write_object(|choice| {
            choice.name("index").push_str(&index.to_string());
            let message = choice.name("message");
            starts.push((message.len(), start));
            let mut message = ObjectWriter::new(message);
            self.message.write_members(&mut message, lost);
            write_list(&mut message, "content", self.parts, |part, out| part.write(out, lost));
            write_list(&mut message, "reasoning_details", self.details, |(_, detail), out| detail.write(out, lost));
            write_list(&mut message, "tool_calls", self.calls, |call, out| {
                starts.push((out.len(), call.start()));
                call.write(out, lost);
            });
            if let Some(function) = self.function_call.and_then(|mut call| call.inner.remove("function")) {
                function.write(message.name("function_call"), lost);
            }
            message.end();
            self.members.write_members(choice, lost);
        });
        (json, starts)
    }
}

/// Writes a member that is a list, unless it is empty.
fn write_list<T>(
    message: &mut ObjectWriter<'_>,
    key: &'static str,
    elements: Vec<T>,
    mut write: impl FnMut(T, &mut String),
) {
    if elements.is_empty() {
        return;
    }
    let out = message.name(key);
    for (at, element) in elements.into_iter().enumerate() {
        out.push(if at == 0 { '[' } else { ',' });
        write(element, out);
    }
    out.push(']');
}

impl<'j> Call<'j> {
    fn take(&mut self, call: &Object<'j>, event: &Event<'_, 'j>) {
        for (key, value) in call.iter() {
            match key {
                "index" => {}
                "function" | "custom" if value.kind() == Kind::Object => {
                    let key = if key == "custom" { "custom" } else { "function" };
                    self.take_inner(key, &value.object().unwrap_or_default(), event);
                }
                _ if event.cuts(value) => {}
                "id" | "type" => self.members.set_once(key, value),
                _ => self.members.set(key, value),
            }
        }
    }

    /// Takes the members of `function` or `custom`. Arguments that are an object are the text of their JSON.
    fn take_inner(&mut self, key: &'static str, inner: &Object<'j>, event: &Event<'_, 'j>) {
        let known = self.inner.entry(key).or_default();
        for (key, value) in inner.iter() {
            match (key, EventText::read(Some(value))) {
                ("arguments" | "input", Ok(Some(text))) => known.push(key, &text),
                ("arguments" | "input", Ok(None)) => {}
                _ if event.cuts(value) => {}
                ("arguments" | "input", Err(_)) => known.push_str(key, &value.compact()),
                ("name", _) => known.set_once(key, value),
                _ => known.set(key, value),
            }
        }
    }

    fn start(&self) -> usize {
        let inner = self.inner.values().map(StreamedObject::start);
        inner.chain([self.members.start()]).filter(|start| *start > 0).min().unwrap_or_default()
    }

    fn write(mut self, out: &mut String, lost: &mut Vec<JsonError>) {
        let mut call = ObjectWriter::new(out);
        self.members.write_members(&mut call, lost);
        for (key, inner) in self.inner {
            inner.write(call.name(key), lost);
        }
        call.end();
    }
}
