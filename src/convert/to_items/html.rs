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
    check(&page, html)?;
    let tree = config.dom_to_render_tree(&page).map_err(|_| TOO_DEEP)?;
    config.render_to_string(tree, WIDTH).map_err(|_| TOO_DEEP)
}

/// Checks whether a parsed page can be laid out in reasonable time and memory.
fn check(page: &RcDom, html: &str) -> Result<(), &'static str> {
    let most_levels = html.len().saturating_mul(LEVELS_PER_BYTE).saturating_add(FREE_LEVELS);
    let lines = memchr::memchr_iter(b'\n', html.as_bytes()).count();
    let (mut levels, mut deepest, mut all_cells) = (0_usize, 0_usize, 0_usize);
    let mut nodes: Vec<(Handle, usize)> = vec![(page.document.clone(), 0)];
    while let Some((node, depth)) = nodes.pop() {
        deepest = deepest.max(depth);
        levels = levels.saturating_add(depth);
        all_cells = all_cells.saturating_add(cells(&node));
        if deepest > MAX_PAGE_DEPTH || levels.saturating_add(lines.saturating_mul(deepest)) > most_levels {
            return Err(TOO_DEEP);
        }
        nodes.extend(children(&node).into_iter().map(|child| (child, depth + 1)));
    }
    if all_cells > html.len().saturating_add(FREE_CELLS) { Err("its tables have too many cells") } else { Ok(()) }
}

/// The cells of a table: its rows times the columns of its widest row. 0 for another node.
fn cells(table: &Handle) -> usize {
    if !is(table, "table") {
        return 0;
    }
    let (sections, rows): (Vec<_>, Vec<_>) = children(table).into_iter().partition(|child| !is(child, "tr"));
    let inner = sections.iter().flat_map(children).filter(|child| is(child, "tr"));
    let widths: Vec<usize> = rows.iter().cloned().chain(inner).map(|row| columns(&row)).collect();
    widths.len().saturating_mul(widths.into_iter().max().unwrap_or_default())
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
