//! `chatmd parse`: the syntax tree as JSON.

use chatmd::diagnostic::Diagnostics;
use chatmd::document::outline;
use chatmd::source::Sources;
use chatmd::syntax;

use crate::cli::{Common, ParseArgs};
use crate::exit::Exit;
use crate::input::Input;
use crate::output;
use crate::report::{add, report};

pub(crate) fn run(args: &ParseArgs, common: &Common) -> anyhow::Result<Exit> {
    let input = Input::read(&args.input, "parse")?;
    let sources = Sources::new();
    let mut found = Diagnostics::new();
    let source = add(input, &sources, &mut found);
    let nodes = if found.has_errors() { Vec::new() } else { syntax::parse(&sources, source, &mut found) };
    if let Err(exit) = report(&mut found, &sources, common) {
        return Ok(exit);
    }
    let mut json = serde_json::to_string(&outline(&nodes, args.whitespace.into()))?;
    json.push('\n');
    output::write(&args.output, &json)?;
    Ok(Exit::Done)
}
