//! Counts the attributes of tags, because the parser compares each with all that come before it.

use std::mem;
use std::ops::Range;

/// Maximum number of attributes of one tag.
const MAX_ATTRIBUTES: usize = 2000;

/// What a byte inside a tag belongs to.
#[derive(Clone, Copy)]
enum State {
    TagName,
    BetweenAttributes,
    Name,
    AfterName,
    BeforeValue,
    Value,
    DoubleQuoted,
    SingleQuoted,
}

const STATES: [State; 8] = [
    State::TagName,
    State::BetweenAttributes,
    State::Name,
    State::AfterName,
    State::BeforeValue,
    State::Value,
    State::DoubleQuoted,
    State::SingleQuoted,
];

/// The attributes of tags that are not complete.
///
/// Only a whole parser knows whether a `<` starts a tag, or is in a comment, a script or a value. So every `<` before a
/// letter is followed as if it started one. All tags in the same state at a byte continue in the same way, so the largest number of
/// attributes of each state is enough.
#[derive(Default)]
pub(super) struct OpenTags {
    most: [Option<usize>; STATES.len()],
}

impl OpenTags {
    /// Reads a part of a page. Returns whether a tag has too many attributes.
    pub(super) fn read(&mut self, page: &[u8], part: Range<usize>) -> bool {
        let mut at = part.start;
        while at < part.end {
            if self.most.iter().all(Option::is_none) && !starts_name(page, at) {
                let Some(found) = memchr::memchr(b'<', &page[at..part.end]) else { return false };
                at += found + 1;
                // The `/` of a closing tag.
                at += usize::from(page.get(at) == Some(&b'/'));
                continue;
            }
            self.step(page[at]);
            if starts_name(page, at) {
                let slot = &mut self.most[State::TagName as usize];
                *slot = (*slot).max(Some(0));
            }
            if self.most.iter().flatten().any(|attributes| *attributes > MAX_ATTRIBUTES) {
                return true;
            }
            at += 1;
        }
        false
    }

    fn step(&mut self, byte: u8) {
        for (state, attributes) in STATES.into_iter().zip(mem::take(&mut self.most)) {
            let (Some(attributes), Some(after)) = (attributes, state.after(byte)) else { continue };
            let starts = matches!(after, State::Name) && !matches!(state, State::Name);
            let slot = &mut self.most[after as usize];
            *slot = (*slot).max(Some(attributes + usize::from(starts)));
        }
    }
}

/// Whether the name of a tag may start here.
fn starts_name(page: &[u8], at: usize) -> bool {
    let before = &page[..at];
    page[at].is_ascii_alphabetic() && (before.ends_with(b"<") || before.ends_with(b"</"))
}

impl State {
    /// The state after a byte, as the HTML standard has it; `None` after the end of the tag.
    fn after(self, byte: u8) -> Option<State> {
        Some(match (self, byte) {
            (State::DoubleQuoted, b'"') | (State::SingleQuoted, b'\'') => State::BetweenAttributes,
            (State::DoubleQuoted | State::SingleQuoted, _) => self,
            (_, b'>') => return None,
            (State::BeforeValue, b'"') => State::DoubleQuoted,
            (State::BeforeValue, b'\'') => State::SingleQuoted,
            (State::BeforeValue, byte) if byte.is_ascii_whitespace() => State::BeforeValue,
            (State::TagName | State::Value, byte) if byte.is_ascii_whitespace() => State::BetweenAttributes,
            (State::BeforeValue | State::Value, _) => State::Value,
            (State::Name | State::AfterName, b'=') => State::BeforeValue,
            (State::Name | State::AfterName, byte) if byte.is_ascii_whitespace() => State::AfterName,
            (State::BetweenAttributes, byte) if byte.is_ascii_whitespace() => State::BetweenAttributes,
            (State::TagName | State::BetweenAttributes | State::Name | State::AfterName, b'/') => {
                State::BetweenAttributes
            }
            (State::TagName, _) => State::TagName,
            (State::BetweenAttributes | State::Name | State::AfterName, _) => State::Name,
        })
    }
}
