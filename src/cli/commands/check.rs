//! `chatmd check`: reports problems in documents and fixes them.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use chatmd::diagnostic::{Colors, Rule};
use chatmd::lint::{self, find_rule};
use chatmd::{CheckOptions, Finding, Input, Report};

use super::fragments::fragments;
use super::{deps, explain};
use crate::cli::args::{CheckArgs, CheckFormat, Common, InputArgs};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::hints::Flags;
use crate::cli::input;
use crate::cli::lock::Lock;
use crate::cli::output;
use crate::cli::report::{first_failure, message, report_strict};

/// A fix may reveal another problem. No document needs more rounds than this.
const MAX_FIX_ROUNDS: usize = 10;

/// The report about a document.
struct CheckedFile {
    report: Report,
    /// Whether `--diff` has printed changes.
    would_change: bool,
}

pub(crate) fn run(args: &CheckArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    let stdin = [PathBuf::from("-")];
    let files = if args.documents.is_empty() { &stdin[..] } else { &args.documents };
    let input = |file: &PathBuf| {
        let named = (!args.documents.is_empty()).then(|| file.clone());
        let input = InputArgs { file: named, stdin_filename: args.stdin_filename.clone() };
        // A session cannot be fixed in place, and a fix of anything else needs its own text.
        if args.fix || args.diff { input::read(&input, "check") } else { input::read_document(&input, "check") }
    };
    if args.deps {
        return deps::run(files.iter().map(input).collect(), args, common);
    }
    let options = CheckOptions {
        fragment: args.fragment,
        portable: args.portable,
        allowed: args.allow.iter().map(|name| allowed_rule(name)).collect::<Result<_, _>>()?,
    };
    let fragments = if args.fragment { HashSet::new() } else { fragments(&args.documents, args) };
    let check_file = |file: &PathBuf| {
        let is_in_place = args.fix && !args.diff && file != Path::new("-");
        // Held until the document is written, so that no change of another run is lost.
        let _lock = is_in_place.then(|| Lock::take(file)).transpose()?;
        let document = input(file)?;
        let fragment = args.fragment || document.path.as_ref().is_some_and(|path| fragments.contains(path));
        let options = CheckOptions { fragment, ..options.clone() };
        if args.fix || args.diff {
            return fix(&document, file, args, &options);
        }
        Ok(CheckedFile { report: check(document, args, &options)?, would_change: false })
    };
    let (mut all, mut exits) = (Vec::new(), Vec::new());
    for file in files {
        // A file that cannot be read does not stop the others.
        match check_file(file) {
            Ok(checked_file) => {
                exits.push(checked_file.exit(common));
                all.push(checked_file);
            }
            Err(error) => exits.push(CliError::report(&error)),
        }
    }
    // If standard output has the fixed document or the diff, the problems go to standard error.
    let to_stderr = args.diff || args.fix && files.iter().any(|file| file == Path::new("-"));
    print(&all, args, common, to_stderr)?;
    Ok(ExitStatus::first_failure(exits))
}

impl CheckedFile {
    fn exit(&self, common: &Common) -> ExitStatus {
        if self.would_change || first_failure(&self.report, common).is_some() {
            ExitStatus::CheckFailed
        } else {
            ExitStatus::Success
        }
    }
}

/// The rule that `--allow` names.
fn allowed_rule(name: &str) -> Result<&'static Rule, CliError> {
    let rule = find_rule(name).ok_or_else(|| explain::unknown_rule(name))?;
    if rule.is_allowable {
        return Ok(rule);
    }
    let error = CliError::new(ExitStatus::Usage, format!("`{name}` cannot be allowed: no request can be made"));
    Err(error.with_help(format!("`chatmd explain {name}` shows how to fix it")))
}

/// Checks one document.
fn check(document: Input, args: &CheckArgs, options: &CheckOptions) -> anyhow::Result<Report> {
    let directory = args.files.directory(document.path.as_deref())?;
    Ok(args.files.converter(&directory, args.whitespace).check(document, options))
}

/// Fixes a document, writes it or prints the diff, and returns the remaining problems.
fn fix(document: &Input, file: &Path, args: &CheckArgs, options: &CheckOptions) -> anyhow::Result<CheckedFile> {
    let original = check(document.clone(), args, options)?;
    // Without UTF-8 there is no text to fix.
    let Ok(before) = std::str::from_utf8(&document.bytes) else {
        return Ok(CheckedFile { report: original, would_change: false });
    };
    let (mut text, mut after): (String, Option<Report>) = (before.to_owned(), None);
    for _ in 0..MAX_FIX_ROUNDS {
        let report = after.as_ref().unwrap_or(&original);
        if !report.has_fixes() {
            break;
        }
        text = report.fix(&text);
        let mut fixed = document.clone();
        fixed.bytes = text.clone().into_bytes();
        after = Some(check(fixed, args, options)?);
    }
    if args.diff {
        output::print_diff(&document.name, before, &text)?;
        let would_change = after.is_some();
        let report = match after {
            Some(after) => remaining(original, &after),
            None => original,
        };
        return Ok(CheckedFile { report, would_change });
    }
    if file == Path::new("-") {
        output::print(&text)?;
    } else if text != before {
        output::write_file(file, text.as_bytes())?;
    }
    Ok(CheckedFile { report: after.unwrap_or(original), would_change: false })
}

/// The problems of the original document that its fixed version still has.
fn remaining(original: Report, after: &Report) -> Report {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for finding in after.iter() {
        *counts.entry(finding.message()).or_default() += 1;
    }
    original.without(|finding: Finding<'_>| match counts.get_mut(&finding.message()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    })
}

fn print(all: &[CheckedFile], args: &CheckArgs, common: &Common, to_stderr: bool) -> anyhow::Result<()> {
    let reports: Vec<&Report> = all.iter().map(|file| &file.report).collect();
    let is_human = args.format == CheckFormat::Human;
    let text = match args.format {
        CheckFormat::Human => reports.iter().map(|report| report.render(Colors::Ansi, &Flags)).collect(),
        CheckFormat::Short => lint::short(&reports, common.strict, &Flags),
        CheckFormat::Json => lint::json(&reports, common.strict, &Flags),
        CheckFormat::Sarif => lint::sarif(&reports, common.strict, &Flags),
        CheckFormat::Github => lint::github(&reports, common.strict, &Flags),
    };
    if to_stderr {
        message(&text);
        return Ok(());
    }
    output::print_styled(&text)?;
    let fixable = reports.iter().flat_map(|report| report.iter()).filter(|finding| finding.fix().is_some()).count();
    if is_human && fixable > 0 {
        message(&format!("chatmd: {fixable} fixable with `--fix`\n"));
    }
    let has_findings = reports.iter().any(|report| !report.is_empty());
    if is_human && common.strict && has_findings && reports.iter().all(|report| !report.has_errors()) {
        report_strict();
    }
    Ok(())
}
