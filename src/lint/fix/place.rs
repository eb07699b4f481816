//! Where a fix is possible, and which problems are there.

use super::{Key, key};
use crate::diagnostic::{Diagnostic, Diagnostics, Problem, SyntaxProblem};
use crate::document::{Directive, body_kind};
use crate::element::{BodyKind, Tag};
use crate::lint::code::Markdown;
use crate::source::SourceId;
use crate::syntax::{Element, Node};

/// The diagnostics of a document, in the order of the places that a fix would change.
pub(in crate::lint) struct Problems<'d> {
    by_place: Vec<(usize, &'d Diagnostic)>,
    rules: Vec<&'static str>,
}

impl<'d> Problems<'d> {
    pub(super) fn of(diagnostics: &'d Diagnostics, source: SourceId) -> Self {
        let (mut by_place, mut rules) = (Vec::new(), Vec::new());
        for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic.span.source == source) {
            let span = match diagnostic.problem() {
                // The closing tag is reported, but the opening tag is fixed.
                Some(Problem::Syntax(SyntaxProblem::MismatchedTag { opened_at, .. })) => *opened_at,
                Some(_) | None => diagnostic.span,
            };
            by_place.push((span.start, diagnostic));
            if !rules.contains(&diagnostic.rule().name) {
                rules.push(diagnostic.rule().name);
            }
        }
        by_place.sort_by_key(|(place, _)| *place);
        Self { by_place, rules }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_place.is_empty()
    }

    /// Whether any problem is a violation of a rule.
    pub(in crate::lint) fn has(&self, rule: &str) -> bool {
        self.rules.contains(&rule)
    }

    /// The first problem at a place that is a violation of one of the rules.
    pub(in crate::lint) fn at(&self, place: usize, rules: &[&str]) -> Option<Key> {
        let first = self.by_place.partition_point(|(other, _)| *other < place);
        let mut here = self.by_place[first..].iter().take_while(|(other, _)| *other == place);
        here.find(|(_, diagnostic)| rules.contains(&diagnostic.rule().name)).map(|(_, diagnostic)| key(diagnostic))
    }
}

/// A node among its siblings.
#[derive(Clone, Copy)]
pub(in crate::lint) struct SiblingNode<'n, 's> {
    pub(super) siblings: &'n [Node<'s>],
    pub(super) index: usize,
}

impl<'n, 's> SiblingNode<'n, 's> {
    pub(in crate::lint) fn node(self) -> &'n Node<'s> {
        &self.siblings[self.index]
    }

    pub(in crate::lint) fn before(self) -> Option<&'n Node<'s>> {
        self.siblings.get(self.index.checked_sub(1)?)
    }

    pub(in crate::lint) fn after(self) -> Option<&'n Node<'s>> {
        self.siblings.get(self.index + 1)
    }

    /// Whether the text before it ends with one of these characters.
    pub(super) fn follows(self, ends: &[char]) -> bool {
        matches!(self.before(), Some(Node::Text(text)) if text.value.ends_with(ends))
    }

    /// Whether a backquote is next to it.
    pub(in crate::lint) fn is_quoted(self) -> bool {
        self.follows(&['`']) || matches!(self.after(), Some(Node::Text(text)) if text.value.starts_with('`'))
    }
}

/// The body of an element at top level.
pub(in crate::lint) struct Body {
    pub(in crate::lint) kind: BodyKind,
    pub(in crate::lint) markdown: Markdown,
    /// Whether its text is sent as text because of `output=`, a `chatmd:` comment or its role.
    pub(in crate::lint) is_always_text: bool,
    /// The problem that a tag in it is never closed.
    pub(super) unclosed: Option<Key>,
}

impl Body {
    pub(super) fn of(element: &Element<'_>, text: &str, problems: &Problems<'_>) -> Self {
        let has_directive = element
            .children
            .iter()
            .any(|node| matches!(node, Node::Comment(comment) if Directive::parse(comment.value).is_some()));
        Self {
            kind: body_kind(element.tag, &element.attributes),
            markdown: Markdown::of(&element.children, text),
            is_always_text: element.attributes.has("output") || is_prompt(element) || has_directive,
            unclosed: super::unclosed::problem_in(element, problems),
        }
    }

    /// The content of a file that is imported into bodies.
    pub(super) fn of_fragment(nodes: &[Node<'_>], text: &str) -> Self {
        let markdown = Markdown::of(nodes, text);
        Self { kind: BodyKind::Message, markdown, is_always_text: true, unclosed: None }
    }

    /// Whether `<img>` and `<doc>` in it are parts and not text.
    pub(in crate::lint) fn takes_parts(&self) -> bool {
        matches!(self.kind, BodyKind::Message | BodyKind::Response)
    }
}

/// Whether an element may become the instructions of the request, which are text.
fn is_prompt(element: &Element<'_>) -> bool {
    let role = if element.tag == Tag::Msg { element.attributes.value("role") } else { Some(element.tag.name()) };
    matches!(role, Some("system" | "developer"))
}
