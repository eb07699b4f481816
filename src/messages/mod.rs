//! The Anthropic Messages API: requests and replies as items, and items as requests.
//!
//! Pure functions between items and JSON. What the API cannot say is an entry of the ledger.

mod blocks;
mod fields;
mod import;
mod import_fields;
mod import_parts;
mod live;
mod reply;
mod request;
mod stream;
#[cfg(test)]
#[path = "../../tests/unit/messages.rs"]
mod tests;
mod tools;
mod write;

pub use import::import_request;
pub(crate) use import_parts::import_part;
pub(crate) use live::live;
pub use reply::import_replies;
pub use request::export;
pub use stream::read_stream;
