//! Everything the project promises, one file a kind of promise.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod cli;
mod conversion_laws;
mod generate;
mod house;
mod items;
mod laws;
mod pathological;
mod problems;
mod spec;
mod support;
