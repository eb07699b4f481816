//! The index of a JSON text: one scan validates it and notes where its values are.

use super::error::JsonError;
use super::string::SpecialByteFinder;

/// Maximum nesting depth: `serde_json`'s own limit, also applied to values that are not decoded.
pub const MAX_DEPTH: usize = 127;

/// About how many bytes of dense JSON are one token.
const BYTES_PER_NODE: usize = 8;
/// Initial capacity limit; the index grows as needed. A long text may be one string.
const MAX_INITIAL_NODES: usize = 64;

/// One token of a JSON text: a scalar or a key, the opening bracket of an array or an object, or its closing bracket.
///
/// The tokens of a value are consecutive. An array is its opening bracket, its elements and its closing bracket. An
/// object is its opening bracket, its keys and values in turn, and its closing bracket.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Node {
    /// Its offset in the text that was read.
    pub(super) start: u32,
    /// The bytes of a scalar or a key; the nodes of an array or an object from its opening to its closing bracket; 0 for
    /// a closing bracket.
    pub(super) size: u32,
}

/// The index of the first value of a text. Its memory can be used again for the next text.
#[derive(Debug, Default)]
pub struct Index {
    pub(super) nodes: Vec<Node>,
    /// The nodes of the arrays and objects that are not closed yet.
    open: Vec<usize>,
    /// Where the value ends.
    pub(super) end: usize,
    /// The offset at which it is nested too deep.
    too_deep: Option<usize>,
}

impl Index {
    /// Indexes a text that is one value and starts at offset `at` of another one. The memory of the index is used again.
    pub fn read(&mut self, text: &str, at: usize) -> Result<(), JsonError> {
        *self = index(text, at, std::mem::take(self))?;
        Ok(())
    }
}

/// Whether a text begins like a JSON object or an array of objects, and not like a document.
pub fn begins_like_json(text: &str) -> bool {
    let text = text.trim_start();
    let after = |open| text.strip_prefix(open).map(str::trim_start);
    after('{').is_some_and(|rest| rest.starts_with(['"', '}']))
        || after('[').is_some_and(|rest| rest.starts_with(['{', ']']))
}

/// Whether a text is one JSON value that is not nested too deep.
pub fn is_valid(text: &str) -> bool {
    index(text, 0, Index::default()).is_ok()
}

/// Indexes a text that is one value and starts at offset `at` of another one.
pub(super) fn index(text: &str, at: usize, reused: Index) -> Result<Index, JsonError> {
    let index = scan(text, at, reused).ok_or_else(|| JsonError::malformed(text, at))?;
    if !text[index.end..].trim_ascii_start().is_empty() {
        return Err(JsonError::malformed(text, at));
    }
    check_depth(&index, at)?;
    Ok(index)
}

/// Indexes the first value of a text that starts at offset `at` of another one.
pub(super) fn index_first(text: &str, at: usize) -> Result<Index, JsonError> {
    let index = scan(text, at, Index::default()).ok_or_else(|| JsonError::malformed_first(text, at))?;
    let is_delimited = matches!(text.as_bytes()[..index.end].last(), Some(b'"' | b']' | b'}'));
    let next = text.as_bytes().get(index.end);
    if !is_delimited
        && !matches!(next, None | Some(b' ' | b'\t' | b'\n' | b'\r' | b'"' | b'[' | b']' | b'{' | b'}' | b',' | b':'))
    {
        return Err(JsonError::malformed_first(text, at));
    }
    check_depth(&index, at)?;
    Ok(index)
}

fn check_depth(index: &Index, at: usize) -> Result<(), JsonError> {
    match index.too_deep {
        Some(offset) => Err(JsonError::new(format!("JSON nests more than {MAX_DEPTH} deep"), at + offset)),
        None => Ok(()),
    }
}

/// Scans the first value of a text; `None` if it is malformed, or too large for the offsets of nodes.
pub(super) fn scan(text: &str, at: usize, reused: Index) -> Option<Index> {
    let base = u32::try_from(at).ok()?;
    u32::try_from(at.checked_add(text.len())?).ok()?;
    let Index { mut nodes, mut open, .. } = reused;
    nodes.clear();
    nodes.reserve((text.len() / BYTES_PER_NODE).min(MAX_INITIAL_NODES));
    open.clear();
    let bytes = text.as_bytes();
    let mut scanner =
        Scanner { bytes, special: SpecialByteFinder::new(bytes), at: 0, base, nodes, open, too_deep: None };
    scanner.value()?;
    let Scanner { nodes, open, at: end, too_deep, .. } = scanner;
    Some(Index { nodes, open, end, too_deep })
}

struct Scanner<'t> {
    bytes: &'t [u8],
    special: SpecialByteFinder<'t>,
    at: usize,
    base: u32,
    nodes: Vec<Node>,
    open: Vec<usize>,
    too_deep: Option<usize>,
}

