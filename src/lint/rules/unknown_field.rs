//! `unknown-field`: a field that the API does not have.

use crate::diagnostic::{Diagnostics, Message, Rule, nearest, rule};
use crate::lint::api::{Rejected, words};
use crate::lint::entry::Lint;
use crate::lint::sent::SentRequest;
use crate::schema::Breach;
use crate::source::Span;
use crate::wire::Api;

/// `<config>{"stor":true}</config>`
pub(super) struct UnknownField<'v> {
    name: &'v str,
    /// The known field that is spelled like it.
    meant: Option<&'static str>,
    known: &'v [&'static str],
}

impl Lint for UnknownField<'_> {
    const RULE: Rule = rule!("unknown-field" Warning Malformed is_allowable);

    fn message(&self) -> Message {
        let help = match self.meant {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if self.known.is_empty() => "new models reject it, and old ones take it".to_owned(),
            None => format!("the API may reject it: the known fields here are {}", words::known(self.known)),
        };
        Message::new(format!("unknown field `{}`", self.name), words::undescribed(), help)
    }

    /// The newest models of the Messages API have neither of these fields.
    fn check_sent(sent: &SentRequest<'_>, diagnostics: &mut Diagnostics) {
        for name in ["temperature", "top_p"] {
            if sent.api == Api::Messages && sent.fields.get(name).is_some() {
                UnknownField { name, meant: None, known: &[] }.report(sent.field_place(name), diagnostics);
            }
        }
    }

    fn check_api(rejected: &Rejected<'_>, span: Span, diagnostics: &mut Diagnostics) {
        let Breach::UnknownKey(known) = &rejected.violation.breach else { return };
        let name = &rejected.name;
        let key = name.rsplit('.').next().unwrap_or(name);
        UnknownField { name, meant: nearest(key, known.iter().copied()), known }.report(span, diagnostics);
    }
}
