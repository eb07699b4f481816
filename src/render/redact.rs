//! Replaces the secrets of a document.

use std::collections::HashSet;
use std::ops::Range;

use super::{Renderer, Unchecked};
use crate::diagnostic::Diagnostics;
use crate::document::layout::raw_content;
use crate::secret::{View, decoded, secrets};
use crate::source::{Origins, SourceId, Sources, Span};
use crate::syntax::{Element, Node, front_matter, parse};

/// A secret that was replaced.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Redacted {
    /// Its line in the document, or in the input that the document was made from, from 1.
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
pub(super) fn replaced(text: &str, changes: &[Change]) -> String {
    let (mut out, mut at) = (String::new(), 0);
    for (range, what) in changes {
        out.push_str(&text[at..range.start]);
        out.push_str(&what.map(placeholder).unwrap_or_default());
        at = range.end;
    }
    out + &text[at..]
}

/// A document with each secret replaced by `[redacted: kind]`. RAW blocks, comments, escapes of JSON and entities do not
/// hide a secret. The elements of the document stay the same, and `origins` are changed with its text.
///
/// ```
/// let document = "<user>AKIA2E0A8F3B244C9986 is mine</user>";
/// let (text, redacted) = chatmd::internal::render::redact(document, &mut Default::default());
/// assert_eq!(text, "<user>[redacted: AWS access key id] is mine</user>");
/// assert_eq!((redacted[0].line, redacted[0].kind), (1, "AWS access key id"));
/// ```
#[doc(hidden)]
pub fn redact(document: &str, origins: &mut Origins) -> (String, Vec<Redacted>) {
    let sources = Sources::new();
    let source = sources.add("", document.to_owned(), None);
    sources.set_origins(source, origins.clone());
    let nodes = parse(&sources, source, &mut Diagnostics::new());
    let mut changes = Vec::new();
    let start = sources.get(source).start();
    add_secrets(document, 0..start + front_matter(&document[start..]).len(), &mut changes);
    walk(&nodes, document, &mut changes);
    changes.sort_by_key(|(range, _)| range.start);
    changes.dedup_by(|later, earlier| later.0.start < earlier.0.end);
    let redacted = changes.iter().filter_map(|(range, what)| {
        let line = sources.line_column(Span::new(source, range.clone())).0;
        Some(Redacted { line, kind: kind_of((*what)?) })
    });
    let lengths = changes.iter().map(|(range, what)| (range.clone(), what.map_or(0, |what| placeholder(what).len())));
    *origins = std::mem::take(origins).replaced(&lengths.collect::<Vec<_>>());
    (replaced(document, &changes), redacted.collect())
}

/// A range of a text that is replaced by the kind of its secret, or removed.
pub(super) type Change = (Range<usize>, Option<&'static str>);

fn walk(nodes: &[Node<'_>], document: &str, changes: &mut Vec<Change>) {
    let mut body = View::default();
    for node in nodes {
        match node {
            Node::Text(text) => body.add(document, text.span.range()),
            Node::Raw(raw) => body.add(document, raw_content(*raw).span.range()),
            Node::Comment(comment) => add_secrets(document, comment.span.range(), changes),
            Node::Element(Element { opening, children, .. }) => {
                body.separate();
                add_secrets(document, opening.range(), changes);
                walk(children, document, changes);
            }
        }
    }
    // The text between the pieces of a secret is kept: it ends a RAW block, or starts one.
    for (what, pieces) in body.secrets() {
        let mut what = Some(what);
        changes.extend(pieces.into_iter().map(|piece| (piece, what.take())));
    }
}

/// Adds the secrets of a range of the document.
fn add_secrets(document: &str, range: Range<usize>, changes: &mut Vec<Change>) {
    let found = secrets(&document[range.clone()]).into_iter();
    changes.extend(found.map(|(secret, what)| (range.start + secret.start..range.start + secret.end, Some(what))));
}

/// The last letters and digits of a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Ending([u8; 8]);

impl Ending {
    /// `None` for a secret with few letters and digits.
    pub(super) fn of(secret: &str) -> Option<Self> {
        let letters = letters(secret);
        letters.last_chunk().copied().map(Self)
    }
}

/// The letters and digits of a text whose escapes are decoded.
fn letters(text: &str) -> Vec<u8> {
    decoded(text).bytes().filter(u8::is_ascii_alphanumeric).collect()
}

impl Renderer<'_, '_> {
    /// Checks whether the page may hold the document. A secret that is still in both was not recognized in the
    /// document, because it is written in a way that is not known. Any other is from another file.
    pub(super) fn check_document(&mut self, document: SourceId) {
        let text = &self.resolver.sources.get(document).text;
        let mut secrets = std::mem::take(&mut self.secrets);
        if self.options.has_source {
            let endings: HashSet<Ending> = secrets.iter().filter_map(|(_, ending)| *ending).collect();
            let letters = if endings.is_empty() { Vec::new() } else { letters(text) };
            let windows = letters.windows(8).filter_map(|window| window.first_chunk().copied().map(Ending));
            let left: HashSet<Ending> = windows.filter(|ending| endings.contains(ending)).collect();
            secrets.retain(|(_, ending)| ending.is_none_or(|ending| !left.contains(&ending)));
            if left.is_empty() {
                self.cannot_check_base64(document);
            } else {
                self.has_secret = true;
                let what = "document";
                self.page.unchecked.insert(0, Unchecked { line: 1, what, name: String::new() });
            }
        }
        self.page.redacted_elsewhere = secrets.into_iter().map(|(kind, _)| kind).collect();
    }
}
