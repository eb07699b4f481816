//! Streams of the Messages API: the message that the API would send without streaming.

use std::borrow::Cow;
use std::collections::BTreeMap;

use crate::json::write::array;
use crate::json::{Json, JsonError, Kind, Object, StringArena, is_valid};
use crate::stream::{self, Collect, Event, EventText, LiveKind, StreamEnd, Streamed, StreamedBody, StreamedObject};

/// A type of deltas that bring more of a text.
pub(super) struct TextDelta {
    /// The type of the delta.
    pub(super) delta: &'static str,
    /// The key of the text in the delta and in its block.
    pub(super) key: &'static str,
    /// The type of the block, as JSON.
    block: &'static str,
    /// How a live display shows the text. `None` for the input of a call.
    pub(super) live: Option<LiveKind>,
}

/// The types of deltas that bring more of a text.
pub(super) const TEXT_DELTAS: [TextDelta; 3] = [
    TextDelta { delta: "text_delta", key: "text", block: "\"text\"", live: Some(LiveKind::Answer) },
    TextDelta { delta: "thinking_delta", key: "thinking", block: "\"thinking\"", live: Some(LiveKind::Reasoning) },
    TextDelta { delta: "input_json_delta", key: "partial_json", block: "\"tool_use\"", live: None },
];

/// Reads a stream, which is at offset `at` of a larger text, into one body for each reply: the message with its content
/// blocks, `stop_reason` and `usage`, as [`super::import_replies`] reads it.
///
/// The `input` of a call is the joined text as a string, byte for byte. That of another block is the JSON of the text, or
/// the text as a string if the stream was cut.
pub fn read_stream<'j>(text: &'j str, at: usize, strings: &'j StringArena) -> Streamed<'j> {
    let mut replies = Replies::default();
    stream::read(text, at, strings, &mut replies);
    let Replies { done, current, mut streamed } = replies;
    let is_cut = streamed.is_only_cut();
    let last = current.into_iter().map(|reply| (reply, is_cut));
    for (reply, is_cut) in done.into_iter().map(|reply| (reply, false)).chain(last) {
        let body = reply.body(is_cut, strings, &mut streamed.malformed);
        streamed.bodies.push(body);
    }
    streamed
}

/// The replies of a stream, one after the other.
#[derive(Default)]
struct Replies<'j> {
    done: Vec<Reply<'j>>,
    current: Option<Reply<'j>>,
    streamed: Streamed<'j>,
}

#[derive(Default)]
struct Reply<'j> {
    message: StreamedObject<'j>,
    usage: StreamedObject<'j>,
    /// The blocks of each index, of which some servers give the same to several blocks.
    blocks: BTreeMap<u64, Vec<Block<'j>>>,
    is_done: bool,
    error: Option<Json<'j>>,
}

/// A content block.
#[derive(Default)]
struct Block<'j> {
    members: StreamedObject<'j>,
    /// How it began, until more of it arrives.
    start: Option<Json<'j>>,
    citations: Vec<Json<'j>>,
}

impl<'j> Collect<'j> for Replies<'j> {
    const TEXT_KEYS: &'static [&'static str] = &["text", "thinking", "partial_json"];

    fn take(&mut self, event: &Event<'_, 'j>) {
        let json = event.keep();
        let Ok(object) = json.object() else { return };
        let kind = object.get_str("type").or(event.name.map(|name| name.to_owned().into())).unwrap_or_default();
        let index = object.get_index("index").unwrap_or_default();
        // Of a cut event, only texts count.
        self.streamed.is_partial |= event.is_cut() && kind != "content_block_delta";
        let member = |key| object.get(key).filter(|value| value.kind() == Kind::Object && !event.cuts(*value));
        match kind.as_ref() {
            "message_start" => self.begin(member("message")),
            "error" => {
                self.reply().error = object.get("error").filter(|error| error.kind() != Kind::Null).or(Some(json));
            }
            "content_block_start" => {
                let Some(json) = object.get("content_block") else { return };
                let block = json.object().unwrap_or_default();
                let is_text = matches!(block.get_str("type").as_deref(), Some("text" | "thinking"));
                if !event.is_cut() || is_text {
                    self.reply().begin_block(index, json, &block);
                }
            }
            "content_block_delta" => {
                let delta = object.get_object("delta").unwrap_or_default();
                let malformed = self.reply().block(index).take(&delta, event);
                self.streamed.malformed.extend(malformed.err());
            }
            "message_delta" => {
                let reply = self.reply();
                for members in [member("delta")].into_iter().flatten().filter_map(|delta| delta.object().ok()) {
                    reply.message.extend(&members);
                }
                reply.take_usage(member("usage"));
                let is_other = |key: &str| !["type", "delta", "usage"].contains(&key) && !event.is_cut();
                object.iter().filter(|(key, _)| is_other(key)).for_each(|(key, value)| reply.message.set(key, value));
            }
            "message_stop" => self.reply().is_done = true,
            _ => {}
        }
    }

    fn skip(&mut self, error: Option<JsonError>) {
        self.streamed.skip(error);
    }
}

