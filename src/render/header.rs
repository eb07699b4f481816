//! The header and the footer of a page.

use std::borrow::Cow;

use super::{Contents, Renderer};
use crate::diagnostic::{counted, thousands};
use crate::document::{Document, ItemKind};
use crate::json::{Object, StringArena};
use crate::stats::Total;

const MAX_TITLE_LENGTH: usize = 200;
const MAX_VALUE_LENGTH: usize = 200;

impl Renderer<'_, '_> {
    pub(super) fn title(&mut self) -> String {
        let title = self.line(&self.options.title.clone(), MAX_TITLE_LENGTH);
        if title.is_empty() { "Conversation".to_owned() } else { title }
    }

    /// The title, the model, the contents of the conversation, its settings and its tools.
    pub(super) fn header(&mut self, contents: &Contents<'_, '_>) {
        let title = self.title();
        self.html.write("<header>\n<h1>{}</h1>\n<p class=\"facts\">", &[&title]);
        let strings = StringArena::default();
        let fields = contents.request.sent_fields(&strings);
        if let Some(model) = fields.get_str("model") {
            let model = self.line(&model, MAX_VALUE_LENGTH);
            self.html.write("<span class=\"model\">{}</span> ", &[&model]);
        }
        let facts = facts(contents.document, contents.total);
        self.html.write("{}</p>\n", &[&facts.join(" · ")]);
        self.settings(&fields);
        self.tools(&fields);
        self.html.markup("</header>\n");
    }

    fn settings(&mut self, fields: &Object<'_>) {
        let is_shown = |key: &str| !["model", "tools", "instructions", "input"].contains(&key);
        let settings = fields.iter().filter(|(key, _)| is_shown(key));
        let terms: Vec<_> =
            settings.map(|(key, value)| (key.into(), value.as_str().unwrap_or_else(|_| value.compact()))).collect();
        self.terms("Settings", &terms);
    }

    fn tools(&mut self, fields: &Object<'_>) {
        let terms: Vec<_> = fields.get_objects("tools").map(|tool| about_tool(&tool)).collect();
        self.terms("Tools", &terms);
    }

    /// A list of names with their values, if there are any. It starts folded, with the number of names.
    fn terms(&mut self, what: &str, terms: &[(Cow<'_, str>, Cow<'_, str>)]) {
        if terms.is_empty() {
            return;
        }
        self.html.write("<details><summary>{} <small>{}</small></summary>\n<dl>\n", &[&what, &terms.len()]);
        for (name, value) in terms {
            let (name, value) = (self.line(name, MAX_VALUE_LENGTH), self.line(value, MAX_VALUE_LENGTH));
            self.html.write("<dt>{}</dt><dd>{}</dd>\n", &[&name, &value]);
        }
        self.html.markup("</dl>\n</details>\n");
    }
}

/// The name of a tool, and its description or its server.
fn about_tool<'j>(tool: &Object<'j>) -> (Cow<'j, str>, Cow<'j, str>) {
    let first = |keys: &[&str]| keys.iter().find_map(|key| tool.get_str(key)).unwrap_or_default();
    (first(&["name", "server_label", "type"]), first(&["description", "server_url"]))
}

/// `3 messages`, `2 tool calls`, `1 image`, `about 1,200 tokens`
fn facts(document: &Document<'_>, total: Total) -> Vec<String> {
    let placeholder = document.placeholder();
    let blocks = || document.blocks.iter().enumerate().filter(|(at, _)| Some(*at) != placeholder);
    let kinds = || blocks().filter_map(|(_, block)| block.value.element().map(|element| element.kind));
    let messages = kinds().filter(|kind| matches!(kind, ItemKind::Message(_))).count();
    let calls = kinds().filter(|kind| matches!(kind, ItemKind::ToolCall(_))).count();
    let counts = [(messages, "message"), (calls, "tool call"), (total.images, "image"), (total.unknown_files, "file")];
    let mut facts: Vec<String> =
        counts.into_iter().filter(|(count, _)| *count > 0).map(|(count, thing)| counted(count, thing)).collect();
    if total.tokens > 0 {
        let about = if total.is_at_least() { "at least" } else { "about" };
        facts.push(format!("{about} {} tokens", thousands(total.tokens)));
    }
    facts
}
