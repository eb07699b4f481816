//! Shows the events of a stream: the answer, reasoning, calls of tools and searches.

use std::collections::HashSet;

use crate::json::{Json, StringArena};
use crate::responses::{StreamDecoder, StreamEvent, Target, TextKind, TextPosition, is_commentary, text_key};
use crate::sanitize::sanitize;
use clap::builder::styling::Style;

use crate::cli::activity::Activity;
use crate::cli::answer_text::AnswerText;
use crate::cli::report::{answer, message};
use crate::cli::spinner::Spinner;

/// Where the text of messages is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AnswerTo {
    Stdout,
    Stderr,
    /// Nowhere: the caller prints the answer later.
    Later,
}

/// What is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Show {
    pub(crate) answer: AnswerTo,
    /// Whether only the answer and refusals are shown.
    pub(crate) is_quiet: bool,
}

/// Shows the text of a stream: on standard error, or the text of messages on standard output.
pub(crate) struct Display {
    decoder: StreamDecoder,
    show: Show,
    answer: AnswerText,
    spinner: Spinner,
    /// The messages that are comments of the model on its work. They are not the answer.
    commentary: HashSet<Target<'static>>,
    /// The item and part whose text was shown last.
    current: Option<(Target<'static>, TextPosition)>,
    /// The items whose text was shown at least in part.
    shown: HashSet<Target<'static>>,
    is_line_open: bool,
}

impl Display {
    pub(crate) fn new(show: Show) -> Self {
        Self {
            decoder: StreamDecoder::default(),
            show,
            answer: AnswerText::default(),
            spinner: Spinner::new(!show.is_quiet && show.answer != AnswerTo::Stderr),
            commentary: HashSet::new(),
            current: None,
            shown: HashSet::new(),
            is_line_open: false,
        }
    }

    /// Shows that the next event is waited for, unless a line is not finished.
    pub(crate) fn wait(&mut self) {
        if !self.is_line_open && !self.answer.is_line_open() {
            self.spinner.show();
        }
    }

    /// Shows a whole response, if the bytes are one.
    pub(crate) fn show_response(&mut self, bytes: &[u8]) {
        if self.show.answer == AnswerTo::Stderr || !bytes.trim_ascii_start().starts_with(b"{") {
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
    pub(crate) fn show(&mut self, bytes: &[u8], is_end: bool) {
        while let Some(event) = self.decoder.next(bytes, is_end) {
            let strings = StringArena::default();
            if let Ok(json) = Json::parse(&event.data, &strings) {
                self.event(StreamEvent::decode(json, event.name));
            }
        }
        if !is_end {
            self.wait();
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
            StreamEvent::Added(target, item) => self.begin_item(&target, item),
            StreamEvent::Done(target, item) => {
                if !self.shown.contains(&item_key(&target)) {
                    self.begin_item(&target, item);
                    self.whole_item(&target, item);
                    self.activity(&target, item, true);
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

    fn begin_item(&mut self, target: &Target<'_>, item: Json<'_>) {
        let members = item.object().unwrap_or_default();
        if is_commentary(&members) {
            self.commentary.insert(item_key(target));
        }
        let is_reasoning = members.get_str("type").is_some_and(|kind| kind == "reasoning");
        let activity = Activity::of(&members).map(|activity| activity.title);
        self.spinner.set_activity(activity.as_deref().unwrap_or(if is_reasoning { "reasoning" } else { "" }));
        self.activity(target, item, false);
    }

    /// Shows a call of a tool. The details come with the end of the item, unless the title says everything.
    fn activity(&mut self, target: &Target<'_>, item: Json<'_>, is_done: bool) {
        let Some(activity) = Activity::of(&item.object().unwrap_or_default()) else { return };
        if self.show.is_quiet || !(is_done || activity.is_complete) || !self.shown.insert(item_key(target)) {
            return;
        }
        self.end_line();
        let (bold, Activity { title, detail, .. }) = (Style::new().bold(), activity);
        let gap = if detail.is_empty() { "" } else { " " };
        message(&format!("{bold}{title}{bold:#}{gap}{detail}\n"));
    }

    fn text(&mut self, target: &Target<'_>, place: TextPosition, text: &str) {
        let (here, is_comment) = (Some((item_key(target), place)), self.commentary.contains(&item_key(target)));
        let is_answer = place.kind == TextKind::Output && !is_comment && self.show.answer != AnswerTo::Stderr;
        let (style, label) = match place.kind {
            TextKind::Arguments | TextKind::Input | TextKind::Code | TextKind::Command | TextKind::Diff => return,
            TextKind::Output => (Style::new(), ""),
            TextKind::Refusal => (Style::new(), "refusal"),
            TextKind::Summary | TextKind::Reasoning => (Style::new().dimmed(), "reasoning"),
        };
        let is_other_item = self.current.as_ref().is_some_and(|(item, _)| *item != item_key(target));
        let is_other_text = self.current != here;
        self.shown.insert(item_key(target));
        self.current = here;
        if is_answer {
            if is_other_item {
                self.answer.end_message();
            }
            if self.show.answer == AnswerTo::Stdout {
                self.spinner.clear();
                self.answer.push(text);
            }
            return;
        }
        if self.show.is_quiet && place.kind != TextKind::Refusal {
            return;
        }
        if is_other_text {
            self.end_line();
            if !label.is_empty() && self.show.answer != AnswerTo::Stderr {
                let bold = Style::new().bold();
                message(&format!("{bold}{label}{bold:#}: "));
            }
        }
        self.spinner.clear();
        answer(&format!("{style}{}{style:#}", sanitize(text)));
        self.is_line_open = if text.is_empty() { self.is_line_open } else { !text.ends_with('\n') };
    }

    /// Shows a message or reasoning that had no deltas.
    fn whole_item(&mut self, target: &Target<'_>, item: Json<'_>) {
        let members = item.object().unwrap_or_default();
        let list = |key| members.get(key).and_then(|list| list.array().ok()).unwrap_or_default();
        for (key, list) in [("content", list("content")), ("summary", list("summary"))] {
            for (part, json) in (0..).zip(list) {
                let part_members = json.object().unwrap_or_default();
                let part_type = part_members.get_str("type").unwrap_or_default();
                let kind = match part_type.as_ref() {
                    "refusal" => TextKind::Refusal,
                    "reasoning_text" => TextKind::Reasoning,
                    _ if key == "summary" => TextKind::Summary,
                    _ => TextKind::Output,
                };
                if let Some(text) = part_members.get_str(text_key(&part_type)) {
                    self.text(target, TextPosition { part, kind }, &text);
                }
            }
        }
    }

    /// Ends an item. The next message is another one.
    fn end_item(&mut self) {
        self.end_line();
        self.answer.end_message();
        self.spinner.set_activity("");
    }

    /// Ends the answer with a line break.
    pub(crate) fn finish(&mut self) {
        self.end_line();
        self.answer.end_line();
    }

    /// Ends the line of a text before other text.
    pub(crate) fn end_line(&mut self) {
        self.spinner.clear();
        self.answer.make_room();
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
