//! Converts HTML to plain text and to Markdown.

use std::collections::HashMap;

use html2text::config::{self, Config};
use html2text::render::{TextDecorator, TrivialDecorator};
use html2text::{Handle, RcDom};

/// No line is wrapped.
const WIDTH: usize = 1_000_000;

/// Maximum number of open elements that need a closing tag. Parsing and layout take quadratic time in it.
const MOST_OPEN: usize = 1000;
/// Maximum number of tags times items without a closing tag: such items nest, and each is visited.
const MOST_WORK: usize = 1 << 30;
/// Maximum depth of the parsed page. A table inside a table is four elements deeper.
const DEEPEST: usize = 4 * MOST_OPEN + 16;
/// Elements that need no closing tag, so they do not add to the depth.
const WITHOUT_END: [&str; 24] = [
    "area", "base", "br", "col", "dd", "dt", "embed", "hr", "img", "input", "li", "link", "meta", "option", "p",
    "source", "tbody", "td", "tfoot", "th", "thead", "tr", "track", "wbr",
];

/// The plain text of a page, without scripts and styles.
pub(super) fn strip(html: &str) -> Result<String, &'static str> {
    laid_out(html, config::with_decorator(TrivialDecorator::new()))
}

/// The page as Markdown.
pub(super) fn to_markdown(html: &str) -> Result<String, &'static str> {
    laid_out(html, config::with_decorator(Markdown::default()).link_footnotes(false).no_link_wrapping())
}

/// Converts a page to text, or says why not.
fn laid_out(html: &str, config: Config<impl TextDecorator>) -> Result<String, &'static str> {
    const TOO_DEEP: &str = "it is nested too deep";
    let config = config.raw_mode(true).unicode_strikeout(false);
    if opens_too_many(html) {
        return Err(TOO_DEEP);
    }
    let page = config.parse_html(html.as_bytes()).ok().filter(|page| !is_too_deep(page)).ok_or(TOO_DEEP)?;
    let tree = config.dom_to_render_tree(&page).map_err(|_| TOO_DEEP)?;
    config.render_to_string(tree, WIDTH).map_err(|_| TOO_DEEP)
}

/// Whether too many elements are open at once to be parsed in reasonable time. Stray closing tags do not count.
fn opens_too_many(html: &str) -> bool {
    let mut open: HashMap<String, usize> = HashMap::new();
    let (mut tags, mut depth, mut items) = (0_usize, 0_usize, 0_usize);
    memchr::memchr_iter(b'<', html.as_bytes()).any(|at| {
        let rest = &html[at + 1..];
        let (closes, rest) = rest.strip_prefix('/').map_or((false, rest), |rest| (true, rest));
        let name = &rest[..rest.bytes().take(16).take_while(u8::is_ascii_alphanumeric).count()];
        let name = name.to_ascii_lowercase();
        let is_foreign = || ["svg", "math"].iter().any(|foreign| open.get(*foreign).is_some_and(|count| *count > 0));
        let counted = match name.as_str() {
            "" => return false,
            name if !WITHOUT_END.contains(&name) || is_foreign() => &mut depth,
            "li" | "dd" | "dt" => &mut items,
            _ => return false,
        };
        tags += 1;
        let count = open.entry(name).or_default();
        if !closes {
            (*count, *counted) = (*count + 1, *counted + 1);
        } else if *count > 0 {
            (*count, *counted) = (*count - 1, counted.saturating_sub(1));
        }
        depth > MOST_OPEN || tags.saturating_mul(items) > MOST_WORK
    })
}

/// Whether a parsed page is nested too deep to be laid out in reasonable time.
fn is_too_deep(page: &RcDom) -> bool {
    let mut nodes: Vec<(Handle, usize)> = vec![(page.document.clone(), 0)];
    while let Some((node, depth)) = nodes.pop() {
        if depth > DEEPEST {
            return true;
        }
        nodes.extend(node.children.borrow().iter().map(|child| (child.clone(), depth + 1)));
    }
    false
}

/// Writes Markdown's delimiters.
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
