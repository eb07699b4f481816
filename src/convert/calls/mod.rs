//! The calls of a document, the outputs that answer them, and the last answer.

pub(in crate::convert) mod find;
pub(in crate::convert) mod last_answer;
pub(in crate::convert) mod pairs;
