//! The statistics of a document, as a table for people.

use anstyle::{AnsiColor, Style};

use super::layout::{BYTES, Cells, IMAGES, LABEL, TOKENS, line, widths, wrap};
use super::{Cost, Row, Stats, Subject, Total};
use crate::diagnostic::{Colors, counted, thousands};

/// How the table is laid out.
#[derive(Debug, Clone, Copy)]
pub struct TableOptions {
    /// Its maximum width in columns.
    pub width: usize,
    /// Whether it has colours.
    pub colors: Colors,
    /// Show only the rows with the most tokens, this many. Totals include all rows.
    pub top: Option<usize>,
}

const HEADER: Cells<&str> = ["#", "item", "line", "bytes", "tokens", "", "", "images"];
const MAX_BAR_WIDTH: usize = 10;
/// More sizes are not listed: the column shows no more.
const MAX_LISTED_SIZES: usize = 20;

const BOLD: Style = Style::new().bold();
const TOOL_OUTPUT: Style = AnsiColor::Yellow.on_default();

/// A row for each part of the request, the totals, and the share of tool outputs.
pub fn render(stats: &Stats, options: TableOptions) -> String {
    let total = stats.total();
    let rows = options.top.map_or_else(|| stats.rows.iter().collect(), |most| stats.top(most));
    let mut lines = vec![(HEADER.map(str::to_owned), BOLD)];
    lines.extend(rows.iter().map(|row| {
        let style = if row.subject.is_tool_output() { TOOL_OUTPUT } else { Style::new() };
        (cells(row, &total), style)
    }));
    lines.push((total_cells(&total), BOLD));
    let widths = widths(&lines, options.width);
    let mut out = String::new();
    for (cells, style) in &lines {
        let line = line(cells, &widths);
        match options.colors {
            Colors::Ansi if *style != Style::new() => {
                out.extend([style.render().to_string(), line, style.render_reset().to_string()]);
            }
            Colors::Ansi | Colors::None => out.push_str(&line),
        }
        out.push('\n');
    }
    let mut sentences = sentences(&total, rows.len(), stats.rows.len());
    sentences.extend(stats.usage.map(|usage| format!("The API has counted {usage} for the answers so far.")));
    if !sentences.is_empty() {
        out.push('\n');
    }
    for sentence in sentences {
        wrap(&mut out, &sentence, options.width);
    }
    out
}

/// The subject of a row, in words: `user`, `call read_file`, `output of read_file`.
pub fn label(subject: &Subject) -> String {
    let item = match subject {
        Subject::Instructions => return "instructions".to_owned(),
        Subject::Tools => return "tools".to_owned(),
        Subject::Item(item) => item,
    };
    match (&item.role, &item.name, &item.call_id) {
        (Some(role), ..) => role.clone(),
        (None, Some(name), _) if subject.is_tool_output() => format!("output of {name}"),
        (None, Some(name), _) => format!("call {name}"),
        (None, None, Some(call_id)) => format!("output of {call_id}"),
        (None, None, None) => item.kind.clone(),
    }
}

fn cells(row: &Row, total: &Total) -> Cells {
    let index = if let Subject::Item(item) = &row.subject { item.index.to_string() } else { String::new() };
    let (cost, tokens) = (&row.cost, row.cost.tokens());
    let is_at_least = cost.unknown_images() + cost.files > 0;
    [
        index,
        label(&row.subject),
        row.line.map(thousands).unwrap_or_default(),
        thousands(cost.bytes),
        at_least(tokens, is_at_least),
        percent(tokens, total.tokens),
        bar(tokens, total.tokens),
        media(cost),
    ]
}

fn total_cells(total: &Total) -> Cells {
    let mut cells = Cells::default();
    cells[LABEL] = counted(total.items, "item");
    cells[BYTES] = thousands(total.bytes);
    cells[TOKENS] = at_least(total.tokens, total.is_at_least());
    cells[IMAGES] = counted(total.images, "image");
    cells
}

fn sentences(total: &Total, shown: usize, rows: usize) -> Vec<String> {
    let mut sentences = Vec::new();
    if shown < rows {
        sentences.push(format!("Shown: {} of {} rows, those with most tokens.", thousands(shown), thousands(rows)));
    }
    let unknown = [(total.unknown_images, "image"), (total.unknown_files, "file")];
    let unknown: Vec<String> =
        unknown.iter().filter(|(count, _)| *count > 0).map(|(count, what)| counted(*count, what)).collect();
    if !unknown.is_empty() {
        let (tokens, unknown) = (thousands(total.tokens), unknown.join(" and "));
        sentences.push(format!("At least {tokens} tokens: those of {unknown} are not known and count as 0."));
    }
    let (part, whole) = (total.tool_output_tokens, total.tokens);
    let share = percent(part, whole);
    let share = if share.is_empty() { "0%" } else { &share };
    if total.tool_outputs > 0 {
        sentences.push(format!("Tool outputs are {share} of the tokens: {} of {}.", thousands(part), thousands(whole)));
    }
    sentences
}

fn at_least(tokens: usize, is_at_least: bool) -> String {
    format!("{}{}", if is_at_least { "≥" } else { "" }, thousands(tokens))
}

/// `2 images 640×480, ?, 1 file`
fn media(cost: &Cost) -> String {
    let mut kinds = Vec::new();
    if !cost.images.is_empty() {
        let size = |size: Option<(usize, usize)>| {
            size.map_or_else(|| "?".to_owned(), |(width, height)| format!("{width}×{height}"))
        };
        let mut sizes: Vec<String> = cost.images.iter().take(MAX_LISTED_SIZES).map(|image| size(image.size)).collect();
        if cost.images.len() > MAX_LISTED_SIZES {
            sizes.push("…".to_owned());
        }
        kinds.push(format!("{} {}", counted(cost.images.len(), "image"), sizes.join(", ")));
    }
    if cost.files > 0 {
        kinds.push(counted(cost.files, "file"));
    }
    kinds.join(", ")
}

fn percent(part: usize, whole: usize) -> String {
    match (part.saturating_mul(200) + whole).checked_div(whole.saturating_mul(2)) {
        _ if part == 0 => String::new(),
        None => String::new(),
        Some(0) => "<1%".to_owned(),
        Some(percent) => format!("{percent}%"),
    }
}

/// A part of the longest bar, to an eighth of a character.
fn bar(part: usize, whole: usize) -> String {
    const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    let eighths = part.saturating_mul(MAX_BAR_WIDTH * 8).checked_div(whole).unwrap_or_default();
    "█".repeat(eighths / 8) + EIGHTHS[eighths % 8]
}
