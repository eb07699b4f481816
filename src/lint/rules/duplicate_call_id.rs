//! `duplicate-call-id`: two calls, or two outputs, with one id.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::{Check, Lint};
use crate::lint::request::Request;
use crate::source::Span;

/// `<tool_call tool_call_id="a">` twice
pub(super) struct DuplicateCallId<'r> {
    call_id: &'r str,
    first: Span,
}

impl Lint for DuplicateCallId<'_> {
    const RULE: Rule = rule!("duplicate-call-id" Error Malformed is_allowable);
    const CHECKS: &'static [Check] = &[Check::Request(check)];

    fn message(&self) -> Message {
        let title = format!("duplicate call id `{}`", self.call_id);
        Message::new(title, "used again here", "give each call an id of its own, and one output")
            .related(self.first, "first used here")
    }
}

fn check(request: &Request<'_, '_>, diagnostics: &mut Diagnostics) {
    for pair in &request.pairs {
        for (first, again) in &pair.repeated {
            DuplicateCallId { call_id: &pair.call_id, first: *first }.report(*again, diagnostics);
        }
    }
}
