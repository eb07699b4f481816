//! `secret`: a key, a token or a private key in what is sent.

use std::collections::HashSet;

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::document::layout::raw_content;
use crate::lint::entry::Lint;
use crate::lint::source::{SourceText, each_element};
use crate::lint::text::SentFile;
use crate::secret::secrets;
use crate::source::Span;
use crate::syntax::Node;

/// `<user>AKIA…</user>`
pub(super) struct Secret<'f> {
    /// What it looks like, with an article.
    kind: &'static str,
    /// The file that contains it, if that is not the document.
    file: Option<&'f str>,
}

impl Lint for Secret<'_> {
    const RULE: Rule = rule!("secret" Warning Malformed is_allowable);

    fn message(&self) -> Message {
        let kind = self.kind;
        let title = match self.file {
            Some(file) => format!("`{file}` contains what looks like {kind}"),
            None => format!("this looks like {kind}"),
        };
        Message::new(title, "sent with the document", "revoke it, and replace it with a placeholder")
    }

    fn check_file(file: &SentFile<'_>, diagnostics: &mut Diagnostics) {
        if let Some((_, kind)) = secrets(file.text).into_iter().next() {
            Secret { kind, file: Some(file.path) }.report(file.span, diagnostics);
        }
    }

    /// Comments and attributes are checked too.
    fn check_source(source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
        let mut starts = HashSet::new();
        for (range, kind) in secrets(source.text) {
            starts.insert(range.start);
            Secret { kind, file: None }.report(Span::new(source.id, range), diagnostics);
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
                    Secret { kind, file: None }.report(Span::new(source.id, start..end), diagnostics);
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
