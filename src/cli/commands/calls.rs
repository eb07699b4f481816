//! `chatmd calls`: the tool calls that wait for their outputs.

use std::io;

use crate::Call;
use crate::diagnostic::sanitize_short;
use crate::json::{Json, StringArena, write};

use crate::cli::args::{CallFormat, CallsArgs};
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::output;
use crate::cli::report::readable;

/// How much of a name is shown.
const MAX_NAME_CHARS: usize = 100;

pub(crate) fn run(args: &CallsArgs) -> Result<ExitStatus> {
    let (document, directory) = args.source.read(&args.source.input, "calls")?;
    let name = document.name.clone();
    let converter = args.source.read.converter(&directory);
    let calls = readable(converter.calls(document))?;
    let mut lines = String::new();
    for call in &calls {
        match args.format {
            CallFormat::Json => lines += &(serde_json::to_string(call).map_err(io::Error::from)? + "\n"),
            CallFormat::Tsv => {
                require_plain(call, &name)?;
                lines.extend([&call.call_id, "\t", &call.name, "\t", &arguments(&call.arguments), "\n"]);
            }
        }
    }
    // The arguments come from the model.
    output::print(output::json_for_stdout(&lines).as_bytes())?;
    Ok(ExitStatus::Success)
}

/// Arguments as JSON on one line. Text that is not JSON becomes a JSON string.
fn arguments(text: &str) -> String {
    let strings = StringArena::default();
    if let Ok(json) = Json::parse(text, &strings) {
        return json.compact().into_owned();
    }
    let mut json = String::new();
    write::string(&mut json, text);
    json
}

/// Returns an error unless a shell loop can use the name and the id of a call. Both come from the model.
fn require_plain(call: &Call, document: &str) -> Result<()> {
    let id = &call.call_id;
    let is_plain_id =
        !id.is_empty() && !id.starts_with('-') && !id.chars().any(|c| c.is_whitespace() || c.is_control());
    let (what, value) = match (is_plain_word(&call.name), is_plain_id) {
        (false, _) => ("name", &call.name),
        (true, false) => ("id", id),
        (true, true) => return Ok(()),
    };
    let shown = sanitize_short(value, MAX_NAME_CHARS);
    let why = if value.is_empty() { "empty".to_owned() } else { format!("`{shown}`, which is not a plain word") };
    let message = format!("{document}:{}: the {what} of this call is {why}", call.line);
    let help = format!("a shell could read it as a path or an option; use `--format json` and check the {what}s");
    Err(Failure::new(ExitStatus::Malformed, message).with_help(help))
}

/// Letters, digits, `_`, `-` and `.`, starting with a letter, a digit or `_`.
pub(crate) fn is_plain_word(name: &str) -> bool {
    let is_plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-' | b'.');
    !name.is_empty() && name.bytes().all(is_plain) && !name.starts_with(['-', '.'])
}
