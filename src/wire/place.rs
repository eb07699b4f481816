//! Places of differences.

use std::fmt;

use super::{Entry, LedgerRule, Placed};
use crate::source::Span;

/// A place of the document by its path in the Responses request: `input[3].content[0]`.
#[derive(Debug, Clone, Copy, Default)]
pub struct Place<'a> {
    /// `input`, `instructions`, `tools`, or the path of a field.
    list: &'a str,
    /// The index in the list.
    index: Option<usize>,
    /// The name of the element's array, and the index of the part.
    part: Option<(&'static str, usize)>,
    /// A member of the element or the part.
    member: Option<&'a str>,
    /// Where it is written. Without it, nothing is noted.
    pub span: Option<Span>,
    /// Where the parts of the item are written.
    parts: &'a [Span],
}

impl<'a> Place<'a> {
    /// A field.
    pub fn field(path: &'a str, span: Span) -> Self {
        Self { list: path, span: Some(span), ..Self::default() }
    }

    /// The element of a list.
    pub fn element(list: &'static str, index: usize, span: Span) -> Self {
        Self { index: Some(index), ..Self::field(list, span) }
    }

    /// An item.
    pub fn item(list: &'static str, index: usize, placed: &Placed<'a, '_>) -> Self {
        Self::element(list, index, placed.span).with_parts(placed.parts)
    }

    /// The place of an item with parts at these places.
    #[must_use]
    pub fn with_parts(self, parts: &'a [Span]) -> Self {
        Self { parts, ..self }
    }

    /// The list of an element.
    #[must_use]
    pub fn without_index(self) -> Self {
        Self { index: None, ..self }
    }

    /// A part of an item.
    #[must_use]
    pub fn part(self, list: &'static str, index: usize) -> Self {
        let span = self.span.map(|span| self.parts.get(index).copied().unwrap_or(span));
        Self { part: Some((list, index)), span, ..self }
    }

    /// A member.
    #[must_use]
    pub fn member<'m>(self, key: &'m str) -> Place<'m>
    where
        'a: 'm,
    {
        Place { member: Some(key), ..self }
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.list)?;
        if let Some(index) = self.index {
            write!(f, "[{index}]")?;
        }
        if let Some((list, index)) = self.part {
            write!(f, ".{list}[{index}]")?;
        }
        self.member.map_or(Ok(()), |key| write!(f, ".{key}"))
    }
}

/// Adds an entry of a rule.
pub fn note(entries: &mut impl Extend<Entry>, rule: &'static LedgerRule, place: Place<'_>, message: impl Into<String>) {
    entries.extend(place.span.map(|span| Entry::new(rule, place.to_string(), span, message)));
}
