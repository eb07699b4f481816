//! The arguments of `chatmd batch`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::{AppendArgs, LedgerArgs, ReadArgs, RequestArgs, WhitespaceArgs};

#[derive(Debug, Subcommand)]
pub(crate) enum BatchCommand {
    /// Print a Batch API line for each document, in order
    #[command(before_long_help = "\
Examples:
  chatmd batch requests chats > batch.jsonl     all documents in a directory
  chatmd batch requests a.md b.md > batch.jsonl
  chatmd batch requests - < documents.jsonl     lines of {\"id\": …, \"document\": …}")]
    Requests(Box<BatchRequestsArgs>),
    /// Append each reply to its document
    #[command(before_long_help = "\
Examples:
  chatmd batch results output.jsonl
  chatmd batch results messages.jsonl chats     results of the Messages API: their ids are not paths
  chatmd batch results - < responses.jsonl      lines of {\"id\": …, \"response\": …}")]
    Results(BatchResultsArgs),
}

#[derive(Debug, Args)]
pub(crate) struct BatchRequestsArgs {
    /// Documents to convert, directories of documents, or `-` to read JSON lines with `id` and `document` from standard input
    #[arg(required = true)]
    pub(crate) paths: Vec<PathBuf>,
    /// Continue after an error; the exit code is that of the first error
    #[arg(long)]
    pub(crate) keep_going: bool,
    /// Maximum size of one line of standard input
    #[arg(long, value_name = "BYTES", default_value_t = 256 << 20)]
    pub(crate) max_line_bytes: u64,
    /// Endpoint to write in each line [default: that of the API]. Lines for the Messages API have none
    #[arg(long, value_name = "URL")]
    pub(crate) url: Option<String>,
    #[command(flatten)]
    pub(crate) request: RequestArgs,
    #[command(flatten)]
    pub(crate) ledger: LedgerArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

#[derive(Debug, Args)]
pub(crate) struct BatchResultsArgs {
    /// Batch results, or `-` to read them, or JSON lines with `id` and `response`, from standard input and print documents
    pub(crate) file: PathBuf,
    /// The documents and directories that `batch requests` got; needed for results of the Messages API
    pub(crate) paths: Vec<PathBuf>,
    /// Maximum size of one line of standard input
    #[arg(long, value_name = "BYTES", default_value_t = 256 << 20)]
    pub(crate) max_line_bytes: u64,
    #[command(flatten)]
    pub(crate) append: AppendArgs,
    /// Also allow documents in this directory; may be repeated
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) whitespace: WhitespaceArgs,
}
