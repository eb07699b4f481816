//! `id-length`: an id that is empty or too long.

use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::{Check, Lint};
use crate::lint::request::call_id;

const LONGEST_ID: usize = 64;

/// `<assistant id="">`
pub(super) struct IdLength {
    key: &'static str,
    length: usize,
}

impl Lint for IdLength {
    const RULE: Rule = rule!("id-length" Error Malformed is_allowable);
    const CHECKS: &'static [Check] = &[Check::Items(check)];

    fn message(&self) -> Message {
        let Self { key, length } = self;
        if *length == 0 {
            let help = format!("the API accepts 1 to {LONGEST_ID} characters");
            return Message::new(format!("this {key} is empty"), "here", help);
        }
        let help = format!("the API accepts at most {LONGEST_ID}");
        Message::new(format!("this {key} has {length} characters"), "too long", help)
    }
}

fn check(items: &[Located<'_>], diagnostics: &mut Diagnostics) {
    for located in items {
        for (key, id) in [("id", located.item.rest().get_str("id")), ("call id", call_id(&located.item))] {
            let length = id.map(|id| id.chars().count());
            if let Some(length) = length.filter(|length| !(1..=LONGEST_ID).contains(length)) {
                IdLength { key, length }.report(located.span, diagnostics);
            }
        }
    }
}
