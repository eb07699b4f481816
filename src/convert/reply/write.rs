//! Converts a payload to a document, some items at a time.

use std::collections::BTreeMap;
use std::ops::Range;

use super::chunk::ItemWriter;
use crate::convert::WriteOptions;
use crate::diagnostic::{Diagnostics, ReplyProblem};
use crate::error::RoundTripError;
use crate::json::{JsonError, Object};
use crate::responses::{Failure, Item, Payload, UnsupportedInput, Warning};
use crate::source::{Origins, SourceId, Sources, Span, ceil_char_boundary, floor_char_boundary};

/// How many bytes of items are written and read back together: few enough for the cache of the processor, and enough that
/// an allocator keeps the memory for the next ones. With 64 KiB, glibc gave it back to the system each time.
const SIZE: usize = 256 << 10;

/// A payload as a document.
#[derive(Debug)]
pub struct Written {
    /// The document.
    pub text: String,
    /// The lines of the payload that it comes from.
    pub origins: Origins,
    /// The findings from reading the items.
    pub findings: Findings,
}

/// The findings from reading the items of a payload.
#[derive(Debug, Default)]
pub struct Findings {
    /// The items that do not match their known type. They are kept whole.
    pub malformed: Vec<JsonError>,
    /// The first item of another role than `assistant`: its index and its role.
    pub other_role: Option<(usize, String)>,
    /// How many items of each type there are.
    pub types: BTreeMap<String, usize>,
    /// How many members of the items are null.
    pub nulls: usize,
    /// Repeated keys of objects, with the places of the ignored values.
    repeated: Vec<(String, Range<usize>)>,
}

impl Findings {
    fn of(payload: &Payload<'_>) -> Self {
        let mut findings = Findings::default();
        for object in payload.request.iter().chain(&payload.envelopes) {
            findings.note_repeated(object);
        }
        let tools = payload.request.as_ref().and_then(|request| request.get("tools")?.array().ok());
        for tool in tools.into_iter().flatten().filter_map(|tool| tool.object().ok()) {
            findings.note_repeated(&tool);
        }
        findings
    }

    fn note_repeated(&mut self, object: &Object<'_>) {
        self.repeated.extend(object.repeated().map(|(key, value)| (key.to_owned(), value.range())));
    }

    /// Reads the item at an index.
    fn decode<'j>(&mut self, payload: &Payload<'j>, index: usize) -> Result<Item<'j>, JsonError> {
        let (item, malformed) = payload.items[index].decode()?;
        self.malformed.extend(malformed);
        self.nulls += payload.items[index].json.null_members();
        let block = if let Item::Foreign(members) = &item { members.get_object("block") } else { None };
        let kind = block.map_or_else(|| item.kind(), |block| block.get_str("type").unwrap_or_default());
        *self.types.entry(kind.into_owned()).or_default() += 1;
        let (json, previous) = (payload.items[index].json, index.checked_sub(1).map(|index| payload.items[index].json));
        if !payload.items[index].is_from_other_api() {
            item.objects().into_iter().for_each(|object| self.note_repeated(object));
        } else if previous.is_none_or(|previous| previous.range() != json.range()) {
            // Several items may come from one message. The places in a stream are those of its events.
            let keys = json.repeated_keys().into_iter();
            self.repeated.extend(keys.map(|(key, range)| (key, range.start..range.start)));
        }
        if self.other_role.is_none() {
            let role = item.role().filter(|role| role != "assistant");
            self.other_role = role.map(|role| (index, role.into_owned()));
        }
        Ok(item)
    }
}

impl Written {
    /// Adds a text after a blank line. It has the places where its items begin, which come from these lines.
    fn add(&mut self, (text, starts): &(String, Vec<usize>), lines: &[usize]) {
        if !self.text.is_empty() && !text.is_empty() {
            self.text.push('\n');
        }
        let start = self.text.len();
        starts.iter().zip(lines).for_each(|(item, line)| self.origins.add(start + item, *line));
        self.text.push_str(text);
    }
}

