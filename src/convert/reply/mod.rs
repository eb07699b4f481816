//! Input of any API to a payload, and a payload to a document.

pub(in crate::convert) mod chunk;
pub(in crate::convert) mod envelope;
pub(in crate::convert) mod read;
mod verify;
pub(in crate::convert) mod write;
