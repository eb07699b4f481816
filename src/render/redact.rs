//! Replaces the secrets of a document.

use std::ops::Range;

use crate::diagnostic::{Diagnostics, secrets};
use crate::source::Sources;
use crate::syntax::{Element, Node, parse};

/// A secret that was replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Redacted {
    /// Its line in the document, from 1.
    pub line: usize,
    /// What it looks like: `API key`.
    pub kind: &'static str,
}

/// The kind of a secret without its article.
pub(super) fn kind_of(what: &'static str) -> &'static str {
    what.strip_prefix("an ").or_else(|| what.strip_prefix("a ")).unwrap_or(what)
}

fn placeholder(what: &'static str) -> String {
    format!("[redacted: {}]", kind_of(what))
}

/// A text with its secrets replaced.
pub(super) fn replaced(text: &str, found: &[(Range<usize>, &'static str)]) -> String {
    let (mut out, mut at) = (String::new(), 0);
    for (range, what) in found {
        out.push_str(&text[at..range.start]);
        out.push_str(&placeholder(what));
        at = range.end;
    }
    out + &text[at..]
}

/// A document with each secret replaced by `[redacted: kind]`. RAW blocks, comments, escapes of JSON and entities do not
/// hide a secret. The elements of the document stay the same.
///
/// ```
/// let (text, redacted) = chatmd::render::redact("<user>AKIA2E0A8F3B244C9986 is mine</user>");
/// assert_eq!(text, "<user>[redacted: AWS access key id] is mine</user>");
/// assert_eq!((redacted[0].line, redacted[0].kind), (1, "AWS access key id"));
/// ```
pub fn redact(document: &str) -> (String, Vec<Redacted>) {
    let sources = Sources::new();
    let source = sources.add("", document.to_owned(), None);
    let nodes = parse(&sources, source, &mut Diagnostics::new());
    let mut changes = Vec::new();
    walk(&nodes, document, &mut changes);
    changes.sort_by_key(|(range, _)| range.start);
    changes.dedup_by(|later, earlier| later.0.start < earlier.0.end);
    let (mut out, mut at, mut redacted) = (String::new(), 0, Vec::new());
    for (range, what) in changes {
        out.push_str(&document[at..range.start]);
        if let Some(what) = what {
            out.push_str(&placeholder(what));
            redacted.push(Redacted { line: sources.get(source).line_of(range.start) + 1, kind: kind_of(what) });
        }
        at = range.end;
    }
    (out + &document[at..], redacted)
}

/// A range of the document that is replaced by what it looks like, or removed.
type Change = (Range<usize>, Option<&'static str>);

fn walk(nodes: &[Node<'_>], document: &str, changes: &mut Vec<Change>) {
    let mut body = View::default();
    for node in nodes {
        match node {
            Node::Text(text) => body.add(document, text.span.range()),
            Node::Raw(raw) => {
                let Range { start, end } = raw.span.range();
                body.add_raw(document, start + "RAW|".len()..end - "|RAW".len());
            }
            Node::Comment(comment) => {
                let mut view = View::default();
                view.add(document, comment.span.range());
                view.find(changes);
            }
            Node::Element(Element { opening, children, .. }) => {
                body.separate();
                let mut view = View::default();
                view.add(document, opening.range());
                view.find(changes);
                walk(children, document, changes);
            }
        }
    }
    body.find(changes);
}

/// A text as it is read, and where each of its bytes is written.
#[derive(Default)]
struct View {
    text: String,
    /// For each byte of the text, its range in the document.
    places: Vec<Range<usize>>,
}

impl View {
    /// Adds a range of the document, with escapes of JSON and entities decoded.
    fn add(&mut self, document: &str, range: Range<usize>) {
        let mut at = range.start;
        while let Some(c) = document[at..range.end].chars().next() {
            let (c, length) = escaped(&document[at..range.end]).unwrap_or((c, c.len_utf8()));
            self.text.push(c);
            self.places.resize(self.text.len(), at..at + length);
            at += length;
        }
    }

    /// Adds the inside of a RAW block, without the line breaks that lay it out.
    fn add_raw(&mut self, document: &str, range: Range<usize>) {
        let inside = &document[range.clone()];
        let start = range.start + usize::from(inside.starts_with('\n'));
        let end = range.end - usize::from(inside.len() > 1 && inside.ends_with('\n'));
        self.add(document, start..end.max(start));
    }

    /// No secret reaches over an element.
    fn separate(&mut self) {
        self.text.push('\n');
        self.places.push(0..0);
    }

    fn find(&self, changes: &mut Vec<Change>) {
        for (range, what) in secrets(&self.text) {
            let mut what = Some(what);
            let mut places = self.places[range].iter().filter(|place| !place.is_empty()).peekable();
            // What lies between its pieces is kept: it ends a RAW block, or starts one.
            while let Some(first) = places.next() {
                let mut piece = first.clone();
                while let Some(next) = places.next_if(|next| next.start <= piece.end) {
                    piece.end = next.end;
                }
                changes.push((piece, what.take()));
            }
        }
    }
}

/// An ASCII character that is written as `\u0041`, `&#65;` or `&#x41;`, and the length of that.
fn escaped(text: &str) -> Option<(char, usize)> {
    let (digits, radix, length) = if let Some(rest) = text.strip_prefix("\\u") {
        (rest.get(..4)?, 16, 6)
    } else {
        let rest = text.strip_prefix("&#")?;
        let end = rest.bytes().take(8).position(|b| b == b';')?;
        match rest[..end].strip_prefix(['x', 'X']) {
            Some(digits) => (digits, 16, end + 3),
            None => (&rest[..end], 10, end + 3),
        }
    };
    let code = u32::from_str_radix(digits, radix).ok()?;
    let c = char::from_u32(code).filter(char::is_ascii_graphic)?;
    Some((c, length))
}
