//! The readable beginning of an event that the end of a stream cuts.

/// The JSON of a cut event: everything that is complete, and the beginning of a string that is cut if its key is one of
/// `text_keys`. Also returns how many bytes of the event it starts with. `None` if nothing of the event is complete.
///
/// A text ends with its last whole character. Any other value that is cut, such as an id or a number, is left out with
/// its key.
pub(crate) fn close(event: &str, text_keys: &[&str]) -> Option<(String, usize)> {
    let bytes = event.as_bytes();
    let (mut open, mut keys): (Vec<char>, Vec<&str>) = (Vec::new(), Vec::new());
    // Where the last complete value ends, or an array or object starts, and how many of them are open there.
    let mut complete = None;
    let (mut at, mut is_key) = (0, false);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'{' | b'[' => {
                let key = keys.last().copied().unwrap_or_default();
                open.push(if *byte == b'{' { '}' } else { ']' });
                keys.push(key);
                is_key = *byte == b'{';
                at += 1;
                complete = Some((at, open.len()));
            }
            b'}' | b']' => {
                open.pop()?;
                keys.pop();
                at += 1;
                complete = Some((at, open.len()));
            }
            b',' => {
                is_key = open.last() == Some(&'}');
                at += 1;
            }
            b':' | b' ' | b'\t' | b'\n' | b'\r' => at += 1,
            b'"' => match string_end(bytes, at + 1) {
                Some(end) if std::mem::take(&mut is_key) => {
                    *keys.last_mut()? = &event[at + 1..end];
                    at = end + 1;
                }
                Some(end) => {
                    at = end + 1;
                    complete = Some((at, open.len()));
                }
                None if !is_key && keys.last().is_some_and(|key| text_keys.contains(key)) => {
                    let end = at + 1 + whole_characters(&event[at + 1..]);
                    return Some((finish(&[&event[..end], "\""].concat(), &open), end));
                }
                None => break,
            },
            _ => {
                let length = bytes[at..].iter().position(|byte| matches!(byte, b',' | b'}' | b']' | b' ' | b'\n'));
                let Some(length) = length else { break };
                at += length;
                complete = Some((at, open.len()));
            }
        }
    }
    complete.map(|(end, depth)| (finish(&event[..end], &open[..depth.min(open.len())]), end))
}

/// Closes the arrays and objects that are open.
fn finish(start: &str, open: &[char]) -> String {
    start.chars().chain(open.iter().rev().copied()).collect()
}

/// Where the quote is that ends a string.
fn string_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    loop {
        at += memchr::memchr2(b'"', b'\\', bytes.get(at..)?)?;
        if bytes[at] == b'"' {
            return Some(at);
        }
        at += 2;
    }
}

/// The length of the inside of a cut string, without an escape or a surrogate pair that is cut.
fn whole_characters(inside: &str) -> usize {
    let mut at = 0;
    while let Some(length) = memchr::memchr(b'\\', &inside.as_bytes()[at..]) {
        let start = at + length;
        let rest = &inside[start..];
        at = match unit(rest) {
            Some(0xd800..=0xdbff) if "\\u".starts_with(rest.get(6..8).unwrap_or(&rest[6..])) => {
                match unit(&rest[6..]) {
                    Some(_) => start + 12,
                    None => return start,
                }
            }
            Some(_) => start + 6,
            None if rest.len() < 2 || rest.starts_with("\\u") && rest.len() < 6 => return start,
            None => start + 1 + rest[1..].chars().next().map_or(0, char::len_utf8),
        };
    }
    inside.len()
}

/// The number of the escape `\uXXXX` that a text starts with.
fn unit(text: &str) -> Option<u32> {
    u32::from_str_radix(text.strip_prefix("\\u")?.get(..4)?, 16).ok()
}

#[cfg(test)]
#[path = "../../tests/unit/stream_cut.rs"]
mod tests;
