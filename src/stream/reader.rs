//! Reads the events of a stream, each of them once.

use std::borrow::Cow;

use super::cut::close;
use super::sse::StreamDecoder;
use crate::json::{Index, Json, JsonError, StringArena};

/// Whether a text begins like a stream of server-sent events.
pub(crate) fn is_stream(text: &str) -> bool {
    ["event:", "data:", ":", "id:", "retry:"].iter().any(|field| text.starts_with(field))
}

/// An event of a stream. Its JSON lives as long as the call that takes the event.
#[derive(Debug)]
pub(crate) struct Event<'e, 'j> {
    /// The value of its `event:` line.
    pub(crate) name: Option<&'e str>,
    pub(crate) json: Json<'e>,
    source: Source<'e, 'j>,
    /// Where the end of the stream cuts the event.
    cut: Option<usize>,
}

/// The source of an event's JSON, for `keep`.
#[derive(Debug)]
enum Source<'e, 'j> {
    Json(Json<'j>),
    Text(&'j str, usize, &'e Index, &'j StringArena),
}

impl<'j> Event<'_, 'j> {
    /// An event that is a JSON value already.
    pub(crate) fn of(json: Json<'j>, name: Option<&'j str>) -> Event<'j, 'j> {
        Event { name, json, source: Source::Json(json), cut: None }
    }

    /// Its JSON, kept as long as the stream.
    pub(crate) fn keep(&self) -> Json<'j> {
        match self.source {
            Source::Json(json) => json,
            Source::Text(data, at, index, strings) => Json::keep(data, at, index, strings),
        }
    }

    /// Whether the end of the stream cuts it.
    pub(crate) fn is_cut(&self) -> bool {
        self.cut.is_some()
    }

    /// Whether the end of the stream cuts a value of it.
    pub(crate) fn cuts(&self, value: Json<'_>) -> bool {
        self.cut.is_some_and(|cut| value.offset() + value.raw().len() > cut)
    }
}

/// Takes the events of a stream.
pub(crate) trait Collect<'j> {
    /// The keys of texts that are readable from their beginning.
    const TEXT_KEYS: &'static [&'static str];

    /// Takes the next event.
    fn take(&mut self, event: &Event<'_, 'j>);

    /// Records an event that is not JSON. `None` means the stream ended before any of it was readable.
    fn skip(&mut self, error: Option<JsonError>);

    /// Takes note of `[DONE]`.
    fn done(&mut self) {}
}

/// An event that is not JSON.
struct Malformed<'t> {
    name: Option<&'t str>,
    data: &'t str,
    /// The offset of the data in the stream.
    at: usize,
    error: JsonError,
}

/// Reads a stream of server-sent events or of JSON lines, which is at offset `at` of a larger text.
pub(crate) fn read<'j, C: Collect<'j>>(text: &'j str, at: usize, strings: &'j StringArena, collector: &mut C) {
    let mut decoder = StreamDecoder::default();
    let mut index = Index::default();
    // Only the last event can be cut.
    let mut malformed: Option<Malformed<'_>> = None;
    while let Some(event) = decoder.next_in(text) {
        if let Some(Malformed { error, .. }) = malformed.take() {
            collector.skip(Some(error));
        }
        if event.data.trim_ascii() == "[DONE]" {
            collector.done();
            continue;
        }
        let (name, at) = (event.name, at + event.offset);
        let data = match event.data {
            Cow::Borrowed("") if name == Some("error") => "{}",
            Cow::Borrowed("") => continue,
            Cow::Borrowed(data) => data,
            Cow::Owned(data) => strings.keep(data),
        };
        match index.read(data, at) {
            Ok(()) => {
                let source = Source::Text(data, at, &index, strings);
                collector.take(&Event { name, json: Json::of(data, at, &index), source, cut: None });
            }
            Err(error) => malformed = Some(Malformed { name, data, at, error }),
        }
    }
    let Some(Malformed { name, data, at, error }) = malformed else { return };
    // A blank line ends an event, so that it is not cut.
    let is_ended = ["\n\n", "\r\n\r\n", "\r\r"].iter().any(|blank| text.ends_with(blank));
    let closed = (!is_ended).then(|| close(data, C::TEXT_KEYS)).flatten();
    let closed = closed.map(|(json, length)| (strings.keep(json), at + length));
    match closed.and_then(|(json, cut)| Some((Json::parse_at(json, at, strings).ok()?, cut))) {
        Some((json, cut)) => collector.take(&Event { name, json, source: Source::Json(json), cut: Some(cut) }),
        None => collector.skip(is_ended.then_some(error)),
    }
}
