//! `chatmd check`: reports problems in documents and fixes them.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use chatmd::convert::Context;
use chatmd::diagnostic::{Colors, Diagnostic, Diagnostics, Rule, render};
use chatmd::json::StringArena;
use chatmd::lint::{self, Checked, Findings, Options, apply, find_rule};
use chatmd::resolve::Resolver;
use chatmd::source::{SourceId, Sources};

use super::fragments::fragments;
use super::{deps, explain};
use crate::cli::args::{CheckArgs, CheckFormat, Common, InputArgs};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::hints::Flags;
use crate::cli::input::Input;
use crate::cli::lock::Lock;
use crate::cli::output;
use crate::cli::report::{add, message, report_strict};

/// A fix may reveal another problem. No document needs more rounds than this.
const MAX_FIX_ROUNDS: usize = 10;

/// A document that was checked.
struct CheckedFile {
    sources: Sources,
    /// `None` if the file is not UTF-8.
    source: Option<SourceId>,
    checked: Checked,
    /// Whether `--diff` has printed changes.
    would_change: bool,
}

pub(crate) fn run(args: &CheckArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    let stdin = [PathBuf::from("-")];
    let files = if args.documents.is_empty() { &stdin[..] } else { &args.documents };
    let input = |file: &PathBuf| {
        let named = (!args.documents.is_empty()).then(|| file.clone());
        Input::read(&InputArgs { file: named, stdin_filename: args.stdin_filename.clone() }, "check")
    };
    if args.deps {
        return deps::run(files.iter().map(input).collect(), args, common);
    }
    let options = Options {
        whitespace: args.whitespace.into(),
        limits: args.files.limits(),
        fragment: args.fragment,
        portable: args.portable,
        allowed: args.allow.iter().map(|name| allowed_rule(name)).collect::<Result<_, _>>()?,
    };
    let fragments = if args.fragment { HashSet::new() } else { fragments(&args.documents, args) };
    let check_file = |file: &PathBuf| {
        let is_in_place = args.fix && !args.diff && file != Path::new("-");
        // Held until the document is written, so that no change of another run is lost.
        let _lock = is_in_place.then(|| Lock::take(file)).transpose()?;
        let input = input(file)?;
        let fragment = args.fragment || input.path.as_ref().is_some_and(|path| fragments.contains(path));
        let options = Options { fragment, ..options.clone() };
        let checked_file = check_input(input, args, &options)?;
        if args.fix || args.diff { fix(checked_file, file, args, &options) } else { Ok(checked_file) }
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
        let fails = |diagnostic: &Diagnostic| common.strict || diagnostic.is_error();
        if self.would_change || self.checked.diagnostics.iter().any(fails) {
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
fn check_input(input: Input, args: &CheckArgs, options: &Options) -> anyhow::Result<CheckedFile> {
    let directory = args.files.directory(input.path.as_deref())?;
    let (sources, strings) = (Sources::new(), StringArena::default());
    let mut diagnostics = Diagnostics::new();
    let source = add(input, &sources, &mut diagnostics);
    if diagnostics.has_errors() {
        let checked = Checked { diagnostics, fixes: Vec::new() };
        return Ok(CheckedFile { sources, source: None, checked, would_change: false });
    }
    let resolver = Resolver::new(&sources, &directory);
    let checked = lint::check(source, &Context::new(&resolver, &strings), options);
    Ok(CheckedFile { sources, source: Some(source), checked, would_change: false })
}

/// Fixes a document, writes it or prints the diff, and returns the remaining problems.
fn fix(original: CheckedFile, file: &Path, args: &CheckArgs, options: &Options) -> anyhow::Result<CheckedFile> {
    let Some(document) = original.source.map(|source| original.sources.get(source)) else { return Ok(original) };
    let (mut text, mut after): (String, Option<CheckedFile>) = (document.text.clone(), None);
    for _ in 0..MAX_FIX_ROUNDS {
        let fixes = &after.as_ref().unwrap_or(&original).checked.fixes;
        if fixes.is_empty() {
            break;
        }
        text = apply(&text, fixes);
        let input =
            Input { name: document.name.clone(), path: document.path.clone(), bytes: text.clone().into_bytes() };
        after = Some(check_input(input, args, options)?);
    }
    if args.diff {
        output::print_diff(&document.name, &document.text, &text)?;
        let diagnostics =
            after.as_ref().map_or_else(|| original.checked.diagnostics.clone(), |after| remaining(&original, after));
        let checked = Checked { diagnostics, fixes: Vec::new() };
        return Ok(CheckedFile { would_change: after.is_some(), checked, ..original });
    }
    if file == Path::new("-") {
        output::print(&text)?;
    } else if text != document.text {
        output::write_file(file, text.as_bytes())?;
    }
    Ok(after.unwrap_or(original))
}

/// The problems of the original document that its fixed version still has.
fn remaining(original: &CheckedFile, after: &CheckedFile) -> Diagnostics {
    let mut counts: HashMap<String, usize> = HashMap::new();
    for diagnostic in &after.checked.diagnostics {
        *counts.entry(diagnostic.message.title.clone()).or_default() += 1;
    }
    let mut remains = |diagnostic: &&Diagnostic| match counts.get_mut(&diagnostic.message.title) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    };
    original.checked.diagnostics.iter().filter(|diagnostic| remains(diagnostic)).cloned().collect()
}

fn print(all: &[CheckedFile], args: &CheckArgs, common: &Common, to_stderr: bool) -> anyhow::Result<()> {
    let findings: Vec<Findings<'_>> = all.iter().map(|file| (&file.checked, &file.sources)).collect();
    let is_human = args.format == CheckFormat::Human;
    let text = match args.format {
        CheckFormat::Human => {
            all.iter().map(|file| render(&file.checked.diagnostics, &file.sources, Colors::Ansi, &Flags)).collect()
        }
        CheckFormat::Short => lint::short(&findings, common.strict, &Flags),
        CheckFormat::Json => lint::json(&findings, common.strict, &Flags),
        CheckFormat::Sarif => lint::sarif(&findings, common.strict, &Flags),
        CheckFormat::Github => lint::github(&findings, common.strict, &Flags),
    };
    if to_stderr {
        message(&text);
        return Ok(());
    }
    output::print_styled(&text)?;
    let diagnostics: usize = all.iter().map(|file| file.checked.diagnostics.iter().len()).sum();
    let fixable: usize = all.iter().map(|file| file.checked.fixable_count()).sum();
    if is_human && fixable > 0 {
        message(&format!("chatmd: {fixable} fixable with `--fix`\n"));
    }
    if is_human && common.strict && diagnostics > 0 && all.iter().all(|file| !file.checked.diagnostics.has_errors()) {
        report_strict();
    }
    Ok(())
}
