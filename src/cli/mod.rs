//! The command line: arguments, commands, input, output and signals.

mod append;
pub(crate) mod args;
mod browser;
pub(crate) mod commands;
pub(crate) mod error;
mod follow;
mod hints;
mod input;
pub(crate) mod interrupt;
mod interruptible;
mod language;
mod lock;
mod options;
mod output;
mod pager;
mod parallel;
mod paths;
mod replace;
mod report;
mod send;
mod walk;
