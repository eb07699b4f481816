//! Runs the programs that a user gives.

use std::fmt;
use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use super::{Budget, ProgramError, Programs};

/// The commands that a user gives, each a program and its first arguments.
#[derive(Debug, Clone)]
pub struct Commands {
    /// Gets a URL as its last argument and prints the document.
    pub fetch: Option<Vec<String>>,
    /// Gets a request on standard input and prints the answer.
    pub agent: Option<Vec<String>>,
    /// How long each may run.
    pub time: Duration,
    /// How many bytes each may print.
    pub ceiling: u64,
    /// How many bytes they may print in all.
    pub total: Budget,
    /// How often they may run in all.
    pub runs: Budget,
}

/// How much of a failed program's messages is kept.
const MAX_STDERR_BYTES: usize = 4096;
/// How often a running program is checked.
const PAUSE: Duration = Duration::from_millis(50);

impl Programs for Commands {
    fn fetch(&self, url: &str) -> Option<Result<Vec<u8>, ProgramError>> {
        let command = self.fetch.as_deref()?;
        Some(self.run(command, Some(url), &[]))
    }

    fn can_ask(&self) -> bool {
        self.agent.is_some()
    }

    fn ask(&self, request: &str) -> Option<Result<Vec<u8>, ProgramError>> {
        let command = self.agent.as_deref()?;
        Some(self.run(command, None, request.as_bytes()))
    }
}

impl Commands {
    fn run(&self, command: &[String], last: Option<&str>, input: &[u8]) -> Result<Vec<u8>, ProgramError> {
        let not_started = |why: &dyn fmt::Display| ProgramError::NotStarted(why.to_string());
        if !self.runs.take(1) {
            return Err(ProgramError::TooManyRuns(self.runs.total()));
        }
        let (program, arguments) = command.split_first().ok_or_else(|| not_started(&"the command is empty"))?;
        let mut child = Command::new(program)
            .args(arguments)
            .args(last)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| not_started(&format!("{program}: {error}")))?;
        if let Some(mut stdin) = child.stdin.take() {
            let input = input.to_owned();
            // A program that does not read its input is free not to.
            thread::spawn(move || drop(stdin.write_all(&input)));
        }
        let words = stderr_tail(child.stderr.take());
        let output = self.output(&mut child);
        if output.is_err() {
            end(&mut child);
        }
        let (output, status) = output?;
        if status.success() {
            return Ok(output);
        }
        // A process that it started may keep the pipe open; its output is not waited for.
        let words = words.recv_timeout(PAUSE * 10).unwrap_or_default();
        let words = String::from_utf8_lossy(&words).trim().to_owned();
        Err(ProgramError::Failed(format!("{program} ended with {status}"), words))
    }

    /// What the program prints until it ends.
    fn output(&self, child: &mut Child) -> Result<(Vec<u8>, ExitStatus), ProgramError> {
        let start = Instant::now();
        let chunks = reader(child.stdout.take());
        let mut output = Vec::new();
        let mut is_open = true;
        loop {
            match chunks.recv_timeout(PAUSE) {
                Ok(chunk) => output.extend(chunk),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    is_open = false;
                    thread::sleep(PAUSE / 10);
                }
            }
            if output.len() as u64 > self.total.left() {
                return Err(ProgramError::TooMuchInAll(self.total.total()));
            }
            if output.len() as u64 > self.ceiling {
                return Err(ProgramError::TooMuch(self.ceiling));
            }
            let status = child.try_wait().map_err(|error| ProgramError::Failed(error.to_string(), String::new()))?;
            if let Some(status) = status {
                // A process that it started may keep the pipe open: only what was printed so far counts.
                let last = if is_open { chunks.recv_timeout(PAUSE) } else { Err(RecvTimeoutError::Disconnected) };
                match last {
                    Ok(chunk) => output.extend(chunk),
                    Err(_) if self.total.take(output.len() as u64) => return Ok((output, status)),
                    Err(_) => return Err(ProgramError::TooMuchInAll(self.total.total())),
                }
            }
            if start.elapsed() > self.time {
                return Err(ProgramError::TooSlow(self.time));
            }
        }
    }
}

fn end(child: &mut Child) {
    // It may have ended by itself meanwhile.
    let _ = child.kill();
    let _ = child.wait();
}

/// The end of what a program says on standard error, which is read to its end so that it never waits.
fn stderr_tail(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    let chunks = reader(pipe);
    thread::spawn(move || {
        let mut words = Vec::new();
        for chunk in chunks {
            words.extend(chunk);
            words.drain(..words.len().saturating_sub(MAX_STDERR_BYTES));
        }
        let _ = sender.send(words);
    });
    receiver
}

/// The content of a pipe as it comes. The channel holds little, so that a program that prints without end waits.
fn reader(pipe: Option<impl Read + Send + 'static>) -> Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::sync_channel(16);
    thread::spawn(move || {
        let Some(mut pipe) = pipe else { return };
        let mut chunk = vec![0; 64 << 10];
        while let Ok(length @ 1..) = pipe.read(&mut chunk) {
            if sender.send(chunk[..length].to_owned()).is_err() {
                return;
            }
        }
    });
    receiver
}
