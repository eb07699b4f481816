//! Codex rollouts: `{"timestamp", "type", "payload"}` on each line.

use std::ops::Range;

use super::SessionView;
use super::text::Texts;
use super::writer::Writer;
use crate::error::Error;
use crate::json::write::ObjectWriter;
use crate::json::{Json, Kind, Object, StringArena};
use crate::responses::{Item, Part};

/// How messages of the role `user` begin that Codex itself has written.
const CONTEXT: [&str; 8] = [
    "<environment_context>",
    "<user_instructions>",
    "<user_shell_command>",
    "<turn_aborted>",
    "<subagent_notification>",
    "<skill>",
    "<INSTRUCTIONS>",
    "# AGENTS.md instructions",
];

/// Reads the lines of a rollout.
pub(super) struct Codex {
    view: SessionView,
    /// The members of the comment about the session.
    about: Option<Vec<(&'static str, String)>>,
    /// The line of the metadata.
    about_line: usize,
    instructions: Option<String>,
    model: Option<String>,
    effort: Option<String>,
    /// The messages of the person.
    turns: Vec<Turn>,
}

/// A message of the person in the text, and how many items are before it.
struct Turn {
    range: Range<usize>,
    items: usize,
    /// Its line in the session.
    line: usize,
}

impl Codex {
    pub(super) fn new(view: SessionView) -> Self {
        Self { view, about: None, about_line: 1, instructions: None, model: None, effort: None, turns: Vec::new() }
    }

    pub(super) fn line<'j>(
        &mut self,
        line: &Object<'j>,
        json: Json<'j>,
        texts: &'j Texts,
        writer: &mut Writer<'_>,
    ) -> Result<(), Error> {
        let kind = line.get_str("type");
        let payload = line.get("payload").and_then(|payload| Some((payload, payload.object().ok()?)));
        match (kind.as_deref(), payload) {
            (Some("session_meta"), Some((_, payload))) => self.meta(&payload, texts, writer.line),
            (Some("turn_context"), Some((_, payload))) => {
                self.model = string(&payload, "model", texts).or(self.model.take());
                self.effort = string(&payload, "effort", texts);
            }
            (Some("response_item"), Some((item, _))) => self.item(item, texts, writer)?,
            (Some("compacted"), Some((_, payload))) => self.compacted(&payload, texts, writer)?,
            (Some("event_msg"), Some((_, payload))) => match payload.get_str("type").as_deref() {
                Some("thread_rolled_back") => self.rolled_back(&payload, writer),
                Some(_) | None => writer.leave_out("event line"),
            },
            (Some(kind), Some(_)) => writer.leave_out(&format!("{kind} line")),
            // Older rollouts have the objects themselves on their lines.
            (Some(_), None) if line.get("payload").is_none() => self.item(json, texts, writer)?,
            (None, None) if line.get("record_type").is_some() => writer.leave_out("state line"),
            (None, None) if line.get("id").is_some() && line.get("timestamp").is_some() => {
                self.meta(line, texts, writer.line);
            }
            (None, Some(_)) | (_, None) => writer.leave_out("unknown line"),
        }
        Ok(())
    }

    /// Keeps the metadata of the session from its first line. A fork repeats the lines of its parent.
    fn meta(&mut self, meta: &Object<'_>, texts: &Texts, line: usize) {
        if self.about.is_some() {
            return;
        }
        self.about_line = line;
        let base = meta.get("base_instructions").and_then(|base| base.object().ok());
        let base = base.and_then(|base| string(&base, "text", texts));
        self.instructions = base.or_else(|| string(meta, "instructions", texts));
        let git = meta.get("git").and_then(|git| git.object().ok()).unwrap_or_default();
        let members = [
            ("id", string(meta, "id", texts)),
            ("started", string(meta, "timestamp", texts)),
            ("cwd", string(meta, "cwd", texts)),
            ("version", string(meta, "cli_version", texts)),
            ("branch", string(&git, "branch", texts)),
        ];
        self.about = Some(members.into_iter().filter_map(|(key, value)| Some((key, value?))).collect());
    }

