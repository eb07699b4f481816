//! Where a difference is, and the ledger that it goes into.

use std::fmt;

use crate::json::Object;
use crate::source::Span;
use crate::wire::{self, Api, Entry, Ledger, Placed, report_unsent};

/// A place of the document by its path in the Responses request.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Place<'a> {
    /// `input`, `instructions`, `tools`, or the name of a field.
    list: &'a str,
    /// The index in the list.
    index: Option<usize>,
    /// The name of the item's array, and the index of the part.
    part: Option<(&'static str, usize)>,
    /// Where it is written. Without it, nothing is noted.
    pub span: Option<Span>,
    /// Where the parts of the item are written.
    parts: &'a [Span],
}

impl<'a> Place<'a> {
    /// A field.
    pub(super) fn field(name: &'a str, span: Span) -> Self {
        Self { list: name, span: Some(span), ..Self::default() }
    }

    /// The element of a list.
    pub(super) fn element(list: &'static str, index: usize, span: Span) -> Self {
        Self { index: Some(index), ..Self::field(list, span) }
    }

    /// An item.
    pub(super) fn item(list: &'static str, index: usize, placed: &Placed<'a, '_>) -> Self {
        Self { parts: placed.parts, ..Self::element(list, index, placed.span) }
    }

    /// The list of an element.
    pub(super) fn without_index(self) -> Self {
        Self { index: None, ..self }
    }

    /// A part of an item.
    pub(super) fn part(self, list: &'static str, index: usize) -> Self {
        let span = self.span.map(|span| self.parts.get(index).copied().unwrap_or(span));
        Self { part: Some((list, index)), span, ..self }
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.list)?;
        if let Some(index) = self.index {
            write!(f, "[{index}]")?;
        }
        match self.part {
            Some((list, index)) => write!(f, ".{list}[{index}]"),
            None => Ok(()),
        }
    }
}

/// Adds an entry.
pub(super) fn note(ledger: &mut Ledger, rule: &'static str, place: Place<'_>, message: impl Into<String>) {
    if let Some(span) = place.span {
        ledger.push(Entry::new(rule, place.to_string(), span, message));
    }
}

/// Adds entries for members of an item, a part or a tool that are not sent. `taken` members have been handled.
pub(super) fn note_unsent(ledger: &mut Ledger, members: &Object<'_>, taken: &[&str], place: Place<'_>) {
    let Some(span) = place.span.filter(|_| !members.is_empty()) else { return };
    let mut entries = Vec::new();
    report_unsent(Api::Chat, members, taken, &wire::Place::new(place.to_string(), span), &mut entries);
    ledger.extend(entries);
}
