//! `--confirm`: asks the user on the terminal whether a program may run.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};

use crate::Call;
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::interruptible::Interruptible;
use crate::diagnostic::{sanitize_line, sanitize_short};

/// How much of the arguments of a call is shown.
const MAX_CHARS: usize = 2000;

/// What the user has decided about a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Decision {
    Run,
    Decline,
    /// No more calls are answered.
    Quit,
}

/// The terminal of the user, whatever standard input and output are.
pub(crate) struct Confirm {
    terminal: File,
    typed: Interruptible,
    /// Whether all other calls may run.
    is_agreed: bool,
}

impl Confirm {
    pub(crate) fn new() -> Result<Self> {
        let open = || OpenOptions::new().read(true).write(true).open("/dev/tty");
        let opened = open().and_then(|terminal| Ok((terminal.try_clone()?, terminal)));
        let (terminal, reader) = opened.map_err(|_| {
            Failure::new(ExitStatus::Usage, "`--confirm` needs a terminal to ask on")
                .with_help("leave out `--confirm` to run the programs without asking")
        })?;
        Ok(Self { terminal, typed: Interruptible::new(reader), is_agreed: false })
    }

    /// Asks about a call until the answer is understood. The end of the terminal's input, and Ctrl-C, mean to quit.
    pub(crate) fn ask(&mut self, call: &Call) -> Result<Decision> {
        let failed = |_: io::Error| Failure::new(ExitStatus::Io, "the terminal cannot be read or written");
        if self.is_agreed {
            return Ok(Decision::Run);
        }
        let (name, arguments) = (sanitize_line(&call.name), sanitize_short(&call.arguments, MAX_CHARS));
        loop {
            write!(self.terminal, "run {name} {arguments}\n[y]es, [n]o, [a]ll, [q]uit? ").map_err(failed)?;
            self.terminal.flush().map_err(failed)?;
            let mut line = Vec::new();
            while !line.ends_with(b"\n") {
                match self.typed.next_chunk().map_err(failed)? {
                    chunk if chunk.is_empty() => {
                        writeln!(self.terminal).map_err(failed)?;
                        return Ok(Decision::Quit);
                    }
                    chunk => line.extend(chunk),
                }
            }
            match String::from_utf8_lossy(&line).trim().to_lowercase().as_str() {
                "y" | "yes" => return Ok(Decision::Run),
                "n" | "no" => return Ok(Decision::Decline),
                "q" | "quit" => return Ok(Decision::Quit),
                "a" | "all" => {
                    self.is_agreed = true;
                    return Ok(Decision::Run);
                }
                _ => {}
            }
        }
    }
}
