//! Lays JSON out over lines, for people to read.

use super::bytes::{outside_strings, string_end};

/// How many columns a line may have.
const COLUMNS: usize = 100;
/// How many levels are indented. A limit keeps the result linear in the input, however deep it is nested.
const MAX_INDENT: usize = 20;

/// A token of JSON. Whitespace is not a token.
#[derive(Clone, Copy)]
enum Token<'j> {
    Open(&'j str),
    Close(&'j str),
    Comma,
    Colon,
    /// A string, or a piece of a number, a boolean or null.
    Value(&'j str),
}

/// Lays out valid JSON that starts in this column, with `after` more columns after it on its last line.
///
/// An array or object is written on one line if it fits into 100 columns. Otherwise each of its elements has a line of its
/// own, two spaces further to the right. Strings and numbers keep their spelling.
pub fn lay_out(json: &str, column: usize, after: usize) -> String {
    let widths = widths(json);
    let mut out = Layout { text: String::with_capacity(json.len() * 2), column, broken: Vec::new() };
    let mut containers = widths.iter();
    for token in tokens(json) {
        match token {
            Token::Open(bracket) => {
                let width = *containers.next().unwrap_or(&0);
                // A comma may follow an inner one.
                let after = if out.broken.is_empty() { after } else { 1 };
                let is_inside_line = out.broken.last() == Some(&false);
                let breaks = !is_inside_line && width > EMPTY_WIDTH && out.column + width + after > COLUMNS;
                out.push(bracket);
                out.broken.push(breaks);
                if breaks {
                    out.break_line();
                }
            }
            Token::Close(bracket) => {
                if out.broken.pop() == Some(true) {
                    out.break_line();
                }
                out.push(bracket);
            }
            Token::Comma if out.broken.last() == Some(&true) => {
                out.push(",");
                out.break_line();
            }
            Token::Comma => out.push(", "),
            Token::Colon => out.push(": "),
            Token::Value(text) => out.push(text),
        }
    }
    out.text
}

/// Whether JSON is one line that fits, with `after` more columns after it.
pub fn fits_line(json: &str, column: usize, after: usize) -> bool {
    !json.contains('\n') && column + width(json) + after <= COLUMNS
}

/// The width of `[]` and `{}`.
const EMPTY_WIDTH: usize = 2;

struct Layout {
    text: String,
    column: usize,
    /// Whether each open array or object is broken over lines.
    broken: Vec<bool>,
}

impl Layout {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.column += width(text);
    }

    fn break_line(&mut self) {
        let levels = self.broken.len().min(MAX_INDENT);
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n("  ", levels));
        self.column = 2 * levels;
    }
}

/// The width of each array and object on one line, in the order in which they open.
fn widths(json: &str) -> Vec<usize> {
    let (mut widths, mut open, mut total) = (Vec::new(), Vec::new(), 0);
    for token in tokens(json) {
        match token {
            Token::Open(_) => {
                open.push((widths.len(), total));
                widths.push(0);
                total += 1;
            }
            Token::Close(_) => {
                total += 1;
                if let Some((index, start)) = open.pop() {
                    widths[index] = total - start;
                }
            }
            Token::Comma | Token::Colon => total += 2,
            Token::Value(text) => total += width(text),
        }
    }
    widths
}

fn width(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}

fn tokens(json: &str) -> impl Iterator<Item = Token<'_>> {
    outside_strings(json).filter_map(|(at, byte)| match byte {
        b' ' | b'\t' | b'\n' | b'\r' => None,
        b'{' | b'[' => Some(Token::Open(&json[at..=at])),
        b'}' | b']' => Some(Token::Close(&json[at..=at])),
        b',' => Some(Token::Comma),
        b':' => Some(Token::Colon),
        b'"' => Some(Token::Value(&json[at..string_end(json.as_bytes(), at)])),
        _ => Some(Token::Value(&json[at..=at])),
    })
}
