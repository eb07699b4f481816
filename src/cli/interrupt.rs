//! What Ctrl-C does.

use std::fs;
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::cli::error::ExitStatus;
use crate::cli::replace::unfinished;

/// Whether interrupts are left to another program.
static IGNORE: AtomicBool = AtomicBool::new(false);
/// Whether the first interrupt only asks the run to finish.
static FINISH: AtomicBool = AtomicBool::new(false);
/// Whether the run was asked to finish.
static INTERRUPTED_ONCE: AtomicBool = AtomicBool::new(false);

/// The temporary directory that an interrupt has to remove.
static TEMPORARY: Mutex<Option<PathBuf>> = Mutex::new(None);

/// The temporary directory that an interrupt removes if it ends the run.
pub(crate) fn temporary() -> MutexGuard<'static, Option<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

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
        if let Some(path) = temporary().as_ref() {
            let _ = fs::remove_dir_all(path);
        }
        process::exit(ExitStatus::Interrupted as i32);
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
