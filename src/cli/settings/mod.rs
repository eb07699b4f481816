//! `chatmd.toml`: values of flags that are not given. A flag wins, then the environment, the file near the document, and the
//! file of the user.

mod find;
mod read;

use std::collections::BTreeMap;
use std::env;
use std::path::PathBuf;
use std::sync::OnceLock;

use clap::parser::ValueSource;
use clap::{ArgAction, ArgMatches, Command, FromArgMatches};

use crate::cli::args::{self, Cli, WITHOUT_SETTINGS};
use crate::cli::error::Result;
use crate::cli::paths::shown;
use crate::cli::report::note;
use find::{SettingsFile, from_current_dir};
use read::Flags;

/// Flags whose value in a file is only a default: that of a document wins.
const DEFAULTS_OF_DOCUMENTS: [&str; 2] = ["model", "api"];
/// The variables that win over a file.
const VARIABLES: [(&str, &str); 4] =
    [("model", "CHATMD_MODEL"), ("api", "CHATMD_API"), ("send-command", "CHATMD_SEND_COMMAND"), ("color", "NO_COLOR")];

/// What the files say about documents, and not about flags.
#[derive(Debug, Default)]
struct OfDocuments {
    /// The model and the API of documents that do not name one.
    defaults: BTreeMap<String, String>,
    /// The directories of `media` in the file near the documents.
    media: Vec<PathBuf>,
}

static OF_DOCUMENTS: OnceLock<OfDocuments> = OnceLock::new();

/// The value of a file for documents that have none, such as the model.
pub(crate) fn document_default(key: &str) -> Option<String> {
    OF_DOCUMENTS.get().and_then(|found| found.defaults.get(key)).cloned()
}

/// The directories that the file near the documents names for their media. The documents may read them: whoever wrote the
/// file could also have put a document next to it.
pub(crate) fn media_directories() -> &'static [PathBuf] {
    OF_DOCUMENTS.get().map_or(&[], |found| &found.media)
}

/// The command line with the values of the files, or `None` if they have none for this command.
pub(crate) fn with_files(matches: &ArgMatches) -> Result<Option<Cli>> {
    let (names, inner) = subcommand(matches);
    if matches.get_flag("no_config") || names.first().is_none_or(|name| WITHOUT_SETTINGS.contains(name)) {
        return Ok(None);
    }
    let mut cli = args::command();
    let mut values = Flags::new();
    let (mut used, mut media) = (Vec::new(), Vec::new());
    for file in find::files(&names, inner) {
        let found = read::read(&file, &cli, &names)?;
        let is_new =
            |key: &str| !values.contains_key(key) && !is_given(key, inner) && !does_nothing(&names, key, inner);
        let new: Flags = found.flags.into_iter().filter(|(key, _)| is_new(key)).collect();
        used.push(used_note(&file, &new, &found.media));
        values.extend(new);
        media.extend(found.media);
    }
    let is_set = |id: &str| inner.try_get_one::<bool>(id).ok().flatten().copied().unwrap_or_default();
    // These runs show where their settings come from.
    if is_set("dry_run") || is_set("deps") {
        for text in used {
            note(&text);
        }
    }
    let (defaults, flags): (Flags, Flags) =
        values.into_iter().partition(|(key, _)| DEFAULTS_OF_DOCUMENTS.contains(&key.as_str()));
    let defaults = defaults.into_iter().filter_map(|(key, value)| Some((key, value.into_iter().next()?)));
    // There is one command line, so this is the only call.
    let _ = OF_DOCUMENTS.set(OfDocuments { defaults: defaults.collect(), media });
    if flags.is_empty() {
        return Ok(None);
    }
    for (key, words) in flags {
        cli = with_default(cli, &names, &key, &words);
    }
    // A value that does not fit was refused with its place.
    Ok(cli.try_get_matches_from(env::args_os()).and_then(|matches| Cli::from_arg_matches(&matches)).ok())
}

/// The names of the command, such as `batch` and `requests`, and its own arguments.
fn subcommand(matches: &ArgMatches) -> (Vec<&str>, &ArgMatches) {
    let (mut names, mut inner) = (Vec::new(), matches);
    while let Some((name, more)) = inner.subcommand() {
        names.push(name);
        inner = more;
    }
    (names, inner)
}

/// Whether a flag is on the command line, or a variable that wins over the files is set.
fn is_given(key: &str, matches: &ArgMatches) -> bool {
    let is_set = |name: &str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let mut variables = VARIABLES.iter().filter(|(flag, _)| *flag == key).map(|(_, name)| *name);
    is_on_command_line(&key.replace('-', "_"), matches) || variables.any(is_set)
}

fn is_on_command_line(id: &str, matches: &ArgMatches) -> bool {
    matches.try_contains_id(id).is_ok() && matches.value_source(id) == Some(ValueSource::CommandLine)
}

/// Whether a flag would be an error on this command line, because it does nothing there.
fn does_nothing(names: &[&str], key: &str, matches: &ArgMatches) -> bool {
    let has_any = |ids: &[&str]| ids.iter().any(|id| is_on_command_line(id, matches));
    match (names, key) {
        (["from-response"], "instructions" | "stateless") => !has_any(&["append", "document"]),
        (["batch", _], "url" | "root") => find::documents(names, matches).is_empty(),
        (["answer"], "media") => !has_any(&["image", "attach", "json"]),
        (_, _) => false,
    }
}

/// What a file sets, and which directories documents may read because of it.
fn used_note(file: &SettingsFile, flags: &Flags, media: &[PathBuf]) -> String {
    let keys: Vec<&str> = flags.keys().map(String::as_str).collect();
    let keys = if keys.is_empty() { "nothing here".to_owned() } else { keys.join(", ") };
    let may_read =
        media.iter().map(|directory| format!("; documents may read {}", shown(&from_current_dir(directory))));
    format!("{} sets {keys}{}", shown(&file.path), may_read.collect::<String>())
}

/// The command line with another default of a flag.
fn with_default(cli: Command, names: &[&str], key: &str, words: &[String]) -> Command {
    let id = cli.get_arguments().find(|arg| arg.get_long() == Some(key)).map(|arg| arg.get_id().clone());
    match (id, names) {
        (Some(id), _) => cli.mut_arg(id, |arg| match arg.get_action() {
            ArgAction::Append => arg.default_values(words.to_vec()),
            _ => arg.default_value(words.concat()),
        }),
        (None, [name, rest @ ..]) => cli.mut_subcommand(name, |inner| with_default(inner, rest, key, words)),
        (None, []) => cli,
    }
}
