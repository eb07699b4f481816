//! HTML as plain text and as Markdown.

use html2text::config;
use html2text::render::{TextDecorator, TrivialDecorator};

/// No line is wrapped.
const WIDTH: usize = 1_000_000;

/// The text of a page, without marks. Scripts and styles are not text.
pub(super) fn strip(html: &str) -> Option<String> {
    let config = config::with_decorator(TrivialDecorator::new());
    config.raw_mode(true).string_from_read(html.as_bytes(), WIDTH).ok()
}

/// The page as Markdown.
pub(super) fn to_markdown(html: &str) -> Option<String> {
    let config = config::with_decorator(Markdown::default()).link_footnotes(false).no_link_wrapping();
    config.raw_mode(true).string_from_read(html.as_bytes(), WIDTH).ok()
}

/// Markdown's marks.
#[derive(Default)]
struct Markdown {
    links: Vec<String>,
}

impl TextDecorator for Markdown {
    type Annotation = ();

    fn decorate_link_start(&mut self, url: &str) -> (String, ()) {
        self.links.push(url.to_owned());
        ("[".to_owned(), ())
    }

    fn decorate_link_end(&mut self) -> String {
        format!("]({})", self.links.pop().unwrap_or_default())
    }

    fn decorate_em_start(&self) -> (String, ()) {
        ("*".to_owned(), ())
    }

    fn decorate_em_end(&self) -> String {
        "*".to_owned()
    }

    fn decorate_strong_start(&self) -> (String, ()) {
        ("**".to_owned(), ())
    }

    fn decorate_strong_end(&self) -> String {
        "**".to_owned()
    }

    fn decorate_strikeout_start(&self) -> (String, ()) {
        ("~~".to_owned(), ())
    }

    fn decorate_strikeout_end(&self) -> String {
        "~~".to_owned()
    }

    fn decorate_code_start(&self) -> (String, ()) {
        ("`".to_owned(), ())
    }

    fn decorate_code_end(&self) -> String {
        "`".to_owned()
    }

    fn decorate_preformat_first(&self) {}

    fn decorate_preformat_cont(&self) {}

    fn decorate_image(&mut self, src: &str, title: &str) -> (String, ()) {
        (format!("![{title}]({src})"), ())
    }

    fn header_prefix(&self, level: usize) -> String {
        "#".repeat(level) + " "
    }

    fn quote_prefix(&self) -> String {
        "> ".to_owned()
    }

    fn unordered_item_prefix(&self) -> String {
        "- ".to_owned()
    }

    fn ordered_item_prefix(&self, i: i64) -> String {
        format!("{i}. ")
    }

    fn make_subblock_decorator(&self) -> Self {
        Self::default()
    }
}
