//! Turns arguments into the options of the library.

use std::env;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use crate::diagnostic::sanitize_short;
use crate::document::Limits;
use crate::json::{Json, StringArena};
use crate::resources::{Budget, Commands, Directory, Resources, system_message};
use crate::sessions::SessionLimits;
use crate::{Api, ChatOptions, Converter, Envelope, Error, Input, RequestOptions};

use crate::cli::args::{
    ApiArgs, AppendArgs, DocumentArgs, FileArgs, InputArgs, LedgerArgs, OutputArgs, ProgramArgs, ReadArgs, RequestArgs,
    SessionArgs, ShapeArgs,
};
use crate::cli::error::{ExitStatus, Failure, Result};
use crate::cli::input::{into_document, read_document, read_text};
use crate::cli::output;
use crate::cli::paths::shown;
use crate::cli::settings::{document_default, media_directories};

/// Longer texts are not repeated in a message.
const MAX_WORD_LENGTH: usize = 60;

/// The model of a request that does not name one, and where it comes from: `CHATMD_MODEL` or `chatmd.toml`.
pub(crate) fn default_model() -> Option<(String, &'static str)> {
    let variable = env::var("CHATMD_MODEL").ok().filter(|model| !model.is_empty());
    let setting = || Some((document_default("model")?, "`chatmd.toml`"));
    variable.map(|model| (model, "CHATMD_MODEL")).or_else(setting)
}

impl AppendArgs {
    /// The fields that a document gets, unless a flag says otherwise.
    pub(crate) fn envelope_or(self, default: Envelope) -> Envelope {
        match (self.envelope, self.no_usage) {
            (true, _) => Envelope::All,
            (false, true) => Envelope::None,
            (false, false) => default,
        }
    }
}

impl ShapeArgs {
    /// The request options that these arguments set.
    pub(crate) fn options(&self) -> RequestOptions {
        RequestOptions {
            api: self.api.api,
            default_api: default_api(),
            instructions: self.instructions,
            stateless: self.stateless,
            chat: ChatOptions {
                tool_images: self.tool_images,
                system_role: self.system_role,
                without_reasoning: self.without_reasoning,
            },
            ..RequestOptions::default()
        }
    }
}

impl LedgerArgs {
    /// Writes the lines of one or more ledgers to its file.
    pub(crate) fn write(&self, lines: &str) -> Result<()> {
        match &self.ledger {
            Some(path) => output::write(&OutputArgs { output: Some(path.clone()) }, lines),
            None => Ok(()),
        }
    }

    /// Writes the ledger of a conversion that has failed.
    pub(crate) fn failed(&self, error: Error) -> Failure {
        let failure = Failure::from(error);
        self.write(failure.ledger()).err().unwrap_or(failure)
    }
}

impl ApiArgs {
    /// The API that a new document names: the chosen one, or a default that is not everybody's.
    pub(crate) fn of_new(self) -> Option<Api> {
        self.api.or_else(|| default_api().filter(|api| *api != Api::default()))
    }
}

/// The API of a document that does not name one: the value of `CHATMD_API`, or of `chatmd.toml`.
pub(crate) fn default_api() -> Option<Api> {
    let variable = env::var("CHATMD_API").ok().filter(|api| !api.is_empty());
    variable.or_else(|| document_default("api")).and_then(|api| Api::from_name(&api))
}

/// Returns an error if `CHATMD_API` is neither empty nor the name of an API.
pub(crate) fn require_known_api() -> Result<()> {
    let value = env::var_os("CHATMD_API").unwrap_or_default();
    if value.is_empty() || default_api().is_some() {
        return Ok(());
    }
    let names: Vec<&str> = Api::all().map(Api::name).collect();
    let message = format!("CHATMD_API: unknown API `{}`", sanitize_short(&value.to_string_lossy(), MAX_WORD_LENGTH));
    Err(Failure::new(ExitStatus::Usage, message).with_help(format!("the APIs are {}", names.join(", "))))
}

impl RequestArgs {
    /// The request options that these arguments set.
    pub(crate) fn options(&self) -> Result<RequestOptions> {
        Ok(RequestOptions {
            model: self.model.clone(),
            default_model: default_model().map(|(model, _)| model),
            collapse_stale: self.collapse_stale.clone(),
            tools: self.tools.as_deref().map(read_text).transpose()?,
            tools_name: self.tools.as_deref().map(shown),
            set: self.set.iter().map(|set| assignment(set)).collect::<Result<_, _>>()?,
            ..self.shape.options()
        })
    }

    /// The fields that these arguments set in place of the document, each with its origin.
    pub(crate) fn origins(&self) -> Vec<(String, &'static str)> {
        let path = |set: &String| set.split_once('=').map(|(path, _)| (path.to_owned(), "`--set`"));
        let model = self.model.iter().map(|_| ("model".to_owned(), "`--model`"));
        self.set.iter().filter_map(path).chain(model).collect()
    }
}

