//! Opens a text in the user's editor.

use std::env;
use std::fs;
use std::io::{self, IsTerminal};

use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::options::{command_words, program};
use crate::cli::output::write_error;
use crate::cli::replace::private_directory;
use crate::resources::{describe_status, system_message};

/// The text after the user has edited it, without the line break that editors add at the end.
pub(crate) fn edit(text: &str) -> Result<String> {
    let variable = ["VISUAL", "EDITOR"].into_iter().find_map(|name| {
        let value = env::var(name).ok().filter(|value| !value.trim().is_empty())?;
        Some((name, value))
    });
    let Some((variable, command)) = variable else {
        let error = Failure::new(ExitStatus::Usage, "`--edit` needs an editor, and `VISUAL` and `EDITOR` are not set");
        return Err(error.with_help("set one of them, such as `EDITOR=vi`"));
    };
    let words = command_words(variable, Some(&command))?.unwrap_or_default();
    let directory = private_directory()?;
    let path = directory.path().join("message.md");
    fs::write(&path, text).map_err(|error| write_error(&path, &error))?;
    let failed = |why: String| Failure::new(ExitStatus::Io, format!("the editor of {variable} failed: {why}"));
    let mut editor = program(&words);
    editor.arg(&path);
    // Standard input may be a part of the message. The user types on the terminal.
    if !io::stdin().is_terminal()
        && let Ok(terminal) = fs::File::open("/dev/tty")
    {
        editor.stdin(terminal);
    }
    let status = editor.status();
    let status = status.map_err(|error| failed(system_message(&error)))?;
    if !status.success() {
        return Err(failed(describe_status(status)));
    }
    let edited = fs::read_to_string(&path).map_err(|error| failed(system_message(&error)))?;
    Ok(edited.strip_suffix('\n').map(str::to_owned).unwrap_or(edited))
}
