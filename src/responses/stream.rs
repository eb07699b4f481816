//! Reads streams of events.

use super::assemble::StreamedResponse;
use super::event::{StreamEvent, TEXT_KEYS};
use super::foreign::{self, UnsupportedInput};
use super::payload::{Failure, Payload};
use crate::json::{Json, JsonError, StringArena};
use crate::stream::{self, Collect, Event};

/// Reads a stream of server-sent events or of JSON lines, which is at offset `at` of a larger text.
pub(super) fn read<'j>(text: &'j str, at: usize, strings: &'j StringArena) -> Result<Payload<'j>, Failure> {
    let mut responses = Responses::default();
    stream::read(text, at, strings, &mut responses);
    responses.finish(strings)
}

/// Reads events that are JSON values already.
pub(super) fn read_events<'j>(
    events: impl IntoIterator<Item = Json<'j>>,
    strings: &'j StringArena,
) -> Result<Payload<'j>, Failure> {
    let mut responses = Responses::default();
    for event in events {
        responses.take(&Event::of(event, None));
    }
    responses.finish(strings)
}

/// The responses of a stream, one after the other.
#[derive(Default)]
struct Responses<'j> {
    done: Vec<StreamedResponse<'j>>,
    current: StreamedResponse<'j>,
    /// The foreign API whose events the stream has, if no event belongs to the Responses API.
    foreign: Option<UnsupportedInput>,
    knows_events: bool,
    /// Something of an event is not in the items.
    is_partial: bool,
}

impl<'j> Collect<'j> for Responses<'j> {
    const TEXT_KEYS: &'static [&'static str] = TEXT_KEYS;

    fn take(&mut self, source: &Event<'_, 'j>) {
        let event = match StreamEvent::read(source) {
            Ok(event) => event,
            Err(error) => {
                self.knows_events = true;
                return self.skip(Some(error));
            }
        };
        if matches!(event, StreamEvent::Other) {
            if !self.knows_events && self.foreign.is_none() {
                self.foreign = source.json.object().ok().and_then(|object| foreign::api(&object));
            }
        } else {
            self.knows_events = true;
        }
        if matches!(event, StreamEvent::Created(_)) && self.current.has_begun() {
            self.done.push(std::mem::take(&mut self.current));
        }
        self.current.is_damaged |= source.is_cut();
        self.is_partial |= source.is_cut() && !matches!(event, StreamEvent::Delta(..) | StreamEvent::Text(..));
        self.current.take(event, source);
    }

    fn skip(&mut self, error: Option<JsonError>) {
        self.current.is_damaged = true;
        self.is_partial = true;
        self.current.warnings.extend(error);
    }
}

impl<'j> Responses<'j> {
    fn finish(mut self, strings: &'j StringArena) -> Result<Payload<'j>, Failure> {
        if let Some(foreign) = self.foreign.filter(|_| !self.knows_events) {
            return Err(Failure::Unsupported(foreign));
        }
        self.done.push(self.current);
        let mut payload = Payload { is_partial: self.is_partial, ..Payload::default() };
        for response in self.done {
            response.add_to(&mut payload, strings);
        }
        payload.unless_failed()
    }
}
