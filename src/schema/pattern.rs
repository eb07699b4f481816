//! The patterns of the schema: a literal, then characters of one class, each over the whole string.

/// A pattern such as `^tunnel_[a-z0-9]{32}$`.
struct Pattern<'p> {
    literal: &'p str,
    class: &'p [u8],
    /// How many characters of the class follow; `None` for at least one.
    count: Option<usize>,
}

/// Whether a text matches a pattern. A pattern that is not understood matches everything.
pub(super) fn matches(pattern: &str, text: &str) -> bool {
    let Some(pattern) = parse(pattern) else { return true };
    let Some(rest) = text.strip_prefix(pattern.literal) else { return false };
    let is_long_enough = pattern.count.map_or(!rest.is_empty(), |count| rest.len() == count);
    is_long_enough && rest.bytes().all(|byte| is_in(byte, pattern.class))
}

fn parse(pattern: &str) -> Option<Pattern<'_>> {
    let (literal, rest) = pattern.strip_prefix('^')?.strip_suffix('$')?.split_once('[')?;
    let (class, count) = rest.split_once(']')?;
    let count = match count {
        "+" => None,
        _ => Some(count.strip_prefix('{')?.strip_suffix('}')?.parse().ok()?),
    };
    let is_plain = literal.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    is_plain.then_some(Pattern { literal, class: class.as_bytes(), count })
}

/// Whether a byte is in a class such as `a-zA-Z0-9_-`.
fn is_in(byte: u8, class: &[u8]) -> bool {
    let mut rest = class;
    loop {
        rest = match rest {
            [first, b'-', last, rest @ ..] => {
                if (*first..=*last).contains(&byte) {
                    return true;
                }
                rest
            }
            [one, rest @ ..] => {
                if *one == byte {
                    return true;
                }
                rest
            }
            [] => return false,
        }
    }
}

#[cfg(test)]
#[path = "../../tests/unit/schema_pattern.rs"]
mod tests;