    fn item<'j>(&mut self, json: Json<'j>, texts: &'j Texts, writer: &mut Writer<'_>) -> Result<(), Error> {
        let decode = |json: Json<'j>| Item::decode_lenient(json).ok().map(|(item, _)| (item, json));
        // Half a surrogate pair is the only thing that a text cannot hold.
        let Some((item, original)) = decode(json).or_else(|| decode(texts.repaired(json)?)) else {
            writer.leave_out("unknown line");
            return Ok(());
        };
        if item.kind() == "ghost_snapshot" {
            writer.leave_out("ghost snapshot");
            return Ok(());
        }
        let (is_turn, start, items) = (is_turn(&item), writer.text.len(), writer.items);
        writer.item(item, original)?;
        if is_turn {
            self.turns.push(Turn { range: start..writer.text.len(), items, line: writer.line });
        }
        Ok(())
    }

    fn compacted(&mut self, payload: &Object<'_>, texts: &Texts, writer: &mut Writer<'_>) -> Result<(), Error> {
        let message = string(payload, "message", texts).unwrap_or_default();
        if self.view == SessionView::All {
            let items = writer.items.to_string();
            writer.comment("compacted: a summary took the place of what is before this", |object| {
                object.key("items").push_str(&items);
                object.text("message", &message);
            });
            return Ok(());
        }
        let history = payload.get("replacement_history").filter(|history| history.kind() == Kind::Array);
        if let Some(history) = history {
            writer.leave_out_many("compacted item", writer.items);
            self.turns.clear();
            writer.truncate(0);
            writer.items = 0;
            for item in history.array().unwrap_or_default() {
                self.item(item, texts, writer)?;
            }
            return Ok(());
        }
        // Older versions keep the messages of the person, and add the summary to them.
        writer.leave_out_many("compacted item", writer.items - self.turns.len());
        writer.items = self.turns.len();
        writer.keep(self.turns.iter().map(|turn| (turn.range.clone(), turn.line)));
        let mut end = 0;
        for (index, turn) in self.turns.iter_mut().enumerate() {
            *turn = Turn { range: end..end + turn.range.len(), items: index, line: turn.line };
            end = turn.range.end;
        }
        let json = texts.strings.write_object(|object| {
            object.text("role", "user");
            object.text("content", &message);
        });
        self.item(json, texts, writer)
    }

    fn rolled_back(&mut self, payload: &Object<'_>, writer: &mut Writer<'_>) {
        let count: usize = payload.get("num_turns").and_then(|count| count.raw().parse().ok()).unwrap_or_default();
        if self.view == SessionView::All {
            writer.comment("rolled back: the last turns before this were dropped", |object| {
                object.key("num_turns").push_str(&count.to_string());
            });
            return;
        }
        let first = self.turns.len().saturating_sub(count);
        if let Some(turn) = self.turns.get(first) {
            writer.leave_out_many("rolled back item", writer.items - turn.items);
            writer.truncate(turn.range.start);
            writer.items = turn.items;
            self.turns.truncate(first);
        }
    }

    /// Writes what comes before all items.
    pub(super) fn finish(self, writer: &mut Writer<'_>) -> Result<(), Error> {
        let start = writer.text.len();
        writer.line = self.about_line;
        if let Some(about) = &self.about {
            writer.about("Codex session", about);
        }
        let strings = StringArena::default();
        let request = strings.write_object(|object| {
            if let Some(model) = &self.model {
                object.text("model", model);
            }
            if let Some(effort) = &self.effort {
                let mut reasoning = ObjectWriter::new(object.key("reasoning"));
                reasoning.text("effort", effort);
                reasoning.end();
            }
            if let Some(instructions) = &self.instructions {
                object.text("instructions", instructions);
            }
        });
        let request = request.object().unwrap_or_default();
        if !request.is_empty() {
            writer.request(request)?;
        }
        writer.move_to_front(start);
        Ok(())
    }
}

/// Whether an item is a message that the person has written.
fn is_turn(item: &Item<'_>) -> bool {
    let Item::Message(message) = item else { return false };
    let is_context = |part: &Part<'_>| match part {
        Part::Text(text) => CONTEXT.iter().any(|start| text.text.trim_start().starts_with(start)),
        Part::Image(_) | Part::Other(_) | Part::Raw(_) => false,
    };
    message.role == "user" && !message.content.iter().any(is_context)
}

/// A member that is a string.
fn string<'j>(object: &Object<'j>, key: &str, texts: &'j Texts) -> Option<String> {
    texts.member(object, key).map(std::borrow::Cow::into_owned)
}
