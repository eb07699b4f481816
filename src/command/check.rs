//! `chatmd check`: what is wrong, what would go wrong, and what of it can be mended.

use std::collections::HashMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use chatmd::check::{self, Checked, Findings, Options, Rule, apply, find_rule};
use chatmd::convert::World;
use chatmd::diagnostic::{Colors, Diagnostic, Diagnostics, Severity, render};
use chatmd::source::{SourceId, Sources};
use chatmd::wire::Texts;

use super::{deps, explain};
use crate::cli::{CheckArgs, CheckFormat, Common, InputArgs};
use crate::exit::{Exit, Stop};
use crate::input::Input;
use crate::output;
use crate::report::{add, tell_strict};

/// Mending one thing may show another; no document needs more rounds than this.
const ROUNDS: usize = 10;

/// A document that was checked.
struct Looked {
    sources: Sources,
    /// Its text; `None` if it is none.
    source: Option<SourceId>,
    checked: Checked,
    /// Whether `--diff` has shown something.
    would_change: bool,
}

pub(crate) fn run(args: &CheckArgs, common: &Common) -> anyhow::Result<Exit> {
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
        let looked = look(input(file)?, args, &options)?;
        if args.fix || args.diff { mend(looked, file, args, &options) } else { Ok(looked) }
    };
    let (mut all, mut exits) = (Vec::new(), Vec::new());
    for file in files {
        // A file that cannot be read is no reason to leave the others out.
        match one(file) {
            Ok(looked) => {
                exits.push(looked.exit(common));
                all.push(looked);
            }
            Err(error) => exits.push(Stop::report(&error)),
        }
    }
    // With the mended document or its changes on standard output, what is left is told beside it.
    let beside = args.diff || args.fix && files.iter().any(|file| file == Path::new("-"));
    print(&all, args, common, beside)?;
    Ok(Exit::of_all(exits))
}

impl Looked {
    fn exit(&self, common: &Common) -> Exit {
        let is_bad = |one: &Diagnostic| common.strict || one.problem.severity() == Severity::Error;
        if self.would_change || self.checked.found.iter().any(is_bad) { Exit::Found } else { Exit::Done }
    }
}

/// A rule that may be allowed.
fn allowed(name: &str) -> Result<&'static Rule, Stop> {
    let rule = find_rule(name).ok_or_else(|| explain::unknown(name))?;
    if rule.can_be_allowed() {
        return Ok(rule);
    }
    let message = format!("`{name}` cannot be allowed: with such an error there is no request");
    Err(Stop { exit: Exit::Usage, message, help: Some(format!("`chatmd explain {name}` tells how to mend it")) })
}

fn look(input: Input, args: &CheckArgs, options: &Options) -> anyhow::Result<Looked> {
    let folder = args.files.folder(input.path.as_deref())?;
    let (sources, texts) = (Sources::new(), Texts::default());
    let mut found = Diagnostics::new();
    let source = add(input, &sources, &mut found);
    if found.has_errors() {
        let checked = Checked { found, fixes: Vec::new() };
        return Ok(Looked { sources, source: None, checked, would_change: false });
    }
    let checked = check::check(source, &World::new(&sources, &texts, &folder), options);
    Ok(Looked { sources, source: Some(source), checked, would_change: false })
}

/// Mends a document as far as that goes, writes or shows it, and gives what is left.
fn mend(original: Looked, file: &Path, args: &CheckArgs, options: &Options) -> anyhow::Result<Looked> {
    let Some(document) = original.source.map(|source| original.sources.get(source)) else { return Ok(original) };
    let (mut text, mut mended): (String, Option<Looked>) = (document.text.clone(), None);
    for _ in 0..ROUNDS {
        let fixes = &mended.as_ref().unwrap_or(&original).checked.fixes;
        if fixes.is_empty() {
            break;
        }
        text = apply(&text, fixes);
        let input =
            Input { name: document.name.clone(), path: document.path.clone(), bytes: text.clone().into_bytes() };
        mended = Some(look(input, args, options)?);
    }
    if args.diff {
        output::print_diff(&document.name, &document.text, &text)?;
        let found = mended.as_ref().map_or_else(|| original.checked.found.clone(), |mended| still(&original, mended));
        let checked = Checked { found, fixes: Vec::new() };
        return Ok(Looked { would_change: mended.is_some(), checked, ..original });
    }
    if file == Path::new("-") {
        output::print(&text)?;
    } else if text != document.text {
        output::replace(file, text.as_bytes()).map_err(|error| output::unwritable(file, &error))?;
    }
    Ok(mended.unwrap_or(original))
}

/// What of a document's problems is still there once it is mended, where it stands now.
fn still(original: &Looked, mended: &Looked) -> Diagnostics {
    let mut left: HashMap<String, usize> = HashMap::new();
    for one in &mended.checked.found {
        *left.entry(one.problem.title()).or_default() += 1;
    }
    let mut is_left = |one: &&Diagnostic| match left.get_mut(&one.problem.title()) {
        Some(count) if *count > 0 => {
            *count -= 1;
            true
        }
        _ => false,
    };
    original.checked.found.iter().filter(|one| is_left(one)).cloned().collect()
}

fn print(all: &[Looked], args: &CheckArgs, common: &Common, beside: bool) -> anyhow::Result<()> {
    let findings: Vec<Findings<'_>> = all.iter().map(|one| (&one.checked, &one.sources)).collect();
    let is_human = args.format == CheckFormat::Human;
    let text = match args.format {
        CheckFormat::Human => all.iter().map(|one| render(&one.checked.found, &one.sources, Colors::Ansi)).collect(),
        CheckFormat::Short => check::short(&findings, common.strict),
        CheckFormat::Json => check::json(&findings, common.strict),
        CheckFormat::Sarif => check::sarif(&findings, common.strict),
        CheckFormat::Github => check::github(&findings, common.strict),
    };
    if beside {
        // Whether stderr can be written or not, the exit code tells.
        let _ = anstream::stderr().lock().write_all(text.as_bytes());
        return Ok(());
    }
    output::print_styled(&text)?;
    let found: usize = all.iter().map(|one| one.checked.found.iter().len()).sum();
    let left: usize = all.iter().map(|one| one.checked.left().iter().len()).sum();
    let mended = found - left;
    if is_human && mended > 0 {
        anstream::eprintln!("chatmd: `--fix` mends {mended} of these");
    }
    if is_human && common.strict && found > 0 && all.iter().all(|one| !one.checked.found.has_errors()) {
        tell_strict();
    }
    Ok(())
}
