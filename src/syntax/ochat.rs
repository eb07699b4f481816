//! Finds text that ochat would read as a tag.
//!
//! ochat reads every `<` before a letter or `_` as a tag that runs to the next `>`, and it reads the attributes of
//! opening tags whatever their name is. It keeps such a tag as text if its name is not in the vocabulary, but it fails
//! if the tag does not end or if a quoted value in it does not end.

use super::is_whitespace;

/// Where a tag starts that ochat cannot read, or that runs on into whatever follows the text.
pub fn unreadable_tag(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let mut from = 0;
    while let Some(start) = memchr::memchr_iter(b'<', &bytes[from..]).map(|at| from + at).find(|at| is_tag(bytes, *at))
    {
        let length = memchr::memchr(b'>', &bytes[start..]);
        let end = length.map(|length| start + length).filter(|end| !has_open_quote(bytes, start, *end));
        from = match end {
            Some(end) => end + 1,
            None => return Some(start),
        };
    }
    None
}

/// Whether ochat reads the `<` at this place as the start of a tag. In a run of `<` each is text.
fn is_tag(bytes: &[u8], at: usize) -> bool {
    opens_tag(bytes, at, 1) || bytes.get(at + 1) == Some(&b'/') && opens_tag(bytes, at, 2)
}

fn opens_tag(bytes: &[u8], at: usize, name: usize) -> bool {
    let is_named = bytes.get(at + name).is_some_and(|b| b.is_ascii_alphabetic() || *b == b'_');
    is_named && (at == 0 || bytes[at - 1] != b'<')
}

/// Whether any opening tag between `start` and the `>` at `end` ends inside a quoted value.
///
/// All of them end at the same `>`, so they are read together in one pass: each byte takes every state that one of them
/// is in to the next. A `/` before the `>` makes no difference, because it neither opens nor closes a quote.
fn has_open_quote(bytes: &[u8], start: usize, end: usize) -> bool {
    let mut states = States::default();
    for at in start..end {
        states = states.after(bytes[at]);
        if bytes[at] == b'<' && opens_tag(bytes, at, 1) {
            states.insert(State::TagName);
        }
    }
    State::QUOTED.iter().any(|state| states.contains(*state))
}

/// Where ochat's reader of attributes is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    TagName,
    /// Before the name of an attribute.
    Between,
    Name,
    AfterName,
    BeforeValue,
    Unquoted,
    Quoted(Quote),
    /// After a `\` in a quoted value.
    Escape(Quote),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Quote {
    Double,
    Single,
}

impl State {
    const ALL: [State; 10] = [
        State::TagName,
        State::Between,
        State::Name,
        State::AfterName,
        State::BeforeValue,
        State::Unquoted,
        State::QUOTED[0],
        State::QUOTED[1],
        State::QUOTED[2],
        State::QUOTED[3],
    ];
    const QUOTED: [State; 4] = [
        State::Quoted(Quote::Double),
        State::Quoted(Quote::Single),
        State::Escape(Quote::Double),
        State::Escape(Quote::Single),
    ];

    fn after(self, byte: u8) -> State {
        let is_space = is_whitespace(char::from(byte));
        match self {
            State::TagName | State::Unquoted if is_space => State::Between,
            State::TagName | State::Unquoted => self,
            State::Name | State::AfterName if byte == b'=' => State::BeforeValue,
            State::Name | State::AfterName if is_space => State::AfterName,
            State::Between | State::Name | State::AfterName => {
                let is_name = byte.is_ascii_alphanumeric() || b"_:-".contains(&byte);
                if is_name { State::Name } else { State::Between }
            }
            State::BeforeValue if is_space => self,
            State::BeforeValue => Quote::from_byte(byte).map_or(State::Unquoted, State::Quoted),
            State::Quoted(quote) if Quote::from_byte(byte) == Some(quote) => State::Between,
            State::Quoted(quote) | State::Escape(quote) if byte == b'\\' => State::Escape(quote),
            State::Quoted(quote) | State::Escape(quote) => State::Quoted(quote),
        }
    }
}

impl Quote {
    fn from_byte(byte: u8) -> Option<Self> {
        match byte {
            b'"' => Some(Quote::Double),
            b'\'' => Some(Quote::Single),
            _ => None,
        }
    }
}

/// A set of states: a bit for each state, in the order of [`State::ALL`].
#[derive(Debug, Clone, Copy, Default)]
struct States(u16);

impl States {
    fn bit(state: State) -> u16 {
        State::ALL.iter().position(|other| *other == state).map_or(0, |index| 1 << index)
    }

    fn insert(&mut self, state: State) {
        self.0 |= Self::bit(state);
    }

    fn contains(self, state: State) -> bool {
        self.0 & Self::bit(state) != 0
    }

    fn after(self, byte: u8) -> Self {
        let mut next = Self::default();
        let members = State::ALL.iter().enumerate().filter(|(index, _)| self.0 & 1 << index != 0);
        members.for_each(|(_, state)| next.insert(state.after(byte)));
        next
    }
}
