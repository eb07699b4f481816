//! JSON values as positions in an indexed text.
//!
//! Numbers keep their spelling, objects keep the order of their keys, and nothing is copied until it is decoded.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use super::arena::StringArena;
use super::error::JsonError;
use super::index::{Index, Node, index, index_first};
use super::object::Object;
use super::string::decode;

/// A JSON value as it is spelled.
#[derive(Debug, Clone, Copy)]
pub struct Json<'j> {
    text: &'j str,
    /// The nodes of its tokens.
    nodes: &'j [Node],
}

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// `null`
    Null,
    /// `true`, `false`
    Boolean,
    /// `1`
    Number,
    /// `"a"`
    String,
    /// `[]`
    Array,
    /// `{}`
    Object,
}

/// One step of a path into a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// `output`
    Key(String),
    /// `[0]`
    Index(usize),
}

impl<'j> Json<'j> {
    /// `[]`
    pub const EMPTY_ARRAY: Json<'static> =
        Json { text: "[]", nodes: &[Node { start: 0, size: 2 }, Node { start: 1, size: 0 }] };
    /// `null`
    pub const NULL: Json<'static> = Json::scalar("null");
    /// `true`
    pub const TRUE: Json<'static> = Json::scalar("true");
    /// `false`
    pub const FALSE: Json<'static> = Json::scalar("false");

    /// Reads a whole text as one JSON value. The arena keeps its index.
    pub fn parse(text: &'j str, arena: &'j StringArena) -> Result<Self, JsonError> {
        Self::parse_at(text, 0, arena)
    }

    /// Reads a text that starts at offset `at` of a larger text.
    pub fn parse_at(text: &'j str, at: usize, arena: &'j StringArena) -> Result<Self, JsonError> {
        Ok(Self::root(text, arena.index(index(text, at, Index::default())?.nodes), at))
    }

    /// The value of a text at offset `at` of a larger text, which [`Index::read`] has read.
    pub fn of(text: &'j str, at: usize, index: &'j Index) -> Self {
        Self::root(text, &index.nodes, at)
    }

    /// Like [`Json::of`], but the arena keeps a copy of the index.
    pub fn keep(text: &'j str, at: usize, index: &Index, arena: &'j StringArena) -> Self {
        Self::root(text, arena.index(index.nodes.as_slice()), at)
    }

    /// Reads the first JSON value of a text that starts at offset `at` of a larger text. Also returns where it ends.
    pub fn parse_first(text: &'j str, at: usize, arena: &'j StringArena) -> Result<(Self, usize), JsonError> {
        let index = index_first(text, at)?;
        Ok((Self::root(text, arena.index(index.nodes), at), index.end))
    }

    /// The value that the nodes are the index of. The text starts at offset `at` of a larger text.
    pub(super) fn root(text: &'j str, nodes: &'j [Node], at: usize) -> Self {
        let Some(first) = nodes.first() else { return Json::NULL };
        let start = first.start as usize - at;
        let end = match nodes.last() {
            Some(close) if nodes.len() > 1 => close.start as usize - at + 1,
            Some(_) | None => start + first.size as usize,
        };
        Json { text: &text[start..end], nodes }
    }

    /// A scalar without whitespace around it, and without an offset.
    pub(crate) const fn scalar(text: &'j str) -> Self {
        Json { text, nodes: &[] }
    }

