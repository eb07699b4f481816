//! The keys and values of a file of settings.

use std::any::TypeId;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, Command};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::find::{SettingsFile, from_current_dir};
use crate::cli::commands::check::allowed_rule;
use crate::cli::error::{ExitStatus, Failure, Result};
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

/// The words of each flag, as they would stand on the command line.
pub(super) type Flags = BTreeMap<String, Vec<String>>;

/// What a file sets for a command.
pub(super) struct Settings {
    /// Those of the command's table win.
    pub(super) flags: Flags,
    /// The directories that a file near a document names for media, of any command.
    pub(super) media: Vec<PathBuf>,
}

/// The settings of a file for a command. Those of all other commands are checked too.
pub(super) fn read(file: &SettingsFile, cli: &Command, names: &[&str]) -> Result<Settings> {
    let text = read_text(file)?;
    let mut reader =
        Reader { file, text: &text, cli, names, general: Flags::new(), own: Flags::new(), media: Vec::new() };
    let table = DeTable::parse(&text).map_err(|error| {
        reader.error(ExitStatus::Malformed, error.span().unwrap_or_default().start, error.message())
    })?;
    reader.table(cli, &[], table.get_ref())?;
    reader.general.append(&mut reader.own);
    Ok(Settings { flags: reader.general, media: reader.media })
}

fn read_text(file: &SettingsFile) -> Result<String> {
    let name = shown(&file.path);
    let metadata = fs::metadata(&file.path).map_err(|error| read_error(&name, &error))?;
    let refused = |what: &str| Failure::new(ExitStatus::Refused, format!("{name} {what}")).with_help(NO_CONFIG);
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
        .map_err(|_| Failure::new(ExitStatus::Malformed, format!("{name} is not UTF-8")).with_help(NO_CONFIG))
}

const NO_CONFIG: &str = "`--no-config` reads no such file";

/// The file that is read, and the command line that knows the flags.
struct Reader<'r> {
    file: &'r SettingsFile,
    text: &'r str,
    cli: &'r Command,
    /// The names of the command that is run.
    names: &'r [&'r str],
    /// The settings at the top level, and in the table of the command.
    general: Flags,
    own: Flags,
    media: Vec<PathBuf>,
}

type Key<'k> = Spanned<std::borrow::Cow<'k, str>>;

