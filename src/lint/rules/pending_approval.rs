//! `pending-approval`: a request for approval without a response.

use std::collections::HashSet;

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::document::ResponseKind;
use crate::lint::entry::Lint;
use crate::lint::request::WholeRequest;

/// `<!-- chatmd:item {"type":"mcp_approval_request","id":"mcpr_1",…} -->`
pub(super) struct PendingApproval<'r> {
    id: &'r str,
}

impl Lint for PendingApproval<'_> {
    const RULE: Rule = rule!("pending-approval" Warning Malformed is_allowable);

    fn message(&self) -> Message {
        Message::new(
            format!("`{}` is waiting for approval", self.id),
            "not answered yet",
            "add an item of type `mcp_approval_response` with this `approval_request_id` and `approve`",
        )
    }

    fn check_request(request: &WholeRequest<'_, '_>, diagnostics: &mut Diagnostics) {
        let members = |kind: &'static str| {
            let items = request.items.iter().filter(move |located| located.item.kind() == kind);
            items.map(|located| (located.item.rest(), located.span))
        };
        let kind = ResponseKind::Approval;
        let answered: HashSet<_> =
            members(kind.item_type()).filter_map(|(response, _)| response.get_str(kind.id_key())).collect();
        for (asked, span) in members(kind.call_type()) {
            if let Some(id) = asked.get_str(kind.call_id_key()).filter(|id| !answered.contains(id)) {
                PendingApproval { id: &id }.report(span, diagnostics);
            }
        }
    }
}
