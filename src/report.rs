//! Problems told on stderr.

use std::io::Write;

use chatmd::diagnostic::{Colors, Diagnostics, Problem, Severity, render};
use chatmd::source::{NotUtf8, SourceId, Sources, Span, decode};

use crate::cli::Common;
use crate::exit::Exit;
use crate::input::Input;

/// Shows what was found since the last time and says how the run has to end, if it has to.
pub(crate) fn report(found: &mut Diagnostics, sources: &Sources, common: &Common) -> Result<(), Exit> {
    let mut found = std::mem::take(found);
    found.sort(sources);
    // Whether stderr can be written or not, the exit code tells.
    let _ = anstream::stderr().lock().write_all(render(&found, sources, Colors::Ansi).as_bytes());
    let stops = |problem: &Problem| common.strict || problem.severity() == Severity::Error;
    let first = found.iter().find(|diagnostic| stops(&diagnostic.problem));
    if first.is_some() && !found.has_errors() {
        tell_strict();
    }
    first.map_or(Ok(()), |diagnostic| Err(diagnostic.problem.class().into()))
}

/// Says why a run with nothing but warnings has failed.
pub(crate) fn tell_strict() {
    anstream::eprintln!("chatmd: with --strict a warning is an error");
}

/// The same, where warnings only count if they are errors: what is printed is not for reading them.
pub(crate) fn report_errors(found: &Diagnostics, sources: &Sources, common: &Common) -> Result<(), Exit> {
    report(&mut if common.strict { found.clone() } else { found.errors() }, sources, common)
}

/// Adds what was read to the sources; bytes that are no text are reported.
pub(crate) fn add(input: Input, sources: &Sources, found: &mut Diagnostics) -> SourceId {
    match decode(input.bytes) {
        Ok(text) => sources.add_file(input.name, input.path, text, None),
        Err(NotUtf8 { valid, byte, looks_like_utf16 }) => {
            let offset = valid.len();
            let source = sources.add(input.name, valid, None);
            found.report(Problem::NotUtf8 { byte, offset, looks_like_utf16 }, Span::new(source, offset..offset));
            source
        }
    }
}
