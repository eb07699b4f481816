//! The keys and values of a file of settings.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path};

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, Command};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::find::SettingsFile;
use crate::cli::error::{CliError, ExitStatus};
use crate::cli::input::read_error;
use crate::cli::paths::{resolve, shown};
use crate::diagnostic::{nearest, sanitize_short};

/// A file of settings is small.
const MAX_BYTES: u64 = 1 << 16;
/// How much of a name is shown.
const MAX_NAME_CHARS: usize = 60;
/// The keys of a file near a document, which may have come with it. Others could run programs, or read or overwrite files.
const NEAR_A_DOCUMENT: [&str; 6] = ["model", "api", "media", "next", "allow", "strict"];
/// Flags that are in no file: they let a model act, or pay again.
const FLAGS_ONLY: [&str; 4] = ["run", "continue", "no-config", "help"];

/// The value of a flag, as it would stand on the command line.
#[derive(Debug, Clone)]
pub(super) struct Value {
    pub(super) words: Vec<String>,
}

/// The settings of a file for a command. Those of its table come first. All others are checked too.
pub(super) fn read(file: &SettingsFile, cli: &Command, names: &[&str]) -> Result<Vec<(String, Value)>, CliError> {
    let text = read_text(file)?;
    let reader = Reader { file, text: &text, cli };
    let table = DeTable::parse(&text).map_err(|error| {
        reader.error(ExitStatus::Malformed, error.span().unwrap_or_default().start, error.message())
    })?;
    let (mut settings, mut general) = (Vec::new(), Vec::new());
    for (key, value) in table.get_ref() {
        let at = key.span().start;
        if let DeValue::Table(table) = value.get_ref() {
            let Some(command) = cli.find_subcommand(key.get_ref().as_ref()) else {
                let known = cli.get_subcommands().map(Command::get_name);
                return Err(reader.unknown(at, "command", key.get_ref(), known));
            };
            reader.table(command, &[command.get_name()], names, table, &mut settings)?;
            continue;
        }
        // The type is that of the flag of this command, if it has one.
        let own = command(cli, names).and_then(|command| flag(command, key.get_ref()));
        let any = || every_command(cli).find_map(|command| flag(command, key.get_ref()));
        let arg = own.or_else(|| flag(cli, key.get_ref()));
        let is_own = arg.is_some();
        let Some(arg) = arg.or_else(any) else {
            let known = every_command(cli).flat_map(longs).chain(longs(cli));
            return Err(reader.unknown(at, "setting", key.get_ref(), known));
        };
        let value = reader.value(arg, key, value)?;
        if is_own {
            reader.require_valid(names, key, &value)?;
            general.push((key.get_ref().to_string(), value));
        }
    }
    // The first one of a key counts.
    settings.extend(general);
    let mut seen = std::collections::HashSet::new();
    settings.retain(|(key, _)| seen.insert(key.clone()));
    Ok(settings)
}

fn read_text(file: &SettingsFile) -> Result<String, CliError> {
    let name = shown(&file.path);
    let metadata = fs::metadata(&file.path).map_err(|error| read_error(&name, &error))?;
    let refused = |what: &str| CliError::new(ExitStatus::Refused, format!("{name} {what}")).with_help(NO_CONFIG);
    if !metadata.is_file() {
        return Err(refused("is not a regular file"));
    }
    let mut bytes = Vec::new();
    let opened = File::open(&file.path).map(|file| file.take(MAX_BYTES + 1));
    opened.and_then(|mut file| file.read_to_end(&mut bytes)).map_err(|error| read_error(&name, &error))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(refused("is too large"));
    }
    String::from_utf8(bytes)
        .map_err(|_| CliError::new(ExitStatus::Malformed, format!("{name} is not UTF-8")).with_help(NO_CONFIG))
}

const NO_CONFIG: &str = "`--no-config` reads no such file";

/// The file that is read, and the command line that knows the flags.
struct Reader<'r> {
    file: &'r SettingsFile,
    text: &'r str,
    cli: &'r Command,
}

type Key<'k> = Spanned<std::borrow::Cow<'k, str>>;

