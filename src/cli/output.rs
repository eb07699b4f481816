//! What a command writes, and what an interrupt does to it.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::Context;
use similar::TextDiff;

use crate::cli::args::OutputArgs;
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::replace::unfinished;

pub(crate) use crate::cli::replace::replace;

/// What a shell calls the end by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Whether an interrupt is for another program, whether one is waited for, and whether it came.
static IGNORES: AtomicBool = AtomicBool::new(false);
static WAITS: AtomicBool = AtomicBool::new(false);
static INTERRUPT: AtomicBool = AtomicBool::new(false);

/// Sees to it that an interrupted run leaves no temporary file behind.
pub(crate) fn clean_up_on_interrupt() {
    // Where no handler can be set, an interrupt may leave the file: nothing worse.
    let _ = ctrlc::set_handler(|| {
        if IGNORES.load(Ordering::Relaxed) {
            return;
        }
        // The second Ctrl-C ends a run that finishes what it has.
        if WAITS.load(Ordering::Relaxed) && !INTERRUPT.swap(true, Ordering::Relaxed) {
            return;
        }
        // Held to the end, so that no file is begun after this.
        let unfinished = unfinished();
        if let Some(path) = unfinished.as_ref() {
            let _ = fs::remove_file(path);
        }
        std::process::exit(INTERRUPTED);
    });
}

/// From here on the first interrupt only asks the run to finish what it has.
pub(crate) fn wait_for_interrupt() {
    WAITS.store(true, Ordering::Relaxed);
}

/// From here on interrupts are for a program that has the terminal.
pub(crate) fn leave_interrupts() {
    IGNORES.store(true, Ordering::Relaxed);
}

/// Whether the run was asked to finish.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPT.load(Ordering::Relaxed)
}

/// Writes the result where the arguments want it.
pub(crate) fn write(args: &OutputArgs, text: &str) -> anyhow::Result<()> {
    match args.output.as_deref() {
        Some(path) if path != Path::new("-") => {
            replace(path, text.as_bytes()).map_err(|error| unwritable(path, &error).into())
        }
        _ => print(text),
    }
}

/// Writes to standard output.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    print_to(io::stdout().lock(), text)
}

/// How many columns standard output has: those of its terminal, or 80.
pub(crate) fn width() -> usize {
    const NO_TERMINAL: usize = 80;
    terminal_size::terminal_size_of(io::stdout()).map_or(NO_TERMINAL, |(width, _)| width.0.into())
}

/// Writes text with colours to standard output, which keeps them if it is meant to.
pub(crate) fn print_styled(text: &str) -> anyhow::Result<()> {
    print_to(anstream::stdout().lock(), text)
}

/// Writes what has changed of a file to standard output.
pub(crate) fn print_diff(name: &str, old: &str, new: &str) -> anyhow::Result<()> {
    print(&TextDiff::from_lines(old, new).unified_diff().header(name, name).to_string())
}

fn print_to(mut out: impl Write, text: &str) -> anyhow::Result<()> {
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("cannot write standard output")
}

/// What is told when a file cannot be written. The system's words may name the temporary file, its kind of error does not.
pub(crate) fn unwritable(path: &Path, error: &io::Error) -> CliError {
    let help = match error.kind() {
        io::ErrorKind::NotFound => Some("create the directory first".to_owned()),
        io::ErrorKind::IsADirectory => Some("name a file in it".to_owned()),
        _ => None,
    };
    CliError {
        exit: ExitStatus::InputOutput,
        message: format!("cannot write {}: {}", path.display(), error.kind()),
        help,
    }
}
