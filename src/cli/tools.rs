//! `--run DIR`: answers calls with the programs in a directory.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use crate::cli::args::TurnArgs;
use crate::cli::commands::calls::is_plain_word;
use crate::cli::confirm::{Confirm, Decision};
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::input::read_error;
use crate::cli::interrupt::{finish_on_interrupt, is_interrupted};
use crate::cli::paths::{resolve, shown};
use crate::cli::report::{note, warning};
use crate::convert::output_parts;
use crate::diagnostic::{sanitize_line, sanitize_short};
use crate::json::{Json, Kind, StringArena};
use crate::resources::{Budget, ProgramEnd, Ran, RunLimits, describe_status, run_program};
use crate::{Answer, Call};

/// How many programs run at a time.
const MAX_PARALLEL: usize = 8;
/// Longer arguments are only on standard input, because the system limits the length of a command line.
const MAX_ARGUMENT_BYTES: usize = 100_000;
/// How much of a name is shown.
const MAX_NAME_CHARS: usize = 80;
/// The variables that programs do not get.
const KEYS: [&str; 3] = ["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN"];

/// The programs that answer calls.
pub(crate) struct Tools {
    programs: ProgramDirectory,
    confirm: Option<Confirm>,
}

/// The programs in a directory, by the names of the tools.
struct ProgramDirectory {
    /// The directory without links.
    path: PathBuf,
    limits: RunLimits,
    /// The document, which the programs get as `CHATMD_FILE`.
    document: Option<PathBuf>,
    is_quiet: bool,
}

/// The result of a call.
pub(crate) struct ToolResult {
    pub(crate) answer: Answer,
    pub(crate) is_error: bool,
}

/// A call and its program; `None` if the user has declined the call.
type Job<'c> = (&'c Call, Option<PathBuf>);

impl Tools {
    /// The programs of `--run`, if the flag is given.
    pub(crate) fn new(args: &TurnArgs, document: Option<&Path>) -> Result<Option<Self>> {
        let Some(directory) = &args.run else { return Ok(None) };
        let failed =
            |error| Failure { exit: ExitStatus::Usage, ..read_error(&shown(directory), &error).about("--run") };
        // `file/.` is an error.
        let path = fs::canonicalize(directory.join(".")).map_err(failed)?;
        let confirm = if args.confirm { Some(Confirm::new()?) } else { None };
        let time = Duration::from_secs(args.programs.command_timeout);
        let limits = RunLimits { time, bytes: args.read.files.max_file_bytes };
        let programs = ProgramDirectory { path, limits, document: document.map(resolve), is_quiet: args.quiet };
        Ok(Some(Self { programs, confirm }))
    }

    /// Answers the calls that have a program, several at a time, and passes each result to `take` as soon as it is there.
    ///
    /// Ctrl-C, or an error of `take`, ends the programs that are running.
    pub(crate) fn answer(
        &mut self,
        calls: &[Call],
        mut take: impl FnMut(&Call, ToolResult) -> Result<()>,
    ) -> Result<()> {
        finish_on_interrupt();
        let jobs = self.jobs(calls)?;
        let (jobs, is_stopped) = (Mutex::new(jobs.into_iter()), AtomicBool::new(false));
        let next_job = || jobs.lock().unwrap_or_else(PoisonError::into_inner).next();
        let stop = || is_stopped.load(Ordering::Relaxed) || is_interrupted();
        let programs = &self.programs;
        thread::scope(|scope| {
            let (sender, results) = mpsc::channel();
            for _ in 0..MAX_PARALLEL.min(calls.len()) {
                let sender = sender.clone();
                scope.spawn(move || {
                    while let Some(job) = next_job().filter(|_| !stop()) {
                        // Nobody takes results after an error.
                        let _ = sender.send((job.0, programs.result(&job, stop)));
                    }
                });
            }
            drop(sender);
            for (call, result) in results {
                let Some(result) = result else { continue };
                if let Err(error) = take(call, result) {
                    is_stopped.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
            Ok(())
        })
    }

    /// The calls that have a program, and that the user has decided on.
    fn jobs<'c>(&mut self, calls: &'c [Call]) -> Result<Vec<Job<'c>>> {
        let mut jobs = Vec::new();
        for call in calls {
            let program = match self.programs.find(call) {
                Ok(program) => program,
                Err(why) => {
                    let name = sanitize_short(&call.name, MAX_NAME_CHARS);
                    note(&format!("the call `{name}` has no program: {why}"));
                    continue;
                }
            };
            match self.confirm.as_mut().map_or(Ok(Decision::Run), |confirm| confirm.ask(call))? {
                Decision::Run => jobs.push((call, Some(program))),
                Decision::Decline => jobs.push((call, None)),
                Decision::Quit => break,
            }
        }
        Ok(jobs)
    }
}

