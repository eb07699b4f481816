//! One file per command. Each reads its input, calls the library and writes the result.

pub(crate) mod answer;
pub(crate) mod ask;
pub(crate) mod batch;
pub(crate) mod calls;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod cut;
pub(crate) mod explain;
pub(crate) mod fmt;
pub(crate) mod from_response;
pub(crate) mod help;
pub(crate) mod locate;
pub(crate) mod man;
pub(crate) mod media;
pub(crate) mod new;
pub(crate) mod parse;
pub(crate) mod render;
pub(crate) mod send;
pub(crate) mod show;
pub(crate) mod stats;
pub(crate) mod to_request;
