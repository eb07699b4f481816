//! Lays JSON out over lines, for people to read.

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
    /// A string, or a piece of a number, a boolean or null.
    Value(&'j str),
}

/// Lays out valid JSON that starts in this column, with `after` more columns after it on its last line.
///
/// An array or object is written on one line if it fits into 100 columns. Otherwise each of its elements has a line of its
/// own, two spaces further to the right. Strings and numbers keep their spelling.
pub fn lay_out(json: &str, column: usize, after: usize) -> String {
    let out = Layout { text: String::new(), column, broken: Vec::new(), columns: COLUMNS, max_indent: MAX_INDENT };
    out.of(json, after)
}

/// Gives each element of valid JSON a line of its own, two spaces further to the right. Values keep their spelling.
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
    /// Valid JSON that starts in the current column, with `after` more columns after it on its last line.
    fn of(mut self, json: &str, after: usize) -> String {
        self.text.reserve(json.len() * 2);
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

/// The bytes of valid JSON outside of strings, and the opening quote of each string.
fn outside_strings(json: &str) -> impl Iterator<Item = (usize, u8)> {
    let bytes = json.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at;
        let byte = *bytes.get(at)?;
        at = if byte == b'"' { string_end(bytes, at) } else { at + 1 };
        Some((start, byte))
    })
}

/// The offset after the string that starts at `start`.
fn string_end(bytes: &[u8], start: usize) -> usize {
    let mut at = start + 1;
    while let Some(length) = bytes.get(at..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
        at += length;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}
