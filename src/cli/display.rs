//! Shows the events of a stream: the answer, reasoning, calls of tools and searches.

use std::collections::HashSet;

use crate::chat;
use crate::json::{Json, Object, StringArena};
use crate::messages;
use crate::responses::{self, is_commentary};
use crate::sanitize::sanitize;
use crate::stream::{Event, ItemName, LiveEvent, LiveKind, LiveText, StreamDecoder};
use clap::builder::styling::Style;

use crate::cli::activity::Activity;
use crate::cli::answer_text::AnswerText;
use crate::cli::report::{answer, message};
use crate::cli::spinner::Spinner;

/// How many bytes of the arguments of a call are kept for the display.
const MAX_ARGUMENTS: usize = 1000;

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
    commentary: HashSet<ItemName>,
    /// The item, part and kind of the text that was shown last.
    current: Option<(ItemName, u64, LiveKind)>,
    /// The items that were shown at least in part.
    shown: HashSet<ItemName>,
    /// The calls whose arguments have not ended yet: item, its members as JSON, and arguments.
    calls: Vec<(ItemName, String, String)>,
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
            calls: Vec::new(),
            is_line_open: false,
        }
    }

    /// Shows that the next event is waited for, unless a line is not finished.
    pub(crate) fn wait(&mut self) {
        if !self.is_line_open && !self.answer.may_be_on_line() {
            self.spinner.show();
        }
    }

    /// Shows a whole response, if the bytes are one.
    pub(crate) fn show_response(&mut self, bytes: &[u8]) {
        if self.show.answer != AnswerTo::Stderr
            && bytes.trim_ascii_start().starts_with(b"{")
            && let Ok(text) = std::str::from_utf8(bytes)
        {
            self.show_event(text, None);
        }
    }

    /// Shows the events that are complete so far.
    pub(crate) fn show(&mut self, bytes: &[u8], is_end: bool) {
        while let Some(event) = self.decoder.next(bytes, is_end) {
            self.show_event(&event.data, event.name);
        }
        if !is_end {
            self.wait();
        }
    }

    fn show_event(&mut self, data: &str, name: Option<&str>) {
        let strings = StringArena::default();
        if let Ok(json) = Json::parse(data, &strings) {
            let event = Event::of(json, name);
            for live in [responses::live, messages::live, chat::live] {
                live(&event, &mut |event| self.event(event));
            }
        }
    }

    fn event(&mut self, event: LiveEvent<'_>) {
        match event {
            LiveEvent::Begin(item, members) => self.begin_item(item, &members),
            LiveEvent::Text(text) => self.text(text),
            LiveEvent::Whole(texts) => {
                let is_shown = texts.first().is_none_or(|text| self.shown.contains(&text.item));
                texts.into_iter().filter(|_| !is_shown).for_each(|text| self.text(text));
            }
            LiveEvent::Arguments(text) => {
                if let Some((.., arguments)) = self.calls.last_mut().filter(|(.., text)| text.len() < MAX_ARGUMENTS) {
                    arguments.push_str(&text);
                }
            }
            LiveEvent::End(item, members) => {
                match members {
                    Some(members) => self.activity(&item, &members, true),
                    None => self.end_calls(|call, _| *call == item),
                }
                self.calls.retain(|(call, ..)| *call != item);
                self.shown.insert(item);
                self.end_line();
                // The next message is another one.
                self.answer.end_message();
                self.spinner.set_activity("");
            }
            LiveEvent::Reply(events) if self.shown.is_empty() => {
                for event in events {
                    self.event(event);
                }
            }
            LiveEvent::Reply(_) => {}
        }
    }

    fn begin_item(&mut self, item: ItemName, members: &Object<'_>) {
        let is_reasoning = members.get_str("type").is_some_and(|kind| kind == "reasoning");
        let activity = Activity::of(members).map(|activity| activity.title);
        self.spinner.set_activity(activity.as_deref().unwrap_or(if is_reasoning { "reasoning" } else { "" }));
        self.end_calls(|_, arguments| !arguments.is_empty());
        self.activity(&item, members, false);
        if members.get_str("type").is_some_and(|kind| kind == "function_call" || kind.ends_with("tool_use")) {
            let call = StringArena::default().object(members).raw().to_owned();
            self.calls.push((item.clone(), call, String::new()));
        }
        if is_commentary(members) {
            self.commentary.insert(item);
        }
    }

    /// Shows a call of a tool. The details come with the end of the item, unless the title says everything.
    fn activity(&mut self, item: &ItemName, members: &Object<'_>, is_done: bool) {
        if let Some(activity) = Activity::of(members).filter(|activity| is_done || activity.is_complete) {
            self.line(item, &activity);
        }
    }

    /// Shows the calls that have ended, or to which nothing is added any more.
    fn end_calls(&mut self, has_ended: impl Fn(&ItemName, &str) -> bool) {
        let ended: Vec<_> = self.calls.extract_if(.., |(item, _, text)| has_ended(item, text)).collect();
        for (item, call, arguments) in ended {
            if let Some(activity) = Activity::of_call(&call, &arguments) {
                self.line(&item, &activity);
            }
        }
    }

    /// Shows what the model does on a line of its own, once.
    fn line(&mut self, item: &ItemName, Activity { title, detail, .. }: &Activity) {
        if self.show.is_quiet || !self.shown.insert(item.clone()) {
            return;
        }
        self.end_line();
        let (bold, gap) = (Style::new().bold(), if detail.is_empty() { "" } else { " " });
        message(&format!("{bold}{title}{bold:#}{gap}{detail}\n"));
    }

    fn text(&mut self, LiveText { item, part, kind, text }: LiveText<'_>) {
        let is_answer =
            kind == LiveKind::Answer && !self.commentary.contains(&item) && self.show.answer != AnswerTo::Stderr;
        let (style, label) = match kind {
            LiveKind::Answer => (Style::new(), ""),
            LiveKind::Refusal => (Style::new(), "refusal"),
            LiveKind::Reasoning => (Style::new().dimmed(), "reasoning"),
        };
        let is_other_item = self.current.as_ref().is_some_and(|(current, ..)| *current != item);
        let here = Some((item.clone(), part, kind));
        let is_other_text = self.current != here;
        self.shown.insert(item);
        self.current = here;
        if is_answer {
            if is_other_item {
                self.answer.end_message();
            }
            if self.show.answer == AnswerTo::Stdout {
                self.spinner.clear();
                self.answer.push(&text);
            }
            return;
        }
        if self.show.is_quiet && kind != LiveKind::Refusal {
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
        answer(&format!("{style}{}{style:#}", sanitize(&text)));
        self.is_line_open = if text.is_empty() { self.is_line_open } else { !text.ends_with('\n') };
    }

    /// Ends the answer with a line break.
    pub(crate) fn finish(&mut self) {
        self.end_calls(|_, _| true);
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
