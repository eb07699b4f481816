//! The Anthropic Messages API: requests and replies as items, and items as requests.
//!
//! Pure functions between items and JSON. What the API cannot say is an entry of the ledger.

mod blocks;
mod fields;
mod import;
mod import_fields;
mod reply;
mod request;
#[cfg(test)]
mod tests;
mod tools;

pub use import::import_request;
pub use reply::import_reply;
pub use request::export;
