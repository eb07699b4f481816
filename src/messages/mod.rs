//! The Anthropic Messages API: requests and replies as items, and items as requests.
//!
//! Pure functions between items and JSON. What the API cannot say is an entry of the ledger.

mod export;
mod fields;
mod import;
mod live;
mod part;
mod reply;
mod request;
mod stream;
#[cfg(test)]
#[path = "../../tests/unit/messages.rs"]
mod tests;
mod tools;

pub use import::import_request;
pub(crate) use live::live;
pub(crate) use part::import_part;
pub use reply::import_replies;
pub use request::export;
pub use stream::read_stream;