impl Reader<'_> {
    /// Reads the table of a command, and the tables of the commands in it. Without a `path`, it is the top level.
    fn table(&mut self, command: &Command, path: &[&str], table: &DeTable<'_>) -> Result<()> {
        let cli = self.cli;
        for (key, value) in table {
            let name = key.get_ref().as_ref();
            if let (DeValue::Table(inner), Some(command)) = (value.get_ref(), command.find_subcommand(name)) {
                self.table(command, &[path, &[command.get_name()]].concat(), inner)?;
                continue;
            }
            // At the top level, the type is that of the flag of this command, if it has one.
            let is_general = path.is_empty();
            let of = if is_general { self.names } else { path };
            let own = of.iter().try_fold(cli, |command, name| command.find_subcommand(name));
            let own = own.and_then(|command| flag(command, name)).or_else(|| flag(cli, name));
            let any = || every_command(cli).find_map(|command| flag(command, name)).filter(|_| is_general);
            let Some(arg) = own.or_else(any) else {
                return Err(self.unknown(command, path, key, matches!(value.get_ref(), DeValue::Table(_))));
            };
            let words = self.words(arg, key, value)?;
            if own.is_some() {
                self.require_valid(of, key, &words)?;
            }
            if own.is_some() && of == self.names {
                let flags = if is_general { &mut self.general } else { &mut self.own };
                flags.insert(name.to_owned(), words);
            }
        }
        Ok(())
    }

    /// The words of a key, of the type that its flag takes.
    fn words(&mut self, arg: &Arg, key: &Key<'_>, value: &Spanned<DeValue<'_>>) -> Result<Vec<String>> {
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
        let is_switch = matches!(arg.get_action(), ArgAction::SetTrue);
        let is_list = matches!(arg.get_action(), ArgAction::Append);
        let numbers = [TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<usize>()];
        let is_number = numbers.iter().any(|number| arg.get_value_parser().type_id() == *number);
        let word = |value: &DeValue<'_>| match value {
            DeValue::Boolean(is_set) if is_switch => Some(is_set.to_string()),
            DeValue::Integer(number) if is_number && number.radix() == 10 => Some(number.as_str().to_owned()),
            DeValue::String(text) if !is_switch && !is_number => Some(text.to_string()),
            _ => None,
        };
        let words: Option<Vec<String>> = match value.get_ref() {
            DeValue::Array(values) if is_list => values.iter().map(|value| word(value.get_ref())).collect(),
            value => word(value).map(|word| vec![word]),
        };
        let words = words.ok_or_else(|| {
            let expected = match (is_switch, is_list, is_number) {
                (true, ..) => "true or false",
                (_, true, _) => "a string or an array of strings",
                (_, _, true) => "a whole number",
                (..) => "a string",
            };
            self.error(ExitStatus::Malformed, value.span().start, &format!("`{name}` must be {expected}"))
        })?;
        match name {
            "strict" if !self.file.is_of_user && words == ["false"] => {
                Err(self.error(ExitStatus::Refused, at, "a file near a document may only set `strict = true`"))
            }
            "allow" => {
                let names = words.iter().flat_map(|word| word.split(','));
                names.map(allowed_rule).collect::<Result<Vec<_>, _>>().map_err(|error| {
                    let message = error.message();
                    self.error(ExitStatus::Malformed, at, &message).with_help(error.help.unwrap_or_default())
                })
            }
            "media" if !self.file.is_of_user && words != ["inline"] => Ok(vec![self.media_below(at, &words.concat())?]),
            _ => Ok(words),
        }
    }

    /// A directory for media, which must be below that of the file.
    fn media_below(&mut self, at: usize, media: &str) -> Result<String> {
        let is_plain =
            Path::new(media).components().all(|step| matches!(step, Component::Normal(_) | Component::CurDir));
        let path = self.file.directory.join(media);
        // Links are resolved, so that the directory is really there.
        let real = resolve(&path);
        if !is_plain || !real.starts_with(&self.file.directory) || real == self.file.directory {
            let message = "`media` must be a directory below that of the file";
            return Err(self.error(ExitStatus::Refused, at, message));
        }
        let from_here = from_current_dir(&path);
        self.media.push(path);
        Ok(from_here.to_string_lossy().into_owned())
    }

    /// Returns an error unless the command takes the value.
    fn require_valid(&self, names: &[&str], key: &Key<'_>, words: &[String]) -> Result<()> {
        let name = key.get_ref().as_ref();
        for word in words.iter().filter(|word| !["true", "false"].contains(&word.as_str())) {
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

    /// The error for a key that is neither a flag nor a command.
    fn unknown(&self, command: &Command, path: &[&str], key: &Key<'_>, is_table: bool) -> Failure {
        let name = key.get_ref().as_ref();
        let (what, known): (_, Vec<&str>) = match path {
            [] if is_table => ("command".to_owned(), self.cli.get_subcommands().map(Command::get_name).collect()),
            [] => ("setting".to_owned(), every_command(self.cli).chain([self.cli]).flat_map(longs).collect()),
            path => (format!("setting of `{}`", path.join(" ")), longs(command).chain(longs(self.cli)).collect()),
        };
        let message = format!("unknown {what} `{}`", sanitize_short(name, MAX_NAME_CHARS));
        let error = self.error(ExitStatus::Malformed, key.span().start, &message);
        match nearest(name, known) {
            Some(nearest) => error.with_help(format!("did you mean `{nearest}`?")),
            None => error.with_help("settings have the names of flags, such as `model`"),
        }
    }

    /// An error at a place of the file.
    fn error(&self, exit: ExitStatus, at: usize, message: &str) -> Failure {
        let before = self.text.get(..at).unwrap_or(self.text);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        Failure::new(exit, format!("{}:{line}:{column}: {message}", shown(&self.file.path))).with_help(NO_CONFIG)
    }
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
