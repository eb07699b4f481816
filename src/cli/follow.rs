//! `--follow`: shows a stream on standard error as it arrives.

use std::collections::HashSet;
use std::io::{self, Read};

use chatmd::Input;
use chatmd::diagnostic::sanitize_line;
use chatmd::json::{Json, Object, StringArena};
use chatmd::resources::system_message;
use chatmd::responses::{StreamDecoder, StreamEvent, Target, TextKind, TextPosition};
use chatmd::sanitize::sanitize;
use clap::builder::styling::Style;

use crate::cli::input::read_error;
use crate::cli::interruptible::Interruptible;
use crate::cli::report::{answer, help, message, warning};

/// How many bytes of a stream are kept, unless a flag sets another limit.
pub(crate) const MAX_STREAM_BYTES: usize = 512 << 20;

/// Reads standard input until its end or Ctrl-C, and shows its text on standard error.
///
/// This is only a display: the bytes are converted afterwards, like those of a file.
pub(crate) fn read(most: usize) -> anyhow::Result<Input> {
    let bytes = show_stream(io::stdin(), most).map_err(|error| read_error("standard input", &error))?;
    Ok(Input::from(bytes).with_name("<stdin>"))
}

/// Reads a stream until its end or Ctrl-C, and shows its text on standard error. After `most` bytes the stream is cut.
pub(crate) fn show_stream(stream: impl Read + Send + 'static, most: usize) -> io::Result<Vec<u8>> {
    let mut stream = Interruptible::new(stream);
    let mut display = Display::default();
    let mut bytes = Vec::new();
    loop {
        match stream.next_chunk() {
            Ok(chunk) if chunk.is_empty() => break,
            Ok(chunk) => {
                bytes.extend(chunk);
                let is_too_long = bytes.len() > most;
                bytes.truncate(most);
                display.show(&bytes, false);
                if is_too_long {
                    display.end_line();
                    warning(&format!("the stream has more than {most} bytes, and the rest is not read"));
                    help("`from-response --max-stream-bytes` allows more");
                    break;
                }
            }
            Err(error) if bytes.is_empty() => return Err(error),
            Err(error) => {
                display.end_line();
                warning(&format!("the stream broke off: {}", system_message(&error)));
                break;
            }
        }
    }
    display.show(&bytes, true);
    display.end_line();
    Ok(bytes)
}

/// Shows a whole response like a stream of its items.
pub(crate) fn show_response(bytes: &[u8]) {
    let strings = StringArena::default();
    let json = std::str::from_utf8(bytes).ok().and_then(|text| Json::parse(text, &strings).ok());
    let output = json.and_then(|json| json.object().ok()?.get("output")?.array().ok()).unwrap_or_default();
    let mut display = Display::default();
    for (index, item) in (0..).zip(output) {
        let target = Target { index: Some(index), id: None };
        display.event(StreamEvent::Added(target.clone(), item));
        display.event(StreamEvent::Done(target, item));
    }
}

/// Shows the text of a stream.
#[derive(Default)]
struct Display {
    decoder: StreamDecoder,
    /// The item and part whose text was shown last.
    current: Option<(Target<'static>, TextPosition)>,
    /// The items whose text was shown at least in part.
    shown: HashSet<Target<'static>>,
    is_line_open: bool,
}

impl Display {
    /// Shows the events that are complete so far.
    fn show(&mut self, bytes: &[u8], is_end: bool) {
        while let Some(event) = self.decoder.next(bytes, is_end) {
            let strings = StringArena::default();
            if let Ok(json) = Json::parse(&event.data, &strings) {
                self.event(StreamEvent::decode(json, event.name));
            }
        }
    }

    fn event(&mut self, event: StreamEvent<'_>) {
        match event {
            StreamEvent::Delta(target, place, delta) => self.text(&target, place, &delta),
            StreamEvent::Text(target, place, text) | StreamEvent::PartDone(target, place, text, _)
                if !self.shown.contains(&item_key(&target)) =>
            {
                self.text(&target, place, &text);
            }
            StreamEvent::Added(_, item) => {
                let members = item.object().unwrap_or_default();
                if matches!(members.get_str("type").as_deref(), Some("function_call" | "custom_tool_call")) {
                    self.tool_call(&members);
                }
            }
            StreamEvent::Done(target, item) => {
                if !self.shown.contains(&item_key(&target)) {
                    self.whole_message(&target, item);
                }
                self.end_line();
            }
            StreamEvent::Created
            | StreamEvent::Text(..)
            | StreamEvent::PartDone(..)
            | StreamEvent::Part(..)
            | StreamEvent::End(..)
            | StreamEvent::Error(_)
            | StreamEvent::Other => {}
        }
    }

    fn text(&mut self, target: &Target<'_>, place: TextPosition, text: &str) {
        let style = match place.kind {
            TextKind::Output | TextKind::Refusal => Style::new(),
            TextKind::Summary | TextKind::Reasoning => Style::new().dimmed(),
            TextKind::Arguments | TextKind::Input | TextKind::Code | TextKind::Command | TextKind::Diff => return,
        };
        let here = Some((item_key(target), place));
        if self.current != here {
            self.end_line();
        }
        self.shown.insert(item_key(target));
        self.current = here;
        answer(&format!("{style}{}{style:#}", sanitize(text)));
        self.is_line_open = if text.is_empty() { self.is_line_open } else { !text.ends_with('\n') };
    }

    fn tool_call(&mut self, call: &Object<'_>) {
        self.end_line();
        let bold = Style::new().bold();
        let name = call.get_str("name").unwrap_or_default();
        message(&format!("{bold}{}{bold:#} …\n", sanitize_line(&name)));
    }

    /// Shows a message that had no deltas.
    fn whole_message(&mut self, target: &Target<'_>, item: Json<'_>) {
        let content = item.object().ok().and_then(|item| item.get("content")?.array().ok()).unwrap_or_default();
        for (part, json) in (0..).zip(content) {
            let part_members = json.object().unwrap_or_default();
            for (key, kind) in [("text", TextKind::Output), ("refusal", TextKind::Refusal)] {
                if let Some(text) = part_members.get_str(key) {
                    self.text(target, TextPosition { part, kind }, &text);
                }
            }
        }
    }

    fn end_line(&mut self) {
        if std::mem::take(&mut self.is_line_open) {
            message("\n");
        }
    }
}

/// The item of an event, by its index if it has one.
fn item_key(target: &Target<'_>) -> Target<'static> {
    let id = target.id.as_deref().filter(|_| target.index.is_none());
    Target { index: target.index, id: id.map(|id| id.to_owned().into()) }
}
