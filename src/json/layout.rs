//! Lays JSON out over lines, for people to read. Malformed JSON stays as it is.

use super::arena::StringArena;
use super::value::Json;

/// How many columns a line may have.
const COLUMNS: usize = 100;
/// How many levels are indented where lines are filled. A limit keeps the result linear in the input.
const MAX_INDENT: usize = 20;

/// A token of JSON. Whitespace is not a token.
#[derive(Clone, Copy)]
enum Token<'j> {
    Open(&'j str),
    Close(&'j str),
    Comma,
    Colon,
    /// A string, a number, a boolean or null.
    Value(&'j str),
}

/// Lays out JSON that starts in this column, with `after` more columns after it on its last line.
///
/// An array or object is written on one line if it fits into 100 columns. Otherwise each of its elements has a line of its
/// own, two spaces further to the right. Strings and numbers keep their spelling.
pub fn lay_out(json: &str, column: usize, after: usize) -> String {
    let out = Layout { text: String::new(), column, broken: Vec::new(), columns: COLUMNS, max_indent: MAX_INDENT };
    out.of(json, after)
}

/// Gives each element of JSON a line of its own, two spaces further to the right. Values keep their spelling.
pub fn pretty(json: &str) -> String {
    Layout { text: String::new(), column: 0, broken: Vec::new(), columns: 0, max_indent: usize::MAX }.of(json, 0)
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
    /// How many columns a line may have.
    columns: usize,
    /// How many levels are indented.
    max_indent: usize,
}

impl Layout {
    /// JSON that starts in the current column, with `after` more columns after it on its last line.
    fn of(mut self, text: &str, after: usize) -> String {
        let strings = StringArena::default();
        let Ok(json) = Json::parse(text, &strings) else { return text.to_owned() };
        self.text.reserve(text.len() * 2);
        let widths = widths(json);
        let mut containers = widths.iter();
        for token in tokens(json) {
            match token {
                Token::Open(bracket) => {
                    let width = *containers.next().unwrap_or(&0);
                    // A comma may follow an inner one.
                    let after = if self.broken.is_empty() { after } else { 1 };
                    let is_inside_line = self.broken.last() == Some(&false);
                    let breaks = !is_inside_line && width > EMPTY_WIDTH && self.column + width + after > self.columns;
                    self.push(bracket);
                    self.broken.push(breaks);
                    if breaks {
                        self.break_line();
                    }
                }
                Token::Close(bracket) => {
                    if self.broken.pop() == Some(true) {
                        self.break_line();
                    }
                    self.push(bracket);
                }
                Token::Comma if self.broken.last() == Some(&true) => {
                    self.push(",");
                    self.break_line();
                }
                Token::Comma => self.push(", "),
                Token::Colon => self.push(": "),
                Token::Value(text) => self.push(text),
            }
        }
        self.text
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
        self.column += width(text);
    }

    fn break_line(&mut self) {
        let levels = self.broken.len().min(self.max_indent);
        self.text.push('\n');
        self.text.extend(std::iter::repeat_n("  ", levels));
        self.column = 2 * levels;
    }
}

/// The width of each array and object on one line, in the order in which they open.
fn widths(json: Json<'_>) -> Vec<usize> {
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

/// The tokens of a value. Its index has all but commas and colons.
fn tokens(json: Json<'_>) -> impl Iterator<Item = Token<'_>> {
    let mut end = 0;
    json.tokens().flat_map(move |(range, _)| {
        let between = &json.raw()[end..range.start];
        end = range.end;
        let separator = match between.trim_ascii() {
            "," => Some(Token::Comma),
            ":" => Some(Token::Colon),
            _ => None,
        };
        let token = match &json.raw()[range] {
            bracket @ ("{" | "[") => Token::Open(bracket),
            bracket @ ("}" | "]") => Token::Close(bracket),
            text => Token::Value(text),
        };
        separator.into_iter().chain([token])
    })
}
