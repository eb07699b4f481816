//! The arguments of the command line: clap types only.

mod batch;
mod common;
mod convert;
mod groups;
mod inspect;
mod parts;
mod render;
mod suggest;
mod turn;
mod values;

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Arg, ArgAction, ArgMatches, CommandFactory, Parser, Subcommand};
use clap_complete::Shell;

pub(crate) use batch::{BatchCommand, BatchRequestsArgs, BatchResultsArgs};
pub(crate) use common::{
    ApiArgs, AppendArgs, Common, DocumentArgs, FileArgs, InputArgs, OutputArgs, ProgramArgs, ReadArgs, ReplyArgs,
    SessionArgs, ShapeArgs, WhitespaceArgs,
};
pub(crate) use convert::{FromResponseArgs, LedgerArgs, RequestArgs, ToRequestArgs};
pub(crate) use inspect::{CheckArgs, CheckFormat, FmtArgs, LocateArgs, MediaArgs, ParseArgs, ShowArgs, StatsArgs};
pub(crate) use parts::{PartArg, PartArgs};
pub(crate) use render::{Redact, RenderArgs};
pub(crate) use suggest::with_tip;
pub(crate) use turn::{AnswerArgs, AskArgs, CallFormat, CallsArgs, CutArgs, NewArgs, SendArgs, TurnArgs};

const EXAMPLES: &str = "\
Examples:
  chatmd new chat.md                            a document to start from
  chatmd send chat.md                           sends it and appends the answer
  git diff | chatmd ask \"Review this.\"          one question, nothing is stored
  chatmd to-request chat.md \\
    | curl -sS https://api.openai.com/v1/responses -d @- \\
        -H \"Authorization: Bearer $OPENAI_API_KEY\" -H 'Content-Type: application/json' \\
    | chatmd from-response --append chat.md
  chatmd to-request --input-only chat.md        only the `input` array
  chatmd parse chat.md                          the syntax tree as JSON";

/// Convert ChatMarkdown documents to requests of language-model APIs and back, losing nothing
#[derive(Debug, Parser)]
#[command(version = env!("CHATMD_VERSION"), before_long_help = EXAMPLES, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) color: colorchoice_clap::Color,
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
}

const TEMPLATE: &str = "{about-with-newline}\n{usage-heading} {usage}\n\n{before-help}{all-args}{after-help}";

/// The place of options that every command has: after its own ones.
pub(crate) const LAST: usize = 900;

/// The commands that do not read documents. `--strict` has no effect on them.
const WITHOUT_WARNINGS: [&str; 5] = ["new", "explain", "completions", "man", "help"];
/// The commands that need no settings. `--no-config` has no effect on them.
pub(crate) const WITHOUT_SETTINGS: [&str; 4] = ["explain", "completions", "man", "help"];

/// The whole command line.
pub(crate) fn command() -> clap::Command {
    // An argument of the command itself replaces the global one, which would be listed in its help.
    let without = |cli: clap::Command, id: &'static str, commands: &[&str]| {
        let hidden = Arg::new(id).long(id.replace('_', "-")).hide(true).action(ArgAction::SetTrue);
        commands.iter().fold(cli, |cli, name| cli.mut_subcommand(name, |one| one.arg(&hidden)))
    };
    let cli = without(without(Cli::command(), "strict", &WITHOUT_WARNINGS), "no_config", &WITHOUT_SETTINGS);
    let cli = cli.mut_arg("color", |color| color.display_order(LAST).help("When to use colours"));
    let template = groups::template(&cli);
    with_template(cli).help_template(template)
}

/// Shows the examples after the usage, not before everything else.
fn with_template(command: clap::Command) -> clap::Command {
    command.help_template(TEMPLATE).mut_subcommands(with_template)
}

/// The first example of the command that these words name.
pub(crate) fn first_example(words: impl IntoIterator<Item = String>) -> String {
    let cli = command();
    let command = words.into_iter().fold(&cli, |command, word| command.find_subcommand(word).unwrap_or(command));
    let examples = command.get_before_long_help().map(ToString::to_string).unwrap_or_default();
    examples.lines().nth(1).unwrap_or_default().trim().to_owned()
}

