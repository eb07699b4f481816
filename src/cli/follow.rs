//! Shows a stream as it arrives.

use std::collections::HashSet;
use std::io::{self, Read};

use crate::Input;
use crate::diagnostic::sanitize_line;
use crate::json::{Json, Object, StringArena};
use crate::resources::system_message;
use crate::responses::{StreamDecoder, StreamEvent, Target, TextKind, TextPosition};
use crate::sanitize::sanitize;
use clap::builder::styling::Style;

use crate::cli::answer_text::AnswerText;
use crate::cli::input::read_error;
use crate::cli::interruptible::Interruptible;
use crate::cli::report::{answer, help, message, warning};

/// How many bytes of a stream are kept, unless a flag sets another limit.
pub(crate) const MAX_STREAM_BYTES: usize = 512 << 20;

/// Reads standard input until its end or Ctrl-C, and shows its text on standard error.
///
/// This is only a display: the bytes are converted afterwards, like those of a file.
pub(crate) fn read(most: usize) -> anyhow::Result<Input> {
    let bytes =
        show_stream(io::stdin(), most, Display::default()).map_err(|error| read_error("standard input", &error))?;
    Ok(Input::from(bytes).with_name("<stdin>"))
}

/// Reads a stream until its end or Ctrl-C, and shows its text. After `most` bytes the stream is cut.
pub(crate) fn show_stream(
    stream: impl Read + Send + 'static,
    most: usize,
    mut display: Display,
) -> io::Result<Vec<u8>> {
    let mut stream = Interruptible::new(stream);
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
    display.show_response(&bytes);
    display.finish();
    Ok(bytes)
}

/// Shows the text of a stream: on standard error, or the text of messages on standard output.
#[derive(Default)]
pub(crate) struct Display {
    decoder: StreamDecoder,
    /// The text of messages on standard output.
    answer: Option<AnswerText>,
    /// The messages that are comments of the model on its work. They are not the answer.
    commentary: HashSet<Target<'static>>,
    /// The item and part whose text was shown last.
    current: Option<(Target<'static>, TextPosition)>,
    /// The items whose text was shown at least in part.
    shown: HashSet<Target<'static>>,
    is_line_open: bool,
}

impl Display {
    /// Shows the text of messages on standard output, and everything else on standard error.
    pub(crate) fn of_answer() -> Self {
        Self { answer: Some(AnswerText::default()), ..Self::default() }
    }

    /// Shows a whole response, if the bytes are one.
    fn show_response(&mut self, bytes: &[u8]) {
        if self.answer.is_none() || !bytes.trim_ascii_start().starts_with(b"{") {
            return;
        }
        let strings = StringArena::default();
        let json = std::str::from_utf8(bytes).ok().and_then(|text| Json::parse(text, &strings).ok());
        self.missing_items(json);
    }

    /// Shows the items of a response, unless events of the stream have shown some.
    fn missing_items(&mut self, response: Option<Json<'_>>) {
        if !self.shown.is_empty() {
            return;
        }
        let output = response.and_then(|json| json.object().ok()?.get("output")?.array().ok()).unwrap_or_default();
        for (index, item) in (0..).zip(output) {
            let target = Target { index: Some(index), id: None };
            self.event(StreamEvent::Added(target.clone(), item));
            self.event(StreamEvent::Done(target, item));
        }
    }

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
            StreamEvent::Added(target, item) => {
                let members = item.object().unwrap_or_default();
                if matches!(members.get_str("type").as_deref(), Some("function_call" | "custom_tool_call")) {
                    self.shown.insert(item_key(&target));
                    self.tool_call(&members);
                }
                if members.get_str("phase").is_some_and(|phase| phase == "commentary") {
                    self.commentary.insert(item_key(&target));
                }
            }
            StreamEvent::Done(target, item) => {
                if !self.shown.contains(&item_key(&target)) {
                    self.whole_message(&target, item);
                    self.shown.insert(item_key(&target));
                }
                self.end_item();
            }
            StreamEvent::End(_, response) => self.missing_items(response),
            StreamEvent::Created
            | StreamEvent::Text(..)
            | StreamEvent::PartDone(..)
            | StreamEvent::Part(..)
            | StreamEvent::Error(_)
            | StreamEvent::Other => {}
        }
    }

    fn text(&mut self, target: &Target<'_>, place: TextPosition, text: &str) {
        let here = Some((item_key(target), place));
        let is_comment = self.commentary.contains(&item_key(target));
        if let Some(answer) = self.answer.as_mut().filter(|_| place.kind == TextKind::Output && !is_comment) {
            if self.current.as_ref().is_some_and(|(item, _)| *item != item_key(target)) {
                answer.end_message();
            }
            answer.push(text);
            self.shown.insert(item_key(target));
            self.current = here;
            return;
        }
        let style = match place.kind {
            TextKind::Output | TextKind::Refusal => Style::new(),
            TextKind::Summary | TextKind::Reasoning => Style::new().dimmed(),
            TextKind::Arguments | TextKind::Input | TextKind::Code | TextKind::Command | TextKind::Diff => return,
        };
        if self.current != here {
            self.end_line();
            if place.kind == TextKind::Refusal && self.answer.is_some() {
                let bold = Style::new().bold();
                message(&format!("{bold}refusal{bold:#}: "));
            }
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

    /// Ends an item. The next message is another one.
    fn end_item(&mut self) {
        self.end_line();
        if let Some(answer) = &mut self.answer {
            answer.end_message();
        }
    }

    /// Ends the answer with a line break.
    fn finish(&mut self) {
        self.end_line();
        if let Some(answer) = &mut self.answer {
            answer.end_line();
        }
    }

    /// Ends the line of a text before other text.
    fn end_line(&mut self) {
        if let Some(answer) = &mut self.answer {
            answer.make_room();
        }
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
