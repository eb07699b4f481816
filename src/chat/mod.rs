//! The Chat Completions API: requests and replies as items, and items as requests.
//!
//! Pure functions between items and JSON. What the API cannot say is an entry of the ledger.

mod export;
mod fields;
mod fold;
mod hoist;
mod import;
mod live;
mod part;
mod reply;
mod request;
mod stream;
mod tools;

pub use crate::options::{ChatOptions as Options, SystemRole, ToolImages};
pub use import::import_request;
pub(crate) use live::live;
pub use reply::{ReplyError, import_reply};
pub use request::export;
pub use stream::read_stream;
