//! `chatmd check`: reports problems in documents and fixes them.

pub(super) mod deps;
mod fix;
mod fragments;
mod print;

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::resources::Budget;
use crate::sessions::SessionLimits;
use crate::{CheckOptions, Input, Report};

use super::explain;
use crate::cli::args::{CheckArgs, InputArgs};
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::input;
use crate::cli::lock::Lock;
use crate::cli::options::default_api;
use crate::cli::parallel;
use crate::cli::report::{STREAM_ENDED_EARLY, first_failure, warning};
use crate::cli::walk::documents_of;
use fragments::fragments;

/// The report about a document.
struct CheckedFile {
    report: Report,
    /// One line for each problem that was fixed, or that `--diff` shows the fix of.
    fixed: Vec<String>,
    /// The text for standard output: the fixed text of standard input, or a diff.
    output: String,
}

pub(crate) fn run(args: &CheckArgs) -> Result<ExitStatus> {
    let (files, mut exits) = documents_of(&args.documents);
    if args.deps {
        return deps::run(
            files.iter().map(|file| read(file, args, args.read.session_limits(&args.session))).collect(),
            args,
        );
    }
    let options = CheckOptions {
        api: args.api.api,
        default_api: default_api(),
        changes: args.ledger.changes,
        fragment: args.fragment,
        portable: args.portable,
        allowed: args.allow.iter().map(|name| allowed_rule(name)).collect::<Result<_, _>>()?,
    };
    let fragments = if args.fragment { HashSet::new() } else { fragments(&files, args) };
    let checked = parallel::map(&files, |file| check_file(file, &fragments, args, &options));
    let mut all = Vec::with_capacity(checked.len());
    for checked_file in checked {
        // A file that cannot be read does not stop the others.
        match checked_file {
            Ok(checked_file) => {
                if checked_file.report.is_cut() {
                    warning(STREAM_ENDED_EARLY);
                }
                exits.push(checked_file.exit(args));
                all.push(checked_file);
            }
            Err(failure) => exits.push(failure.report()),
        }
    }
    // If standard output has the fixed document or the diff, the problems go to standard error.
    let to_stderr = args.diff || args.fix && files.iter().any(|file| file == Path::new("-"));
    let reports: Vec<&Report> = all.iter().map(|file| &file.report).collect();
    args.ledger.write(&reports.iter().map(|report| report.ledger()).collect::<String>())?;
    print::print(&all, args, to_stderr)?;
    Ok(ExitStatus::first_failure(exits))
}

fn read(file: &Path, args: &CheckArgs, limits: SessionLimits) -> Result<Input> {
    let named = (!args.documents.is_empty()).then(|| file.to_owned());
    let input = InputArgs { file: named, stdin_filename: args.stdin_filename.clone() };
    // A session cannot be fixed in place, and a fix of anything else needs its own text.
    if args.fix || args.diff { input::read(&input, "check") } else { input::read_document(&input, limits, "check") }
}

fn check_file(
    file: &Path,
    fragments: &HashSet<PathBuf>,
    args: &CheckArgs,
    options: &CheckOptions,
) -> Result<CheckedFile> {
    let is_in_place = args.fix && !args.diff && file != Path::new("-");
    // Held until the document is written, so that no change of another run is lost.
    let _lock = is_in_place.then(|| Lock::take(file)).transpose()?;
    let limits = args.read.session_limits(&args.session);
    let document = read(file, args, limits.clone())?;
    let fragment = args.fragment || document.path.as_ref().is_some_and(|path| fragments.contains(path));
    let options = CheckOptions { fragment, ..options.clone() };
    if args.fix || args.diff {
        return fix::fix(&document, file, args, &options);
    }
    Ok(CheckedFile { report: check(document, args, &options, limits.total)?, fixed: Vec::new(), output: String::new() })
}

impl CheckedFile {
    fn exit(&self, args: &CheckArgs) -> ExitStatus {
        let would_change = args.diff && !self.fixed.is_empty();
        if self.report.is_cut() {
            ExitStatus::Incomplete
        } else if would_change || first_failure(&self.report).is_some() {
            ExitStatus::CheckFailed
        } else {
            ExitStatus::Success
        }
    }
}

/// The name of the rule that `--allow` names.
pub(crate) fn allowed_rule(name: &str) -> Result<String> {
    let rule = explain::named(name)?;
    if rule.is_allowable {
        return Ok(rule.name.to_owned());
    }
    let error = Failure::new(ExitStatus::Usage, format!("`{name}` cannot be allowed: no request can be made"));
    Err(error.with_help(format!("`chatmd explain {name}` shows how to fix it")))
}

/// Checks one document.
fn check(document: Input, args: &CheckArgs, options: &CheckOptions, budget: Budget) -> Result<Report> {
    let directory = args.read.files.directory_within(document.path.as_deref(), budget)?;
    Ok(args.read.converter(&directory).check(document, options))
}
