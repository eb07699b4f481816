//! Server-sent events to the response they tell.

use std::borrow::Cow;
use std::collections::BTreeMap;

use super::item::Item;
use super::payload::{ApiError, Completion, Failure, Payload, present, response, string};
use crate::json::{Json, JsonError, StringArena};

/// Whether a text begins like a stream.
pub fn is_stream(text: &str) -> bool {
    let text = text.trim_start_matches(['\u{feff}', ' ', '\t', '\r', '\n']);
    ["event:", "data:", ":", "id:", "retry:"].iter().any(|field| text.starts_with(field))
}

/// Reads a stream that stands at `at` of a larger text.
pub(super) fn read<'j>(text: &'j str, at: usize, strings: &'j StringArena) -> Result<Payload<'j>, Failure<'j>> {
    let mut done: BTreeMap<u64, Json<'j>> = BTreeMap::new();
    let mut last: Option<Payload<'j>> = None;
    let mut events = Events { rest: text, at, strings };
    while let Some(event) = events.next() {
        if event.data.is_empty() || event.data == "[DONE]" {
            continue;
        }
        let json = match Json::parse_at(event.data, event.at) {
            Ok(json) => json,
            // The stream was cut inside this event.
            Err(_) if event.is_last => break,
            Err(error) => return Err(error.into()),
        };
        let Ok(object) = json.object() else { continue };
        let kind = string(&object, "type").or_else(|| event.name.map(Cow::Borrowed));
        match kind.as_deref() {
            Some("response.output_item.done") => {
                let index = object.get("output_index").and_then(|index| index.text().parse().ok());
                let index = index.ok_or_else(|| json.malformed("is missing or no index").within("output_index"))?;
                let item = object.get("item").ok_or_else(|| json.malformed("is missing").within("item"))?;
                done.insert(index, item);
            }
            Some("response.completed" | "response.incomplete" | "response.failed" | "response.cancelled")
                if last.is_none() =>
            {
                let body = object.get("response").ok_or_else(|| json.malformed("is missing").within("response"))?;
                last = Some(terminal(kind.as_deref(), body)?);
            }
            Some("error") => return Err(Failure::Api(ApiError::decode(json))),
            None if present(&object, "error").is_some() => return Err(Failure::Api(ApiError::decode(json))),
            _ => {}
        }
    }
    assemble(done, last)
}

/// The response that the terminal event gives.
fn terminal<'j>(kind: Option<&str>, body: Json<'j>) -> Result<Payload<'j>, Failure<'j>> {
    let object = body.object().map_err(|error| error.within("response"))?;
    if kind == Some("response.failed") {
        return Err(Failure::Api(present(&object, "error").map(ApiError::decode).unwrap_or_default()));
    }
    let mut reply = response(object)?;
    if reply.completion == Completion::Whole {
        reply.completion = match kind {
            Some("response.incomplete") => Completion::Incomplete(Cow::Borrowed("no reason is given")),
            Some("response.cancelled") => Completion::Cancelled,
            _ => Completion::Whole,
        };
    }
    Ok(reply)
}

/// The done items by their index; the terminal event's output fills in what never was done.
fn assemble<'j>(done: BTreeMap<u64, Json<'j>>, last: Option<Payload<'j>>) -> Result<Payload<'j>, Failure<'j>> {
    let (mut all, mut reply) = match last {
        Some(mut reply) => {
            let originals = std::mem::take(&mut reply.originals);
            ((0..).zip(originals).collect::<BTreeMap<u64, Json<'j>>>(), reply)
        }
        None => (BTreeMap::new(), Payload::of(Vec::new(), Vec::new(), Completion::Cut)),
    };
    all.extend(done);
    reply.originals = all.values().copied().collect();
    let decode = |(index, item): (usize, &Json<'j>)| {
        Item::decode(*item).map_err(|error| error.within_index(index).within("output"))
    };
    reply.items = reply.originals.iter().enumerate().map(decode).collect::<Result<_, JsonError>>()?;
    Ok(reply)
}

/// One event: its name, its data, and whether the text ends with it.
struct Event<'j> {
    name: Option<&'j str>,
    data: &'j str,
    at: usize,
    is_last: bool,
}

/// The events of a stream, in order. Lines end with `\n`, `\r\n` or `\r`; a blank line ends an event.
struct Events<'j> {
    rest: &'j str,
    at: usize,
    strings: &'j StringArena,
}

impl<'j> Events<'j> {
    fn line(&mut self) -> Option<(&'j str, usize)> {
        if self.rest.is_empty() {
            return None;
        }
        let at = self.at;
        let length = memchr::memchr2(b'\n', b'\r', self.rest.as_bytes()).unwrap_or(self.rest.len());
        let (line, rest) = self.rest.split_at(length);
        let behind = rest.strip_prefix("\r\n").or_else(|| rest.strip_prefix(['\n', '\r'])).unwrap_or(rest);
        self.at += self.rest.len() - behind.len();
        self.rest = behind;
        Some((line, at))
    }

    fn next(&mut self) -> Option<Event<'j>> {
        let mut name = None;
        let mut data: Vec<(&'j str, usize)> = Vec::new();
        let mut ended = false;
        let mut any = false;
        while let Some((line, at)) = self.line() {
            any = true;
            if line.is_empty() {
                ended = true;
                break;
            }
            if let Some(value) = line.strip_prefix("data:") {
                let value = value.strip_prefix(' ').unwrap_or(value);
                data.push((value, at + line.len() - value.len()));
            } else if let Some(value) = line.strip_prefix("event:") {
                name = Some(value.trim());
            }
        }
        let is_last = !ended || self.rest.trim().is_empty();
        let (data, at) = match data.as_slice() {
            [] => ("", self.at),
            [one] => *one,
            [first, ..] => {
                let joined = data.iter().map(|(line, _)| *line).collect::<Vec<_>>().join("\n");
                (self.strings.keep(joined), first.1)
            }
        };
        any.then_some(Event { name, data, at, is_last })
    }
}
