//! Findings for programs: a line each, JSON, and the commands of GitHub's logs.

use std::collections::HashSet;
use std::fmt::Write;

use serde::Serialize;

use super::Checked;
use super::fix::key;
use crate::diagnostic::{Diagnostic, Hints, Severity, sanitize_line};
use crate::source::Sources;

/// One finding, for programs.
#[derive(Debug, Serialize)]
pub(super) struct Finding<'a> {
    pub(super) file: &'a str,
    pub(super) line: usize,
    pub(super) column: usize,
    pub(super) end_line: usize,
    pub(super) end_column: usize,
    /// The first byte and the byte behind the last.
    pub(super) span: [usize; 2],
    pub(super) severity: &'static str,
    pub(super) rule: &'static str,
    pub(super) message: String,
    pub(super) help: String,
    pub(super) fixable: bool,
}

/// What was found in a document, and its sources.
pub type Findings<'a> = (&'a Checked, &'a Sources);

/// With `strict` a warning is an error.
pub(super) fn findings<'a>(all: &[Findings<'a>], strict: bool, hints: &dyn Hints) -> Vec<Finding<'a>> {
    let of_one = |(checked, sources): &Findings<'a>| -> Vec<Finding<'a>> {
        let (checked, sources) = (*checked, *sources);
        let fixed: HashSet<_> = checked.fixes.iter().map(|fix| fix.mends).collect();
        let finding = |one: &Diagnostic| finding(one, fixed.contains(&key(one)), strict, sources, hints);
        checked.diagnostics.iter().map(finding).collect()
    };
    all.iter().flat_map(of_one).collect()
}

fn finding<'a>(one: &Diagnostic, fixable: bool, strict: bool, sources: &'a Sources, hints: &dyn Hints) -> Finding<'a> {
    let (line, column) = sources.line_column(one.span);
    let (end_line, end_column) = sources.end_line_column(one.span);
    let (rule, message) = (one.rule(), one.problem.message());
    Finding {
        file: &sources.get(one.span.source).name,
        line,
        column,
        end_line,
        end_column,
        span: [one.span.start, one.span.end],
        severity: match rule.severity {
            Severity::Warning if !strict => "warning",
            Severity::Error | Severity::Warning => "error",
        },
        rule: rule.name,
        message: sanitize_line(&message.title),
        help: sanitize_line(&message.help_with(hints)),
        fixable,
    }
}

/// `chat.md:41:3: error: RAW block is never closed [unterminated-raw]`, a line each.
pub fn short(all: &[Findings<'_>], strict: bool, hints: &dyn Hints) -> String {
    let mut out = String::new();
    for Finding { file, line, column, severity, message, rule, .. } in findings(all, strict, hints) {
        // Writing to a string cannot fail.
        let _ = writeln!(out, "{file}:{line}:{column}: {severity}: {message} [{rule}]");
    }
    out
}

/// One JSON array.
pub fn json(all: &[Findings<'_>], strict: bool, hints: &dyn Hints) -> String {
    serde_json::to_string_pretty(&findings(all, strict, hints)).unwrap_or_default() + "\n"
}

/// `::error file=chat.md,line=41,col=3,title=unterminated-raw::RAW block is never closed`, a line each.
pub fn github(all: &[Findings<'_>], strict: bool, hints: &dyn Hints) -> String {
    let mut out = String::new();
    for Finding { file, line, column, severity, message, help, rule, .. } in findings(all, strict, hints) {
        let (file, message) = (property(file), escaped(&format!("{message}\n{help}")));
        let _ = writeln!(out, "::{severity} file={file},line={line},col={column},title={rule}::{message}");
    }
    out
}

fn escaped(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    escaped(text).replace(':', "%3A").replace(',', "%2C")
}
