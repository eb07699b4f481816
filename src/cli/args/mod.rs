//! The arguments of the command line: clap types only.

mod batch;
mod common;
mod convert;
mod inspect;
mod parts;
mod turn;

use std::path::PathBuf;

use clap::{Parser, Subcommand};
use clap_complete::Shell;

pub(crate) use batch::{BatchArgs, BatchCommand, BatchRequestsArgs, BatchResultsArgs};
pub(crate) use common::{Common, FileArgs, InputArgs, OutputArgs, ProgramArgs, ShapeArgs, Whitespace, WhitespaceArgs};
pub(crate) use convert::{FromResponseArgs, RequestArgs, SessionView, ToRequestArgs, ToolOutput};
pub(crate) use inspect::{
    CheckArgs, CheckFormat, ExplainArgs, FmtArgs, LocateArgs, MediaArgs, ParseArgs, ShowArgs, StatsArgs,
};
pub(crate) use parts::{PartArg, PartArgs};
pub(crate) use turn::{AnswerArgs, CallFormat, CallsArgs, NewArgs, SendArgs};

const EXAMPLES: &str = "\
Examples:
  chatmd new chat.md                            a document to start from
  chatmd send chat.md                           sends it and appends the answer
  chatmd to-request chat.md \\
    | curl -sS https://api.openai.com/v1/responses -d @- \\
        -H \"Authorization: Bearer $OPENAI_API_KEY\" -H 'Content-Type: application/json' \\
    | chatmd from-response --append chat.md
  chatmd to-request --input-only chat.md        only the `input` array
  chatmd parse chat.md                          the syntax tree as JSON";

/// Convert ChatMarkdown documents to OpenAI Responses API requests and back, losing nothing
#[derive(Debug, Parser)]
#[command(version, before_long_help = EXAMPLES, disable_help_subcommand = true)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) color: colorchoice_clap::Color,
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) command: Command,
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
  chatmd to-request --input-only - < chat.md")]
    ToRequest(Box<ToRequestArgs>),
    /// Convert a response, stream, request or items to a document
    #[command(before_long_help = "\
Examples:
  chatmd from-response response.json
  curl … | chatmd from-response --append chat.md --reply
  chatmd from-response --tool-output items request.json -o chat.md")]
    FromResponse(FromResponseArgs),
    /// Create a small document to start from
    #[command(before_long_help = "\
Examples:
  chatmd new chat.md
  chatmd new --model gpt-5-mini chat.md")]
    New(NewArgs),
    /// Send a document with curl, show the answer, and append it
    #[command(before_long_help = "\
Examples:
  chatmd send chat.md
  chatmd send --model gpt-5 --reply --retries 3 chat.md
  chatmd send --dry-run chat.md
  OPENAI_BASE_URL=http://localhost:8000/v1 chatmd send chat.md

The URL is `OPENAI_BASE_URL` (by default https://api.openai.com/v1) and `/responses`. The key is `OPENAI_API_KEY`;
without one, no key is sent. Ctrl-C stops the answer, and whatever has arrived is appended. Nothing is sent if the
document has errors, or a call that waits for its output.")]
    Send(Box<SendArgs>),
    /// List the tool calls that wait for their outputs
    #[command(before_long_help = "\
Examples:
  chatmd calls chat.md
  chatmd calls chat.md | jq -r .name
  chatmd calls --format tsv chat.md | while IFS=$'\\t' read -r id name arguments; do … done")]
    Calls(CallsArgs),
    /// Add the output of a tool to a document, after the call that it answers
    #[command(before_long_help = "\
Examples:
  ./weather Zürich | chatmd answer chat.md call_1
  chatmd answer chat.md call_1 --image chart.png
  echo 'The chart:' | chatmd answer chat.md call_1 - --image chart.png --media pictures
  chatmd answer chat.md call_1 --json output.json
  echo approve | chatmd answer chat.md mcpr_1

Standard input is the text of the output, byte for byte. It cannot become markup. With `--image`, `--file` or `--json`,
standard input is read only if `-` is given.")]
    Answer(AnswerArgs),
    /// Show a document as a readable transcript
    #[command(before_long_help = "\
Examples:
  chatmd show chat.md
  chatmd show --full chat.md                    calls, outputs and reasoning too
  chatmd show --plain chat.md > chat.txt
  diff <(chatmd show --plain old.md) <(chatmd show --plain new.md)")]
    Show(ShowArgs),
    /// Report errors in documents, and everything that the API would reject
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
    Explain(ExplainArgs),
    /// Format documents without changing their meaning
    #[command(before_long_help = "\
Examples:
  chatmd fmt chat.md
  chatmd fmt --check --diff *.md
  chatmd fmt - < chat.md")]
    Fmt(FmtArgs),
    /// List the files in a media directory that no document uses
    #[command(before_long_help = "\
Examples:
  chatmd media pictures *.md
  chatmd media --prune pictures *.md")]
    Media(MediaArgs),
    /// Show which line of a document a part of its request comes from
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
    /// Convert many documents to Batch API lines, and append the results
    #[command(subcommand)]
    Batch(BatchCommand),
    /// Print shell completions
    Completions {
        /// Shell to print completions for
        shell: Shell,
    },
    /// Print the manual page, or write a page for each command
    #[command(before_long_help = "\
Examples:
  chatmd man | man -l -
  chatmd man --dir ~/.local/share/man/man1")]
    Man {
        /// Write `chatmd.1`, `chatmd-send.1` and so on to this directory
        #[arg(long, value_name = "OUT")]
        dir: Option<PathBuf>,
    },
}
