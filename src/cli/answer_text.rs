//! The text of an answer on standard output, as it arrives.

use std::io::{self, IsTerminal, Write};

use crate::cli::output;
use crate::sanitize::sanitize;

/// Prints the messages of an answer, separated by blank lines. In a pipe the text is exact.
///
/// If standard output is closed or full, the rest is not printed: the answer is still received and appended.
#[derive(Debug, Default)]
pub(crate) struct AnswerText {
    has_text: bool,
    is_line_open: bool,
    /// Whether the next text is of another message.
    is_separated: bool,
    is_closed: bool,
}

impl AnswerText {
    /// Prints a piece of the current message.
    pub(crate) fn push(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if std::mem::take(&mut self.is_separated) && self.has_text {
            self.end_line();
            self.write("\n");
        }
        self.write(text);
        self.has_text = true;
        self.is_line_open = !text.ends_with('\n');
    }

    /// Ends the current message.
    pub(crate) fn end_message(&mut self) {
        self.is_separated = true;
    }

    /// Ends the current line, if it has text.
    pub(crate) fn end_line(&mut self) {
        if std::mem::take(&mut self.is_line_open) {
            self.write("\n");
        }
    }

    /// Whether the answer has text on the current line of the terminal. A program that reads a pipe may show it there at any
    /// time, such as `tee`.
    pub(crate) fn may_be_on_line(&self) -> bool {
        if io::stdout().is_terminal() { self.is_line_open } else { self.has_text && !output::is_stdout_file() }
    }

    /// Ends the line before a message on standard error, if both are on a terminal.
    pub(crate) fn make_room(&mut self) {
        if io::stdout().is_terminal() && io::stderr().is_terminal() {
            self.end_line();
        }
    }

    fn write(&mut self, text: &str) {
        if self.is_closed {
            return;
        }
        let mut out = io::stdout().lock();
        let text = if out.is_terminal() { sanitize(text) } else { text.into() };
        self.is_closed = out.write_all(text.as_bytes()).and_then(|()| out.flush()).is_err();
    }
}
