//! Shows long output in a pager.

use std::env;
use std::io::{ErrorKind, Write};
use std::process::{Child, Command, Stdio};

use anyhow::Context;

use crate::cli::{interrupt, output};

/// Shows a text in the user's pager. Prints it if there is none.
pub(crate) fn page(text: &str) -> anyhow::Result<()> {
    let Some(mut pager) = pager_command().and_then(|words| start(&words)) else { return output::print(text) };
    interrupt::ignore_interrupts();
    let written = pager.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(text.as_bytes()));
    pager.wait().context("cannot wait for the pager")?;
    // The user may quit the pager before it has read everything.
    written.or_else(|error| if error.kind() == ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })?;
    Ok(())
}

/// The pager's program and arguments; `None` if the user does not want a pager.
fn pager_command() -> Option<Vec<String>> {
    let named = ["CHATMD_PAGER", "PAGER"].into_iter().find_map(|name| env::var(name).ok());
    let words = shlex::split(&named.unwrap_or_else(|| "less".to_owned()))?;
    (!words.is_empty() && words != ["cat"]).then_some(words)
}

fn start(words: &[String]) -> Option<Child> {
    let (program, arguments) = words.split_first()?;
    let mut command = Command::new(program);
    if env::var_os("LESS").is_none() {
        // Quit if the text fits on one screen, keep colours, do not clear the screen.
        command.env("LESS", "FRX");
    }
    command.args(arguments).stdin(Stdio::piped()).spawn().ok()
}
