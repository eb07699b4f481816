//! The arguments of the commands that look at documents.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::{FileArgs, InputArgs, OutputArgs, ProgramArgs, ShapeArgs, Whitespace};

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
pub(crate) struct ShowArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Show calls, outputs, reasoning and comments whole, not folded to one line
    #[arg(long)]
    pub(crate) full: bool,
    /// For diffs and pipes: nothing folded, wrapped or coloured, ids and attributes too, and no file but the document read
    #[arg(long)]
    pub(crate) plain: bool,
    /// How many columns there are [default: the terminal's, or 80]
    #[arg(long, value_name = "N", conflicts_with = "plain")]
    pub(crate) width: Option<usize>,
    /// Print it even if it is longer than the screen; `CHATMD_PAGER` and `PAGER` name another pager than `less`
    #[arg(long)]
    pub(crate) no_pager: bool,
    /// Which whitespace of a body is content
    #[arg(long, value_enum, default_value_t, value_name = "MODE")]
    pub(crate) whitespace: Whitespace,
    #[command(flatten)]
    pub(crate) files: FileArgs,
}

#[derive(Debug, Args)]
pub(crate) struct FmtArgs {
    /// The documents, which are changed in place; `-` or nothing for standard input to standard output
    pub(crate) files: Vec<PathBuf>,
    /// Change nothing; print the names of documents that would change, and exit with 1 if there are any
    #[arg(long)]
    pub(crate) check: bool,
    /// Change nothing; print what would change
    #[arg(long)]
    pub(crate) diff: bool,
    /// The name that standard input goes by in messages
    #[arg(long, value_name = "PATH")]
    pub(crate) stdin_filename: Option<PathBuf>,
    /// Which whitespace of a body is content
    #[arg(long, value_enum, default_value_t, value_name = "MODE")]
    pub(crate) whitespace: Whitespace,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    /// The documents; `-` or nothing for standard input
    pub(crate) documents: Vec<PathBuf>,
    /// Mend what can be mended without asking, in place; the document of standard input goes to standard output
    #[arg(long)]
    pub(crate) fix: bool,
    /// Change nothing; print what `--fix` would change, and exit with 1 if that is something
    #[arg(long, conflicts_with = "format")]
    pub(crate) diff: bool,
    /// How the findings are printed
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: CheckFormat,
    /// Leave this rule out; may be repeated, or several with commas between them
    #[arg(long, value_name = "RULE", value_delimiter = ',')]
    pub(crate) allow: Vec<String>,
    /// Report what ochat reads differently, too
    #[arg(long)]
    pub(crate) portable: bool,
    /// Only list every file that the documents would read
    #[arg(long, conflicts_with_all = ["fix", "diff", "format", "allow", "portable"])]
    pub(crate) deps: bool,
    /// The name that standard input goes by in messages and relative references
    #[arg(long, value_name = "PATH")]
    pub(crate) stdin_filename: Option<PathBuf>,
    /// Which whitespace of a body is content
    #[arg(long, value_enum, default_value_t, value_name = "MODE")]
    pub(crate) whitespace: Whitespace,
    #[command(flatten)]
    pub(crate) files: FileArgs,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CheckFormat {
    /// With the lines they are about, for people
    #[default]
    Human,
    /// A line each
    Short,
    /// One JSON array
    Json,
    /// SARIF 2.1.0, for code scanning
    Sarif,
    /// Annotations in the logs of GitHub Actions
    Github,
}

#[derive(Debug, Args)]
pub(crate) struct ExplainArgs {
    /// The name of a rule; without one, all rules are listed
    pub(crate) rule: Option<String>,
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

#[derive(Debug, Args)]
pub(crate) struct StatsArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
    /// Show only so many rows, those with most tokens; the totals stay those of all
    #[arg(long, value_name = "N", conflicts_with = "json")]
    pub(crate) top: Option<usize>,
    /// Exit with 1 if there are more tokens in all
    #[arg(long, value_name = "N")]
    pub(crate) max_tokens: Option<usize>,
    /// How wide the table may be [default: as the terminal, or 80]
    #[arg(long, value_name = "N")]
    pub(crate) width: Option<usize>,
    /// The model, whatever the document says: images cost what they cost with it
    #[arg(long, value_name = "NAME")]
    pub(crate) model: Option<String>,
    #[command(flatten)]
    pub(crate) shape: ShapeArgs,
    /// Which whitespace of a body is content
    #[arg(long, value_enum, default_value_t, value_name = "MODE")]
    pub(crate) whitespace: Whitespace,
    #[command(flatten)]
    pub(crate) files: FileArgs,
    #[command(flatten)]
    pub(crate) programs: ProgramArgs,
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