impl Reader<'_> {
    /// Reads the table of a command, and the tables of the commands in it.
    fn table(
        &self,
        command: &Command,
        path: &[&str],
        names: &[&str],
        table: &DeTable<'_>,
        settings: &mut Vec<(String, Value)>,
    ) -> Result<(), CliError> {
        for (key, value) in table {
            if let (DeValue::Table(inner), Some(command)) =
                (value.get_ref(), command.find_subcommand(key.get_ref().as_ref()))
            {
                self.table(command, &[path, &[command.get_name()]].concat(), names, inner, settings)?;
                continue;
            }
            let Some(arg) = flag(command, key.get_ref()).or_else(|| flag(self.cli, key.get_ref())) else {
                let what = format!("setting of `{}`", path.join(" "));
                let known = longs(command).chain(longs(self.cli));
                return Err(self.unknown(key.span().start, &what, key.get_ref(), known));
            };
            let value = self.value(arg, key, value)?;
            self.require_valid(path, key, &value)?;
            if path == names {
                settings.push((key.get_ref().to_string(), value));
            }
        }
        Ok(())
    }

    /// The value of a key, of the type that its flag takes.
    fn value(&self, arg: &Arg, key: &Key<'_>, value: &Spanned<DeValue<'_>>) -> Result<Value, CliError> {
        let name = key.get_ref().as_ref();
        let at = key.span().start;
        let is_allowed = self.file.is_of_user || NEAR_A_DOCUMENT.contains(&name);
        if !is_allowed {
            let message = format!(
                "a file near a document may not set `{name}`, only `model`, `api`, `media`, `next`, `allow` and `strict`"
            );
            let help = if FLAGS_ONLY.contains(&name) {
                format!("give the flag; {NO_CONFIG}")
            } else {
                format!("give the flag, or set it in `~/.config/chatmd/chatmd.toml`; {NO_CONFIG}")
            };
            return Err(self.error(ExitStatus::Refused, at, &message).with_help(help));
        }
        if FLAGS_ONLY.contains(&name) {
            let message = format!("`{name}` can only be given as a flag");
            return Err(self.error(ExitStatus::Malformed, at, &message));
        }
        let wrong = |expected: &str| {
            self.error(ExitStatus::Malformed, value.span().start, &format!("`{name}` must be {expected}"))
        };
        let word = |value: &DeValue<'_>| match value {
            DeValue::String(text) => Some(text.to_string()),
            DeValue::Integer(number) if number.radix() == 10 => Some(number.as_str().to_owned()),
            DeValue::Integer(_)
            | DeValue::Boolean(_)
            | DeValue::Float(_)
            | DeValue::Datetime(_)
            | DeValue::Array(_)
            | DeValue::Table(_) => None,
        };
        let words = match (arg.get_action(), value.get_ref()) {
            (ArgAction::SetTrue, DeValue::Boolean(is_set)) => vec![is_set.to_string()],
            (ArgAction::SetTrue, _) => return Err(wrong("true or false")),
            (ArgAction::Append, DeValue::Array(values)) => {
                let words: Option<Vec<String>> = values.iter().map(|value| word(value.get_ref())).collect();
                words.ok_or_else(|| wrong("a string or an array of strings"))?
            }
            (ArgAction::Append, value) => vec![word(value).ok_or_else(|| wrong("a string or an array of strings"))?],
            (_, value) => vec![word(value).ok_or_else(|| wrong("a string or a number"))?],
        };
        if self.file.is_of_user {
            return Ok(Value { words });
        }
        match name {
            "strict" if words == ["false"] => {
                Err(self.error(ExitStatus::Refused, at, "a file near a document may only set `strict = true`"))
            }
            "media" => Ok(Value { words: vec![self.below(at, &words.concat())?] }),
            _ => Ok(Value { words }),
        }
    }

    /// A directory below that of the file.
    fn below(&self, at: usize, media: &str) -> Result<String, CliError> {
        if media == "inline" {
            return Ok(media.to_owned());
        }
        let is_plain =
            Path::new(media).components().all(|step| matches!(step, Component::Normal(_) | Component::CurDir));
        let path = self.file.directory.join(media);
        // Links are resolved, so that the directory is really there.
        if media.is_empty() || !is_plain || !resolve(&path).starts_with(&self.file.directory) {
            let message = "`media` must be a directory below that of the file";
            return Err(self.error(ExitStatus::Refused, at, message));
        }
        let current = std::env::current_dir().unwrap_or_default();
        Ok(path.strip_prefix(&current).unwrap_or(&path).to_string_lossy().into_owned())
    }

    /// Returns an error unless the command takes the value.
    fn require_valid(&self, names: &[&str], key: &Key<'_>, value: &Value) -> Result<(), CliError> {
        let name = key.get_ref().as_ref();
        for word in value.words.iter().filter(|word| !["true", "false"].contains(&word.as_str())) {
            let words = ["chatmd"].into_iter().chain(names.iter().copied()).map(str::to_owned);
            let words = words.chain([format!("--{name}={word}")]);
            let Err(error) = self.cli.clone().try_get_matches_from(words) else { continue };
            // Other errors are about arguments that are missing here.
            if matches!(error.kind(), ErrorKind::InvalidValue | ErrorKind::ValueValidation) {
                let message = error.to_string();
                let message = message.lines().next().unwrap_or_default().trim_start_matches("error: ");
                return Err(self.error(ExitStatus::Malformed, key.span().start, message));
            }
        }
        Ok(())
    }

    fn unknown<'n>(&self, at: usize, what: &str, name: &str, known: impl Iterator<Item = &'n str>) -> CliError {
        let message = format!("unknown {what} `{}`", sanitize_short(name, MAX_NAME_CHARS));
        let error = self.error(ExitStatus::Malformed, at, &message);
        match nearest(name, known) {
            Some(nearest) => error.with_help(format!("did you mean `{nearest}`?")),
            None => error.with_help("settings have the names of flags, such as `model`"),
        }
    }

    /// An error at a place of the file.
    fn error(&self, exit: ExitStatus, at: usize, message: &str) -> CliError {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        CliError::new(exit, format!("{}:{line}:{column}: {message}", shown(&self.file.path))).with_help(NO_CONFIG)
    }
}

/// The command of these names.
fn command<'c>(cli: &'c Command, names: &[&str]) -> Option<&'c Command> {
    names.iter().try_fold(cli, |command, name| command.find_subcommand(name))
}

/// Every command, also those in `batch`.
fn every_command(cli: &Command) -> impl Iterator<Item = &Command> {
    let inner = cli.get_subcommands().flat_map(Command::get_subcommands);
    cli.get_subcommands().chain(inner)
}

fn longs(command: &Command) -> impl Iterator<Item = &str> {
    command.get_arguments().filter(|arg| !arg.is_hide_set()).filter_map(Arg::get_long)
}

fn flag<'c>(command: &'c Command, name: &str) -> Option<&'c Arg> {
    command.get_arguments().find(|arg| arg.get_long() == Some(name) && !arg.is_hide_set())
}
