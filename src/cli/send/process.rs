//! Runs the program that sends a request.

use std::io::{self, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use crate::diagnostic::{sanitize_line, sanitize_short};
use crate::resources::{program_failure, system_message};

use super::{Headers, Response};
use crate::cli::display::{Display, Show};
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::follow::{MAX_STREAM_BYTES, show_stream};
use crate::cli::interrupt::is_interrupted;
use crate::cli::report::without_hidden;

/// How much of a program's messages is kept, and how much of that is shown.
const MAX_STDERR_BYTES: u64 = 4096;
const MAX_MESSAGE_CHARS: usize = 400;
/// How long the messages of a program that has ended are waited for.
const STDERR_TIMEOUT: Duration = Duration::from_millis(500);

/// Runs a program and shows what it prints as it arrives. Ctrl-C ends it, and whatever has arrived is returned.
pub(super) fn run(mut command: Command, input: Vec<u8>, show: Show) -> Result<Response> {
    let program = sanitize_line(&command.get_program().to_string_lossy());
    let failed =
        |error: io::Error| Failure::new(ExitStatus::Io, format!("cannot run {program}: {}", system_message(&error)));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(failed)?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program that does not read its input is free not to.
        thread::spawn(move || drop(stdin.write_all(&input)));
    }
    let messages = read_messages(&mut child);
    let body = match child.stdout.take() {
        Some(stdout) => show_stream(stdout, MAX_STREAM_BYTES, Display::new(show)).map_err(failed)?,
        None => Vec::new(),
    };
    if is_interrupted() || body.len() >= MAX_STREAM_BYTES {
        // It may have ended by itself meanwhile.
        let _ = child.kill();
    }
    let status = child.wait().map_err(failed)?;
    let messages = messages.recv_timeout(STDERR_TIMEOUT).unwrap_or_default();
    let messages = String::from_utf8_lossy(&messages);
    let lines: Vec<&str> = messages.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let messages = sanitize_short(&without_hidden(&lines.join("; ")), MAX_MESSAGE_CHARS);
    let failure = match (status.success(), messages.is_empty()) {
        (true, _) => None,
        (false, true) => Some(program_failure(&program, status)),
        (false, false) => Some(messages),
    };
    Ok(Response { body, program, failure, headers: Headers::default() })
}

/// The first messages of a program. The rest is read too, so that it never waits.
fn read_messages(child: &mut Child) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    let stderr = child.stderr.take();
    thread::spawn(move || {
        let Some(mut stderr) = stderr else { return };
        let mut messages = Vec::new();
        let _ = stderr.by_ref().take(MAX_STDERR_BYTES).read_to_end(&mut messages);
        let _ = io::copy(&mut stderr, &mut io::sink());
        let _ = sender.send(messages);
    });
    receiver
}
