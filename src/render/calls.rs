//! Tool calls, each with its output.

use super::Renderer;
use super::outline::Entry;
use super::turns::{Fold, MAX_PREVIEW_LENGTH, Unit};
use crate::document::{Block, ItemElement, ToolKind};
use crate::source::Spanned;
use crate::transcript::Shown;

const MAX_NAME_LENGTH: usize = 80;

/// The line of a call.
pub(super) struct CallHead<'h> {
    pub(super) name: String,
    /// The part that is shown while the call is folded.
    pub(super) preview: String,
    /// Short remarks. Empty ones are left out.
    pub(super) badges: [&'h str; 3],
}

impl Renderer<'_, '_> {
    pub(super) fn tool_call(&mut self, kind: ToolKind, call: &ItemElement<'_>, output: Option<&Spanned<Block<'_>>>) {
        self.call(|renderer| {
            let preview = renderer.arguments(kind, call);
            let is_failed = output.is_some_and(|output| renderer.output(output));
            let status = call.attributes.text("status").filter(|status| *status != "completed").unwrap_or_default();
            let waits = if output.is_none() && status.is_empty() { "no output" } else { "" };
            let badges = [status, waits, if is_failed { "error" } else { "" }];
            CallHead { name: call.tool_name().to_owned(), preview, badges }
        });
    }

    /// Writes the arguments of a call, and returns their text.
    fn arguments(&mut self, kind: ToolKind, call: &ItemElement<'_>) -> String {
        let pieces = self.pieces.of_body(&call.body);
        let mut arguments = String::new();
        for piece in &pieces {
            if let Shown::Text(text) = &piece.value {
                arguments.push_str(text);
            } else {
                self.body(std::slice::from_ref(piece), None);
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

    /// A call whose content is written by `write`, and its line in the outline. Images in the call open it.
    pub(super) fn call<'h>(&mut self, write: impl FnOnce(&mut Self) -> CallHead<'h>) {
        let (anchor, images) = (self.new_anchor(), self.images);
        let (body, head) = self.separately(write);
        let preview = self.line(&head.preview, MAX_PREVIEW_LENGTH);
        let name = self.line(&head.name, MAX_NAME_LENGTH);
        let fold = if self.images > images { Fold::Open } else { Fold::Closed };
        self.unit(&Unit { anchor, class: "call", name: &name, badges: &head.badges, preview: &preview, fold }, &body);
        self.outline.push(Entry { anchor, role: None, text: name });
    }

    /// An output whose call is not in the document.
    pub(super) fn lone_response(&mut self, response: &ItemElement<'_>) {
        self.call(|renderer| {
            renderer.response_body(response);
            let call_id = response.call_id();
            let name = format!("output of {}", call_id.or(response.attributes.text("name")).unwrap_or_default());
            let is_failed = response.has_failed();
            let badges = [if call_id.is_some() { "no call" } else { "" }, if is_failed { "error" } else { "" }, ""];
            CallHead { name, preview: String::new(), badges }
        });
    }

    /// The output of a call. Returns whether the tool has failed.
    pub(super) fn output(&mut self, output: &Spanned<Block<'_>>) -> bool {
        let anchor = self.new_anchor();
        self.html.write("<h3 id=\"item-{}\">Output</h3>\n", &[&anchor]);
        if let Some(response) = output.value.element() {
            self.response_body(response);
            return response.has_failed();
        }
        if let Some(json) = output.value.item_json() {
            self.item_body(json, output.span);
        }
        false
    }

    fn response_body(&mut self, response: &ItemElement<'_>) {
        if response.body.is_empty() {
            self.html.markup("<p class=\"empty\">empty</p>\n");
        }
        self.body(&self.pieces.of_output(response), None);
    }
}
