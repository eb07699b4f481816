//! A stream as it arrives: what there is to show, and what is left unfinished when it stops.

use std::collections::BTreeMap;

use super::payload::string;
use crate::json::Json;
use crate::json::Object;
use crate::json::write::{ObjectWriter, array};

/// Something to show a person who waits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum News {
    /// More of what the assistant says.
    Text(String),
    /// More of a summary of its reasoning.
    Reasoning(String),
    /// It calls a tool of this name.
    ToolCall(String),
    /// An item is complete.
    ItemDone,
}

/// Reads a stream piece by piece, however it is cut.
#[derive(Debug, Default)]
pub struct Follower {
    /// The bytes of the last line, which is not complete yet.
    line: Vec<u8>,
    /// Messages that have begun and are not done, by their index: their first event and their text so far.
    open: BTreeMap<u64, (String, String)>,
}

impl Follower {
    /// Takes the next bytes and tells what they bring.
    pub fn push(&mut self, bytes: &[u8]) -> Vec<News> {
        let mut news = Vec::new();
        for piece in bytes.split_inclusive(|byte| *byte == b'\n' || *byte == b'\r') {
            self.line.extend(piece);
            if piece.ends_with(b"\n") || piece.ends_with(b"\r") {
                let line = std::mem::take(&mut self.line);
                if let Ok(line) = std::str::from_utf8(&line) {
                    news.extend(self.event(line.trim_end()));
                }
            }
        }
        news
    }

    fn event(&mut self, line: &str) -> Option<News> {
        let event = Json::parse(line.strip_prefix("data:")?.trim_start()).ok()?.object().ok()?;
        let index = event.get("output_index").and_then(|index| index.text().parse().ok()).unwrap_or_default();
        let delta = || string(&event, "delta").map(std::borrow::Cow::into_owned);
        match string(&event, "type")?.as_ref() {
            "response.output_item.added" => {
                let item = event.get("item")?;
                let members = item.object().ok()?;
                match string(&members, "type")?.as_ref() {
                    "message" => drop(self.open.insert(index, (item.text().to_owned(), String::new()))),
                    "function_call" | "custom_tool_call" => {
                        return Some(News::ToolCall(string(&members, "name")?.into_owned()));
                    }
                    _ => {}
                }
                None
            }
            "response.output_text.delta" => {
                let delta = delta()?;
                if let Some((_, text)) = self.open.get_mut(&index) {
                    text.push_str(&delta);
                }
                Some(News::Text(delta))
            }
            "response.reasoning_summary_text.delta" => delta().map(News::Reasoning),
            "response.output_item.done" => {
                self.open.remove(&index);
                Some(News::ItemDone)
            }
            _ => None,
        }
    }

    /// Events that end the messages which had begun, with what they have said so far and the status `incomplete`.
    pub fn unfinished(&self) -> String {
        let mut events = String::new();
        for (index, (item, text)) in self.open.iter().filter(|(_, (_, text))| !text.is_empty()) {
            let Ok(mut item) = Json::parse(item).and_then(Json::object) else { continue };
            item.take("content");
            item.take("status");
            // A line that was cut short stays cut short, and this begins on a line of its own.
            events.push_str("\n\ndata: ");
            let mut event = ObjectWriter::new(&mut events);
            event.text("type", "response.output_item.done");
            event.key("output_index").push_str(&index.to_string());
            write_message(event.key("item"), &item, text);
            event.end();
            events.push_str("\n\n");
        }
        events
    }
}

fn write_message(out: &mut String, item: &Object<'_>, text: &str) {
    let mut message = ObjectWriter::new(out);
    message.members(item);
    message.text("status", "incomplete");
    array(message.key("content"), [text], |out, text| {
        let mut part = ObjectWriter::new(out);
        part.text("type", "output_text");
        part.text("text", text);
        part.key("annotations").push_str("[]");
        part.end();
    });
    message.end();
}
