//! Whether and when a request is sent again.

use std::thread;
use std::time::{Duration, Instant};

use crate::stream::{StreamDecoder, is_stream};

use super::{Response, has_answer};
use crate::cli::interrupt::is_interrupted;
use crate::cli::report::note;

/// The longest pause that the server has not asked for.
const MAX_PAUSE: u64 = 30;
/// Longer `Retry-After` pauses are not waited for.
const MAX_ASKED_PAUSE: u64 = 600;
/// How often interrupts are checked.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// The attempts that are left.
pub(super) struct Retries {
    left: u32,
    /// The pauses before the attempts that were made again, in seconds.
    pauses: Vec<u64>,
}

impl Retries {
    pub(super) fn new(left: u32) -> Self {
        Self { left, pauses: Vec::new() }
    }

    /// Waits if the request is to be sent again. Returns false if it is not.
    pub(super) fn wait(&mut self, response: &Response) -> bool {
        let Some(reason) = reason(response).filter(|_| self.left > 0 && !is_interrupted()) else { return false };
        let made = u32::try_from(self.pauses.len()).unwrap_or(u32::MAX);
        let pause =
            response.headers.retry_after.unwrap_or_else(|| 1_u64.checked_shl(made).unwrap_or(MAX_PAUSE).min(MAX_PAUSE));
        if pause > MAX_ASKED_PAUSE {
            note(&format!("{reason} and asks to wait {pause} seconds, which is too long"));
            return false;
        }
        self.left -= 1;
        self.pauses.push(pause);
        let seconds = if pause == 1 { "second" } else { "seconds" };
        note(&format!("{reason}; trying again in {pause} {seconds}"));
        let end = Instant::now() + Duration::from_secs(pause);
        while Instant::now() < end && !is_interrupted() {
            thread::sleep(POLL_INTERVAL.min(end.saturating_duration_since(Instant::now())));
        }
        !is_interrupted()
    }

    /// `, after 3 attempts (pauses: 1 s, 2 s)`; nothing after one attempt.
    pub(super) fn describe(&self) -> String {
        if self.pauses.is_empty() {
            return String::new();
        }
        let pauses: Vec<String> = self.pauses.iter().map(|pause| format!("{pause} s")).collect();
        format!(", after {} attempts (pauses: {})", self.pauses.len() + 1, pauses.join(", "))
    }
}

/// Why a request may be sent again: it was not processed, and no part of an answer has arrived.
fn reason(response: &Response) -> Option<String> {
    match response.headers.status {
        Some(status) if status == 429 || status >= 500 => {
            (!has_answer(&response.body)).then(|| format!("the server answered with status {status}"))
        }
        _ => response.failure.as_deref().filter(|_| !has_begun(&response.body)).map(str::to_owned),
    }
}

/// Whether a part of an answer has arrived. A stream may begin with comments that only keep the connection open.
fn has_begun(body: &[u8]) -> bool {
    if is_stream(&String::from_utf8_lossy(body)) {
        StreamDecoder::default().next(body, true).is_some()
    } else {
        !body.is_empty()
    }
}
