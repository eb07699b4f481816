//! `blank-text`: a text of white space alone, which the Messages API rejects.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::Lint;
use crate::lint::sent::SentRequest;
use crate::wire::Api;

/// `<user><!-- chatmd:part --> <img src="https://example.com/a.png"/></user>` for the Messages API
pub(super) struct BlankText;

impl Lint for BlankText {
    const RULE: Rule = rule!("blank-text" Error Malformed is_allowable);

    fn message(&self) -> Message {
        Message::new(
            "a text of white space alone",
            "blank",
            "the API rejects the request: write something, or remove it",
        )
    }

    fn check_sent(sent: &SentRequest<'_>, diagnostics: &mut Diagnostics) {
        for block in sent.blocks().iter().filter(|block| sent.api == Api::Messages && block.is("type", "text")) {
            if block.object.get_str("text").is_some_and(|text| text.trim().is_empty()) {
                BlankText.report(sent.place(&block.pointer, block.json), diagnostics);
            }
        }
    }
}
