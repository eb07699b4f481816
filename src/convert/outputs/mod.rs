//! The outputs of tools: whether a text is parts, and which parts the API takes.

pub(in crate::convert) mod detect;
mod foreign;
pub(in crate::convert) mod refused;