/// Parses the `PATH=JSON` of `--set`.
fn assignment(set: &str) -> Result<(String, String)> {
    let wrong = |what: &str| {
        Failure::new(ExitStatus::Usage, format!("--set {}: {what}", sanitize_short(set, 100)))
            .with_help("write `--set PATH=JSON`, such as --set 'reasoning.summary=\"auto\"' or --set store=false")
    };
    let (path, json) = set.split_once('=').ok_or_else(|| wrong("`=` is missing"))?;
    if path.split('.').any(str::is_empty) {
        return Err(wrong("the path has an empty step"));
    }
    Json::parse(json, &StringArena::default()).map_err(|error| {
        let wrong = wrong(&format!("the value is not JSON: {error}"));
        if is_word(path) && is_word(json) {
            wrong.with_help(format!("put a text in quotes: --set '{path}=\"{json}\"'"))
        } else {
            wrong
        }
    })?;
    Ok((path.to_owned(), json.to_owned()))
}

/// Whether a text is short, has no quotes and is not a number.
fn is_word(text: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./: ".contains(c);
    let is_safe = text.chars().all(is_plain) && sanitize_short(text, MAX_WORD_LENGTH) == text;
    is_safe && text.starts_with(char::is_alphabetic)
}

impl FileArgs {
    /// The directories that a document may read: its own, those of `--root` and `CHATMD_ROOT`, and that of `media` in
    /// `chatmd.toml`.
    pub(crate) fn directory(&self, document: Option<&Path>) -> Result<Directory> {
        self.directory_within(document, self.budget())
    }

    /// How many bytes may be read in all.
    pub(crate) fn budget(&self) -> Budget {
        Budget::new(self.max_total_bytes)
    }

    /// The same for one of several documents, which share a budget.
    pub(crate) fn directory_within(&self, document: Option<&Path>, budget: Budget) -> Result<Directory> {
        for root in &self.root {
            // `file/.` is an error, so a root that is a file is reported too.
            fs::metadata(root.join(".")).map_err(|error| {
                let why = match error.kind() {
                    io::ErrorKind::NotFound => "the directory does not exist".to_owned(),
                    io::ErrorKind::NotADirectory => "not a directory".to_owned(),
                    _ => system_message(&error),
                };
                Failure::new(ExitStatus::Usage, format!("--root {}: {why}", shown(root)))
                    .with_help("name a directory that exists")
            })?;
        }
        let own = document.and_then(Path::parent).unwrap_or(Path::new("."));
        let list = env::var_os("CHATMD_ROOT").unwrap_or_default();
        let listed = env::split_paths(&list).filter(|root| !root.as_os_str().is_empty());
        let roots = self.root.iter().cloned().chain(listed).chain(media_directories().iter().cloned());
        let directory = roots.fold(Directory::of(own), Directory::root);
        Ok(directory.current_dir(".").ceiling(self.max_file_bytes).budget(budget))
    }

    /// The limits on imports.
    fn limits(&self) -> Limits {
        Limits { depth: self.max_import_depth, imports: self.max_imports, bytes: self.max_import_bytes }
    }
}

impl ReadArgs {
    /// Calls `work` with a document, and with a converter for it.
    pub(crate) fn with<T, E: Into<Failure>>(
        &self,
        document: Input,
        work: impl FnOnce(Converter<'_>, Input) -> Result<T, E>,
    ) -> Result<T> {
        let directory = self.files.directory(document.path.as_deref())?;
        work(self.converter(&directory), document).map_err(Into::into)
    }

    /// A converter with these limits, whose documents read from `directory`.
    pub(crate) fn converter<'r>(&self, directory: &'r dyn Resources) -> Converter<'r> {
        Converter::new().resources(directory).whitespace(self.whitespace.mode).limits(self.files.limits())
    }

    /// How much of a compressed session may be read, as a part of everything that is read.
    pub(crate) fn session_limits(&self, session: &SessionArgs) -> SessionLimits {
        SessionLimits { most: session.max_session_bytes, total: self.files.budget() }
    }
}

impl DocumentArgs {
    /// Reads anything that becomes a document, and opens the directories that the document may read.
    pub(crate) fn read(&self, input: &InputArgs, command: &str) -> Result<(Input, Directory)> {
        let limits = self.read.session_limits(&self.session);
        let document = into_document(read_document(input, limits.clone(), command)?)?;
        let directory = self.read.files.directory_within(document.path.as_deref(), limits.total)?;
        Ok((document, directory))
    }
}

impl ProgramArgs {
    /// The programs that may be run. Their output is limited like the size of a file, and counts for the total.
    pub(crate) fn commands(&self, files: &FileArgs, directory: &Directory) -> Result<Commands> {
        Ok(Commands {
            fetch: command_words("--fetch-command", self.fetch_command.as_deref())?,
            agent: command_words("--agent-command", self.agent_command.as_deref())?,
            time: Duration::from_secs(self.command_timeout),
            ceiling: files.max_file_bytes,
            total: directory.remaining().clone(),
            runs: Budget::new(self.max_program_runs),
        })
    }
}

/// The program of a command with its first arguments.
pub(crate) fn program(words: &[String]) -> Command {
    let (name, arguments) = words.split_first().map_or(("", words), |(name, rest)| (name.as_str(), rest));
    let mut command = Command::new(name);
    command.args(arguments);
    command
}

/// Splits a command as a shell would.
pub(crate) fn command_words(flag: &str, command: Option<&str>) -> Result<Option<Vec<String>>> {
    let Some(command) = command else { return Ok(None) };
    let words = shlex::split(command).filter(|words| !words.is_empty());
    words.map(Some).ok_or_else(|| {
        Failure::new(ExitStatus::Usage, format!("{flag}: not a command"))
            .with_help("give a program and its arguments, quoted as in a shell")
    })
}
