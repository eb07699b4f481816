//! HTML as plain text and as Markdown.

use html2text::config;
use html2text::render::{TextDecorator, TrivialDecorator};

/// No line is wrapped.
const WIDTH: usize = 1_000_000;

/// How deep elements may nest: laying out takes time with the square of it.
const DEEPEST: usize = 1000;
/// Elements that need no end, so that they say nothing about depth.
const WITHOUT_END: [&str; 24] = [
    "area", "base", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta", "option", "p",
    "source", "tbody", "td", "tfoot", "th", "thead", "tr", "track", "wbr",
];

/// The text of a page, without marks. Scripts and styles are not text.
pub(super) fn strip(html: &str) -> Option<String> {
    if is_too_deep(html) {
        return None;
    }
    let config = config::with_decorator(TrivialDecorator::new());
    config.raw_mode(true).unicode_strikeout(false).string_from_read(html.as_bytes(), WIDTH).ok()
}

/// The page as Markdown.
pub(super) fn to_markdown(html: &str) -> Option<String> {
    if is_too_deep(html) {
        return None;
    }
    let config = config::with_decorator(Markdown::default()).link_footnotes(false).no_link_wrapping();
    config.raw_mode(true).unicode_strikeout(false).string_from_read(html.as_bytes(), WIDTH).ok()
}

/// Whether more elements are open at once than can be laid out in time.
fn is_too_deep(html: &str) -> bool {
    let mut depth = 0_usize;
    memchr::memchr_iter(b'<', html.as_bytes()).any(|at| {
        let rest = &html[at + 1..];
        let (closes, rest) = rest.strip_prefix('/').map_or((false, rest), |rest| (true, rest));
        let name = &rest[..rest.bytes().take(16).take_while(u8::is_ascii_alphanumeric).count()];
        let counts = !name.is_empty() && !WITHOUT_END.contains(&name.to_ascii_lowercase().as_str());
        match (counts, closes) {
            (true, true) => depth = depth.saturating_sub(1),
            (true, false) => depth += 1,
            (false, _) => {}
        }
        depth > DEEPEST
    })
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
