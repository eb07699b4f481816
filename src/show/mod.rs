//! A transcript of a document for a terminal, with calls, outputs and images folded.
//!
//! The only control characters in it are line breaks and, with colors, the escapes of styles. Every style ends on the
//! line where it starts.

mod blocks;
mod body;
mod clean;
mod item;
mod markdown;
mod marker;
mod page;
mod styled;

use anstyle::Style;

use crate::diagnostic::Colors;
use crate::document::Document;
use crate::json::StringArena;
use crate::resolve::Resolver;
use crate::transcript::{Pieces, turns};
use blocks::Blocks;
#[cfg(feature = "render")]
pub(crate) use clean::{long_base64_runs, without_base64};
use page::Page;

/// How a document is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// The width in columns. Lines are not wrapped without one.
    pub width: Option<usize>,
    /// With colors, Markdown is rendered; without them, it is shown as written.
    pub colors: Colors,
    /// Whether calls, outputs, reasoning and comments are shown completely, not folded to one line.
    pub full: bool,
    /// Whether ids, other attributes and hashes of images are shown, so that every change is visible.
    pub exact: bool,
    /// The last line if something was folded, such as how to see all of it.
    pub hint: Option<&'static str>,
}

impl Options {
    /// For diffs and pipes: everything is shown, and nothing is wrapped or folded.
    pub const PLAIN: Options = Options { width: None, colors: Colors::None, full: true, exact: true, hint: None };
}

impl Default for Options {
    fn default() -> Self {
        Self::PLAIN
    }
}

/// Front matter as it is shown before the transcript of its document.
pub(crate) fn show_front_matter(text: &str, options: &Options) -> String {
    let mut page = Page::new(options.width, options.colors);
    for line in text.lines() {
        page.write(&clean::clean(line), Style::new().dimmed());
        page.end_line();
    }
    page.out
}

/// The transcript of a document. A file that cannot be read is shown by its name.
///
/// ```
/// use chatmd::internal::diagnostic::Diagnostics;
/// use chatmd::internal::resolve::Resolver;
/// use chatmd::resources::NoFiles;
/// use chatmd::internal::show::{Options, show};
/// use chatmd::internal::{document, source::Sources, syntax};
/// use chatmd::Whitespace;
///
/// let sources = Sources::new();
/// let source = sources.add("chat.md", "<user>Look: <img src=\"a.png\" local/></user>".to_owned(), None);
/// let mut diagnostics = Diagnostics::new();
/// let document = document::lower(&syntax::parse(&sources, source, &mut diagnostics), Whitespace::Layout, &mut diagnostics);
/// let resolver = Resolver::new(&sources, &NoFiles);
/// assert_eq!(show(&document, &resolver, &Options::PLAIN), "user\n  Look:\n  [image a.png local]\n");
/// ```
#[doc(hidden)]
pub fn show(document: &Document<'_>, resolver: &Resolver<'_>, options: &Options) -> String {
    let strings = StringArena::default();
    let mut blocks = Blocks {
        page: Page::new(options.width, options.colors),
        pieces: Pieces { resolver, strings: &strings, is_exact: options.exact },
        renders_markdown: options.colors == Colors::Ansi,
        full: options.full,
        exact: options.exact,
    };
    let mut last_is_tall = None;
    // The empty message for the next turn is only shown if every difference matters.
    for turn in turns(document).iter().filter(|turn| options.exact || !turn.is_placeholder) {
        let is_tall = blocks.is_tall(&turn.block.value);
        if last_is_tall.is_some_and(|last| last || is_tall) {
            blocks.page.end_line();
        }
        blocks.turn(turn);
        last_is_tall = Some(is_tall);
    }
    if let Some(hint) = options.hint.filter(|_| blocks.page.has_folded) {
        blocks.page.end_line();
        blocks.page.write(hint, Style::new().dimmed());
        blocks.page.end_line();
    }
    blocks.page.out
}
