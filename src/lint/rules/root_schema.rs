//! `invalid-schema`: parameters of a tool that are no object, which the Messages and the Chat API reject.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::Lint;
use crate::lint::sent::SentRequest;

/// `<tool name="f">{"type":"string"}</tool>` for the Messages API
pub(super) struct RootSchema {
    name: String,
}

impl Lint for RootSchema {
    const RULE: Rule = rule!("invalid-schema" Error Malformed);

    fn message(&self) -> Message {
        let title = format!("the parameters of `{}` are not of `\"type\": \"object\"`", self.name);
        Message::new(title, "this schema", "the API rejects the request: write a schema of an object")
    }

    fn check_sent(sent: &SentRequest<'_>, diagnostics: &mut Diagnostics) {
        for tool in sent.tools() {
            let function = tool.object.get("function").and_then(|function| function.object().ok());
            let own = function.as_ref().unwrap_or(&tool.object);
            let schema = own.get("input_schema").or_else(|| own.get("parameters").filter(|_| function.is_some()));
            let kind = schema.and_then(|schema| schema.object().ok()).map(|schema| schema.get_str("type"));
            // An empty schema accepts everything.
            if let Some(kind) = kind.filter(|kind| kind.as_deref() != Some("object"))
                && (kind.is_some() || sent.api == crate::wire::Api::Messages)
            {
                let name = own.get_str("name").unwrap_or_default().into_owned();
                RootSchema { name }.report(sent.place(&tool.pointer, tool.json), diagnostics);
            }
        }
    }
}
