//! `secret`: a key, a token or a private key in what is sent.

use std::collections::HashSet;

use super::Lint;
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::document::layout::raw_content;
use crate::lint::source::{SourceText, each_element};
use crate::lint::text::SentFile;
use crate::secret::secrets;
use crate::source::Span;
use crate::syntax::Node;

/// `<user>AKIA…</user>`
pub(super) struct Secret;

/// `kind` has an article. `file` is the file that contains the secret, if that is not the document.
fn message(kind: &str, file: Option<&str>) -> Message {
    let title = match file {
        Some(file) => format!("`{file}` contains what looks like {kind}"),
        None => format!("this looks like {kind}"),
    };
    Message::new(title, "sent with the document", "revoke it, and replace it with a placeholder")
}

impl Lint for Secret {
    fn rule(&self) -> &'static Rule {
        const { &rule!("secret" Warning Malformed is_allowable) }
    }

    fn check_file(&self, file: &SentFile<'_>, diagnostics: &mut Diagnostics) {
        if let Some((_, kind)) = secrets(file.text).into_iter().next() {
            self.report(message(kind, Some(file.path)), file.span, diagnostics);
        }
    }

    /// Comments and attributes are checked too.
    fn check_source(&self, source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
        let mut starts = HashSet::new();
        for (range, kind) in secrets(source.text) {
            starts.insert(range.start);
            self.report(message(kind, None), Span::new(source.id, range), diagnostics);
        }
        each_element(source.nodes, &mut |element| {
            let body = Joined::of(&element.children);
            for (range, kind) in secrets(&body.text) {
                let (first, last) = (body.place(range.start), body.place(range.end - 1));
                // Within one piece it is found in the source.
                if let (Some((piece, start)), Some((other, _))) = (first, last)
                    && piece != other
                    && starts.insert(start)
                {
                    let end = start + body.pieces[piece].1.len() - (range.start - body.pieces[piece].0);
                    self.report(message(kind, None), Span::new(source.id, start..end), diagnostics);
                }
            }
        });
    }
}

/// The text of a body, whose RAW blocks and comments can divide a secret.
#[derive(Default)]
struct Joined<'s> {
    text: String,
    /// Where each piece starts in the text, the piece, and where it starts in the source.
    pieces: Vec<(usize, &'s str, usize)>,
}

impl<'s> Joined<'s> {
    /// Empty if there is nothing to join.
    fn of(nodes: &[Node<'s>]) -> Self {
        let mut joined = Self::default();
        if !nodes.iter().any(|node| matches!(node, Node::Raw(_) | Node::Comment(_))) {
            return joined;
        }
        for node in nodes {
            let (piece, start) = match node {
                Node::Text(text) => (text.value, text.span.start),
                Node::Raw(raw) => {
                    let content = raw_content(raw.value);
                    (&raw.value[content.clone()], raw.span.start + "RAW|".len() + content.start)
                }
                Node::Comment(_) => continue,
                // Nothing joins over an element.
                Node::Element(element) => ("\n", element.span.start),
            };
            joined.pieces.push((joined.text.len(), piece, start));
            joined.text.push_str(piece);
        }
        joined
    }

    /// The piece that holds a character of the text, and its place in the source.
    fn place(&self, offset: usize) -> Option<(usize, usize)> {
        let piece = self.pieces.partition_point(|(start, ..)| *start <= offset).checked_sub(1)?;
        let (start, _, source) = self.pieces[piece];
        Some((piece, source + offset - start))
    }
}
