//! Handles Ctrl-C and other signals.

use std::fs;
use std::path::PathBuf;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use crate::resources::Commands;

use crate::cli::error::ExitStatus;

/// Whether interrupts are left to another program.
static IGNORE: AtomicBool = AtomicBool::new(false);
/// Whether the first interrupt only asks the run to finish.
static FINISH: AtomicBool = AtomicBool::new(false);
/// The exit code of a run that was asked to finish.
static ASKED_TO_FINISH: OnceLock<ExitStatus> = OnceLock::new();

/// The temporary files and directories that an interrupt has to remove.
static TEMPORARY: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// The temporary files and directories that exist. No other is created, and no interrupt ends the run, while this guard is held.
pub(crate) fn temporary() -> MutexGuard<'static, Vec<PathBuf>> {
    TEMPORARY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Installs the handler, which removes the temporary file of an interrupted run.
///
/// Without a handler a signal may leave a temporary file, and nothing worse.
#[cfg(unix)]
pub(crate) fn install_handler() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
    // With a handler, a file that becomes too large is an error of writing it, and no longer ends the run.
    let ignored = ignored_signals();
    let handled = [SIGHUP, SIGINT, SIGTERM, SIGXFSZ].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
    let Ok(mut signals) = signal_hook::iterator::Signals::new(handled) else { return };
    std::thread::spawn(move || {
        for signal in signals.forever().filter(|signal| *signal != SIGXFSZ) {
            interrupt(match signal {
                SIGTERM => ExitStatus::Terminated,
                SIGHUP => ExitStatus::HungUp,
                _ => ExitStatus::Interrupted,
            });
        }
    });
}

/// The signals that were ignored when the program was started, as by `nohup`, and stay ignored: a bit for each. Only Linux
/// tells.
#[cfg(unix)]
fn ignored_signals() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default()
}

#[cfg(not(unix))]
pub(crate) fn install_handler() {
    let _ = ctrlc::set_handler(|| interrupt(ExitStatus::Interrupted));
}

/// Ends the run with an exit code, or asks it to finish.
fn interrupt(exit: ExitStatus) {
    if IGNORE.load(Ordering::Relaxed) {
        return;
    }
    // A second Ctrl-C ends the run at once.
    if FINISH.load(Ordering::Relaxed) && ASKED_TO_FINISH.set(exit).is_ok() {
        return;
    }
    let _programs = Commands::kill_all();
    // Held until the process ends, so that no new temporary file is created.
    let temporary = temporary();
    for path in temporary.iter() {
        let _ = fs::remove_file(path).or_else(|_| fs::remove_dir_all(path));
    }
    process::exit(exit as i32);
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
    exit_status().is_some()
}

/// The exit code of a run that was asked to finish.
pub(crate) fn exit_status() -> Option<ExitStatus> {
    ASKED_TO_FINISH.get().copied()
}
