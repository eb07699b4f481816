//! The arguments of the commands for a whole turn.

use std::path::PathBuf;

use clap::builder::NonEmptyStringValueParser;
use clap::{Args, ValueEnum};

use super::{ApiArgs, DocumentArgs, LedgerArgs, PartArgs, ProgramArgs, ReadArgs, ReplyArgs, RequestArgs};

#[derive(Debug, Args)]
pub(crate) struct CallsArgs {
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: CallFormat,
    #[command(flatten)]
    pub(crate) source: DocumentArgs,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CallFormat {
    /// One JSON object per line
    #[default]
    Json,
    /// Id, name and arguments as JSON, separated by tabs; for shell loops
    Tsv,
}

#[derive(Debug, Args)]
pub(crate) struct AnswerArgs {
    /// Document to add the output to
    pub(crate) file: PathBuf,
    /// Id of the call, as `chatmd calls` lists it
    pub(crate) call_id: String,
    #[command(flatten)]
    pub(crate) parts: PartArgs,
    /// Take the output from this JSON file, `-` for standard input: a string, an array of parts, or the result of an MCP server
    #[arg(long, value_name = "FILE", conflicts_with_all = ["image", "attach", "text"])]
    pub(crate) json: Option<PathBuf>,
    /// Mark the output as a failure, for people; the request stays the same
    #[arg(long)]
    pub(crate) error: bool,
    /// Copy images and files to this directory, and refer to the copies
    #[arg(long, value_name = "DIR")]
    pub(crate) media: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

#[derive(Debug, Args)]
pub(crate) struct SendArgs {
    /// Document to send; the answer is appended to it
    pub(crate) file: PathBuf,
    /// Ask for another answer to the last message; it takes the place of everything after that message
    #[arg(long, conflicts_with = "continues")]
    pub(crate) again: bool,
    /// Let the model continue a complete answer at the end of the document
    #[arg(long = "continue")]
    pub(crate) continues: bool,
    #[command(flatten)]
    pub(crate) send: TurnArgs,
}

#[derive(Debug, Args)]
pub(crate) struct AskArgs {
    /// Words of the message; standard input follows them as a part of its own, unless it is a terminal
    pub(crate) text: Vec<String>,
    /// Add the message to this document, creating it if needed, and append the answer
    #[arg(short, long, value_name = "DOC", display_order = 0)]
    pub(crate) file: Option<PathBuf>,
    /// Add an image, a PDF or a text file after the text, `-` for standard input; may be repeated
    #[arg(long, value_name = "PATH", display_order = 1)]
    pub(crate) attach: Vec<PathBuf>,
    /// System message of a document that has no messages yet
    #[arg(short, long, value_name = "TEXT", display_order = 2)]
    pub(crate) system: Option<String>,
    /// Write the text in `$VISUAL` or `$EDITOR`
    #[arg(long, display_order = 3)]
    pub(crate) edit: bool,
    /// Only add the message to the document
    #[arg(long, requires = "file", conflicts_with = "output", display_order = 4)]
    pub(crate) no_send: bool,
    /// Write the conversation to this file
    #[arg(short, long, value_name = "OUT", conflicts_with = "file", display_order = 5)]
    pub(crate) output: Option<PathBuf>,
    /// Replace OUT even if it has other content
    #[arg(long, requires = "output", display_order = 6)]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) send: TurnArgs,
}

/// How a turn is sent, and how the answer is written.
#[derive(Debug, Args)]
pub(crate) struct TurnArgs {
    #[command(flatten)]
    pub(crate) request: RequestArgs,
    #[command(flatten)]
    pub(crate) ledger: LedgerArgs,
    /// Answer each function or custom call with the program of its name in this directory, and send again until no call
    /// waits
    #[arg(long, value_name = "DIR", group = "program")]
    pub(crate) run: Option<PathBuf>,
    /// Ask on the terminal before each program is run
    #[arg(long, requires = "run")]
    pub(crate) confirm: bool,
    /// Send at most N requests
    #[arg(long, value_name = "N", default_value_t = 10, requires = "run")]
    pub(crate) max_rounds: usize,
    /// Print what would be run, without the key, and send nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Wait for the whole answer instead of showing it as it arrives
    #[arg(long)]
    pub(crate) no_stream: bool,
    /// Try again N times after status 429, a server error or a failed connection, unless an answer has begun
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with = "send_command")]
    pub(crate) retries: u32,
    /// Send the key in this header, such as `api-key`, instead of that of the API
    #[arg(long, value_name = "NAME", conflicts_with = "send_command")]
    pub(crate) key_header: Option<String>,
    /// Send this header, too, as `Name: value`; may be repeated
    #[arg(long, value_name = "HEADER", conflicts_with = "send_command")]
    pub(crate) header: Vec<String>,
    /// Send with this command instead of curl: it gets the request on standard input and the URL in `CHATMD_URL`, and
    /// prints the response. `CHATMD_SEND_COMMAND` sets the default
    #[arg(long, value_name = "CMD")]
    pub(crate) send_command: Option<String>,
    /// Do not show reasoning, calls, progress and tokens on standard error; warnings and errors are shown
    #[arg(short, long)]
    pub(crate) quiet: bool,
    #[command(flatten)]
    pub(crate) reply: ReplyArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) programs: ProgramArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CutArgs {
    /// Document to shorten
    pub(crate) file: PathBuf,
    /// Last part to keep: a path of the request such as `input[12]`, or a line number [default: the last `<user>` with
    /// content]
    pub(crate) place: Option<String>,
    /// Write the result to this file, and leave the document as it is
    #[arg(short, long, value_name = "NEW")]
    pub(crate) output: Option<PathBuf>,
    /// Replace NEW even if it has other content
    #[arg(long, requires = "output")]
    pub(crate) force: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

#[derive(Debug, Args)]
pub(crate) struct NewArgs {
    /// File to create; standard output if omitted or `-`
    pub(crate) file: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) api: ApiArgs,
    /// Model of the document [default: `CHATMD_MODEL`, or a model of the API]
    #[arg(short, long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) model: Option<String>,
    /// System message of the document
    #[arg(short, long, value_name = "TEXT")]
    pub(crate) system: Option<String>,
}
