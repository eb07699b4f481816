//! A document as one HTML page that needs nothing else: no script, no request, no other file.
//!
//! Text of the document is never markup: `Html` takes markup only as constants, and escapes everything else. The
//! page holds the document, and [`extract`] takes it back, byte for byte.

mod body;
mod calls;
mod code;
mod header;
mod highlight;
mod hosted;
mod html;
mod languages;
mod markdown;
mod media;
mod outline;
pub mod redact;
mod source;
pub mod style;
mod turns;
pub mod unchecked;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap};

use crate::convert::Request;
use crate::document::Document;
use crate::json::StringArena;
use crate::resolve::Resolver;
use crate::responses::Item;
use crate::secret::secrets;
use crate::show::without_base64;
use crate::source::SourceId;
use crate::stats::Total;
use crate::transcript::Pieces;
use html::Html;
use outline::Entry;
pub use redact::Redacted;
#[doc(hidden)]
pub use redact::redact;
use redact::{Ending, kind_of};
#[doc(hidden)]
pub use source::{ExtractError, extract};
pub use style::Theme;
pub use unchecked::Unchecked;

/// With more items than this, a browser lays out only the items near the screen.
const MAX_EAGER_ITEMS: usize = 200;

/// How a page is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Options {
    /// The title of the page.
    pub title: String,
    /// Light, dark, or as the reader prefers.
    pub theme: Theme,
    /// Whether images are left out. Their names and sizes are shown.
    pub no_images: bool,
    /// Larger images are left out.
    pub max_image_bytes: Option<usize>,
    /// Whether the page holds the document, so that it can be taken back.
    pub has_source: bool,
    /// Whether secrets are replaced, in the page and in the document that it holds.
    pub redacts: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            title: "Conversation".to_owned(),
            theme: Theme::default(),
            no_images: false,
            max_image_bytes: None,
            has_source: true,
            redacts: false,
        }
    }
}

/// A page, and the secrets that were found in it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Page {
    /// The page.
    pub html: String,
    /// The secrets that were replaced in the document, in order.
    pub redacted: Vec<Redacted>,
    /// The kinds of secrets that were replaced in other files that the page shows.
    pub redacted_elsewhere: BTreeSet<&'static str>,
    /// Data that may contain secrets and cannot be checked.
    pub unchecked: Vec<Unchecked>,
}

/// The content of a page.
#[derive(Debug)]
#[doc(hidden)]
pub struct Contents<'r, 'd> {
    /// The document, with its imports.
    pub document: &'r Document<'d>,
    /// Its request: the model, settings and tools for the header, and the items whose parts are in files.
    pub request: &'r Request<'d>,
    /// The size of the request.
    pub total: Total,
}

/// The page of a document. A file that cannot be read is shown by its name.
#[doc(hidden)]
pub fn render(contents: &Contents<'_, '_>, resolver: &Resolver<'_>, options: &Options) -> Page {
    let items = contents.request.items.iter().map(|located| ((located.span.source, located.span.start), &located.item));
    let strings = StringArena::default();
    let mut renderer = Renderer {
        html: Html::default(),
        options,
        resolver,
        pieces: Pieces { resolver, strings: &strings, is_exact: false },
        items: items.collect(),
        outline: Vec::new(),
        anchors: 0,
        texts: 0,
        images: 0,
        highlighted: 0,
        secrets: BTreeSet::new(),
        has_secret: false,
        page: Page::default(),
    };
    renderer.turns(contents.document);
    let turns = std::mem::take(&mut renderer.html);
    renderer.head();
    renderer.header(contents);
    renderer.html.markup("<div class=\"layout\">\n");
    renderer.navigation();
    let has_many = renderer.anchors > MAX_EAGER_ITEMS;
    renderer.html.markup(if has_many {
        "<main id=\"conversation\" class=\"many\">\n"
    } else {
        "<main id=\"conversation\">\n"
    });
    renderer.html.append(&turns);
    renderer.html.markup("</main>\n</div>\n");
    let document = contents.request.place.source;
    if options.redacts {
        renderer.check_document(document);
    }
    renderer.footer(&resolver.sources.get(document).text);
    renderer.html.markup("</body>\n</html>\n");
    Page { html: renderer.html.into_string(), ..renderer.page }
}

/// Writes a page.
struct Renderer<'r, 'd> {
    html: Html,
    options: &'r Options,
    resolver: &'r Resolver<'r>,
    pieces: Pieces<'r>,
    /// The items of the request, by their places.
    items: HashMap<(SourceId, usize), &'r Item<'d>>,
    outline: Vec<Entry>,
    /// How many anchors were written.
    anchors: usize,
    /// How many Markdown texts were written.
    texts: usize,
    /// How many images are shown.
    images: usize,
    /// How many bytes of code were coloured.
    highlighted: usize,
    /// The kinds and endings of the secrets that were replaced in texts of the page.
    secrets: BTreeSet<(&'static str, Option<Ending>)>,
    /// Whether the document has a secret that was not replaced, so that the page must not hold it.
    has_secret: bool,
    page: Page,
}

impl Renderer<'_, '_> {
    /// A text as it is shown: without secrets if they are to be replaced, with long base64 shortened.
    fn prepared<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        let mut prepared = Cow::Borrowed(text);
        if self.options.redacts {
            let ranges = secrets(text);
            self.secrets.extend(ranges.iter().map(|(range, what)| (kind_of(what), Ending::of(&text[range.clone()]))));
            if !ranges.is_empty() {
                let changes: Vec<_> = ranges.into_iter().map(|(range, what)| (range, Some(what))).collect();
                prepared = Cow::Owned(redact::replaced(text, &changes));
            }
        }
        if memchr::memmem::find(prepared.as_bytes(), b"\r\n").is_some() {
            prepared = Cow::Owned(prepared.replace("\r\n", "\n"));
        }
        match without_base64(&prepared) {
            Cow::Borrowed(_) => prepared,
            Cow::Owned(shortened) => Cow::Owned(shortened),
        }
    }

    /// The start of a text, on one line.
    fn line(&mut self, text: &str, longest: usize) -> String {
        // The rest would be cut.
        let end = text.char_indices().nth(longest * 8).map_or(text.len(), |(end, _)| end);
        // A secret that is cut would not be recognized.
        let head = if self.options.redacts { text } else { &text[..end] };
        let head = self.prepared(head);
        let mut line = String::new();
        for word in head.split_whitespace() {
            if line.len() > longest * 4 {
                break;
            }
            line.extend([if line.is_empty() { "" } else { " " }, word]);
        }
        match line.char_indices().nth(longest) {
            Some((end, _)) => format!("{}…", line[..end].trim_end()),
            None => line,
        }
    }

    /// The number of the next item.
    fn new_anchor(&mut self) -> usize {
        self.anchors += 1;
        self.anchors
    }

    /// Runs `write` and returns the HTML, which is not added to the page, with the result.
    fn separately<R>(&mut self, write: impl FnOnce(&mut Self) -> R) -> (Html, R) {
        let page = std::mem::take(&mut self.html);
        let result = write(self);
        (std::mem::replace(&mut self.html, page), result)
    }
}
