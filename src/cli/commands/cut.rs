//! `chatmd cut`: removes the end of a document.

use crate::CutPlace;
use crate::cli::args::{CutArgs, OutputArgs};
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::input::{read_file, require_file};
use crate::cli::lock::Lock;
use crate::cli::output;
use crate::cli::paths::shown;
use crate::cli::report::note;
use crate::diagnostic::sanitize_short;

pub(crate) fn run(args: &CutArgs) -> Result<ExitStatus> {
    require_file(&args.file, "`cut`")?;
    let out = OutputArgs { output: args.output.clone() };
    let existing = output::file(&out).filter(|path| path.is_file());
    // Another document that is replaced is locked too.
    let _locks = match existing {
        Some(other) => Lock::take_all(&[args.file.clone(), other.to_owned()])?,
        None => vec![Lock::take(&args.file)?],
    };
    let place = place(args.place.as_deref());
    let cut = args.read.with(read_file(&args.file)?, |converter, document| converter.cut(document, &place))?;
    let cut = cut.ok_or_else(|| missing(args, &place))?;
    let name = shown(&args.file);
    if cut.is_extended {
        note(&format!(
            "kept up to line {} of {name}, so that calls have their outputs and reasoning has its item",
            cut.line
        ));
    }
    match &args.output {
        Some(_) => {
            if let Some(file) = output::file(&out).filter(|_| !args.force) {
                output::require_same(file, cut.text.as_bytes())?;
            }
            output::write(&out, &cut.text)?;
        }
        None if cut.removed == 0 => note(&format!("nothing to remove after line {} of {name}", cut.line)),
        None => output::write_file(&args.file, cut.text.as_bytes())?,
    }
    Ok(ExitStatus::Success)
}

/// A line number or a path of the request.
fn place(place: Option<&str>) -> CutPlace {
    match place {
        None => CutPlace::LastUser,
        Some(place) => place.parse().map_or_else(|_| CutPlace::Path(place.to_owned()), CutPlace::Line),
    }
}

fn missing(args: &CutArgs, place: &CutPlace) -> Failure {
    let name = shown(&args.file);
    let (message, help) = match place {
        CutPlace::LastUser => (
            format!("{name} has no `<user>` with content"),
            "name the last part to keep, such as `input[3]` or a line number",
        ),
        CutPlace::Line(line) => (
            format!("{name} has no line {line}, or no element up to it"),
            "lines start at 1; `chatmd show` shows the document",
        ),
        CutPlace::Path(path) => (
            format!("the request of {name} has no `{}`", sanitize_short(path, 100)),
            "write a path such as `input[3]`, or a line number; indices start at 0",
        ),
    };
    Failure::new(ExitStatus::Malformed, message).with_help(help)
}
