//! `chatmd check`: what is wrong, what would go wrong, and what of it can be mended.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use chatmd::convert::Context;
use chatmd::diagnostic::{Colors, Diagnostic, Diagnostics, Rule, render};
use chatmd::json::StringArena;
use chatmd::lint::{self, Checked, Findings, Options, apply, find_rule};
use chatmd::resolve::Resolver;
use chatmd::source::{SourceId, Sources};

use super::{deps, explain};
use crate::cli::args::{CheckArgs, CheckFormat, Common, InputArgs};
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::hints::Flags;
use crate::cli::input::Input;
use crate::cli::lock::Lock;
use crate::cli::output;
use crate::cli::report::{add, message, report_strict};

/// Mending one thing may show another; no document needs more rounds than this.
const ROUNDS: usize = 10;

/// A document that was checked.
struct CheckedFile {
    sources: Sources,
    /// Its text; `None` if it is none.
    source: Option<SourceId>,
    checked: Checked,
    /// Whether `--diff` has shown something.
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
        portable: args.portable,
        allowed: args.allow.iter().map(|name| allowed(name)).collect::<Result<_, _>>()?,
    };
    let one = |file: &PathBuf| {
        let is_in_place = args.fix && !args.diff && file != Path::new("-");
        // Held until the document is written, so that nothing is lost that another run writes meanwhile.
        let _lock = is_in_place.then(|| Lock::take(file)).transpose()?;
        let checked_file = look(input(file)?, args, &options)?;
        if args.fix || args.diff { fix(checked_file, file, args, &options) } else { Ok(checked_file) }
    };
    let (mut all, mut exits) = (Vec::new(), Vec::new());
    for file in files {
        // A file that cannot be read is no reason to leave the others out.
        match one(file) {
            Ok(checked_file) => {
                exits.push(checked_file.exit(common));
                all.push(checked_file);
            }
            Err(error) => exits.push(CliError::report(&error)),
        }
    }
    // With the mended document or its changes on standard output, what is left is told beside it.
    let beside = args.diff || args.fix && files.iter().any(|file| file == Path::new("-"));
    print(&all, args, common, beside)?;
    Ok(ExitStatus::of_all(exits))
}

impl CheckedFile {
    fn exit(&self, common: &Common) -> ExitStatus {
        let is_bad = |one: &Diagnostic| common.strict || one.is_error();
        if self.would_change || self.checked.diagnostics.iter().any(is_bad) {
            ExitStatus::Found
        } else {
            ExitStatus::Done
        }
    }
}

/// A rule that may be allowed.
fn allowed(name: &str) -> Result<&'static Rule, CliError> {
    let rule = find_rule(name).ok_or_else(|| explain::unknown(name))?;
    if rule.is_allowable {
        return Ok(rule);
    }
    let message = format!("`{name}` cannot be allowed: there is no request with such an error");
    Err(CliError {
        exit: ExitStatus::Usage,
        message,
        help: Some(format!("`chatmd explain {name}` says how to fix it")),
    })
}

fn look(input: Input, args: &CheckArgs, options: &Options) -> anyhow::Result<CheckedFile> {
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

/// Mends a document as far as that goes, writes or shows it, and gives what is left.
fn fix(original: CheckedFile, file: &Path, args: &CheckArgs, options: &Options) -> anyhow::Result<CheckedFile> {
    let Some(document) = original.source.map(|source| original.sources.get(source)) else { return Ok(original) };
    let (mut text, mut after): (String, Option<CheckedFile>) = (document.text.clone(), None);
    for _ in 0..ROUNDS {
        let fixes = &after.as_ref().unwrap_or(&original).checked.fixes;
        if fixes.is_empty() {
            break;
        }
        text = apply(&text, fixes);
        let input =
            Input { name: document.name.clone(), path: document.path.clone(), bytes: text.clone().into_bytes() };
        after = Some(look(input, args, options)?);
    }
    if args.diff {
        output::print_diff(&document.name, &document.text, &text)?;
        let diagnostics =
            after.as_ref().map_or_else(|| original.checked.diagnostics.clone(), |after| still(&original, after));
        let checked = Checked { diagnostics, fixes: Vec::new() };
        return Ok(CheckedFile { would_change: after.is_some(), checked, ..original });
    }
    if file == Path::new("-") {
        output::print(&text)?;
    } else if text != document.text {
        output::replace(file, text.as_bytes()).map_err(|error| output::unwritable(file, &error))?;
    }
    Ok(after.unwrap_or(original))
}

/// What of a document's problems is still there once it is mended, where it stands now.
fn still(original: &CheckedFile, after: &CheckedFile) -> Diagnostics {
    let mut left: HashMap<String, usize> = HashMap::new();
    for one in &after.checked.diagnostics {
        *left.entry(one.message.title.clone()).or_default() += 1;
    }
    let mut is_left = |one: &&Diagnostic| match left.get_mut(&one.message.title) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    };
    original.checked.diagnostics.iter().filter(|one| is_left(one)).cloned().collect()
}

fn print(all: &[CheckedFile], args: &CheckArgs, common: &Common, beside: bool) -> anyhow::Result<()> {
    let findings: Vec<Findings<'_>> = all.iter().map(|one| (&one.checked, &one.sources)).collect();
    let is_human = args.format == CheckFormat::Human;
    let text = match args.format {
        CheckFormat::Human => {
            all.iter().map(|one| render(&one.checked.diagnostics, &one.sources, Colors::Ansi, &Flags)).collect()
        }
        CheckFormat::Short => lint::short(&findings, common.strict, &Flags),
        CheckFormat::Json => lint::json(&findings, common.strict, &Flags),
        CheckFormat::Sarif => lint::sarif(&findings, common.strict, &Flags),
        CheckFormat::Github => lint::github(&findings, common.strict, &Flags),
    };
    if beside {
        message(&text);
        return Ok(());
    }
    output::print_styled(&text)?;
    let diagnostics: usize = all.iter().map(|one| one.checked.diagnostics.iter().len()).sum();
    let fixable: usize = all.iter().map(|one| one.checked.fixable_count()).sum();
    if is_human && fixable > 0 {
        message(&format!("chatmd: {fixable} fixable with `--fix`\n"));
    }
    if is_human && common.strict && diagnostics > 0 && all.iter().all(|one| !one.checked.diagnostics.has_errors()) {
        report_strict();
    }
    Ok(())
}
