//! The arguments of the commands that show, check or format documents.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{
    ApiArgs, DocumentArgs, FileArgs, InputArgs, LedgerArgs, OutputArgs, ProgramArgs, ReadArgs, RequestArgs,
    SessionArgs, ShapeArgs, WhitespaceArgs,
};

#[derive(Debug, Args)]
pub(crate) struct ParseArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) whitespace: WhitespaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct ShowArgs {
    /// Show calls, outputs, reasoning and comments in full instead of on one line each
    #[arg(long, conflicts_with = "plain")]
    pub(crate) full: bool,
    /// Print only the text of the last answer, exactly as it is
    #[arg(long, conflicts_with_all = ["full", "plain", "width"])]
    pub(crate) last: bool,
    /// Print everything including ids and attributes, without folding, wrapping or colour, and read no other file; for diffs
    #[arg(long)]
    pub(crate) plain: bool,
    /// Number of columns [default: width of the terminal, or 80]
    #[arg(long, value_name = "N", conflicts_with = "plain")]
    pub(crate) width: Option<usize>,
    /// Do not start a pager; otherwise long output goes to `CHATMD_PAGER`, `PAGER` or `less`
    #[arg(long)]
    pub(crate) no_pager: bool,
    #[command(flatten)]
    pub(crate) source: DocumentArgs,
}

#[derive(Debug, Args)]
pub(crate) struct FmtArgs {
    /// Documents to format in place, or directories of documents; standard input to standard output if omitted or `-`
    pub(crate) files: Vec<PathBuf>,
    /// Write nothing; list the documents that would change, and exit with 1 if there are any
    #[arg(long)]
    pub(crate) check: bool,
    /// Write nothing; print the changes as a diff, and exit with 1 if there are any
    #[arg(long)]
    pub(crate) diff: bool,
    /// Change the line breaks of the whole document, in messages too, to these
    #[arg(long, value_name = "ENDINGS", value_parser = ["lf"])]
    pub(crate) line_endings: Option<String>,
    /// Path to use for standard input in messages
    #[arg(long, value_name = "PATH")]
    pub(crate) stdin_filename: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) whitespace: WhitespaceArgs,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// Documents to check, directories of documents, or JSON that `from-response` reads; standard input if omitted or `-`
    pub(crate) documents: Vec<PathBuf>,
    /// Fix problems in place; a document from standard input goes to standard output
    #[arg(long)]
    pub(crate) fix: bool,
    /// Write nothing; print what `--fix` would change as a diff, and exit with 1 if there are any changes
    #[arg(long, conflicts_with = "format")]
    pub(crate) diff: bool,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: CheckFormat,
    /// Ignore this rule; may be repeated or a comma-separated list
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(crate) allow: Vec<String>,
    /// Check files that are imported into messages: text and inline elements
    #[arg(long)]
    pub(crate) fragment: bool,
    /// Also report what ochat reads differently
    #[arg(long)]
    pub(crate) portable: bool,
    #[command(flatten)]
    pub(crate) api: ApiArgs,
    #[command(flatten)]
    pub(crate) ledger: LedgerArgs,
    /// Only list the files that the documents would read
    #[arg(long, conflicts_with_all = ["fix", "diff", "format", "allow", "fragment", "portable"])]
    pub(crate) deps: bool,
    /// With `--deps`, end each name with a NUL byte instead of a line break, and print it as it is
    #[arg(short = 'z', long, requires = "deps", conflicts_with_all = ["fix", "diff", "format", "allow", "fragment", "portable"])]
    pub(crate) null: bool,
    /// Path to use for standard input in messages and relative references
    #[arg(long, value_name = "PATH")]
    pub(crate) stdin_filename: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) session: SessionArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// Messages with excerpts of the document
    #[default]
    Human,
    /// One line per problem
    Short,
    /// One JSON array
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations for GitHub Actions
    Github,
}

#[derive(Debug, Args)]
pub(crate) struct LocateArgs {
    /// Document to search
    pub(crate) file: PathBuf,
    /// Path of a value in the request, as in API errors, or a JSON pointer
    pub(crate) path: String,
    #[command(flatten)]
    pub(crate) shape: ShapeArgs,
    #[command(flatten)]
    pub(crate) read: ReadArgs,
}

#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Show only the N rows with the most tokens; the totals still include all rows
    #[arg(long, value_name = "N", conflicts_with = "json")]
    pub(crate) top: Option<usize>,
    /// Exit with 1 if there are more tokens than this in total
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<usize>,
    /// Maximum width of the table [default: width of the terminal, or 80]
    #[arg(long, value_name = "N", conflicts_with = "json")]
    pub(crate) width: Option<usize>,
    #[command(flatten)]
    pub(crate) request: RequestArgs,
    #[command(flatten)]
    pub(crate) source: DocumentArgs,
    #[command(flatten)]
    pub(crate) programs: ProgramArgs,
}

#[derive(Debug, Args)]
pub(crate) struct MediaArgs {
    /// Directory of `--media`
    pub(crate) directory: PathBuf,
    /// All documents that may use files in it
    #[arg(required = true)]
    pub(crate) documents: Vec<PathBuf>,
    /// Delete the unused files
    #[arg(long)]
    pub(crate) prune: bool,
    #[command(flatten)]
    pub(crate) files: FileArgs,
}
