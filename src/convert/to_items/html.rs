//! Converts HTML to plain text and to Markdown.

mod attributes;
mod page;

use html2text::config::{self, Config};
use html2text::render::{TextDecorator, TrivialDecorator};
use html2text::{Element, Handle, RcDom};

/// No line is wrapped.
const WIDTH: usize = 1_000_000;

/// Maximum depth of the parsed page: 1,000 elements below `<body>`, and their text.
const MAX_PAGE_DEPTH: usize = 1003;
/// Limit on the sum of nesting levels over all lines: per byte, plus a constant. Each level may indent each line.
const LEVELS_PER_BYTE: usize = 16;
const FREE_LEVELS: usize = 1 << 22;

/// Limit on the cells of all tables, rows times columns: one per byte, plus a constant. The layout has room for each.
const FREE_CELLS: usize = 1 << 20;

const TOO_DEEP: &str = "it is nested too deep";

/// The plain text of a page, without scripts and styles.
pub(super) fn strip(html: &str) -> Result<String, &'static str> {
    laid_out(html, config::with_decorator(TrivialDecorator::new()))
}

/// The page as Markdown.
pub(super) fn to_markdown(html: &str) -> Result<String, &'static str> {
    laid_out(html, config::with_decorator(Markdown::default()).link_footnotes(false).no_link_wrapping())
}

/// Converts a page to text. The error is the reason why that is impossible.
fn laid_out(html: &str, config: Config<impl TextDecorator>) -> Result<String, &'static str> {
    let config = config.raw_mode(true).unicode_strikeout(false);
    let page = page::parse(html)?;
    if is_too_deep(&page, html) {
        return Err(TOO_DEEP);
    }
    if cells(&page) > html.len().saturating_add(FREE_CELLS) {
        return Err("its tables have too many cells");
    }
    let tree = config.dom_to_render_tree(&page).map_err(|_| TOO_DEEP)?;
    config.render_to_string(tree, WIDTH).map_err(|_| TOO_DEEP)
}

/// Whether a parsed page is nested too deep to be laid out in reasonable time.
fn is_too_deep(page: &RcDom, html: &str) -> bool {
    let most_levels = html.len().saturating_mul(LEVELS_PER_BYTE).saturating_add(FREE_LEVELS);
    let lines = memchr::memchr_iter(b'\n', html.as_bytes()).count();
    let (mut levels, mut deepest) = (0_usize, 0_usize);
    let mut nodes: Vec<(Handle, usize)> = vec![(page.document.clone(), 0)];
    while let Some((node, depth)) = nodes.pop() {
        deepest = deepest.max(depth);
        levels = levels.saturating_add(depth);
        if deepest > MAX_PAGE_DEPTH || levels.saturating_add(lines.saturating_mul(deepest)) > most_levels {
            return true;
        }
        nodes.extend(node.children.borrow().iter().map(|child| (child.clone(), depth + 1)));
    }
    false
}

/// The cells of all tables of a page: of each table, its rows times the columns of its widest row.
fn cells(page: &RcDom) -> usize {
    let mut cells = 0_usize;
    let mut nodes = vec![page.document.clone()];
    while let Some(node) = nodes.pop() {
        if is(&node, "table") {
            let (sections, rows): (Vec<_>, Vec<_>) = children(&node).into_iter().partition(|child| !is(child, "tr"));
            let inner = sections.iter().flat_map(children).filter(|child| is(child, "tr"));
            let widths: Vec<usize> = rows.iter().cloned().chain(inner).map(|row| columns(&row)).collect();
            cells = cells.saturating_add(widths.len().saturating_mul(widths.into_iter().max().unwrap_or_default()));
        }
        nodes.extend(children(&node));
    }
    cells
}

/// The columns of a row of a table.
fn columns(row: &Handle) -> usize {
    let cells = children(row).into_iter().filter(|cell| is(cell, "td") || is(cell, "th"));
    cells.fold(0, |columns, cell| columns.saturating_add(span(&cell)))
}

/// The columns of a cell.
fn span(cell: &Handle) -> usize {
    let Element { attrs, .. } = &cell.data else { return 1 };
    let attributes = attrs.borrow();
    let span = attributes.iter().find(|attribute| &*attribute.name.local == "colspan");
    span.and_then(|span| span.value.parse().ok()).unwrap_or(1).max(1)
}

fn is(node: &Handle, name: &str) -> bool {
    matches!(&node.data, Element { name: element, .. } if &*element.local == name)
}

fn children(node: &Handle) -> Vec<Handle> {
    node.children.borrow().clone()
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
