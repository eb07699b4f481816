//! Removes the line breaks that are layout.

use std::borrow::Cow;

use super::Piece;
use crate::source::{Span, Spanned};
use crate::syntax::write::Whitespace;
use crate::syntax::{ends_with_markup, is_blank};

pub(in crate::document) const BLANK: [char; 2] = [' ', '\t'];

/// The neighbor of a literal text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Neighbor {
    /// The line break next to it is layout.
    Boundary,
    /// An element whose text joins. Line breaks next to it are content, unless the text is whitespace only.
    Joining,
    Raw,
    Literal,
}

/// Removes the whitespace that layout mode does not count as content. `joins` says whether the text of elements joins the text
/// next to them.
pub(super) fn trim<'n, 's: 'n>(
    pieces: Vec<Piece<'n, 's>>,
    joins: bool,
    whitespace: Whitespace,
) -> impl Iterator<Item = Piece<'n, 's>> {
    let neighbor = move |piece: &Piece<'_, '_>| match piece {
        Piece::Text { is_raw: true, .. } => Neighbor::Raw,
        Piece::Text { is_raw: false, .. } | Piece::Literal(_) => Neighbor::Literal,
        Piece::Inline(_) if joins => Neighbor::Joining,
        Piece::Inline(_) | Piece::Directive(_) => Neighbor::Boundary,
    };
    let mut left = Neighbor::Boundary;
    let mut pieces = pieces.into_iter().peekable();
    let neighbors = std::iter::from_fn(move || {
        let piece = pieces.next()?;
        let left = std::mem::replace(&mut left, neighbor(&piece));
        let right = pieces.peek().map_or(Neighbor::Boundary, neighbor);
        Some((left, piece, right))
    });
    neighbors.filter_map(move |(left, piece, right)| match piece {
        Piece::Text { text, is_raw: false } if whitespace == Whitespace::Layout => {
            trim_literal(text, left, right).map(|text| Piece::Text { text, is_raw: false })
        }
        piece @ (Piece::Text { .. } | Piece::Inline(_) | Piece::Literal(_) | Piece::Directive(_)) => Some(piece),
    })
}

/// The content of a RAW block and its place: all but a line break directly after `RAW|` and one directly before `|RAW`.
pub fn raw_content(raw: Spanned<&str>) -> Spanned<&str> {
    let rest = raw.value.strip_prefix("\r\n").or_else(|| raw.value.strip_prefix('\n')).unwrap_or(raw.value);
    let value = rest.strip_suffix("\r\n").or_else(|| rest.strip_suffix('\n')).unwrap_or(rest);
    let start = raw.span.start + "RAW|".len() + raw.value.len() - rest.len();
    Spanned { value, span: Span { start, end: start + value.len(), ..raw.span } }
}

fn trim_literal(mut text: Spanned<Cow<'_, str>>, left: Neighbor, right: Neighbor) -> Option<Spanned<Cow<'_, str>>> {
    let is_edge = |neighbor| matches!(neighbor, Neighbor::Boundary | Neighbor::Joining);
    if is_blank(&text.value) {
        let between_edges = is_edge(left) && is_edge(right) && text.value.contains('\n');
        let beside_raw = is_edge(left) && right == Neighbor::Raw || left == Neighbor::Raw && is_edge(right);
        if between_edges || beside_raw {
            return None;
        }
    }
    if left == Neighbor::Boundary {
        let start = text.value.len() - without_leading_break(&text.value).map_or(text.value.len(), str::len);
        let end = text.value.len();
        keep_range(&mut text, start, end);
    }
    if right == Neighbor::Boundary {
        let end = without_trailing_break(&text.value).len();
        keep_range(&mut text, 0, end);
    }
    Some(text)
}

/// The text after leading `[ \t]*` and a line break, or `None`.
pub(super) fn without_leading_break(text: &str) -> Option<&str> {
    let rest = text.trim_start_matches(BLANK);
    rest.strip_prefix('\n').or_else(|| rest.strip_prefix("\r\n"))
}

/// The text before a trailing line break and `[ \t]*`, or all of it.
fn without_trailing_break(text: &str) -> &str {
    let rest = text.trim_end_matches(BLANK);
    rest.strip_suffix("\r\n").or_else(|| rest.strip_suffix('\n')).unwrap_or(text)
}

/// A text without the whitespace that verbatim mode drops before `RAW|`.
pub(super) fn without_whitespace_before_raw(text: &str) -> &str {
    let kept = text.trim_end_matches([' ', '\t', '\r', '\n']);
    let drops = kept.is_empty() || kept.ends_with(['|', '<']) || ends_with_markup(kept);
    if drops { kept } else { text }
}

/// Keeps a range of a text. A borrowed text is a slice of the source, so its span shrinks with it.
pub(super) fn keep_range(text: &mut Spanned<Cow<'_, str>>, start: usize, end: usize) {
    match &mut text.value {
        Cow::Borrowed(value) => {
            *value = &value[start..end];
            text.span = Span::new(text.span.source, text.span.start + start..text.span.start + end);
        }
        Cow::Owned(text) => {
            text.truncate(end);
            text.drain(..start);
        }
    }
}
