//! Shows on a terminal that an answer is waited for, and for how long.

use std::io::{self, IsTerminal};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

use crate::diagnostic::sanitize_short;

/// How often it moves.
const TICK: Duration = Duration::from_millis(100);
/// How much of an activity is shown.
const MAX_CHARS: usize = 60;

/// A spinner on standard error with the elapsed time. It is only visible on a terminal, and only between texts.
#[derive(Debug)]
pub(crate) struct Spinner {
    start: Instant,
    is_enabled: bool,
    activity: String,
    bar: Option<ProgressBar>,
}

impl Spinner {
    /// A spinner that is not visible yet. Without a terminal, or if it is not wanted, it never is.
    pub(crate) fn new(is_wanted: bool) -> Self {
        let is_enabled = is_wanted && io::stderr().is_terminal();
        Self { start: Instant::now(), is_enabled, activity: String::new(), bar: None }
    }

    /// Sets what the model is doing.
    pub(crate) fn set_activity(&mut self, activity: &str) {
        self.activity = sanitize_short(activity, MAX_CHARS);
        if let Some(bar) = &self.bar {
            bar.set_message(self.activity.clone());
        }
    }

    /// Shows it, if it is not visible.
    pub(crate) fn show(&mut self) {
        if !self.is_enabled || self.bar.is_some() {
            return;
        }
        let bar = ProgressBar::new_spinner().with_elapsed(self.start.elapsed()).with_message(self.activity.clone());
        if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(TICK);
        self.bar = Some(bar);
    }

    /// Removes it before a text is shown.
    pub(crate) fn clear(&mut self) {
        if let Some(bar) = self.bar.take() {
            bar.finish_and_clear();
        }
    }
}

impl Drop for Spinner {
    fn drop(&mut self) {
        self.clear();
    }
}