    /// Its text as written.
    pub fn raw(self) -> &'j str {
        self.text
    }

    /// Whether it is `[]`.
    pub fn is_empty_array(self) -> bool {
        self.kind() == Kind::Array && self.nodes.len() == 2
    }

    /// Its offset in the text that it was read from.
    pub fn offset(self) -> usize {
        self.nodes.first().map_or(0, |node| node.start as usize)
    }

    /// Its range in the text that it was read from.
    pub fn range(self) -> Range<usize> {
        self.offset()..self.offset() + self.text.len()
    }

    /// The type of a value.
    pub fn kind(self) -> Kind {
        match self.text.as_bytes().first() {
            Some(b'n') | None => Kind::Null,
            Some(b't' | b'f') => Kind::Boolean,
            Some(b'"') => Kind::String,
            Some(b'[') => Kind::Array,
            Some(b'{') => Kind::Object,
            Some(_) => Kind::Number,
        }
    }

    /// The characters of a string.
    pub fn as_str(self) -> Result<Cow<'j, str>, JsonError> {
        let Some(inside) = self.text.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
            return Err(self.malformed(format!("expected a string, found {}", self.kind())));
        };
        if memchr::memchr(b'\\', inside.as_bytes()).is_none() {
            return Ok(Cow::Borrowed(inside));
        }
        let text = decode(inside).ok_or_else(|| JsonError::lone_surrogate(self.text, self.offset()))?;
        Ok(Cow::Owned(text))
    }

    /// The elements of an array.
    pub fn array(self) -> Result<Vec<Json<'j>>, JsonError> {
        match self.kind() {
            Kind::Array => Ok(self.children().collect()),
            kind => Err(self.malformed(format!("expected an array, found {kind}"))),
        }
    }

    /// The members of an object.
    pub fn object(self) -> Result<Object<'j>, JsonError> {
        match self.kind() {
            Kind::Object => Object::read(self),
            kind => Err(self.malformed(format!("expected an object, found {kind}"))),
        }
    }

    /// The values of some keys of an object.
    pub fn pick<const N: usize>(self, keys: [&str; N]) -> Result<[Option<Json<'j>>; N], JsonError> {
        if self.kind() != Kind::Object {
            return Err(self.malformed(format!("expected an object, found {}", self.kind())));
        }
        let mut values = [None; N];
        let mut children = self.children();
        while let (Some(key), Some(value)) = (children.next(), children.next()) {
            let key = key.as_str().map_err(|_| JsonError::malformed_key(key.raw(), self.offset()))?;
            if let Some(at) = keys.iter().position(|known| *known == key) {
                values[at] = Some(value);
            }
        }
        Ok(values)
    }

    /// The elements of an array, or the keys and values of an object in turn.
    pub(super) fn children(self) -> impl Iterator<Item = Json<'j>> {
        let mut inner = self.nodes.split_last().map_or(&[][..], |(_, nodes)| nodes.get(1..).unwrap_or_default());
        std::iter::from_fn(move || {
            let first = inner.first()?;
            let start = first.start as usize - self.offset();
            let is_container = matches!(self.text.as_bytes()[start], b'[' | b'{');
            let (nodes, rest) = inner.split_at(if is_container { first.size as usize } else { 1 });
            inner = rest;
            Some(Json::root(self.text, nodes, self.offset()))
        })
    }

    /// An upper bound on the number of members of an object. It is exact if no value is an array or an object.
    pub(super) fn max_members(self) -> usize {
        self.nodes.len().saturating_sub(2) / 2
    }

    /// Every string value at any depth, in order, with its nearest enclosing key as written.
    pub fn strings(self) -> impl Iterator<Item = (&'j str, Json<'j>)> {
        let (mut key, mut outer) = ("", Vec::new());
        let mut tokens = self.tokens();
        std::iter::from_fn(move || {
            loop {
                let (range, index) = tokens.next()?;
                let token = &self.text[range.clone()];
                match token.as_bytes()[0] {
                    b'{' | b'[' => outer.push(key),
                    b'}' | b']' => key = outer.pop().unwrap_or_default(),
                    b'"' if self.text[range.end..].trim_ascii_start().starts_with(':') => {
                        key = &token[1..token.len() - 1];
                    }
                    b'"' => return Some((key, Json { text: token, nodes: &self.nodes[index..=index] })),
                    _ => {}
                }
            }
        })
    }

    /// How many members of objects are null, at any depth.
    pub fn null_members(self) -> usize {
        let is_member = |start: usize| self.text[..start].trim_ascii_end().ends_with(':');
        let starts = self.tokens().map(|(range, _)| range.start);
        starts.filter(|start| self.text.as_bytes()[*start] == b'n' && is_member(*start)).count()
    }

    /// An error at this value.
    pub fn malformed(self, message: impl Into<String>) -> JsonError {
        JsonError::new(message, self.offset())
    }

    /// Its text without whitespace between tokens.
    pub fn compact(self) -> Cow<'j, str> {
        let is_space = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n' | b'\r');
        let (mut kept, mut start, mut end) = (String::new(), 0, 0);
        for (token, _) in self.tokens() {
            let between = &self.text.as_bytes()[end..token.start];
            if between.iter().any(is_space) {
                kept.push_str(&self.text[start..end]);
                kept.extend(between.iter().filter(|byte| !is_space(byte)).map(|byte| char::from(*byte)));
                start = token.start;
            }
            end = token.end;
        }
        if start == 0 {
            return Cow::Borrowed(self.text);
        }
        kept.push_str(&self.text[start..]);
        Cow::Owned(kept)
    }

    /// The tokens of its text, with the index of their nodes.
    fn tokens(self) -> impl Iterator<Item = (Range<usize>, usize)> {
        self.nodes.iter().enumerate().map(move |(index, node)| {
            let start = node.start as usize - self.offset();
            let is_bracket = matches!(self.text.as_bytes()[start], b'[' | b'{' | b']' | b'}');
            (start..start + if is_bracket { 1 } else { node.size as usize }, index)
        })
    }
}

impl PartialEq for Json<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Json<'_> {}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Null => "null",
            Kind::Boolean => "a boolean",
            Kind::Number => "a number",
            Kind::String => "a string",
            Kind::Array => "an array",
            Kind::Object => "an object",
        })
    }
}
