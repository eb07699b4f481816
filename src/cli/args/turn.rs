//! The arguments of the commands for a whole turn.

use clap::{Args, ValueEnum};

use super::{FileArgs, InputArgs, WhitespaceArgs};

#[derive(Debug, Args)]
pub(crate) struct CallsArgs {
    #[command(flatten)]
    pub(crate) input: InputArgs,
    /// Output format
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    pub(crate) format: CallFormat,
    #[command(flatten)]
    pub(crate) whitespace: WhitespaceArgs,
    #[command(flatten)]
    pub(crate) files: FileArgs,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum)]
pub(crate) enum CallFormat {
    /// One JSON object per line
    #[default]
    Json,
    /// Id, name and arguments as JSON, separated by tabs; for shell loops
    Tsv,
}
