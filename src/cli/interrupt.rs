//! What Ctrl-C does.

use std::fs;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::cli::replace::unfinished;

/// The exit code that shells use for a program ended by Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Whether interrupts are left to another program.
static IGNORE: AtomicBool = AtomicBool::new(false);
/// Whether the first interrupt only asks the run to finish.
static FINISH: AtomicBool = AtomicBool::new(false);
/// Whether the run was asked to finish.
static INTERRUPTED_ONCE: AtomicBool = AtomicBool::new(false);

/// Installs the handler, which removes the temporary file of an interrupted run.
pub(crate) fn install_handler() {
    // Without a handler an interrupt may leave a temporary file, and nothing worse.
    let _ = ctrlc::set_handler(|| {
        if IGNORE.load(Ordering::Relaxed) {
            return;
        }
        // A second Ctrl-C ends the run at once.
        if FINISH.load(Ordering::Relaxed) && !INTERRUPTED_ONCE.swap(true, Ordering::Relaxed) {
            return;
        }
        // Held until the process ends, so that no new temporary file is created.
        let unfinished = unfinished();
        if let Some(path) = unfinished.as_ref() {
            let _ = fs::remove_file(path);
        }
        process::exit(INTERRUPTED);
    });
}

/// From now on the first interrupt only asks the run to finish.
pub(crate) fn finish_on_interrupt() {
    FINISH.store(true, Ordering::Relaxed);
}

/// From now on interrupts are left to a program that controls the terminal.
pub(crate) fn ignore_interrupts() {
    IGNORE.store(true, Ordering::Relaxed);
}

/// Whether the run was asked to finish.
pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED_ONCE.load(Ordering::Relaxed)
}
