//! `missing-field`: a field that the API requires.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::api::Rejected;
use crate::lint::entry::Lint;
use crate::schema::Breach;
use crate::source::Span;

/// `<tool type="file_search"/>`
pub(super) struct MissingField {
    owner: String,
    key: &'static str,
}

impl Lint for MissingField {
    const RULE: Rule = rule!("missing-field" Error Malformed is_allowable);

    fn message(&self) -> Message {
        let Self { owner, key } = self;
        let title = if owner.is_empty() { format!("`{key}` is missing") } else { format!("`{owner}` needs `{key}`") };
        Message::new(title, "missing here", format!("the API rejects the request: add `{key}`"))
    }

    fn check_api(rejected: &Rejected<'_>, span: Span, diagnostics: &mut Diagnostics) {
        let Breach::Missing(key) = &rejected.violation.breach else { return };
        let owner = if rejected.name.is_empty() { &rejected.owner } else { &rejected.name };
        MissingField { owner: owner.clone(), key }.report(span, diagnostics);
    }
}
