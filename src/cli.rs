//! What the command line says.

use std::path::{Path, PathBuf};

use chatmd::convert::{OutputStyle, RequestOptions};
use chatmd::document::Limits;
use chatmd::resources::Folder;
use chatmd::syntax::write;
use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  chatmd to-request chat.md \\
    | curl -sS https://api.openai.com/v1/responses -d @- \\
        -H \"Authorization: Bearer $OPENAI_API_KEY\" -H 'Content-Type: application/json' \\
    | chatmd from-response --append chat.md
  chatmd to-request --input-only chat.md        only the `input` array
  chatmd parse chat.md                          the syntax tree as JSON";

/// Converts ChatMarkdown documents to OpenAI Responses API requests and back, losing nothing
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

/// What every command takes.
#[derive(Debug, Args)]
pub(crate) struct Common {
    /// Take warnings for errors
    #[arg(long, global = true)]
    pub(crate) strict: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Convert a document to a request
    #[command(before_long_help = "\
Examples:
  chatmd to-request chat.md
  chatmd to-request --model gpt-5 --compact chat.md
  chatmd to-request --stateless --set 'reasoning.summary=\"auto\"' chat.md
  chatmd to-request --fetch-command 'curl -fsSL' chat.md
  chatmd to-request --input-only - < chat.md")]
    ToRequest(Box<ToRequestArgs>),
    /// Convert a response, stream, request or items to a document
    #[command(before_long_help = "\
Examples:
  chatmd from-response response.json
  curl … | chatmd from-response --append chat.md --reply
  chatmd from-response --tool-output items request.json -o chat.md")]
    FromResponse(FromResponseArgs),
    /// List files of a media directory that no document uses
    #[command(before_long_help = "\
Examples:
  chatmd media pictures *.md
  chatmd media --prune pictures *.md")]
    Media(MediaArgs),
    /// Show where in a document a part of its request comes from
    #[command(before_long_help = "\
Examples:
  chatmd locate chat.md 'input[25].output[0].image_url'
  chatmd locate chat.md /input/3/content/0")]
    Locate(LocateArgs),
    /// Print the syntax tree as JSON, with byte spans
    #[command(before_long_help = "\
Examples:
  chatmd parse chat.md
  chatmd parse --whitespace verbatim chat.md | jq '.[0].children'")]
    Parse(ParseArgs),
    /// Convert many documents to Batch API lines, and their results back
    #[command(subcommand)]
    Batch(BatchCommand),
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page
    Man,
}

#[derive(Debug, Args)]
pub(crate) struct ParseArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Which whitespace of a body is content
    #[arg(long, value_enum, default_value_t, value_name = "MODE")]
    pub(crate) whitespace: Whitespace,
}

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

#[derive(Debug, Args)]
pub(crate) struct MediaArgs {
    /// The directory that `from-response --media` wrote to
    pub(crate) directory: PathBuf,
    /// All documents that may use it
    #[arg(required = true)]
    pub(crate) documents: Vec<PathBuf>,
    /// Remove the files instead of listing them
    #[arg(long)]
    pub(crate) prune: bool,
    #[command(flatten)]
    pub(crate) files: FileArgs,
}

#[derive(Debug, Args)]
pub(crate) struct LocateArgs {
    /// The document
    pub(crate) file: PathBuf,
    /// A path into its request, as the API's errors name it, or a JSON pointer
    pub(crate) path: String,
    #[command(flatten)]
    pub(crate) shape: ShapeArgs,
    /// Which whitespace of a body is content
    #[arg(long, value_enum, default_value_t, value_name = "MODE")]
    pub(crate) whitespace: Whitespace,
    #[command(flatten)]
    pub(crate) files: FileArgs,
}

/// What changes which items a request has, and so where each of them comes from.
#[derive(Debug, Args)]
pub(crate) struct ShapeArgs {
    /// Move all system and developer messages into `instructions`
    #[arg(long)]
    pub(crate) instructions: bool,
    /// Have the API keep nothing: no item ids, and reasoning only where it is encrypted
    #[arg(long)]
    pub(crate) stateless: bool,
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

/// What a document may read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Files a document may read")]
pub(crate) struct FileArgs {
    /// Allow files below this directory too; may be repeated, `/` allows all
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Vec<PathBuf>,
    /// The largest file that is read
    #[arg(long, value_name = "BYTES", default_value_t = Folder::DEFAULT_CEILING)]
    pub(crate) max_file_bytes: u64,
    /// How many bytes all imports may bring
    #[arg(long, value_name = "BYTES", default_value_t = Limits::default().bytes)]
    pub(crate) max_import_bytes: usize,
    /// How many imports there may be
    #[arg(long, value_name = "N", default_value_t = Limits::default().imports)]
    pub(crate) max_imports: usize,
    /// How many imports may stand inside each other
    #[arg(long, value_name = "N", default_value_t = Limits::default().depth)]
    pub(crate) max_import_depth: usize,
}

#[derive(Debug, Args)]
pub(crate) struct FromResponseArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Add the reply to the end of this document
    #[arg(long, value_name = "DOC", conflicts_with = "output")]
    pub(crate) append: Option<PathBuf>,
    /// The document that the request was made from: an API error is shown at the line that caused it
    #[arg(long = "for", value_name = "DOC")]
    pub(crate) document: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) shape: ShapeArgs,
    #[command(flatten)]
    pub(crate) files: FileArgs,
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
}

/// Where a command reads from.
#[derive(Debug, Args)]
pub(crate) struct InputArgs {
    /// The file to read; `-` or nothing for standard input
    pub(crate) file: Option<PathBuf>,
    /// The name that standard input goes by in messages and relative references
    #[arg(long, value_name = "PATH")]
    pub(crate) stdin_filename: Option<PathBuf>,
}

/// Where a command writes to.
#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// Write to this file instead of standard output, all of it or nothing
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: Option<PathBuf>,
}

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum Whitespace {
    /// The line breaks that lay out a block are not content
    #[default]
    Layout,
    /// All whitespace is content, as ochat has it
    Verbatim,
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

impl ShapeArgs {
    /// The options of a request of this shape.
    pub(crate) fn options(&self) -> RequestOptions<'static> {
        RequestOptions { instructions: self.instructions, stateless: self.stateless, ..RequestOptions::default() }
    }
}

impl FileArgs {
    /// What a document may read: below its own directory, the current one, and the roots that are given.
    pub(crate) fn folder(&self, document: Option<&Path>) -> std::io::Result<Folder> {
        for root in &self.root {
            std::fs::metadata(root).map_err(|error| {
                std::io::Error::new(error.kind(), format!("cannot read --root {}: {error}", root.display()))
            })?;
        }
        let mut folder = Folder::new(std::env::current_dir()?).ceiling(self.max_file_bytes);
        for root in document.and_then(Path::parent).into_iter().chain(self.root.iter().map(AsRef::as_ref)) {
            folder = folder.root(root);
        }
        Ok(folder)
    }

    /// How much imports may bring.
    pub(crate) fn limits(&self) -> Limits {
        Limits { depth: self.max_import_depth, imports: self.max_imports, bytes: self.max_import_bytes }
    }
}

impl From<Whitespace> for write::Whitespace {
    fn from(whitespace: Whitespace) -> Self {
        match whitespace {
            Whitespace::Layout => write::Whitespace::Layout,
            Whitespace::Verbatim => write::Whitespace::Verbatim,
        }
    }
}
