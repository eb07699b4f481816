//! Runs the programs that a user gives.

use std::fmt;
use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::{Budget, ProgramError, Programs, program_failure, system_message};

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

/// The programs that are running, by the ids of their processes.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

fn running() -> MutexGuard<'static, Vec<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// As long as it exists, no program is started. See [`Commands::kill_all`].
#[derive(Debug)]
#[must_use = "programs can be started again as soon as it is dropped"]
#[doc(hidden)]
pub struct StartGuard(#[expect(dead_code, reason = "it is held, not read")] MutexGuard<'static, Vec<u32>>);

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
    /// Ends all programs that are running, with whatever they have started. No other program is started until the guard
    /// is dropped.
    pub fn kill_all() -> StartGuard {
        let running = running();
        running.iter().for_each(|id| kill_group(*id));
        StartGuard(running)
    }

    fn run(&self, command: &[String], last: Option<&str>, input: &[u8]) -> Result<Vec<u8>, ProgramError> {
        let not_started = |why: &dyn fmt::Display| ProgramError::NotStarted(why.to_string());
        if !self.runs.take(1) {
            return Err(ProgramError::TooManyRuns(self.runs.total()));
        }
        let (program, arguments) = command.split_first().ok_or_else(|| not_started(&"the command is empty"))?;
        let mut command = Command::new(program);
        command.args(arguments).args(last);
        let limits = RunLimits { time: self.time, bytes: self.ceiling };
        let ran = run_program(command, input.to_owned(), limits, &self.total, || false)
            .map_err(|why| not_started(&format!("{program}: {why}")))?;
        match ran.ended {
            ProgramEnd::Exited(status) if status.success() => Ok(ran.stdout),
            ProgramEnd::Exited(status) => {
                let words = String::from_utf8_lossy(&ran.stderr).trim().to_owned();
                Err(ProgramError::Failed(program_failure(program, status), words))
            }
            ProgramEnd::TooMuch => Err(ProgramError::TooMuch(self.ceiling)),
            ProgramEnd::TooMuchInAll => Err(ProgramError::TooMuchInAll(self.total.total())),
            ProgramEnd::Lost(why) => Err(ProgramError::Failed(why, String::new())),
            ProgramEnd::TooSlow | ProgramEnd::Stopped => Err(ProgramError::TooSlow(self.time)),
        }
    }
}

/// What one run of a program may use.
#[derive(Debug, Clone, Copy)]
#[doc(hidden)]
pub struct RunLimits {
    /// How long it may run.
    pub time: Duration,
    /// How many bytes it may print.
    pub bytes: u64,
}

/// What a program has printed, and how it ended.
#[derive(Debug)]
#[doc(hidden)]
pub struct Ran {
    /// Its standard output.
    pub stdout: Vec<u8>,
    /// The end of its standard error.
    pub stderr: Vec<u8>,
    /// How it ended.
    pub ended: ProgramEnd,
}

/// How a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[doc(hidden)]
pub enum ProgramEnd {
    /// By itself.
    Exited(ExitStatus),
    /// It took longer than allowed.
    TooSlow,
    /// It printed more than allowed.
    TooMuch,
    /// Together with what was read before, it printed more than allowed.
    TooMuchInAll,
    /// It was asked to stop.
    Stopped,
    /// How it ended is not known, for this reason.
    Lost(String),
}

/// Runs a program in a process group of its own, until it ends, uses up a limit, or `is_stopped`. Then everything that it
/// has started is ended, too. Returns an error if it cannot be started.
#[doc(hidden)]
pub fn run_program(
    mut command: Command,
    input: Vec<u8>,
    limits: RunLimits,
    total: &Budget,
    is_stopped: impl Fn() -> bool,
) -> Result<Ran, String> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // A group of its own, so that whatever it starts can be ended with it.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let mut child = {
        // Locked before the program starts, so that `kill_all` never misses it.
        let mut running = running();
        let child = command.spawn().map_err(|error| system_message(&error))?;
        running.push(child.id());
        child
    };
    if let Some(mut stdin) = child.stdin.take() {
        // A program that does not read its input is free not to.
        thread::spawn(move || drop(stdin.write_all(&input)));
    }
    let words = stderr_tail(child.stderr.take());
    let mut stdout = Vec::new();
    let end_of_run = read_output(&mut child, &mut stdout, limits, total, is_stopped);
    if !matches!(end_of_run, ProgramEnd::Exited(_)) {
        end(&mut child);
    }
    running().retain(|id| *id != child.id());
    let has_succeeded = matches!(end_of_run, ProgramEnd::Exited(status) if status.success());
    // A process that it started may keep the pipe open; its output is not waited for.
    let stderr = if has_succeeded { Vec::new() } else { words.recv_timeout(PAUSE * 10).unwrap_or_default() };
    Ok(Ran { stdout, stderr, ended: end_of_run })
}

/// Reads the output of a program until its run ends.
fn read_output(
    child: &mut Child,
    output: &mut Vec<u8>,
    limits: RunLimits,
    total: &Budget,
    is_stopped: impl Fn() -> bool,
) -> ProgramEnd {
    let start = Instant::now();
    let chunks = reader(child.stdout.take());
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
        if output.len() as u64 > total.left() {
            return ProgramEnd::TooMuchInAll;
        }
        if output.len() as u64 > limits.bytes {
            return ProgramEnd::TooMuch;
        }
        match ended(child) {
            Err(why) => return ProgramEnd::Lost(why),
            Ok(None) => {}
            Ok(Some(status)) => {
                // A process that it started may keep the pipe open: only what was printed so far counts.
                let last = if is_open { chunks.recv_timeout(PAUSE) } else { Err(RecvTimeoutError::Disconnected) };
                match last {
                    Ok(chunk) => output.extend(chunk),
                    Err(_) if total.take(output.len() as u64) => return ProgramEnd::Exited(status),
                    Err(_) => return ProgramEnd::TooMuchInAll,
                }
            }
        }
        if is_stopped() {
            return ProgramEnd::Stopped;
        }
        if start.elapsed() > limits.time {
            return ProgramEnd::TooSlow;
        }
    }
}

/// How a program has ended, if it has. Its process is waited for with the lock, so that `kill_all` never meets an id that
/// another process may have.
fn ended(child: &mut Child) -> Result<Option<ExitStatus>, String> {
    let mut running = running();
    let status = child.try_wait().map_err(|error| system_message(&error))?;
    if status.is_some() {
        running.retain(|id| *id != child.id());
    }
    Ok(status)
}

fn end(child: &mut Child) {
    kill_group(child.id());
    // It may have ended by itself meanwhile.
    let _ = child.kill();
    let _ = child.wait();
}

/// Ends a program and everything that it has started. Its process has not been waited for, so no other has its id.
#[cfg(unix)]
fn kill_group(id: u32) {
    if let Some(group) = i32::try_from(id).ok().and_then(rustix::process::Pid::from_raw) {
        let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: u32) {}

/// The last part of the standard error of a program. All of it is read, so that the program never blocks.
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
