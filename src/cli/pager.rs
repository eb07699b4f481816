//! The program that shows what is longer than the screen.

use std::env;
use std::io::{ErrorKind, Write};
use std::process::{Child, Command, Stdio};

use anyhow::Context;

use crate::cli::output;

/// Shows a text in the user's pager, or prints it where there is none.
pub(crate) fn page(text: &str) -> anyhow::Result<()> {
    let Some(mut pager) = chosen().and_then(|words| start(&words)) else { return output::print(text) };
    output::leave_interrupts();
    let written = pager.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(text.as_bytes()));
    pager.wait().context("cannot wait for the pager")?;
    // Whoever has seen enough quits before the end.
    written.or_else(|error| if error.kind() == ErrorKind::BrokenPipe { Ok(()) } else { Err(error) })?;
    Ok(())
}

/// The words of the pager's command; `None` if the user wants no pager.
fn chosen() -> Option<Vec<String>> {
    let named = ["CHATMD_PAGER", "PAGER"].into_iter().find_map(|name| env::var(name).ok());
    let words = shlex::split(&named.unwrap_or_else(|| "less".to_owned()))?;
    (!words.is_empty() && words != ["cat"]).then_some(words)
}

fn start(words: &[String]) -> Option<Child> {
    let (program, arguments) = words.split_first()?;
    let mut command = Command::new(program);
    if env::var_os("LESS").is_none() {
        // Quit if it fits, keep colours, leave the text on the screen.
        command.env("LESS", "FRX");
    }
    command.args(arguments).stdin(Stdio::piped()).spawn().ok()
}
