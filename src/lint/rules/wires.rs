//! What the Messages and the Chat API reject: `prefill`, `blank-text`, `invalid-schema`.

use super::Lint;
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::sent::SentRequest;
use crate::wire::Api;

/// A request of the Messages API that ends with a message of the model: `<assistant>The answer is</assistant>` at the end
pub(super) struct Prefill;

impl Lint for Prefill {
    fn rule(&self) -> &'static Rule {
        const { &rule!("prefill" Warning Malformed is_allowable) }
    }

    fn check_sent(&self, sent: &SentRequest<'_>, diagnostics: &mut Diagnostics) {
        let messages = sent.messages();
        let last = messages.last().filter(|last| sent.api == Api::Messages && last.is("role", "assistant"));
        if let Some(last) = last {
            let help = "the newest models reject it: add a `<user>`";
            let message =
                Message::new("the last message is from the model", "the model would continue this message", help);
            self.report(message, sent.place(last), diagnostics);
        }
    }
}

/// A text of white space alone, which the Messages API rejects:
/// `<user><!-- chatmd:part --> <img src="https://example.com/a.png"/></user>`
pub(super) struct BlankText;

impl Lint for BlankText {
    fn rule(&self) -> &'static Rule {
        const { &rule!("blank-text" Error Malformed is_allowable) }
    }

    fn check_sent(&self, sent: &SentRequest<'_>, diagnostics: &mut Diagnostics) {
        for block in sent.blocks().iter().filter(|block| sent.api == Api::Messages && block.is("type", "text")) {
            if block.object.get_str("text").is_some_and(|text| text.trim().is_empty()) {
                let help = "the API rejects the request: write something, or remove it";
                let message = Message::new("a text of white space alone", "blank", help);
                self.report(message, sent.place(block), diagnostics);
            }
        }
    }
}

/// Parameters of a tool that are not an object: `<tool name="f">{"type":"string"}</tool>`
pub(super) struct InvalidSchema;

impl Lint for InvalidSchema {
    fn rule(&self) -> &'static Rule {
        const { &rule!("invalid-schema" Error Malformed) }
    }

    fn check_sent(&self, sent: &SentRequest<'_>, diagnostics: &mut Diagnostics) {
        for tool in sent.tools() {
            let function = tool.object.get_object("function");
            let own = function.as_ref().unwrap_or(&tool.object);
            let schema = own.get("input_schema").or_else(|| own.get("parameters").filter(|_| function.is_some()));
            let kind = schema.and_then(|schema| schema.object().ok()).map(|schema| schema.get_str("type"));
            // An empty schema accepts everything.
            if let Some(kind) = kind.filter(|kind| kind.as_deref() != Some("object"))
                && (kind.is_some() || sent.api == Api::Messages)
            {
                let name = own.get_str("name").unwrap_or_default();
                let message = Message::new(
                    format!("the parameters of `{name}` are not of `\"type\": \"object\"`"),
                    "this schema",
                    "the API rejects the request: write a schema of an object",
                );
                self.report(message, sent.place(&tool), diagnostics);
            }
        }
    }
}
