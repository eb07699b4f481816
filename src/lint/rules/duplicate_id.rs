//! `duplicate-id`: two items with one id.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::{Check, Lint};
use crate::source::Span;

/// `<assistant id="a">` twice
pub(super) struct DuplicateId<'r> {
    id: &'r str,
    first: Span,
}

impl Lint for DuplicateId<'_> {
    const RULE: Rule = rule!("duplicate-id" Error Malformed is_allowable);
    const CHECKS: &'static [Check] = &[Check::Items(check)];

    fn message(&self) -> Message {
        let title = format!("duplicate item id `{}`", self.id);
        Message::new(title, "used again here", "remove one of the items, or its `id`")
            .related(self.first, "first used here")
    }
}

fn check(items: &[Located<'_>], diagnostics: &mut Diagnostics) {
    let mut seen: HashMap<Cow<'_, str>, Span> = HashMap::new();
    // A reference has the id of the item that it refers to.
    for located in items.iter().filter(|located| located.item.kind() != "item_reference") {
        let Some(id) = located.item.rest().get_str("id").filter(|id| !id.is_empty()) else { continue };
        if let Some(first) = seen.get(&id) {
            DuplicateId { id: &id, first: *first }.report(located.span, diagnostics);
        } else {
            seen.insert(id, located.span);
        }
    }
}
