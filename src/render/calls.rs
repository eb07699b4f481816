//! Tool calls, each with its output.

use super::Renderer;
use super::html::Html;
use super::outline::{Entry, EntryKind};
use super::turns::{MAX_PREVIEW_LENGTH, Unit};
use crate::convert::spelled_output;
use crate::document::{Block, ItemElement, Part, Role, ToolKind};
use crate::json::StringArena;
use crate::responses::ToolOutput;
use crate::source::{Span, Spanned};
use crate::transcript::PartComment;

const MAX_NAME_LENGTH: usize = 80;

impl Renderer<'_, '_> {
    pub(super) fn tool_call(&mut self, kind: ToolKind, call: &ItemElement<'_>, output: Option<&Spanned<Block<'_>>>) {
        let anchor = self.new_anchor();
        let images = self.images;
        let (mut arguments, mut is_failed) = (String::new(), false);
        let body = self.separately(|renderer| {
            arguments = renderer.arguments(kind, call);
            is_failed = output.is_some_and(|output| renderer.output(output));
        });
        let peek = self.line(&arguments, MAX_PREVIEW_LENGTH);
        let status = call.attributes.text("status").filter(|status| *status != "completed").unwrap_or_default();
        let waits = if output.is_none() && status.is_empty() { "no output" } else { "" };
        let badges = [status, waits, if is_failed { "error" } else { "" }];
        let is_open = self.images > images;
        self.call_unit(
            &Unit { anchor, class: "call", name: call.tool_name(), badges: &badges, peek: &peek, is_open },
            &body,
        );
    }

    /// Writes the arguments of a call, and returns their text.
    fn arguments(&mut self, kind: ToolKind, call: &ItemElement<'_>) -> String {
        let mut arguments = String::new();
        for part in &call.body {
            match &part.value {
                Part::Text(text) => arguments.push_str(text),
                Part::Doc(doc) => self.doc(doc, part.span),
                Part::Image(_) | Part::Agent(_) | Part::Import(_) | Part::Summary(_) | Part::Metadata(_) => {}
            }
        }
        if !arguments.trim().is_empty() {
            self.html.markup("<h3>Arguments</h3>\n");
            match kind {
                ToolKind::Function => self.output_text(&arguments),
                ToolKind::Custom => self.verbatim(&arguments),
            }
        }
        arguments
    }

    /// Writes a call, and its line in the outline.
    pub(super) fn call_unit(&mut self, unit: &Unit<'_>, body: &Html) {
        let name = self.line(unit.name, MAX_NAME_LENGTH);
        self.unit(&Unit { name: &name, ..*unit }, body);
        self.outline.push(Entry { anchor: unit.anchor, kind: EntryKind::Call(name) });
    }

    /// An output whose call is not in the document.
    pub(super) fn lone_response(&mut self, response: &ItemElement<'_>, span: Span) {
        let (anchor, images) = (self.new_anchor(), self.images);
        let body = self.separately(|renderer| renderer.response_body(response, span));
        let [call_id, name] = [response.call_id(), response.attributes.text("name")];
        let name = format!("output of {}", call_id.or(name).unwrap_or_default());
        let badges = [if call_id.is_some() { "no call" } else { "" }, if response.has_failed() { "error" } else { "" }];
        let is_open = self.images > images;
        self.call_unit(&Unit { anchor, class: "call", name: &name, badges: &badges, peek: "", is_open }, &body);
    }

    /// The output of a call. Returns whether the tool has failed.
    pub(super) fn output(&mut self, output: &Spanned<Block<'_>>) -> bool {
        let anchor = self.new_anchor();
        self.html.markup("<h3");
        self.id(anchor);
        self.html.markup(">Output</h3>\n");
        if let Some(response) = output.value.element() {
            self.response_body(response, output.span);
            return response.has_failed();
        }
        if let Some(json) = output.value.item_json() {
            self.item_body(json, output.span);
        }
        false
    }

    fn response_body(&mut self, response: &ItemElement<'_>, span: Span) {
        if let [Spanned { value: Part::Text(text), .. }] = response.body.as_slice() {
            let strings = StringArena::default();
            return match spelled_output(text, response.output(), &strings) {
                ToolOutput::Text(text) => self.output_text(&text),
                ToolOutput::Content(parts) => parts.iter().for_each(|part| self.part(part, span)),
            };
        }
        if response.body.is_empty() {
            self.html.markup("<p class=\"empty\">empty</p>\n");
        }
        for part in &response.body {
            match &part.value {
                Part::Text(text) => self.output_text(text),
                Part::Image(image) => self.image(image, part.span),
                Part::Doc(doc) => self.doc(doc, part.span),
                Part::Summary(summary) => self.verbatim(&summary.text),
                Part::Import(import) => self.chip("import", &import.path, "not found"),
                Part::Metadata(json) => {
                    PartComment::read(json).with_part(|comment| self.part(comment, part.span));
                }
                Part::Agent(agent) => self.message_body(&agent.body, Role::User),
            }
        }
    }
}
