//! The arguments of `chatmd to-request` and `chatmd from-response`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::NonEmptyStringValueParser;

use crate::cli::follow::MAX_STREAM_BYTES;
use crate::{OutputStyle, SessionView};

use super::{DocumentArgs, InputArgs, OutputArgs, ProgramArgs, ReadArgs, ReplyArgs, ShapeArgs};

#[derive(Debug, Args)]
pub(crate) struct ToRequestArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Print only the `input` array
    #[arg(long)]
    pub(crate) input_only: bool,
    #[command(flatten)]
    pub(crate) request: RequestArgs,
    #[command(flatten)]
    pub(crate) ledger: LedgerArgs,
    /// Request a streamed response
    #[arg(long)]
    pub(crate) stream: bool,
    /// Write a JSON map from each part of the request to its place in the document
    #[arg(long, value_name = "FILE")]
    pub(crate) source_map: Option<PathBuf>,
    /// Print the JSON on one line; the default unless standard output is a terminal
    #[arg(long, conflicts_with = "pretty")]
    pub(crate) compact: bool,
    /// Print the JSON with line breaks; the default if standard output is a terminal
    #[arg(long)]
    pub(crate) pretty: bool,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
    #[command(flatten)]
    pub(crate) programs: ProgramArgs,
}

/// Options that change a request.
#[derive(Debug, Args)]
pub(crate) struct RequestArgs {
    /// Use this model, overriding the document; `CHATMD_MODEL` sets the default
    #[arg(short, long, value_name = "NAME", value_parser = NonEmptyStringValueParser::new())]
    pub(crate) model: Option<String>,
    #[command(flatten)]
    pub(crate) shape: ShapeArgs,
    /// If TOOL was called several times for the same file, send only its newest output in full [default TOOL: `read_file`]
    #[arg(long, value_name = "TOOL", num_args = 0..=1, require_equals = true, default_missing_value = "read_file")]
    pub(crate) collapse_stale: Option<String>,
    /// Add the tools from this JSON file; they replace declared tools with the same name
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: Option<PathBuf>,
    /// Set a field of the request, overriding everything else; may be repeated
    #[arg(long, value_name = "PATH=JSON")]
    pub(crate) set: Vec<String>,
}

/// What is said about differences between a document and its request.
#[derive(Debug, Clone, Args)]
pub(crate) struct LedgerArgs {
    /// Write every difference between the document and the request to this file, as JSON lines
    #[arg(long, value_name = "FILE")]
    pub(crate) ledger: Option<PathBuf>,
    /// Show also the differences that keep the meaning: moved, respelled and left out settings
    #[arg(long)]
    pub(crate) changes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct FromResponseArgs {
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Append the reply to this document, creating it if needed; a reply that cannot be appended is saved next to it
    #[arg(long, value_name = "DOC", conflicts_with = "output")]
    pub(crate) append: Option<PathBuf>,
    /// Replace OUT even if it has other content
    #[arg(long, requires = "output", conflicts_with = "append")]
    pub(crate) force: bool,
    /// Append the input even if it is not a reply: a request body, a session, or items of roles other than `assistant`
    #[arg(long, requires = "append", conflicts_with = "output")]
    pub(crate) any: bool,
    /// Show an API error at the line of this document that caused it [default: the document of --append]
    #[arg(long = "for", value_name = "DOC")]
    pub(crate) document: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) shape: ShapeArgs,
    /// Convert this one of several choices of a Chat reply, by its index from 0
    #[arg(long, value_name = "N")]
    pub(crate) choice: Option<u64>,
    #[command(flatten)]
    pub(crate) reply: ReplyArgs,
    /// Show a stream on standard error as it arrives; Ctrl-C stops it and keeps whatever has arrived
    #[arg(long)]
    pub(crate) follow: bool,
    /// With `--follow`, stop reading after this many bytes; whatever has arrived is kept
    #[arg(long, value_name = "BYTES", default_value_t = MAX_STREAM_BYTES)]
    pub(crate) max_stream_bytes: usize,
    /// What to write of a Codex or Claude Code session
    #[arg(long, value_enum, value_name = "VIEW", default_value = "all")]
    pub(crate) view: SessionView,
    /// Also write the branches of a session that were abandoned by a rewind
    #[arg(long)]
    pub(crate) branches: bool,
    /// How to write tool outputs that are arrays of parts
    #[arg(long, value_enum, value_name = "STYLE", default_value = "items")]
    pub(crate) tool_output: OutputStyle,
    #[command(flatten)]
    pub(crate) source: DocumentArgs,
}
