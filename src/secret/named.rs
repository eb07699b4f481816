//! Secrets that their surroundings give away: `NAME=value`, `"name": "value"`, and passwords in URLs.

use std::ops::Range;

use memchr::memmem;

use super::{MAX_SECRET_LENGTH, is_random};

/// A variable whose name ends in one of these, in any case of letters and with `_` or `-` between words, holds a secret.
const NAMES: [&str; 7] = ["SECRET", "TOKEN", "APIKEY", "ACCESSKEY", "SECRETKEY", "PRIVATEKEY", "AUTHORIZATION"];
/// Pagination tokens, which are not secret.
const PUBLIC_NAMES: [&str; 4] = ["PAGETOKEN", "NEXTTOKEN", "CONTINUATIONTOKEN", "SYNCTOKEN"];
/// A variable whose name ends in one of these holds a password, which may be short. In code, `password` is also a name, so
/// the value of a name in lower case must be in quotes.
const PASSWORD_NAMES: [&str; 2] = ["PASSWORD", "PASSWD"];
/// Schemes that may precede the value of an `Authorization` header.
const SCHEMES: [&str; 3] = ["bearer ", "basic ", "token "];
/// A shorter value may be a word.
const MIN_VALUE_LENGTH: usize = 16;
const MIN_PASSWORD_LENGTH: usize = 8;
/// In code, a name may follow `name:`. A name has fewer numbers in it than this.
const MIN_NUMBERS: usize = 3;
/// Characters that may surround the sign of an assignment.
const AROUND_SIGN: [char; 3] = ['"', '\'', ' '];
/// Hosts of examples, each with or without a port.
const EXAMPLE_HOSTS: [&str; 7] =
    ["localhost", "127.0.0.1", "host", "example", "example.com", "example.org", "example.net"];

/// The values of assignments such as `DB_PASSWORD=…` and `"api_key": "…"`.
pub(super) fn assignments(text: &str) -> impl Iterator<Item = Range<usize>> {
    // Where the last value ends, so that no value is read twice.
    let mut read = 0;
    memchr::memchr2_iter(b'=', b':', text.as_bytes()).filter_map(move |sign| {
        let before = text[..sign].trim_end_matches(AROUND_SIGN).as_bytes();
        let is_password = PASSWORD_NAMES.iter().any(|name| is_named(before, name));
        let is_token = || NAMES.iter().any(|name| is_named(before, name));
        if !is_password && (!is_token() || PUBLIC_NAMES.iter().any(|name| is_named(before, name))) {
            return None;
        }
        let rest = &text[sign + 1..];
        let value = rest.strip_prefix('>').unwrap_or(rest).trim_start_matches(AROUND_SIGN);
        let scheme = SCHEMES.into_iter().find(|scheme| starts_with(value, scheme)).map_or(0, str::len);
        let value = value[scheme..].trim_start_matches(' ');
        let start = text.len() - value.len();
        if start >= read {
            read = start + value_length(value);
        }
        let value = &text[start..read];
        let is_capital = before.last().is_some_and(u8::is_ascii_uppercase);
        let is_literal = is_capital || scheme > 0 || text[..start].ends_with(['"', '\'']);
        let is_secret = if is_password {
            (MIN_PASSWORD_LENGTH..MAX_SECRET_LENGTH).contains(&value.len()) && is_literal && !is_placeholder(value)
        } else {
            let is_assigned = text.as_bytes()[sign] == b'=';
            let is_value = is_assigned || is_literal || numbers(value) >= MIN_NUMBERS;
            (MIN_VALUE_LENGTH..MAX_SECRET_LENGTH).contains(&value.len()) && is_value && is_random(value)
        };
        let is_code = matches!(text.as_bytes().get(read), Some(b'(' | b'$' | b'{' | b'[' | b'<'));
        (is_secret && is_mixed(value) && !is_path(value) && !is_code && !value.starts_with("//")).then_some(start..read)
    })
}

/// The passwords of URLs such as `postgres://name:password@host/`.
pub(super) fn passwords(text: &str) -> impl Iterator<Item = Range<usize>> {
    memmem::find_iter(text.as_bytes(), b"://").filter_map(|scheme| {
        let start = scheme + "://".len();
        let authority = text.as_bytes()[start..].iter().take(MAX_SECRET_LENGTH);
        let length = authority.take_while(|b| b.is_ascii_graphic() && !b"/\"'`<>\\|".contains(b)).count();
        let (user, host) = text[start..start + length].rsplit_once('@')?;
        let (name, password) = user.split_once(':')?;
        let host = host.split([':', '?', '#', ',', ')', ']']).next().unwrap_or_default().trim_end_matches('.');
        let is_example = EXAMPLE_HOSTS.iter().any(|example| host.eq_ignore_ascii_case(example));
        let is_secret = password.len() >= MIN_PASSWORD_LENGTH && is_mixed(password) && !is_placeholder(password);
        let at = start + name.len() + 1;
        (is_secret && !is_example && !host.is_empty()).then(|| at..at + password.len())
    })
}

/// Whether a text ends in a name.
fn is_named(text: &[u8], name: &str) -> bool {
    let mut letters = text.iter().rev().filter(|b| !b"_-".contains(b));
    name.bytes().rev().all(|letter| letters.next().is_some_and(|b| b.eq_ignore_ascii_case(&letter)))
}

fn starts_with(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|text| text.eq_ignore_ascii_case(start))
}

/// How many characters there are up to the end of a value.
fn value_length(text: &str) -> usize {
    text.bytes().take_while(|b| b.is_ascii_alphanumeric() || b"_-+/=.~!@#%^&*".contains(b)).count()
}

/// How many runs of digits a text has.
fn numbers(text: &str) -> usize {
    text.split(|c: char| !c.is_ascii_digit()).filter(|digits| !digits.is_empty()).count()
}

/// Whether a value is a path in code, such as `settings.api_key2`.
fn is_path(value: &str) -> bool {
    let is_name = |step: &str| {
        let name = step.trim_end_matches(|c: char| c.is_ascii_digit());
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
    };
    value.contains('.') && value.split('.').all(is_name)
}

/// Whether a text has letters and digits.
fn is_mixed(text: &str) -> bool {
    text.bytes().any(|b| b.is_ascii_digit()) && text.bytes().any(|b| b.is_ascii_alphabetic())
}

/// Whether a password stands for another one: `${PASSWORD}`, `your-password`, `secret123`. Words of examples, and digits that
/// number them, do not make a password, but they may be a part of one.
fn is_placeholder(password: &str) -> bool {
    let mut rest = password.to_ascii_lowercase();
    if rest.contains("your") || rest.contains("example") || password.starts_with(['$', '{', '[', '*', '%']) {
        return true;
    }
    for word in ["password", "passwd", "secret", "my", "xxxx"] {
        rest = rest.replace(word, "");
    }
    !rest.bytes().any(|b| b.is_ascii_alphabetic())
}
