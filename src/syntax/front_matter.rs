//! The `#!` line and the YAML front matter before a document. Both are kept and never sent.

use super::opening::has_element_line;

/// The line before and after front matter.
const FENCE: &str = "---";

/// The `#!` line and the front matter at the start of a document, with their line breaks; empty if there is neither.
///
/// Front matter ends with the next `---`. Lines that begin with an element are never front matter: a message between two
/// thematic breaks must not get lost.
pub fn front_matter(text: &str) -> &str {
    let first = text.split_inclusive('\n').next().filter(|line| line.starts_with("#!")).map_or(0, str::len);
    let mut lines = text[first..].split_inclusive('\n');
    if lines.next().is_none_or(|line| line.trim_end() != FENCE) {
        return &text[..first];
    }
    let mut end = first + text[first..].find('\n').map_or(0, |at| at + 1);
    for line in lines {
        end += line.len();
        if line.trim_end() == FENCE {
            return if has_element_line(&text[first..end]) { &text[..first] } else { &text[..end] };
        }
    }
    &text[..first]
}

#[cfg(test)]
#[path = "../../tests/unit/front_matter.rs"]
mod tests;