impl<'j> Replies<'j> {
    fn reply(&mut self) -> &mut Reply<'j> {
        self.current.get_or_insert_default()
    }

    /// A message begins. After another message that has anything, it is the next reply.
    fn begin(&mut self, message: Option<Json<'j>>) {
        let has_begun = |reply: &mut Reply<'_>| !reply.blocks.is_empty() || reply.is_done || reply.error.is_some();
        self.done.extend(self.current.take_if(has_begun));
        let reply = self.reply();
        let mut message = message.and_then(|message| message.object().ok()).unwrap_or_default();
        let content = message.take("content").and_then(|content| content.array().ok()).unwrap_or_default();
        for (index, block) in (0..).zip(content) {
            reply.begin_block(index, block, &block.object().unwrap_or_default());
        }
        reply.take_usage(message.take("usage"));
        reply.message.extend(&message);
    }
}

impl<'j> Reply<'j> {
    /// The last block of an index.
    fn block(&mut self, index: u64) -> &mut Block<'j> {
        let blocks = self.blocks.entry(index).or_default();
        let last = blocks.len().saturating_sub(1);
        if blocks.is_empty() {
            blocks.push(Block::default());
        }
        &mut blocks[last]
    }

    /// A block begins. The event may be repeated, and an index may have several blocks.
    fn begin_block(&mut self, index: u64, json: Json<'j>, members: &Object<'j>) {
        let blocks = self.blocks.entry(index).or_default();
        if blocks.last().is_none_or(|last| last.start.is_none_or(|start| start.raw() != json.raw())) {
            let mut block = Block { start: Some(json), ..Block::default() };
            block.members.extend(members);
            blocks.push(block);
        }
    }

    fn take_usage(&mut self, usage: Option<Json<'j>>) {
        self.usage.extend(&usage.and_then(|usage| usage.object().ok()).unwrap_or_default());
    }

    fn body(mut self, is_cut: bool, strings: &'j StringArena, lost: &mut Vec<JsonError>) -> StreamedBody<'j> {
        let is_stopped = self.message.get("stop_reason").is_some_and(|reason| reason.kind() != Kind::Null);
        let end = match self.error {
            Some(error) => StreamEnd::Error(error),
            None if !is_cut && (self.is_done || is_stopped) => StreamEnd::Complete,
            None => StreamEnd::Cut,
        };
        // A delta that is cut before its text begins a block without members.
        let has_begun = |block: &Block<'_>| !block.members.is_empty() || !block.citations.is_empty();
        let mut blocks: Vec<Block<'j>> = self.blocks.into_values().flatten().filter(has_begun).collect();
        // The reply ended before the signature of its last block.
        if let Some(last) = blocks.last_mut().filter(|last| last.members.text("signature").as_deref() == Some("")) {
            last.members.remove("signature");
        }
        let json = |block: Block<'j>| (block.members.start(), block.json(strings, lost));
        let blocks: Vec<(usize, Json<'j>)> = blocks.into_iter().map(json).collect();
        let mut starts = Vec::with_capacity(blocks.len());
        if self.message.get("role").is_none() {
            self.message.set("type", Json::scalar("\"message\""));
            self.message.set("role", Json::scalar("\"assistant\""));
        }
        let json = strings.write_object(|message| {
            self.message.write_members(message, lost);
            array(message.name("content"), blocks, |out, (start, block)| {
                starts.push((out.len(), start));
                out.push_str(block.raw());
            });
            if !self.usage.is_empty() {
                self.usage.write(message.name("usage"), lost);
            }
        });
        StreamedBody { json, starts, end }
    }
}

impl<'j> Block<'j> {
    /// Takes a delta. A text that is not a string is an error.
    fn take(&mut self, delta: &Object<'j>, event: &Event<'_, 'j>) -> Result<(), JsonError> {
        self.start = None;
        let kind = delta.get_str("type").unwrap_or_default();
        if let Some(TextDelta { key, block, .. }) = TEXT_DELTAS.iter().find(|row| row.delta == kind) {
            self.members.set_once("type", Json::scalar(block));
            let text = EventText::read(delta.get(key)).map_err(|error| error.within(key).within("delta"))?;
            if let Some(text) = text {
                self.members.push(key, &text);
            }
            return Ok(());
        }
        for (key, value) in delta.iter().filter(|(key, value)| *key != "type" && !event.cuts(*value)) {
            match (key, EventText::read(Some(value))) {
                ("citation", _) => self.citations.push(value),
                // A signature comes as a whole.
                (_, Ok(Some(text))) if key != "signature" => self.members.push(key, &text),
                (_, Ok(_) | Err(_)) => self.members.set(key, value),
            }
        }
        Ok(())
    }

    fn json(mut self, strings: &'j StringArena, lost: &mut Vec<JsonError>) -> Json<'j> {
        if let Some(input) = self.members.text("partial_json").map(Cow::into_owned) {
            self.members.remove("partial_json");
            let is_call = self.members.text("type").is_some_and(|kind| kind == "tool_use");
            if !is_call && is_valid(&input) {
                self.members.set("input", strings.written(strings.keep(input)));
            } else if !input.is_empty() {
                self.members.set("input", strings.string(&input));
            }
        }
        if !self.citations.is_empty() {
            let known = self.members.get("citations").and_then(|known| known.array().ok()).unwrap_or_default();
            let all = known.into_iter().chain(self.citations);
            let citations = strings.json(|out| array(out, all, |out, citation| out.push_str(citation.raw())));
            self.members.set("citations", citations);
        }
        strings.json(|out| self.members.write(out, lost))
    }
}
