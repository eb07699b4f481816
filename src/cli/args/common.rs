//! Arguments that several commands share.

use std::path::PathBuf;

use crate::document::Limits;
use crate::resources::Directory;
use crate::{Api, SystemRole, ToolImages, Whitespace};
use clap::{ArgGroup, Args};

/// Options of every command.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Treat warnings as errors
    #[arg(long, global = true, display_order = super::LAST)]
    pub(crate) strict: bool,
    /// Read no `chatmd.toml`
    #[arg(long, global = true, display_order = super::LAST)]
    pub(crate) no_config: bool,
}

/// The input of a command that reads one file.
#[derive(Debug, Clone, Args)]
pub(crate) struct InputArgs {
    /// File to read; standard input if omitted or `-`
    pub(crate) file: Option<PathBuf>,
    /// Path to use for standard input in messages and relative references
    #[arg(long, value_name = "PATH")]
    pub(crate) stdin_filename: Option<PathBuf>,
}

/// The sessions of a command that reads sessions too.
#[derive(Debug, Clone, Args)]
pub(crate) struct SessionArgs {
    /// Read a compressed session of up to this size [default: 64 MiB, or 1,000 times its compressed size]
    #[arg(long, value_name = "BYTES", hide_short_help = true)]
    pub(crate) max_session_bytes: Option<u64>,
}

/// The output of a command that writes one result.
#[derive(Debug, Clone, Args)]
pub(crate) struct OutputArgs {
    /// Write the result to this file instead of standard output; on an error the file is unchanged
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
}

/// Which files a document may read.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Files a document may read")]
pub(crate) struct FileArgs {
    /// Also allow files in this directory; may be repeated, `/` allows every file. `CHATMD_ROOT` lists more directories
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Vec<PathBuf>,
    /// Maximum size of one file
    #[arg(long, value_name = "BYTES", default_value_t = Directory::DEFAULT_CEILING)]
    pub(crate) max_file_bytes: u64,
    /// Maximum size of everything that is read; a file that is used twice counts twice
    #[arg(long, value_name = "BYTES", default_value_t = Directory::DEFAULT_TOTAL)]
    pub(crate) max_total_bytes: u64,
    /// Maximum size of all imports together
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().bytes)]
    pub(crate) max_import_bytes: usize,
    /// Maximum number of imports
    #[arg(long, value_name = "N", default_value_t = Limits::default().imports)]
    pub(crate) max_imports: usize,
    /// Maximum import depth
    #[arg(long, value_name = "N", default_value_t = Limits::default().depth)]
    pub(crate) max_import_depth: usize,
}

/// How a document is read, and which files it may read.
#[derive(Debug, Clone, Args)]
pub(crate) struct ReadArgs {
    #[command(flatten)]
    pub(crate) whitespace: WhitespaceArgs,
    #[command(flatten)]
    pub(crate) files: FileArgs,
}

/// The input of a command that takes a document, or anything that becomes one.
#[derive(Debug, Clone, Args)]
pub(crate) struct DocumentArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

/// Which programs a conversion may run.
#[derive(Debug, Args)]
#[command(next_help_heading = "Programs that may be run")]
#[command(group = ArgGroup::new("program").args(["fetch_command", "agent_command"]).multiple(true))]
pub(crate) struct ProgramArgs {
    /// Fetch `<doc src="https://…"/>` with this command, which gets the URL as its last argument
    #[arg(long, value_name = "CMD")]
    pub(crate) fetch_command: Option<String>,
    /// Answer `<agent>` with this command, which gets a request on standard input and prints the answer
    #[arg(long, value_name = "CMD")]
    pub(crate) agent_command: Option<String>,
    /// Maximum run time of each command
    #[arg(long, value_name = "SECONDS", default_value_t = 120, requires = "program")]
    pub(crate) command_timeout: u64,
    /// Maximum number of times that commands run
    #[arg(long, value_name = "N", default_value_t = 100)]
    pub(crate) max_program_runs: u64,
}

/// What an append adds besides the items of a reply.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct AppendArgs {
    /// Add an empty `<user>` for your next message, unless there is one
    #[arg(long, alias = "reply")]
    pub(crate) next: bool,
    /// Keep all of the response's own fields (id, model, usage, …) in a comment
    #[arg(long)]
    pub(crate) envelope: bool,
    /// Do not keep the response's model and usage in a comment, as is done if a reply is appended
    #[arg(long, conflicts_with = "envelope")]
    pub(crate) no_usage: bool,
}

/// How the items of a reply are written.
#[derive(Debug, Args)]
pub(crate) struct ReplyArgs {
    #[command(flatten)]
    pub(crate) append: AppendArgs,
    /// Leave out members that are null, which SDKs and gateways write for every field that is not set
    #[arg(long)]
    pub(crate) drop_nulls: bool,
    /// Write images, files and long encrypted reasoning to this directory; `inline` keeps them in the document
    #[arg(long, value_name = "DIR", default_value = "inline")]
    pub(crate) media: PathBuf,
}

/// Options that change which items a request has. A command that maps a request back to its document needs the same ones.
#[derive(Debug, Clone, Args)]
pub(crate) struct ShapeArgs {
    #[command(flatten)]
    pub(crate) api: ApiArgs,
    /// Move all system and developer messages into `instructions`
    #[arg(long)]
    pub(crate) instructions: bool,
    /// Do not store anything at the API: omit item ids, and send reasoning only if it is encrypted
    #[arg(long)]
    pub(crate) stateless: bool,
    /// Where images and files of tool outputs go on the Chat API
    #[arg(long, value_enum, default_value_t, value_name = "PLACE")]
    pub(crate) tool_images: ToolImages,
    /// Send all system and developer messages with this role on the Chat API
    #[arg(long, value_enum, value_name = "ROLE")]
    pub(crate) system_role: Option<SystemRole>,
    /// Do not send the reasoning of Chat servers back to them
    #[arg(long)]
    pub(crate) without_reasoning: bool,
}

/// Which API a document or a reply is for.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct ApiArgs {
    /// API of the request, overriding the document; `CHATMD_API` sets the default
    #[arg(long, value_enum, value_name = "API")]
    pub(crate) api: Option<Api>,
}

/// How whitespace is read and written.
#[derive(Debug, Clone, Copy, Args)]
pub(crate) struct WhitespaceArgs {
    /// Which whitespace in a body is content
    #[arg(id = "whitespace", long, value_enum, default_value_t, value_name = "MODE")]
    pub(crate) mode: Whitespace,
}
