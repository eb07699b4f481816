//! `chatmd check --fix` and `--diff`.

use std::collections::HashMap;
use std::path::Path;

use crate::{CheckOptions, Finding, Input, Report};

use super::{CheckedFile, check};
use crate::cli::args::CheckArgs;
use crate::cli::error::Result;
use crate::cli::output;

/// A fix may reveal another problem. No document needs more rounds than this.
const MAX_FIX_ROUNDS: usize = 10;

/// Fixes a document, writes it or makes the diff, and returns the remaining problems.
pub(super) fn fix(document: &Input, file: &Path, args: &CheckArgs, options: &CheckOptions) -> Result<CheckedFile> {
    let original = check(document.clone(), args, options, args.read.files.budget())?;
    // Only text can be fixed.
    let Ok(before) = std::str::from_utf8(&document.bytes) else {
        return Ok(CheckedFile { report: original, fixed: Vec::new(), output: String::new() });
    };
    let (mut text, mut after): (String, Option<Report>) = (before.to_owned(), None);
    let mut fixed = Vec::new();
    for _ in 0..MAX_FIX_ROUNDS {
        let report = after.as_ref().unwrap_or(&original);
        if !report.has_fixes() {
            break;
        }
        fixed.extend(report.fixed().map(line));
        text = report.fix(&text);
        let mut fixed_document = document.clone();
        fixed_document.bytes = text.clone().into_bytes();
        after = Some(check(fixed_document, args, options, args.read.files.budget())?);
    }
    if args.diff {
        let output = output::diff(&document.name, before, &text);
        let report = match after {
            Some(after) => remaining(original, &after),
            None => original,
        };
        return Ok(CheckedFile { report, fixed, output });
    }
    let output = if file == Path::new("-") { text.clone() } else { String::new() };
    if file != Path::new("-") && text != before {
        output::write_file(file, text.as_bytes())?;
    }
    Ok(CheckedFile { report: after.unwrap_or(original), fixed, output })
}

/// `chat.md:2:7: message [rule]`
fn line(finding: Finding<'_>) -> String {
    format!("{}: {} [{}]", finding.place(), finding.message(), finding.name())
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
