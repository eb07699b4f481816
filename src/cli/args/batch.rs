//! The arguments of `chatmd batch`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{FileArgs, Whitespace};

#[derive(Debug, Subcommand)]
pub(crate) enum BatchCommand {
    /// Print a Batch API line for each document, in order
    #[command(before_long_help = "\
Examples:
  chatmd batch requests chats/*.md > batch.jsonl
  chatmd batch requests - < documents.jsonl     lines of {\"id\": …, \"document\": …}")]
    Requests(Box<BatchRequestsArgs>),
    /// Append each reply to its document
    #[command(before_long_help = "\
Examples:
  chatmd batch results output.jsonl
  chatmd batch results - < responses.jsonl      lines of {\"id\": …, \"response\": …}")]
    Results(BatchResultsArgs),
}

/// What both batch commands take.
#[derive(Debug, Args)]
pub(crate) struct BatchArgs {
    /// Go on after a document that cannot be converted; the exit code is that of the first
    #[arg(long)]
    pub(crate) keep_going: bool,
}

#[derive(Debug, Args)]
pub(crate) struct BatchRequestsArgs {
    /// The documents; `-` reads JSON lines with `id` and `document` from standard input instead
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) batch: BatchArgs,
    /// The endpoint of the lines
    #[arg(long, value_name = "URL", default_value = "/v1/responses")]
    pub(crate) url: String,
    /// The model, whatever the documents say
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    /// Which whitespace of a body is content
    #[arg(long, value_enum, default_value_t, value_name = "MODE")]
    pub(crate) whitespace: Whitespace,
    #[command(flatten)]
    pub(crate) files: FileArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BatchResultsArgs {
    /// The results; `-` reads JSON lines with `id` and `response` from standard input and prints documents instead
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) batch: BatchArgs,
    /// Add an empty `<user>` for the next turn, unless there is one
    #[arg(long)]
    pub(crate) reply: bool,
    /// Allow documents below this directory too; may be repeated
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Vec<PathBuf>,
    /// Which whitespace of a body is content
    #[arg(long, value_enum, default_value_t, value_name = "MODE")]
    pub(crate) whitespace: Whitespace,
}
