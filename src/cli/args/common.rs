//! Arguments that several commands take.

use std::path::{Path, PathBuf};

use chatmd::convert::RequestOptions;
use chatmd::document::Limits;
use chatmd::resources::Directory;
use chatmd::syntax::write;
use clap::{Args, ValueEnum};

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

/// What a document may read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Files a document may read")]
pub(crate) struct FileArgs {
    /// Allow files below this directory too; may be repeated, `/` allows all. `CHATMD_ROOT` is a list of more
    #[arg(long, value_name = "DIR")]
    pub(crate) root: Vec<PathBuf>,
    /// The largest file that is read
    #[arg(long, value_name = "BYTES", default_value_t = Directory::DEFAULT_CEILING)]
    pub(crate) max_file_bytes: u64,
    /// How many bytes are read in all
    #[arg(long, value_name = "BYTES", default_value_t = Directory::DEFAULT_TOTAL)]
    pub(crate) max_total_bytes: u64,
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

#[derive(Debug, Clone, Copy, Default, ValueEnum)]
pub(crate) enum Whitespace {
    /// The line breaks that lay out a block are not content
    #[default]
    Layout,
    /// All whitespace is content, as ochat has it
    Verbatim,
}

/// The model of requests that name none: what `CHATMD_MODEL` says.
pub(crate) fn default_model() -> Option<String> {
    std::env::var("CHATMD_MODEL").ok().filter(|model| !model.is_empty())
}

impl ShapeArgs {
    /// The options of a request of this shape.
    pub(crate) fn options(&self) -> RequestOptions<'static> {
        RequestOptions { instructions: self.instructions, stateless: self.stateless, ..RequestOptions::default() }
    }
}

impl FileArgs {
    /// What a document may read: files below its own directory, `--root` and `CHATMD_ROOT`.
    pub(crate) fn directory(&self, document: Option<&Path>) -> std::io::Result<Directory> {
        for root in &self.root {
            // With the dot, a file is an error too.
            std::fs::metadata(root.join(".")).map_err(|error| {
                std::io::Error::new(error.kind(), format!("cannot read --root {}: {error}", root.display()))
            })?;
        }
        let own = document.and_then(Path::parent).unwrap_or(Path::new("."));
        let list = std::env::var_os("CHATMD_ROOT").unwrap_or_default();
        let listed = std::env::split_paths(&list).filter(|root| !root.as_os_str().is_empty());
        let directory = self.root.iter().cloned().chain(listed).fold(Directory::of(own), Directory::root);
        Ok(directory.current_dir(".").ceiling(self.max_file_bytes).total(self.max_total_bytes))
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