impl ProgramDirectory {
    /// The program of a call: a regular executable file directly in the directory.
    fn find(&self, call: &Call) -> Result<PathBuf, String> {
        if !matches!(call.kind, "function_call" | "custom_tool_call") {
            return Err(format!("it is a `{}`", call.kind));
        }
        if !is_plain_word(&call.name) {
            return Err("its name is not a plain word".to_owned());
        }
        let path = self.path.join(&call.name);
        let name = shown(&path);
        let real = fs::canonicalize(&path).map_err(|_| format!("{name} does not exist"))?;
        if !real.starts_with(&self.path) {
            return Err(format!("{name} is a link to another directory"));
        }
        match fs::metadata(&real) {
            Ok(metadata) if metadata.is_file() && is_executable(&metadata) => Ok(real),
            Ok(metadata) if metadata.is_file() => Err(format!("{name} is not executable")),
            Ok(_) => Err(format!("{name} is not a regular file")),
            Err(_) => Err(format!("{name} cannot be read")),
        }
    }

    /// Runs the program of a call. `None` if it was stopped.
    fn result(&self, job: &Job<'_>, is_stopped: impl Fn() -> bool) -> Option<ToolResult> {
        let (call, Some(program)) = job else {
            return Some(ToolResult::error("The user declined this call.".to_owned()));
        };
        let ran = run_program(
            self.command(call, program),
            call.arguments.clone().into_bytes(),
            self.limits,
            &Budget::new(u64::MAX),
            is_stopped,
        );
        let result = match ran {
            Ok(Ran { ended: ProgramEnd::Stopped, .. }) => return None,
            Ok(ran) => self.result_of(ran, call),
            Err(why) => ToolResult::error(format!("cannot be started: {why}")),
        };
        if let (Answer::Text(text), true, false) = (&result.answer, result.is_error, self.is_quiet) {
            note(&sanitize_line(&format!("{}: {}", call.name, text.lines().next().unwrap_or_default())));
        }
        Some(result)
    }

    fn command(&self, call: &Call, program: &Path) -> Command {
        let mut command = Command::new(program);
        let strings = StringArena::default();
        let is_object = Json::parse(&call.arguments, &strings).is_ok_and(|json| json.kind() == Kind::Object);
        // The input of a custom call is any text, which could be an option.
        if call.kind == "function_call" && is_object && call.arguments.len() < MAX_ARGUMENT_BYTES {
            command.arg(&call.arguments);
        }
        command.env("CHATMD_CALL_ID", &call.call_id).env("CHATMD_TOOL", &call.name).env_remove("CHATMD_FILE");
        command.envs(self.document.as_ref().map(|document| ("CHATMD_FILE", document)));
        for key in KEYS {
            command.env_remove(key);
        }
        command
    }

    /// The result of a program that has ended.
    fn result_of(&self, ran: Ran, call: &Call) -> ToolResult {
        let seconds = self.limits.time.as_secs();
        let failure = match &ran.ended {
            ProgramEnd::Exited(status) if status.success() => return success(ran.stdout, call),
            ProgramEnd::Exited(status) => describe_status(*status),
            ProgramEnd::TooSlow | ProgramEnd::Stopped => format!("timed out after {seconds} s"),
            ProgramEnd::TooMuch | ProgramEnd::TooMuchInAll => {
                return ToolResult::error(format!("printed more than {} bytes", self.limits.bytes));
            }
            ProgramEnd::Lost(why) => why.clone(),
        };
        let texts = [failure.as_bytes(), &ran.stdout, &ran.stderr].map(String::from_utf8_lossy);
        let texts: Vec<&str> = texts.iter().map(|text| text.trim_end()).filter(|text| !text.is_empty()).collect();
        ToolResult::error(texts.join("\n"))
    }
}

impl ToolResult {
    fn error(text: String) -> Self {
        Self { answer: Answer::Text(text), is_error: true }
    }
}

/// The result of a program that has succeeded: parts, if it is JSON of parts, else a text.
fn success(stdout: Vec<u8>, call: &Call) -> ToolResult {
    let Ok(text) = String::from_utf8(stdout) else {
        return ToolResult::error("the output is not UTF-8".to_owned());
    };
    let Some(parts) = output_parts(&text) else {
        return ToolResult { answer: Answer::Text(text), is_error: false };
    };
    for problem in &parts.problems {
        let name = sanitize_short(&call.name, MAX_NAME_CHARS);
        warning(&format!("the result of `{name}`: {}", sanitize_line(&problem.message().title)));
    }
    ToolResult { answer: Answer::Json(parts.json), is_error: parts.is_error }
}

#[cfg(unix)]
fn is_executable(metadata: &fs::Metadata) -> bool {
    std::os::unix::fs::PermissionsExt::mode(&metadata.permissions()) & 0o111 != 0
}

#[cfg(not(unix))]
fn is_executable(_: &fs::Metadata) -> bool {
    true
}
