//! Everything the project promises, one file a kind of promise.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod append;
mod cli;
mod conversion_laws;
mod generate;
mod house;
mod independent;
mod items;
mod json;
mod laws;
mod locate;
mod media;
mod pathological;
mod problems;
mod readme;
mod references;
mod requests;
#[cfg(unix)]
mod resources;
mod responses;
mod run;
#[cfg(unix)]
mod sandbox;
mod seeds;
mod spec;
mod support;
