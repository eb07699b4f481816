//! Where a fix is possible, and which problems are there.

use std::collections::HashMap;

use super::{Key, key};
use crate::diagnostic::{Diagnostics, Problem, SyntaxProblem};
use crate::document::{Directive, body_kind};
use crate::element::{BodyKind, Tag};
use crate::lint::code::Markdown;
use crate::source::SourceId;
use crate::syntax::{Element, Node};

/// The first diagnostic of each rule at each place that a fix would change.
pub(in crate::lint) struct Problems(HashMap<(usize, &'static str), Key>);

impl Problems {
    pub(super) fn of(diagnostics: &Diagnostics, source: SourceId) -> Self {
        let mut problems = HashMap::new();
        for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic.span.source == source) {
            let span = match diagnostic.problem() {
                // The closing tag is reported, but the opening tag is fixed.
                Some(Problem::Syntax(SyntaxProblem::MismatchedTag { opened_at, .. })) => *opened_at,
                Some(_) | None => diagnostic.span,
            };
            problems.entry((span.start, diagnostic.rule().name)).or_insert_with(|| key(diagnostic));
        }
        Self(problems)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// A problem at a place that is a violation of one of the rules.
    pub(in crate::lint) fn at(&self, place: usize, rules: &[&'static str]) -> Option<Key> {
        rules.iter().find_map(|rule| self.0.get(&(place, *rule))).copied()
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
    pub(super) fn of(element: &Element<'_>, text: &str, problems: &Problems) -> Self {
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
