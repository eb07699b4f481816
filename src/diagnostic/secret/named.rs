//! Secrets that their surroundings give away: `NAME=value`, and passwords in URLs.

use std::ops::Range;

use memchr::memmem;

use super::is_random;

/// A variable whose name ends in one of these, in any case of letters, holds a secret.
const NAMES: [&str; 7] = ["SECRET", "TOKEN", "API_KEY", "APIKEY", "ACCESS_KEY", "SECRET_KEY", "PRIVATE_KEY"];
/// A variable whose name ends in one of these holds a password, which may be short. In code, `password` is also a name, so
/// the value of a name in lower case must be in quotes.
const PASSWORD_NAMES: [&str; 2] = ["PASSWORD", "PASSWD"];
/// A shorter value may be a word.
const SHORTEST_VALUE: usize = 16;
const SHORTEST_PASSWORD: usize = 8;
/// A longer value is data.
const LONGEST: usize = 512;
/// What may stand around the `=` of an assignment.
const AROUND_EQUALS: [char; 3] = ['"', '\'', ' '];
/// Hosts of examples.
const EXAMPLE_HOSTS: [&str; 4] = ["localhost", "127.0.0.1", "example.", "host"];

/// The values of assignments such as `DB_PASSWORD=…`.
pub(super) fn assignments(text: &str) -> impl Iterator<Item = Range<usize>> {
    memchr::memchr_iter(b'=', text.as_bytes()).filter_map(|equals| {
        let before = text[..equals].trim_end_matches(AROUND_EQUALS).as_bytes();
        let is_named = |name: &&str| {
            let end = before.len().checked_sub(name.len()).map(|start| &before[start..]);
            end.is_some_and(|end| end.eq_ignore_ascii_case(name.as_bytes()))
        };
        let is_password = PASSWORD_NAMES.iter().any(is_named);
        if !is_password && !NAMES.iter().any(is_named) {
            return None;
        }
        let rest = &text[equals + 1..];
        let start = equals + 1 + (rest.len() - rest.trim_start_matches(AROUND_EQUALS).len());
        let value = word(&text[start..]);
        let is_secret = if is_password {
            let is_literal = before.ends_with(b"D") || text[..start].ends_with(['"', '\'']);
            (SHORTEST_PASSWORD..LONGEST).contains(&value.len()) && is_literal && !is_placeholder(value)
        } else {
            (SHORTEST_VALUE..LONGEST).contains(&value.len()) && is_random(value)
        };
        (is_secret && is_mixed(value)).then(|| start..start + value.len())
    })
}

/// The passwords of URLs such as `postgres://name:password@host/`.
pub(super) fn passwords(text: &str) -> impl Iterator<Item = Range<usize>> {
    memmem::find_iter(text.as_bytes(), b"://").filter_map(|scheme| {
        let start = scheme + "://".len();
        let authority = text.as_bytes()[start..].iter().take(LONGEST);
        let length = authority.take_while(|b| b.is_ascii_graphic() && !b"/\"'`<>\\|".contains(b)).count();
        let (user, host) = text[start..start + length].rsplit_once('@')?;
        let (name, password) = user.split_once(':')?;
        let is_example = EXAMPLE_HOSTS.iter().any(|example| host.starts_with(example));
        let is_secret = password.len() >= SHORTEST_PASSWORD && is_mixed(password) && !is_placeholder(password);
        let at = start + name.len() + 1;
        (is_secret && !is_example && !host.is_empty()).then(|| at..at + password.len())
    })
}

/// The characters up to the next one that ends a value. A value with other signs is code.
fn word(text: &str) -> &str {
    let is_value = |b: &u8| b.is_ascii_alphanumeric() || b"_-+/=.~!@#%^&*".contains(b);
    let length = text.bytes().take(LONGEST).take_while(is_value).count();
    match text.as_bytes().get(length) {
        Some(b'(' | b'$' | b'{' | b'[' | b'<') => "",
        Some(_) | None => &text[..length],
    }
}

/// Whether a text has letters and digits.
fn is_mixed(text: &str) -> bool {
    text.bytes().any(|b| b.is_ascii_digit()) && text.bytes().any(|b| b.is_ascii_alphabetic())
}

fn is_placeholder(password: &str) -> bool {
    let lowercase = password.to_ascii_lowercase();
    password.starts_with(['$', '{', '[', '*', '%'])
        || ["password", "passwd", "secret", "example", "your", "xxxx"].iter().any(|word| lowercase.contains(word))
}
