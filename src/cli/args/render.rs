//! The arguments of `render`.

use crate::render::Theme;
use clap::{Args, ValueEnum};

use super::{DocumentArgs, OutputArgs};

#[derive(Debug, Args)]
pub(crate) struct RenderArgs {
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    /// Title of the page [default: name of the file]
    #[arg(long)]
    pub(crate) title: Option<String>,
    /// Colours of the page
    #[arg(long, value_enum, default_value_t, value_name = "THEME")]
    pub(crate) theme: Theme,
    /// Open the page in a browser; without `-o` it is a temporary file
    #[arg(long)]
    pub(crate) open: bool,
    /// Leave out all images
    #[arg(long)]
    pub(crate) no_images: bool,
    /// Leave out images that are larger than this
    #[arg(long, value_name = "BYTES")]
    pub(crate) max_image_bytes: Option<usize>,
    /// Replace secrets that `check` knows, and list what cannot be checked; with `strict` that is an error
    #[arg(long, value_enum, value_name = "MODE", num_args = 0..=1, require_equals = true, default_missing_value = "known")]
    pub(crate) redact: Option<Redact>,
    /// Do not put the document into the page
    #[arg(long)]
    pub(crate) no_source: bool,
    /// Print the document that a page holds
    #[arg(long, conflicts_with_all = ["title", "theme", "open", "no_images", "max_image_bytes", "redact", "no_source", "whitespace", "root"])]
    pub(crate) extract: bool,
    #[command(flatten)]
    pub(crate) source: DocumentArgs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Redact {
    /// Replace the secrets that `check` knows
    Known,
    /// Also fail if something cannot be checked
    Strict,
}
