//! `chatmd check`: what is wrong, what would go wrong, and what of it can be mended.

use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

use chatmd::check::{self, Checked, Findings, Options, apply, find_rule};
use chatmd::convert::World;
use chatmd::diagnostic::{Colors, Diagnostic, Diagnostics, Severity, render};
use chatmd::source::Sources;
use chatmd::wire::Texts;
use similar::TextDiff;

use super::{deps, explain};
use crate::cli::{CheckArgs, CheckFormat, Common, InputArgs};
use crate::exit::{Exit, Stop};
use crate::input::Input;
use crate::output;
use crate::report::add;

/// Mending one thing may show another; no document needs more rounds than this.
const ROUNDS: usize = 10;

/// A document that was checked.
struct Looked {
    sources: Sources,
    checked: Checked,
    text: String,
}

pub(crate) fn run(args: &CheckArgs, common: &Common) -> anyhow::Result<Exit> {
    let stdin = [PathBuf::from("-")];
    let files = if args.documents.is_empty() { &stdin[..] } else { &args.documents };
    let allowed = args.allow.iter().map(|name| allowed(name)).collect::<Result<HashSet<_>, _>>()?;
    let options =
        Options { whitespace: args.whitespace.into(), limits: args.files.limits(), portable: args.portable, allowed };
    let input = |file: &PathBuf| {
        let named = (!args.documents.is_empty()).then(|| file.clone());
        Input::read(&InputArgs { file: named, stdin_filename: args.stdin_filename.clone() }, "check")
    };
    if args.deps {
        return deps::run(files.iter().map(input).collect::<anyhow::Result<_>>()?, args, common);
    }
    let one = |file: &PathBuf| {
        let input = input(file)?;
        if args.fix || args.diff { mend(file, &input, args, &options) } else { look(&input, args, &options) }
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
    print(&all, args.format, beside)?;
    Ok(exits.into_iter().find(|exit| *exit != Exit::Done).unwrap_or(Exit::Done))
}

impl Looked {
    fn exit(&self, common: &Common) -> Exit {
        let is_bad = |one: &Diagnostic| common.strict || one.problem.severity() == Severity::Error;
        if self.checked.found.iter().any(is_bad) { Exit::Found } else { Exit::Done }
    }
}

/// The code of a rule that may be allowed.
fn allowed(name: &str) -> Result<&'static str, Stop> {
    let rule = find_rule(name).ok_or_else(|| explain::unknown(name))?;
    if rule.can_be_allowed() {
        return Ok(rule.code);
    }
    let message = format!("`{name}` cannot be allowed: with such an error there is no request");
    Err(Stop { exit: Exit::Usage, message, help: Some(format!("`chatmd explain {name}` tells how to mend it")) })
}

fn look(input: &Input, args: &CheckArgs, options: &Options<'_>) -> anyhow::Result<Looked> {
    let folder = args.files.folder(input.path.as_deref())?;
    let (sources, texts) = (Sources::new(), Texts::default());
    let mut found = Diagnostics::new();
    let source = add(input.clone(), &sources, &mut found);
    let checked = if found.has_errors() {
        Checked { found, fixes: Vec::new() }
    } else {
        check::check(source, &World::new(&sources, &texts, &folder), options)
    };
    let text = sources.get(source).text.clone();
    Ok(Looked { sources, checked, text })
}

/// Mends a document as far as that goes, writes or shows it, and gives what is left.
fn mend(file: &Path, input: &Input, args: &CheckArgs, options: &Options<'_>) -> anyhow::Result<Looked> {
    let is_stdin = file == Path::new("-");
    let mut looked = look(input, args, options)?;
    let original = looked.text.clone();
    for _ in 0..ROUNDS {
        if looked.checked.fixes.is_empty() {
            break;
        }
        let text = apply(&looked.text, &looked.checked.fixes);
        looked = look(&Input { bytes: text.into_bytes(), ..input.clone() }, args, options)?;
    }
    if args.diff {
        let diff = TextDiff::from_lines(original.as_str(), &looked.text);
        output::print(&diff.unified_diff().header(&input.name, &input.name).to_string())?;
    } else if is_stdin {
        output::print(&looked.text)?;
    } else if looked.text != original {
        output::replace(file, looked.text.as_bytes()).map_err(|error| output::unwritable(file, &error))?;
    }
    Ok(looked)
}

fn print(all: &[Looked], format: CheckFormat, beside: bool) -> anyhow::Result<()> {
    let findings: Vec<Findings<'_>> = all.iter().map(|one| (&one.checked, &one.sources)).collect();
    let text = match format {
        CheckFormat::Human => all.iter().map(|one| render(&one.checked.found, &one.sources, Colors::Ansi)).collect(),
        CheckFormat::Short => check::short(&findings),
        CheckFormat::Json => check::json(&findings),
        CheckFormat::Sarif => check::sarif(&findings),
        CheckFormat::Github => check::github(&findings),
    };
    if beside {
        // Whether stderr can be written or not, the exit code tells.
        let _ = anstream::stderr().lock().write_all(text.as_bytes());
        return Ok(());
    }
    output::print_styled(&text)?;
    let fixable = all.iter().map(|one| one.checked.fixes.len()).sum::<usize>();
    if format == CheckFormat::Human && fixable > 0 {
        anstream::eprintln!("chatmd: `--fix` mends {fixable} of these");
    }
    Ok(())
}
