//! Escapes of characters, and invisible characters.

use crate::sanitize::is_invisible;

const ESC: char = '\u{1b}';

/// Entities for characters that may be part of a secret or stand next to one.
const ENTITIES: [(&str, char); 11] = [
    ("quot;", '"'),
    ("QUOT;", '"'),
    ("apos;", '\''),
    ("lt;", '<'),
    ("gt;", '>'),
    ("nbsp;", ' '),
    ("lowbar;", '_'),
    ("UnderBar;", '_'),
    ("period;", '.'),
    ("colon;", ':'),
    ("equals;", '='),
];

/// The character that the escape at the start of a text represents, and its length. Control sequences of terminals and
/// invisible characters represent nothing. An escape may itself be escaped, any number of times.
pub(super) fn escape(text: &str) -> Option<(Option<char>, usize)> {
    let first = text.chars().next()?;
    let (c, length) = match first {
        '\\' => backslash(text),
        '%' => percent(text)?,
        '&' => entity(text)?,
        ESC | '\u{9b}' => (Some(first), first.len_utf8()),
        c if is_invisible(c) || c == '\u{ad}' => (None, c.len_utf8()),
        _ => return None,
    };
    Some(match c {
        Some(ESC) => (None, length + control_sequence(&text[length..])),
        Some('\u{9b}') => (None, length + parameters(&text[length..])),
        c => (c, length),
    })
}

/// `\n`, `\u0041`, `\u{41}`, `\x41`, `\033`, `\"`. The backslashes before a sign are left out.
fn backslash(text: &str) -> (Option<char>, usize) {
    let slashes = text.bytes().take_while(|b| *b == b'\\').count();
    let rest = &text[slashes..];
    let hexadecimal = |digits: Option<&str>| digits.and_then(|digits| number(digits, 16));
    let escaped = match rest.bytes().next() {
        Some(b'n' | b'r') => Some(('\n', 1)),
        Some(b't' | b'b' | b'f' | b'v' | b'a') => Some(('\t', 1)),
        Some(b'e' | b'E') => Some((ESC, 1)),
        Some(b'x') => hexadecimal(rest.get(1..3)).map(|c| (c, 3)),
        Some(b'U') => hexadecimal(rest.get(1..9)).map(|c| (c, 9)),
        Some(b'u') if rest[1..].starts_with('{') => {
            let end = rest.bytes().take("u{10ffff}".len()).position(|b| b == b'}');
            end.and_then(|end| hexadecimal(rest.get(2..end)).map(|c| (c, end + 1)))
        }
        Some(b'u') => hexadecimal(rest.get(1..5)).map(|c| (c, 5)),
        Some(b'0'..=b'7') => {
            let length = rest.bytes().take(3).take_while(|b| matches!(b, b'0'..=b'7')).count();
            number(&rest[..length], 8).map(|c| (c, length))
        }
        Some(sign) if sign.is_ascii_punctuation() => return (None, slashes),
        Some(_) | None => None,
    };
    escaped.map_or((Some('\\'), slashes), |(c, length)| (Some(c), slashes + length))
}

/// `%41`
fn percent(text: &str) -> Option<(Option<char>, usize)> {
    let pair = |at: usize| text.get(at..at + 2).and_then(|digits| number(digits, 16));
    let mut at = 1;
    while pair(at) == Some('%') && pair(at + 2).is_some() {
        at += 2;
    }
    Some((Some(pair(at)?), at + 2))
}

/// `&lt;`, `&#65;`, `&#x41;`
fn entity(text: &str) -> Option<(Option<char>, usize)> {
    let mut at = 1;
    while text[at..].starts_with("amp;") {
        at += "amp;".len();
    }
    let rest = &text[at..];
    if let Some(rest) = rest.strip_prefix('#') {
        let end = rest.bytes().take("x10ffff;".len()).position(|b| b == b';')?;
        let c = match rest[..end].strip_prefix(['x', 'X']) {
            Some(digits) => number(digits, 16),
            None => number(&rest[..end], 10),
        };
        return Some((Some(c?), at + "#".len() + end + ";".len()));
    }
    let named = ENTITIES.iter().find(|(name, _)| rest.starts_with(name));
    match named {
        Some((name, c)) => Some((Some(*c), at + name.len())),
        None => (at > 1).then_some((Some('&'), at)),
    }
}

/// The character of a number. Half of a surrogate pair, or a byte of a longer character, is U+FFFD.
fn number(digits: &str, radix: u32) -> Option<char> {
    let is_digit = |b: u8| char::from(b).is_digit(radix);
    let code = digits.bytes().all(is_digit).then(|| u32::from_str_radix(digits, radix).ok())??;
    Some(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER))
}

/// The length of a control sequence after ESC: `[32m`, `(B`.
fn control_sequence(text: &str) -> usize {
    match text.as_bytes().first() {
        Some(b'[') => 1 + parameters(&text[1..]),
        Some(b' '..=b'/') => parameters(text),
        Some(_) | None => 0,
    }
}

/// The length of the parameters of a control sequence and of the character that ends it.
fn parameters(text: &str) -> usize {
    let length = text.bytes().take_while(|b| matches!(b, b' '..=b'?')).count();
    let has_end = text.as_bytes().get(length).is_some_and(|b| matches!(b, b'@'..=b'~'));
    if has_end { length + 1 } else { 0 }
}
