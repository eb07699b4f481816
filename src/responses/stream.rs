//! Reads streams of events.

use std::borrow::Cow;

use super::assemble::{Assembled, StreamedResponse};
use super::event::{self, StreamEvent, Target};
use super::foreign::{self, UnsupportedInput};
use super::payload::{Completion, Failure, Payload, Warning};
use super::sse::StreamDecoder;
use super::terminal::ItemKey;
use crate::json::{Index, Json, JsonError, Kind, StringArena};

/// Whether a text begins like a stream of server-sent events.
pub fn is_stream(text: &str) -> bool {
    ["event:", "data:", ":", "id:", "retry:"].iter().any(|field| text.starts_with(field))
}

/// Reads a stream of server-sent events or of JSON lines, which is at offset `at` of a larger text.
pub(super) fn read<'j>(text: &'j str, at: usize, strings: &'j StringArena) -> Result<Payload<'j>, Failure> {
    let mut responses = Responses::new();
    let mut decoder = StreamDecoder::default();
    let mut malformed = None;
    while let Some(event) = decoder.next_in(text) {
        // The last event may just be cut short. One before it is worth a warning.
        responses.warnings.extend(malformed.take());
        if event.data == "[DONE]" || event.data.is_empty() && event.name != Some("error") {
            continue;
        }
        let data = match event.data {
            Cow::Borrowed("") => "{}",
            Cow::Borrowed(data) => data,
            Cow::Owned(data) => strings.keep(data),
        };
        if let Err(error) = responses.take_text(data, at + event.offset, event.name, strings) {
            responses.current.is_damaged = true;
            malformed = Some(Warning::MalformedEvent(error));
        }
    }
    // A blank line ends an event, so that the last one is complete.
    if ["\n\n", "\r\n\r\n", "\r\r"].iter().any(|blank| text.ends_with(blank)) {
        responses.warnings.extend(malformed);
    }
    responses.finish(strings)
}

/// Reads events that are JSON values already.
pub(super) fn read_events<'j>(
    events: impl IntoIterator<Item = Json<'j>>,
    strings: &'j StringArena,
) -> Result<Payload<'j>, Failure> {
    let mut responses = Responses::new();
    for event in events {
        responses.take(event, None);
    }
    responses.finish(strings)
}

/// The responses of a stream, one after the other.
struct Responses<'j> {
    done: Vec<StreamedResponse<'j>>,
    current: StreamedResponse<'j>,
    /// The other API that the events belong to, if none of them is of this one.
    foreign: Option<UnsupportedInput>,
    knows_events: bool,
    warnings: Vec<Warning>,
    /// The index of the last event.
    index: Index,
}

impl<'j> Responses<'j> {
    fn new() -> Self {
        Self {
            done: Vec::new(),
            current: StreamedResponse::default(),
            foreign: None,
            knows_events: false,
            warnings: Vec::new(),
            index: Index::default(),
        }
    }

    fn take(&mut self, json: Json<'j>, name: Option<&'j str>) {
        let event = match StreamEvent::read(json, name) {
            Ok(event) => event,
            Err(error) => return self.skip(error),
        };
        if event == StreamEvent::Other && !self.knows_events && self.foreign.is_none() {
            self.foreign = json.object().ok().and_then(|object| foreign::api(&object));
        }
        self.knows_events |= event != StreamEvent::Other;
        if event == StreamEvent::Created && self.current.has_begun() {
            self.done.push(std::mem::take(&mut self.current));
        }
        if matches!(event, StreamEvent::Created | StreamEvent::Other) {
            // A response that is read again from its middle has items already.
            let output = event::output_so_far(json, name);
            for (index, item) in (0..).zip(output).filter(|(_, item)| item.kind() == Kind::Object) {
                let target = Target { index: Some(index), id: ItemKey::of(item).id };
                self.current.take(StreamEvent::Added(target, item));
            }
        }
        self.current.take(event);
    }

    /// Skips an event that does not match its type.
    fn skip(&mut self, error: JsonError) {
        self.knows_events = true;
        self.current.is_damaged = true;
        self.warnings.push(Warning::MalformedEvent(error));
    }

    /// Takes an event at offset `at` of a larger text. Most events of a stream bring more of a text, and their
    /// indexes are not kept.
    fn take_text(
        &mut self,
        data: &'j str,
        at: usize,
        name: Option<&'j str>,
        strings: &'j StringArena,
    ) -> Result<(), JsonError> {
        let json = Json::parse_into(data, at, &mut self.index)?;
        match StreamEvent::read(json, name) {
            Ok(StreamEvent::Delta(target, place, delta)) => {
                self.knows_events = true;
                self.current.take_delta(&target, place, &delta);
            }
            Ok(_) => self.take(Json::keep(data, at, &self.index, strings), name),
            Err(error) => self.skip(error),
        }
        Ok(())
    }

    fn finish(mut self, strings: &'j StringArena) -> Result<Payload<'j>, Failure> {
        if let Some(foreign) = self.foreign.filter(|_| !self.knows_events) {
            return Err(Failure::Unsupported(foreign));
        }
        self.done.push(self.current);
        let mut payload = Payload { warnings: self.warnings, ..Payload::default() };
        for response in self.done {
            let Assembled { items, completion, envelope, warnings } = response.assemble(strings);
            payload.warnings.extend(warnings);
            if items.is_empty() && completion == Completion::Complete {
                payload.warnings.push(Warning::NoItems);
            }
            payload.push(items, "output");
            payload.envelopes.extend(envelope);
            payload.end_with(completion);
        }
        payload.unless_failed()
    }
}
