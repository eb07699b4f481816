//! The arguments of `chatmd to-request` and `chatmd from-response`.

use std::path::PathBuf;

use chatmd::convert::OutputStyle;
use clap::{Args, ValueEnum};

use super::{FileArgs, InputArgs, OutputArgs, ShapeArgs, Whitespace};

#[derive(Debug, Args)]
pub(crate) struct ToRequestArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Print only the `input` array
    #[arg(long)]
    pub(crate) input_only: bool,
    /// The model, whatever the document says; `CHATMD_MODEL` counts where neither names one
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    #[command(flatten)]
    pub(crate) shape: ShapeArgs,
    /// Ask for a stream
    #[arg(long)]
    pub(crate) stream: bool,
    /// Of several outputs of a tool for the same file, send only the newest whole
    #[arg(long, value_name = "TOOL", num_args = 0..=1, require_equals = true, default_missing_value = "read_file")]
    pub(crate) collapse_stale: Option<String>,
    /// Add the tools of this JSON file; one of the same name replaces the declared one
    #[arg(long, value_name = "FILE")]
    pub(crate) tools: Option<PathBuf>,
    /// Set a field of the request, whatever else says; may be repeated
    #[arg(long, value_name = "PATH=JSON")]
    pub(crate) set: Vec<String>,
    /// Write a JSON object to this file that says where each part of the request is written
    #[arg(long, value_name = "FILE")]
    pub(crate) source_map: Option<PathBuf>,
    /// Print the JSON on one line; the default unless it goes to a terminal
    #[arg(long, conflicts_with = "pretty")]
    pub(crate) compact: bool,
    /// Print the JSON with line breaks; the default on a terminal
    #[arg(long)]
    pub(crate) pretty: bool,
    /// Which whitespace of a body is content
    #[arg(long, value_enum, default_value_t, value_name = "MODE")]
    pub(crate) whitespace: Whitespace,
    #[command(flatten)]
    pub(crate) files: FileArgs,
    #[command(flatten)]
    pub(crate) programs: ProgramArgs,
}

/// What may be run.
#[derive(Debug, Args)]
#[command(next_help_heading = "Programs that may be run")]
pub(crate) struct ProgramArgs {
    /// Fetch `<doc src="https://…"/>` with this command, which gets the URL as its last argument
    #[arg(long, value_name = "CMD")]
    pub(crate) fetch_command: Option<String>,
    /// Answer `<agent>` with this command, which gets a request on standard input
    #[arg(long, value_name = "CMD")]
    pub(crate) agent_command: Option<String>,
    /// How long each may run
    #[arg(long, value_name = "SECONDS", default_value_t = 120)]
    pub(crate) command_timeout: u64,
}

#[derive(Debug, Args)]
pub(crate) struct FromResponseArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Add the reply to the end of this document, which is created if it is missing; what cannot be added is saved beside it
    #[arg(long, value_name = "DOC", conflicts_with = "output")]
    pub(crate) append: Option<PathBuf>,
    /// Append also what is not a reply: a request body, or messages of other roles than `assistant`
    #[arg(long, requires = "append")]
    pub(crate) any: bool,
    /// The document that the request was made from: an API error is shown at the line that caused it [default: that of --append]
    #[arg(long = "for", value_name = "DOC")]
    pub(crate) document: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) shape: ShapeArgs,
    /// Add an empty `<user>` for the next turn, unless there is one
    #[arg(long)]
    pub(crate) reply: bool,
    /// Show a stream on standard error as it arrives; Ctrl-C ends it and keeps what there is
    #[arg(long, conflicts_with = "file")]
    pub(crate) follow: bool,
    /// Keep the response's own fields (id, usage, …) in a comment
    #[arg(long)]
    pub(crate) envelope: bool,
    /// Put images and files of `data:` URLs into this directory, or leave them `inline`
    #[arg(long, value_name = "DIR", default_value = "inline")]
    pub(crate) media: PathBuf,
    /// How tool outputs made of parts are written [default: json, with --media DIR items]
    #[arg(long, value_enum, value_name = "STYLE")]
    pub(crate) tool_output: Option<ToolOutput>,
    /// Which whitespace of a body is content
    #[arg(long, value_enum, default_value_t, value_name = "MODE")]
    pub(crate) whitespace: Whitespace,
    #[command(flatten)]
    pub(crate) files: FileArgs,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
pub(crate) enum ToolOutput {
    /// As their JSON array
    Json,
    /// As `<img>`, `<doc>` and text
    Items,
}

impl From<ToolOutput> for OutputStyle {
    fn from(style: ToolOutput) -> Self {
        match style {
            ToolOutput::Json => OutputStyle::Json,
            ToolOutput::Items => OutputStyle::Items,
        }
    }
}
