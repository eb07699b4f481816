//! The header and the footer of a page.

use super::{Contents, Renderer};
use crate::diagnostic::{counted, thousands};
use crate::document::{Document, ItemKind};
use crate::json::{Json, Object, StringArena};
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
        self.html.markup("<header>\n<h1>");
        let title = self.title();
        self.html.text(&title);
        self.html.markup("</h1>\n<p class=\"facts\">");
        let strings = StringArena::default();
        let fields = contents.request.sent_fields(&strings);
        if let Some(model) = fields.get_str("model") {
            self.html.markup("<span class=\"model\">");
            let model = self.line(&model, MAX_VALUE_LENGTH);
            self.html.text(&model);
            self.html.markup("</span> ");
        }
        let facts = facts(contents.document, contents.total);
        self.html.text(&facts.join(" · "));
        self.html.markup("</p>\n");
        self.settings(&fields);
        self.tools(&fields);
        self.html.markup("</header>\n");
    }

    fn settings(&mut self, fields: &Object<'_>) {
        let shown = |key: &str| !["model", "tools", "instructions", "input"].contains(&key);
        let settings: Vec<(&str, Json<'_>)> = fields.iter().filter(|(key, _)| shown(key)).collect();
        if settings.is_empty() {
            return;
        }
        self.html.markup("<details><summary>Settings <small>");
        self.html.number(settings.len());
        self.html.markup("</small></summary>\n<dl>\n");
        for (key, value) in settings {
            let value = value.as_str().unwrap_or_else(|_| value.compact());
            self.term(key, &value);
        }
        self.html.markup("</dl>\n</details>\n");
    }

    fn tools(&mut self, fields: &Object<'_>) {
        let given = fields.get("tools").and_then(|tools| tools.array().ok()).unwrap_or_default();
        let tools: Vec<Object<'_>> = given.into_iter().filter_map(|tool| tool.object().ok()).collect();
        if tools.is_empty() {
            return;
        }
        self.html.markup("<details><summary>Tools <small>");
        self.html.number(tools.len());
        self.html.markup("</small></summary>\n<dl>\n");
        for tool in tools {
            let name = ["name", "server_label", "type"].iter().find_map(|key| tool.get_str(key)).unwrap_or_default();
            let about = ["description", "server_url"].iter().find_map(|key| tool.get_str(key)).unwrap_or_default();
            self.term(&name, &about);
        }
        self.html.markup("</dl>\n</details>\n");
    }

    fn term(&mut self, name: &str, value: &str) {
        self.html.markup("<dt>");
        let name = self.line(name, MAX_VALUE_LENGTH);
        self.html.text(&name);
        self.html.markup("</dt><dd>");
        let value = self.line(value, MAX_VALUE_LENGTH);
        self.html.text(&value);
        self.html.markup("</dd>\n");
    }
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