/// Reads the command line, without the values of files.
pub(crate) fn parse() -> Result<ArgMatches, clap::Error> {
    let mut command = command();
    let matches = command.try_get_matches_from_mut(std::env::args_os()).map_err(with_tip)?;
    let name = matches.subcommand_name().unwrap_or_default();
    if matches.get_flag("strict") && WITHOUT_WARNINGS.contains(&name) {
        let message = format!("`--strict` treats warnings as errors, and `{name}` has no warnings");
        return Err(command.error(ErrorKind::ArgumentConflict, message));
    }
    if matches.get_flag("no_config") && WITHOUT_SETTINGS.contains(&name) {
        let message = format!("`--no-config` reads no `chatmd.toml`, and `{name}` never does");
        return Err(command.error(ErrorKind::ArgumentConflict, message));
    }
    Ok(matches)
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Convert a document to request JSON
    #[command(before_long_help = "\
Examples:
  chatmd to-request chat.md
  chatmd to-request --model gpt-5 --compact chat.md
  chatmd to-request --stateless --set 'reasoning.summary=\"auto\"' chat.md
  chatmd to-request --fetch-command 'curl -fsSL --globoff' chat.md
  chatmd to-request --input-only - < chat.md
  chatmd to-request --api messages --ledger changes.jsonl chat.md")]
    ToRequest(Box<ToRequestArgs>),
    /// Convert a response or a session to a document
    #[command(before_long_help = "\
Examples:
  chatmd from-response response.json
  curl … | chatmd from-response --append chat.md --next
  chatmd import session.jsonl -o chat.md        `import` is another name of this command")]
    #[command(visible_alias = "import")]
    FromResponse(FromResponseArgs),
    /// Create a small document to start from
    #[command(before_long_help = "\
Examples:
  chatmd new chat.md
  chatmd new --model gpt-5-mini chat.md
  chatmd new --api messages chat.md             a document for the Anthropic Messages API")]
    New(NewArgs),
    /// Send a document with curl, print the answer, and append it
    #[command(before_long_help = "\
Examples:
  chatmd send chat.md
  chatmd send --model gpt-5 --next --retries 3 chat.md
  chatmd send --dry-run chat.md
  OPENAI_BASE_URL=http://localhost:8000/v1 chatmd send chat.md

The URL is `OPENAI_BASE_URL` (by default https://api.openai.com/v1) followed by `/responses`, or by `/chat/completions` \
with `--api chat`; the key is `OPENAI_API_KEY`. With `--api messages`, the URL is `ANTHROPIC_BASE_URL` (by default \
https://api.anthropic.com) followed by `/v1/messages`, and the key is `ANTHROPIC_API_KEY`. Without a key, no key is sent. \
Ctrl-C stops the answer, and whatever has arrived is appended. Nothing is \
sent if the document has errors, or a call that waits for its output.")]
    Send(Box<SendArgs>),
    /// Ask a question, with or without a document; print the answer
    #[command(before_long_help = "\
Examples:
  git diff | chatmd ask \"Review this.\"                      one question, nothing is stored
  chatmd ask -f chat.md \"And tomorrow?\"                     adds a `<user>` to chat.md, sends it, appends the answer
  chatmd ask -f chat.md --attach chart.png \"Compare.\"
  git diff | chatmd ask -f review.chat.md --no-send \"Review this.\"

The arguments and standard input are one message of two parts. No text can become markup. If the request fails, the \
message stays in the document, and `chatmd send` sends it again. In a loop that reads lines, give `</dev/null`.")]
    Ask(Box<AskArgs>),
    /// List the tool calls that wait for their outputs
    #[command(before_long_help = "\
Examples:
  chatmd calls chat.md
  chatmd calls chat.md | jq -r .name
  chatmd calls --format tsv chat.md | while IFS=$'\\t' read -r id name arguments; do … done")]
    Calls(CallsArgs),
    /// Add the output of a tool after the call that it answers
    #[command(before_long_help = "\
Examples:
  ./weather Zürich | chatmd answer chat.md call_1
  chatmd answer chat.md call_1 --image chart.png
  echo 'The chart:' | chatmd answer chat.md call_1 - --image chart.png --media pictures
  chatmd answer chat.md call_1 --json output.json
  echo approve | chatmd answer chat.md mcpr_1

Standard input is the text of the output, byte for byte. It cannot become markup. With `--image`, `--file` or `--json`, \
standard input is read only if `-` is given.")]
    Answer(AnswerArgs),
    /// Remove the end of a document: undo an answer, or start a fork
    #[command(before_long_help = "\
Examples:
  chatmd cut chat.md                            removes the answer to the last `<user>`
  chatmd cut chat.md 'input[12]'                keeps everything up to this item
  chatmd cut chat.md 40 -o fork.md              keeps everything up to the element on line 40, in a copy

The place is kept as a whole. Calls keep their outputs, and reasoning keeps the item after it, so that the document can \
be sent as it is.")]
    Cut(CutArgs),
    /// Show a document as a readable transcript
    #[command(before_long_help = "\
Examples:
  chatmd show chat.md
  chatmd show --full chat.md                    calls, outputs and reasoning too
  chatmd show --plain chat.md > chat.txt
  diff <(chatmd show --plain old.md) <(chatmd show --plain new.md)")]
    Show(ShowArgs),
    /// Make one self-contained HTML page of a document
    #[command(before_long_help = "\
Examples:
  chatmd render chat.md -o chat.html
  chatmd render --open chat.md                  makes a page and opens it in a browser
  chatmd render --redact chat.md -o chat.html   without the secrets that `check` knows
  chatmd render --extract chat.html             prints the document that the page holds

The page runs no script and loads nothing. Images are in it. It is also made of anything that `from-response` takes.")]
    Render(Box<RenderArgs>),
    /// Report errors, and everything that the API would reject
    #[command(before_long_help = "\
Examples:
  chatmd check chat.md
  chatmd check .                                every document below this directory
  chatmd check request.json                     JSON; problems are reported by their paths
  chatmd check --fix --diff *.md
  chatmd check --format github --strict *.md
  chatmd check --allow secret,base64-in-text chat.md
  chatmd check --deps chat.md")]
    Check(Box<CheckArgs>),
    /// Explain a rule of `check`, with examples
    #[command(before_long_help = "\
Examples:
  chatmd explain                                all rules
  chatmd explain call-without-output")]
    Explain {
        /// Name of a rule; lists all rules if omitted
        rule: Option<String>,
    },
    /// Format documents without changing their meaning
    #[command(before_long_help = "\
Examples:
  chatmd fmt chat.md
  chatmd fmt --check --diff *.md
  chatmd fmt - < chat.md")]
    Fmt(FmtArgs),
    /// List the files that `--media` wrote and that no document uses
    #[command(before_long_help = "\
Examples:
  chatmd media pictures *.md
  chatmd media --prune pictures *.md")]
    Media(MediaArgs),
    /// Show which line a part of a request comes from
    #[command(before_long_help = "\
Examples:
  chatmd locate chat.md 'input[25].output[0].image_url'
  chatmd locate chat.md /input/3/content/0")]
    Locate(LocateArgs),
    /// Show the size of a document: bytes, images and estimated tokens
    #[command(before_long_help = "\
Examples:
  chatmd stats chat.md
  chatmd stats --top 5 chat.md                  the largest items
  chatmd stats --max-tokens 100000 chat.md && chatmd to-request chat.md | …
  chatmd stats --json chat.md | jq .total.tokens")]
    Stats(Box<StatsArgs>),
    /// Print the syntax tree as JSON, with byte spans
    #[command(before_long_help = "\
Examples:
  chatmd parse chat.md
  chatmd parse --whitespace verbatim chat.md | jq '.[0].children'")]
    Parse(ParseArgs),
    /// Convert many documents to Batch API lines, and append results
    #[command(
        subcommand,
        before_long_help = "\
Examples:
  chatmd batch requests chats > batch.jsonl
  chatmd batch results output.jsonl
  chatmd batch results messages.jsonl chats     results of the Messages API"
    )]
    Batch(BatchCommand),
    /// Print shell completions
    #[command(before_long_help = "\
Examples:
  chatmd completions bash > ~/.local/share/bash-completion/completions/chatmd
  chatmd completions zsh > ~/.zfunc/_chatmd
  chatmd completions fish > ~/.config/fish/completions/chatmd.fish")]
    Completions {
        /// Shell to print completions for
        shell: Shell,
    },
    /// Print the manual page, or write a page for each command
    #[command(before_long_help = "\
Examples:
  chatmd man | man -l -
  chatmd man --dir ~/.local/share/man           then `man chatmd-send`")]
    Man {
        /// Write `man1/chatmd.1`, `man1/chatmd-send.1`, `man7/chatmd-language.7` and so on to this directory
        #[arg(long, value_name = "OUT")]
        dir: Option<PathBuf>,
    },
    /// Print the help of a command, or the language reference
    #[command(before_long_help = "\
Examples:
  chatmd help send
  chatmd help batch requests
  chatmd help language                          what a document may contain")]
    Help {
        /// A command, or `language`; everything if omitted
        #[arg(value_name = "COMMAND")]
        topic: Vec<String>,
    },
}
