//! The command line: arguments, commands, input, output and signals.

mod append;
pub(crate) mod args;
pub(crate) mod commands;
pub(crate) mod error;
mod follow;
mod hints;
mod input;
mod lock;
pub(crate) mod output;
mod pager;
mod replace;
mod report;
