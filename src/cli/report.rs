//! Messages on standard error.

use std::borrow::Cow;
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::diagnostic::{Colors, sanitize_line, sanitize_lines};
use crate::sanitize::sanitize;
use crate::{Completion, Finding, InputKind, Output, Reply, Report, Severity};
use clap::builder::styling::{AnsiColor, Style};

use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::hints::Flags;
use crate::cli::interrupt::{exit_status, is_interrupted};

/// The API key and the values of headers, masked in all messages.
static HIDDEN: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// Whether warnings are errors.
static STRICT: AtomicBool = AtomicBool::new(false);
/// Shorter keys are dummy values such as `x`, which may occur in any message.
const MIN_HIDDEN_LENGTH: usize = 8;

/// Replaces a key by `***` in every message from now on: servers and programs may repeat it.
pub(crate) fn hide(key: &str) {
    if key.len() >= MIN_HIDDEN_LENGTH {
        HIDDEN.lock().unwrap_or_else(PoisonError::into_inner).push(key.to_owned());
    }
}

/// A text without the keys that are hidden.
pub(crate) fn without_hidden(text: &str) -> Cow<'_, str> {
    let hidden = HIDDEN.lock().unwrap_or_else(PoisonError::into_inner);
    hidden
        .iter()
        .filter(|key| text.contains(key.as_str()))
        .fold(Cow::Borrowed(text), |text, key| Cow::Owned(text.replace(key.as_str(), "***")))
}

/// Writes a message to standard error. Only this function and [`answer`] do. Colours are removed if it does not want them.
///
/// Write errors are ignored, so that they do not change the exit code.
pub(crate) fn message(text: &str) {
    let _ = anstream::stderr().lock().write_all(without_hidden(text).as_bytes());
}

/// Shows a text of an answer on standard error. It is what the document gets, so nothing is hidden.
pub(crate) fn answer(text: &str) {
    let _ = anstream::stderr().lock().write_all(text.as_bytes());
}

/// Prints a warning on one line.
pub(crate) fn warning(text: &str) {
    labelled("warning", AnsiColor::BrightYellow, text);
}

/// Prints a note on one line.
pub(crate) fn note(text: &str) {
    labelled("note", AnsiColor::BrightGreen, text);
}

/// Prints what was fixed on one line.
pub(crate) fn fixed(text: &str) {
    labelled("fixed", AnsiColor::BrightGreen, text);
}

/// Prints the help of the previous message on one line.
pub(crate) fn help(text: &str) {
    labelled("  = help", AnsiColor::BrightCyan, text);
}

/// Prints an error on one line.
pub(crate) fn error(text: &str) {
    labelled("error", AnsiColor::BrightRed, text);
}

fn labelled(label: &str, color: AnsiColor, text: &str) {
    let style: Style = color.on_default().bold();
    message(&format!("{style}{label}{style:#}: {}\n", sanitize(text)));
}

/// Makes warnings errors from now on, as `--strict` does.
pub(crate) fn set_strict() {
    STRICT.store(true, Ordering::Relaxed);
}

/// Whether warnings are errors.
pub(crate) fn is_strict() -> bool {
    STRICT.load(Ordering::Relaxed)
}

/// Prints a report. Returns the exit code of the first error, if there is one.
pub(crate) fn report(report: &Report) -> Result<()> {
    print(report);
    first_failure(report).map_or(Ok(()), |exit| Err(Failure::reported(exit)))
}

/// Prints a report, and why it is a failure if it has no errors.
pub(crate) fn print(report: &Report) {
    message(&report.render(Colors::Ansi, &Flags));
    if first_failure(report).is_some() && !report.has_errors() {
        report_strict();
    }
}

/// The exit code of the first error in a report. With `--strict`, warnings are errors.
pub(crate) fn first_failure(report: &Report) -> Option<ExitStatus> {
    let fails = |finding: &Finding<'_>| match finding.severity() {
        Severity::Error => true,
        Severity::Warning => is_strict(),
        Severity::Note => false,
    };
    report.iter().find(fails).map(|finding| finding.rule().kind.into())
}

/// Says why a run without errors has failed.
pub(crate) fn report_strict() {
    error("`--strict` treats warnings as errors");
}

/// The value of a conversion. Its warnings are reported only if they are errors: for commands that only need a readable
/// document.
pub(crate) fn readable<T>(converted: Result<Output<T>, crate::Error>) -> Result<T> {
    let Output { value, warnings } = converted?;
    if is_strict() {
        report(&warnings)?;
    }
    Ok(value)
}

/// The warning about a stream without a terminal event.
pub(crate) const STREAM_ENDED_EARLY: &str = "the stream ended before the response did";

/// Reports why a reply is not complete, and returns the exit code. `done` says what was done with the reply, if anything was:
/// `converted`, or `appended to chat.md`.
pub(crate) fn report_completion(reply: &Reply, done: Option<&str>) -> ExitStatus {
    let is_stopped = is_interrupted() && matches!(reply.completion, Completion::Complete | Completion::Truncated);
    let what = if reply.completion == Completion::Complete { "the whole reply" } else { "whatever has arrived" };
    let done = done.filter(|_| reply.has_items).map(|done| format!("{what} was {done}"));
    if let Some(exit) = exit_status().filter(|_| is_stopped) {
        note(&done.map_or_else(|| "stopped".to_owned(), |done| format!("stopped; {done}")));
        return exit;
    }
    let reason = match &reply.completion {
        Completion::Complete => return ExitStatus::Success,
        Completion::Incomplete(None) => "the response is incomplete".to_owned(),
        Completion::Incomplete(Some(detail)) => format!("the response is incomplete ({detail})"),
        Completion::Cancelled => "the response was cancelled".to_owned(),
        Completion::Truncated if reply.input_kind == InputKind::Session => {
            "the last line of the session is cut".to_owned()
        }
        Completion::Truncated => STREAM_ENDED_EARLY.to_owned(),
        Completion::Unfinished => "an item of the response was never finished".to_owned(),
        Completion::Damaged => "an event of the stream could not be read".to_owned(),
        Completion::Pending(status) => format!("the response is not ready ({status}): fetch it again later"),
        Completion::Failed(error) => error.to_string(),
    };
    // The API may quote a key or an image in its message.
    warning(&sanitize_lines(&reason));
    if let Some(done) = done {
        note(&done);
    }
    exit_status().unwrap_or(ExitStatus::Incomplete)
}

/// Reports the lines of a session that are not in the document.
pub(crate) fn report_omitted(reply: &Reply) {
    if reply.omitted.is_empty() {
        return;
    }
    let counted = |(what, count): (&String, &usize)| match (count, what.split_once(' ')) {
        (1, _) => format!("1 {what}"),
        // `line of abandoned branches`
        (_, Some(("line", rest))) => format!("{count} lines {rest}"),
        (_, _) => format!("{count} {what}s"),
    };
    let all: Vec<String> = reply.omitted.iter().map(counted).collect();
    note(&sanitize_line(&format!("left out: {}", all.join(", "))));
}
