//! Shows long output in a pager.

use std::env;
use std::io::{ErrorKind, IsTerminal, Write, stdout};
use std::process::{Child, Stdio};

use terminal_size::{Height, Width, terminal_size_of};
use textwrap::core::display_width;

use crate::cli::error::Result;
use crate::cli::options::program;
use crate::cli::{interrupt, output};

/// Prints a text, in the user's pager if standard output is a terminal that is too small for it.
pub(crate) fn print(text: &str) -> Result<()> {
    let is_too_long = |(Width(width), Height(height))| {
        // A line wider than the screen takes several rows.
        let rows = text.lines().map(|line| display_width(line).div_ceil(usize::from(width).max(1)).max(1));
        rows.sum::<usize>() >= usize::from(height)
    };
    let is_paged = stdout().is_terminal() && terminal_size_of(stdout()).is_some_and(is_too_long);
    if is_paged { page(text) } else { output::print(text) }
}

/// Shows a text in the user's pager. Prints it if there is none.
fn page(text: &str) -> Result<()> {
    let Some(mut pager) = pager_command().and_then(|words| start(&words)) else { return output::print(text) };
    interrupt::ignore_interrupts();
    let written = pager.stdin.take().map_or(Ok(()), |mut stdin| stdin.write_all(text.as_bytes()));
    pager.wait()?;
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
    let mut command = program(words);
    if env::var_os("LESS").is_none() {
        // Quit if the text fits on one screen, keep colours, do not clear the screen.
        command.env("LESS", "FRX");
    }
    command.stdin(Stdio::piped()).spawn().ok()
}
