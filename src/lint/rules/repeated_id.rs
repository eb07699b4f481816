//! `repeated-id`: two items, two calls or two outputs with one id.

use std::borrow::Cow;
use std::collections::HashMap;

use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::entry::Lint;
use crate::lint::request::WholeRequest;
use crate::source::Span;

pub(super) enum RepeatedId<'r> {
    /// `<assistant id="a">` twice
    Item { id: &'r str, first: Span },
    /// `<tool_call tool_call_id="a">` twice
    Call { id: &'r str, first: Span },
}

impl Lint for RepeatedId<'_> {
    const RULE: Rule = rule!("repeated-id" Error Malformed is_allowable);

    fn message(&self) -> Message {
        let (kind, id, first, help) = match self {
            Self::Item { id, first } => ("item", id, first, "remove one of the items, or its `id`"),
            Self::Call { id, first } => ("call", id, first, "give each call an id of its own, and one output"),
        };
        Message::new(format!("duplicate {kind} id `{id}`"), "used again here", help).related(*first, "first used here")
    }

    fn check_request(request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        for pair in &request.pairs {
            for (first, again) in &pair.repeated {
                RepeatedId::Call { id: &pair.call_id, first: *first }.report(*again, diagnostics);
            }
        }
    }

    fn check_items(items: &[Located<'_>], diagnostics: &mut Diagnostics) {
        let mut seen: HashMap<Cow<'_, str>, Span> = HashMap::new();
        // A reference has the id of the item that it refers to.
        for located in items.iter().filter(|located| located.item.kind() != "item_reference") {
            let Some(id) = located.item.rest().get_str("id").filter(|id| !id.is_empty()) else { continue };
            if let Some(first) = seen.get(&id) {
                RepeatedId::Item { id: &id, first: *first }.report(located.span, diagnostics);
            } else {
                seen.insert(id, located.span);
            }
        }
    }
}