/// Converts a payload to a document's text, which is read back and compared with the payload. `None` if an item cannot be
/// read, which is reported.
///
/// Only some items at a time are decoded, written and read back, so that the memory stays close to that of the text.
pub fn write_payload(
    payload: &Payload<'_>,
    options: WriteOptions<'_>,
    sources: &Sources,
    source: SourceId,
    diagnostics: &mut Diagnostics,
) -> Result<Option<Written>, RoundTripError> {
    let mut written = Written { text: String::new(), origins: Origins::default(), findings: Findings::of(payload) };
    written.origins.add(0, 1);
    let (mut writer, mut head) = (ItemWriter::new(options), Some(payload));
    let (mut items, mut originals, mut lines, mut size, mut last) = (Vec::new(), Vec::new(), Vec::new(), 0, (0, 1));
    for (index, original) in payload.items.iter().enumerate() {
        let offset = original.json.offset();
        last = (offset, line_after(last, offset, sources, source));
        lines.push(last.1);
        match written.findings.decode(payload, index) {
            Ok(item) => items.push(item),
            Err(error) => {
                diagnostics.append(failure_problem(&error.into(), sources, source));
                return Ok(None);
            }
        }
        originals.push(original.own_json());
        size += original.json.raw().len();
        // An empty message at the end of a text would be read as the place of the next turn.
        let is_empty_message = |item: &Item<'_>| matches!(item, Item::Message(message) if message.content.is_empty());
        if size >= SIZE && !items.last().is_some_and(is_empty_message) {
            written.add(&writer.write(head.take(), &items, &originals)?, &lines);
            (items, originals, lines, size) = (Vec::new(), Vec::new(), Vec::new(), 0);
        }
    }
    if head.is_some() || !items.is_empty() {
        written.add(&writer.write(head, &items, &originals)?, &lines);
    }
    if let Some(reason) = payload.unfinished {
        written.add(&(format!("<!-- incomplete: {reason} -->\n"), Vec::new()), &[]);
    }
    diagnostics.append(payload_problems(payload, &written.findings, sources, source));
    Ok(Some(written))
}

/// The line at an offset, given the line at an earlier one. Items come in order, so that only the text between them is
/// searched. The lines of a text that is out of order, or was made from another one, are looked up.
fn line_after((start, line): (usize, usize), offset: usize, sources: &Sources, source: SourceId) -> usize {
    let between = sources.get(source).text.as_bytes().get(start..offset).filter(|_| !sources.is_made(source));
    let counted = between.map(|between| line + memchr::memchr_iter(b'\n', between).count());
    counted.unwrap_or_else(|| sources.line_column(place(offset, sources, source)).0)
}

/// Reads all items of a payload.
pub fn decode_items<'j>(payload: &Payload<'j>) -> Result<(Vec<Item<'j>>, Findings), JsonError> {
    let mut findings = Findings::of(payload);
    let items = (0..payload.items.len()).map(|index| findings.decode(payload, index)).collect::<Result<_, _>>()?;
    Ok((items, findings))
}

/// The warnings about a payload and its items, at their places in its text.
pub fn payload_problems(
    payload: &Payload<'_>,
    findings: &Findings,
    sources: &Sources,
    source: SourceId,
) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    for (key, range) in &findings.repeated {
        let span =
            if range.is_empty() { place(range.start, sources, source) } else { Span::new(source, range.clone()) };
        diagnostics.report(ReplyProblem::RepeatedKey(key.clone()), span);
    }
    for warning in &payload.warnings {
        let (problem, offset) = match warning {
            Warning::MalformedEvent(error) => (ReplyProblem::MalformedEvent(error.to_string()), error.offset),
            Warning::NoItems => (ReplyProblem::NoItems, 0),
            Warning::UnknownStop(reason) => (ReplyProblem::UnknownStop(reason.clone()), 0),
        };
        diagnostics.report(problem, place(offset, sources, source));
    }
    for error in &findings.malformed {
        let problem = ReplyProblem::MalformedItem { path: error.path.clone(), message: error.message.clone() };
        diagnostics.report(problem, place(error.offset, sources, source));
    }
    diagnostics
}

/// Reports why the input could not be read. API errors are not reported here.
pub fn failure_problem(failure: &Failure, sources: &Sources, source: SourceId) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    let (problem, offset) = match failure {
        Failure::Malformed(error) => {
            let JsonError { path, message, offset, is_cut, .. } = error.clone();
            (ReplyProblem::MalformedJson { path, message, is_cut }, offset)
        }
        Failure::Unsupported(foreign) => {
            let is_file = sources.get(source).path.is_some();
            let UnsupportedInput { what, help } = if is_file { foreign.in_file() } else { *foreign };
            (ReplyProblem::ForeignInput { what, help }, 0)
        }
        Failure::Ambiguous { messages, chat } => {
            (ReplyProblem::AmbiguousInput { messages: messages.clone(), chat: chat.clone() }, 0)
        }
        Failure::SeveralChoices(choices) => (ReplyProblem::SeveralChoices(choices.len()), 0),
        Failure::NoChoices => (ReplyProblem::NoChoices, 0),
        Failure::Api(_) => return diagnostics,
    };
    diagnostics.report(problem, place(offset, sources, source));
    diagnostics
}

/// The character at an offset.
fn place(offset: usize, sources: &Sources, source: SourceId) -> Span {
    let text = &sources.get(source).text;
    let start = floor_char_boundary(text, offset);
    Span::new(source, start..ceil_char_boundary(text, start + 1))
}
