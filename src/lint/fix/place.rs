//! Where a fix is looked for, and what is wrong there.

use std::collections::HashMap;

use super::{Key, key};
use crate::diagnostic::{Diagnostic, Diagnostics, Lint, Problem};
use crate::document::{Directive, body_kind};
use crate::element::{BodyKind, Tag};
use crate::lint::code::Code;
use crate::source::SourceId;
use crate::syntax::{Element, Node};

/// The problems of a document, by where the text stands that a fix would change.
pub(super) struct Problems<'f> {
    by_place: HashMap<usize, Vec<&'f Diagnostic>>,
    /// Whether texts have to be looked through for base64.
    pub(super) has_leaks: bool,
}

impl<'f> Problems<'f> {
    pub(super) fn of(diagnostics: &'f Diagnostics, source: SourceId) -> Self {
        let mut by_place: HashMap<usize, Vec<&Diagnostic>> = HashMap::new();
        for one in diagnostics.iter().filter(|one| one.span.source == source) {
            let place = match &one.problem {
                Problem::MismatchedTag { opened_at, .. } => opened_at.start,
                _ => one.span.start,
            };
            by_place.entry(place).or_default().push(one);
        }
        let is_leak = |one: &&Diagnostic| matches!(one.problem, Problem::Lint(Lint::Base64InText { .. }));
        let has_leaks = by_place.values().flatten().any(is_leak);
        Self { by_place, has_leaks }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.by_place.is_empty()
    }

    /// The problem at a place that `is` is about.
    pub(super) fn at(&self, place: usize, is: fn(&Problem) -> bool) -> Option<Key> {
        self.by_place.get(&place)?.iter().find(|one| is(&one.problem)).map(|one| key(one))
    }
}

/// A node among its siblings.
#[derive(Clone, Copy)]
pub(super) struct Place<'n, 's> {
    pub(super) siblings: &'n [Node<'s>],
    pub(super) index: usize,
}

impl<'n, 's> Place<'n, 's> {
    pub(super) fn node(self) -> &'n Node<'s> {
        &self.siblings[self.index]
    }

    pub(super) fn before(self) -> Option<&'n Node<'s>> {
        self.siblings.get(self.index.checked_sub(1)?)
    }

    pub(super) fn behind(self) -> Option<&'n Node<'s>> {
        self.siblings.get(self.index + 1)
    }

    /// Whether the text before it ends so.
    pub(super) fn is_behind(self, ends: &[char]) -> bool {
        matches!(self.before(), Some(Node::Text(text)) if text.value.ends_with(ends))
    }
}

/// The body of an element at top level.
pub(super) struct Body {
    pub(super) kind: BodyKind,
    pub(super) code: Code,
    /// Whether `output=`, a directive or its role says that its text stays text.
    pub(super) is_settled: bool,
    /// The problem that a tag in it was never closed.
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
            code: Code::of(&element.children, text),
            is_settled: element.attributes.has("output") || is_prompt(element) || has_directive,
            unclosed: super::close::problem_in(element, problems),
        }
    }

    /// Whether `<img>` and `<doc>` in it are more than text.
    pub(super) fn takes_parts(&self) -> bool {
        matches!(self.kind, BodyKind::Message | BodyKind::Response)
    }
}

/// Whether an element may become the request's instructions, which are text.
fn is_prompt(element: &Element<'_>) -> bool {
    let role = if element.tag == Tag::Msg { element.attributes.value("role") } else { Some(element.tag.name()) };
    matches!(role, Some("system" | "developer"))
}
