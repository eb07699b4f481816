//! What the three APIs share: the division of items into messages, and members for one API.
//!
//! Items, as the Responses API has them, are the common model. A member of an item or a part whose key begins with `@` is
//! known to one API, or to the document alone.

mod detect;
mod ids;
mod incoming;
mod overlay;
mod place;
mod source_request;
mod turns;
mod unsent;
mod value;

pub use crate::api::Api;
pub use crate::ledger::{Class, Entry, LEDGER_RULES, Ledger, LedgerRule, rules};
pub use detect::{Detected, Form, detect, detect_event};
pub use ids::sent_call_id;
pub use incoming::{Incoming, Items};
pub use overlay::Overlay;
pub use place::{Place, note};
pub use source_request::{ExportedRequest, LocatedTool, Placed, SourceRequest};
pub use turns::{Mark, Moved, Plan, Unit, UnitKind, arrange, marks, unit_kind};
pub use unsent::{
    SERVER_FIELDS, report_extensions, report_unsent, unsent_field, unsent_item, unsent_member, unsent_part,
};
pub use value::{Members, Value};
