//! `reasoning-fields`: reasoning with a `status` or `content`, which the API does not take back.

use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::Lint;
use crate::responses::Item;

/// `<reasoning id="rs_1" status="completed">…</reasoning>`
pub(super) struct ReasoningFields {
    key: &'static str,
}

impl Lint for ReasoningFields {
    const RULE: Rule = rule!("reasoning-fields" Warning Malformed is_allowable);

    fn message(&self) -> Message {
        let key = self.key;
        Message::new(
            format!("reasoning is sent back with `{key}`"),
            format!("has `{key}`"),
            format!("OpenAI's API sends `{key}` but does not accept it: remove it"),
        )
    }

    fn check_items(items: &[Located<'_>], diagnostics: &mut Diagnostics) {
        for located in items {
            let Item::Reasoning(reasoning) = &located.item else { continue };
            if reasoning.rest.get_present("status").is_some() {
                ReasoningFields { key: "status" }.report(located.span, diagnostics);
            }
            if reasoning.content.as_ref().is_some_and(|content| !content.is_empty()) {
                ReasoningFields { key: "content" }.report(located.span, diagnostics);
            }
        }
    }
}