impl Scanner<'_> {
    /// Scans one value. The arrays and objects around the current value are a list, not a recursion, so that nesting
    /// cannot overflow the stack.
    fn value(&mut self) -> Option<()> {
        while self.begin()? || self.end()? {}
        Some(())
    }

    /// Scans a scalar, an empty array or object, or the start of another one. Returns whether a value follows in it.
    fn begin(&mut self) -> Option<bool> {
        match self.peek()? {
            bracket @ (b'[' | b'{') => return self.open(bracket),
            b'"' => self.string()?,
            b'n' => self.literal(b"null")?,
            b't' => self.literal(b"true")?,
            b'f' => self.literal(b"false")?,
            _ => self.number()?,
        }
        Some(false)
    }

    /// Closes the arrays and objects that end after a value. Returns whether another value follows in one of them.
    fn end(&mut self) -> Option<bool> {
        while let Some(&open) = self.open.last() {
            let is_object = self.bytes[(self.nodes[open].start - self.base) as usize] == b'{';
            match (self.peek()?, is_object) {
                (b'}', true) | (b']', false) => self.close(open),
                (b',', true) => {
                    self.at += 1;
                    return self.key().map(|()| true);
                }
                (b',', false) => {
                    self.at += 1;
                    return Some(true);
                }
                (_, _) => return None,
            }
        }
        Some(false)
    }

    /// The next byte that is not whitespace.
    fn peek(&mut self) -> Option<u8> {
        loop {
            match *self.bytes.get(self.at)? {
                b' ' | b'\t' | b'\n' | b'\r' => self.at += 1,
                byte => return Some(byte),
            }
        }
    }

    /// Opens an array or an object. Returns whether a value follows.
    fn open(&mut self, bracket: u8) -> Option<bool> {
        if self.open.len() == MAX_DEPTH {
            self.too_deep.get_or_insert(self.at);
        }
        self.open.push(self.nodes.len());
        self.push(self.at, 0);
        self.at += 1;
        match (bracket, self.peek()?) {
            (b'[', b']') | (b'{', b'}') => {
                self.close(self.nodes.len() - 1);
                Some(false)
            }
            (b'{', _) => self.key().map(|()| true),
            (_, _) => Some(true),
        }
    }

    fn close(&mut self, open: usize) {
        self.push(self.at, 0);
        self.at += 1;
        self.open.pop();
        self.nodes[open].size = size(self.nodes.len() - open);
    }

    fn key(&mut self) -> Option<()> {
        if self.peek()? != b'"' {
            return None;
        }
        self.string()?;
        if self.peek()? != b':' {
            return None;
        }
        self.at += 1;
        Some(())
    }

    fn string(&mut self) -> Option<()> {
        let start = self.at;
        self.at += 1;
        loop {
            self.at = self.special.find(self.at);
            match *self.bytes.get(self.at)? {
                b'"' => break,
                b'\\' => self.escape()?,
                _ => return None,
            }
        }
        self.at += 1;
        self.push(start, size(self.at - start));
        Some(())
    }

    fn escape(&mut self) -> Option<()> {
        match self.bytes.get(self.at + 1)? {
            b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => self.at += 2,
            b'u' => {
                let digits = self.bytes.get(self.at + 2..self.at + 6)?;
                if !digits.iter().all(u8::is_ascii_hexdigit) {
                    return None;
                }
                self.at += 6;
            }
            _ => return None,
        }
        Some(())
    }

    fn literal(&mut self, literal: &[u8]) -> Option<()> {
        if !self.bytes[self.at..].starts_with(literal) {
            return None;
        }
        self.push(self.at, size(literal.len()));
        self.at += literal.len();
        Some(())
    }

    fn number(&mut self) -> Option<()> {
        let start = self.at;
        self.skip(b"-");
        if !self.skip(b"0") {
            self.digits()?;
        }
        if self.skip(b".") {
            self.digits()?;
        }
        if self.skip(b"eE") {
            self.skip(b"+-");
            self.digits()?;
        }
        self.push(start, size(self.at - start));
        Some(())
    }

    fn digits(&mut self) -> Option<()> {
        let digits = self.bytes[self.at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.at += digits;
        (digits > 0).then_some(())
    }

    /// Skips one of these bytes, if it is next.
    fn skip(&mut self, bytes: &[u8]) -> bool {
        let is_next = self.bytes.get(self.at).is_some_and(|next| bytes.contains(next));
        self.at += usize::from(is_next);
        is_next
    }

    fn push(&mut self, start: usize, size: u32) {
        self.nodes.push(Node { start: self.base + self::size(start), size });
    }
}

/// A number that is at most the length of the text, which is known to fit.
fn size(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
