//! The output of `chatmd check`.

use crate::diagnostic::Colors;
use crate::{Finding, Report, Severity, lint};

use super::CheckedFile;
use crate::cli::args::{CheckArgs, CheckFormat};
use crate::cli::error::Result;
use crate::cli::hints::Flags;
use crate::cli::output;
use crate::cli::report::{self, is_strict, message, report_strict};

/// Prints the fixed documents or the diffs, what was fixed, the problems and, for people, their number.
pub(super) fn print(all: &[CheckedFile], args: &CheckArgs, to_stderr: bool) -> Result<()> {
    for file in all.iter().filter(|file| !file.output.is_empty()) {
        if args.diff { output::print_styled(&file.output)? } else { output::print_document(&file.output)? }
    }
    if !args.diff {
        all.iter().flat_map(|file| &file.fixed).for_each(|line| report::fixed(line));
    }
    let reports: Vec<&Report> = all.iter().map(|file| &file.report).collect();
    let text = match args.format {
        CheckFormat::Human => {
            let shown: String = reports.iter().map(|report| report.render(Colors::Ansi, &Flags)).collect();
            shown + &total(all, args)
        }
        CheckFormat::Short => lint::short(&reports, is_strict()),
        CheckFormat::Json => lint::json(&reports, is_strict(), &Flags),
        CheckFormat::Sarif => lint::sarif(&reports, is_strict(), &Flags),
        CheckFormat::Github => lint::github(&reports, is_strict(), &Flags),
    };
    if to_stderr {
        message(&text);
    } else {
        output::print_styled(&text)?;
    }
    let has_findings = reports.iter().any(|report| !report.is_empty());
    let is_human = args.format == CheckFormat::Human;
    if is_human && is_strict() && has_findings && reports.iter().all(|report| !report.has_errors()) {
        report_strict();
    }
    Ok(())
}

/// `3 errors, 2 warnings, 1 fixable with --fix`; empty if there is nothing to count.
fn total(all: &[CheckedFile], args: &CheckArgs) -> String {
    let findings = || all.iter().flat_map(|file| file.report.iter());
    let count = |severity: Severity| findings().filter(|finding| finding.severity() == severity).count();
    let fixed = all.iter().map(|file| file.fixed.len()).sum();
    let has_fix = |finding: &Finding<'_>| finding.fix().is_some();
    let fixable = if args.diff { fixed } else { findings().filter(has_fix).count() };
    let counts = [
        (if args.diff { 0 } else { fixed }, "fixed", "fixed"),
        (count(Severity::Error), "error", "errors"),
        (count(Severity::Warning), "warning", "warnings"),
        (count(Severity::Note), "note", "notes"),
        (fixable, "fixable with --fix", "fixable with --fix"),
    ];
    let is_counted = counts.iter().filter(|(count, ..)| *count > 0);
    let words = is_counted.map(|(count, one, many)| format!("{count} {}", if *count == 1 { one } else { many }));
    let words: Vec<String> = words.collect();
    if words.is_empty() { String::new() } else { words.join(", ") + "\n" }
}
