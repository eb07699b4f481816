//! `chatmd parse`: prints the syntax tree as JSON.

use chatmd::diagnostic::Diagnostics;
use chatmd::document::outline;
use chatmd::source::Sources;
use chatmd::syntax;

use crate::cli::args::{Common, ParseArgs};
use crate::cli::error::ExitStatus;
use crate::cli::input::Input;
use crate::cli::output;
use crate::cli::report::{add, report};

pub(crate) fn run(args: &ParseArgs, common: &Common) -> anyhow::Result<ExitStatus> {
    let input = Input::read(&args.input, "parse")?;
    let sources = Sources::new();
    let mut diagnostics = Diagnostics::new();
    let source = add(input, &sources, &mut diagnostics);
    let nodes = if diagnostics.has_errors() { Vec::new() } else { syntax::parse(&sources, source, &mut diagnostics) };
    if let Err(exit) = report(&mut diagnostics, &sources, common) {
        return Ok(exit);
    }
    let mut json = serde_json::to_string(&outline(&nodes, args.whitespace.into()))?;
    json.push('\n');
    output::write(&args.output, &json)?;
    Ok(ExitStatus::Success)
}
