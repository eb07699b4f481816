//! Elements of another vocabulary inside a declaration.

use memchr::memmem;

use super::Attributes;
use super::attributes::{self, Ending};
use crate::diagnostic::Diagnostics;
use crate::source::SourceId;

/// The elements of this name in the source text of a declaration, which has a vocabulary of its own.
pub fn nested_elements<'s>(text: &'s str, name: &str, source: SourceId) -> Vec<Attributes<'s>> {
    let mut elements = Vec::new();
    let mut at = 0;
    while let Some(length) = memchr::memchr(b'<', &text.as_bytes()[at..]) {
        at += length + 1;
        if text[at..].starts_with("!--") {
            let Some(end) = memmem::find(&text.as_bytes()[at..], b"-->") else { break };
            at += end;
            continue;
        }
        let length = text[at..].find(|c: char| !c.is_ascii_alphanumeric() && !"_-:".contains(c));
        let Some(length) = length.filter(|length| *length > 0) else { continue };
        let parsed = attributes::parse(text, source, at + length, &mut Diagnostics::new());
        if &text[at..at + length] == name && matches!(parsed.ending, Ending::Open | Ending::Void) {
            elements.push(parsed.attributes);
        }
        at = parsed.end;
    }
    elements
}
