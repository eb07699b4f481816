//! `chatmd fmt`: one canonical layout, the same meaning.

use std::path::{Path, PathBuf};

use chatmd::diagnostic::Diagnostics;
use chatmd::document::{format, is_same};
use chatmd::source::Sources;

use crate::cli::{Common, FmtArgs, InputArgs};
use crate::exit::{Exit, Stop};
use crate::input::Input;
use crate::output;
use crate::report::{add, report_errors};

pub(crate) fn run(args: &FmtArgs, common: &Common) -> Exit {
    let stdin = [PathBuf::from("-")];
    let files = if args.files.is_empty() { &stdin[..] } else { &args.files };
    // A file that cannot be read is no reason to leave the others as they are.
    let exits: Vec<Exit> =
        files.iter().map(|file| one(file, args, common).unwrap_or_else(|error| Stop::report(&error))).collect();
    Exit::of_all(exits)
}

fn one(file: &Path, args: &FmtArgs, common: &Common) -> anyhow::Result<Exit> {
    let is_stdin = file == Path::new("-");
    let named = (!args.files.is_empty()).then(|| file.to_owned());
    let input = Input::read(&InputArgs { file: named, stdin_filename: args.stdin_filename.clone() }, "fmt")?;
    let name = input.name.clone();
    let sources = Sources::new();
    let mut found = Diagnostics::new();
    let source = add(input, &sources, &mut found);
    let whitespace = args.whitespace.into();
    let formatted = if found.has_errors() { None } else { format(&sources, source, whitespace, &mut found) };
    if let Err(exit) = report_errors(&found, &sources, common) {
        return Ok(exit);
    }
    let formatted = formatted.unwrap_or_default();
    if !is_same(&sources, source, sources.add("", formatted.clone(), None), whitespace) {
        let message = format!("{name} would not mean the same: this is a bug, and nothing is written");
        return Err(Stop { exit: Exit::SelfCheck, message, help: None }.into());
    }
    let original = &sources.get(source).text;
    let is_formatted = formatted == *original;
    if is_stdin && !args.check && !args.diff {
        return output::print(&formatted).map(|()| Exit::Done);
    }
    if is_formatted {
        return Ok(Exit::Done);
    }
    if args.diff {
        output::print_diff(&name, original, &formatted)?;
        return Ok(Exit::Found);
    }
    if args.check {
        output::print(&format!("{name}\n"))?;
        return Ok(Exit::Found);
    }
    output::replace(file, formatted.as_bytes()).map_err(|error| output::unwritable(file, &error))?;
    Ok(Exit::Done)
}
