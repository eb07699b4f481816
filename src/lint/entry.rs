//! The parts of a rule of `check`.

use super::api::Rejected;
use super::code::MarkdownBody;
use super::fix::Fixer;
use super::media::Media;
use super::request::WholeRequest;
use super::source::SourceText;
use super::text::{SentFile, SentText};
use crate::convert::{Located, LocatedTool};
use crate::diagnostic::{Diagnostics, Message, Rule};
use crate::source::Span;

/// A finding of `check`. Each rule has a type of its own, in a file of its own.
pub(super) trait Lint: Sized {
    /// The name, severity, properties and page of the rule.
    const RULE: Rule;
    /// The checks that report it.
    const CHECKS: &'static [Check];
    /// How it is fixed, if it can be fixed.
    const FIX: Option<Fixer> = None;

    /// The finding in words.
    fn message(&self) -> Message;

    /// The rule of this finding, if its severity differs.
    fn rule(&self) -> &'static Rule {
        const { &Self::RULE }
    }

    /// Reports this finding.
    fn report(self, span: Span, diagnostics: &mut Diagnostics) {
        diagnostics.add(self.rule(), self.message(), span);
    }
}

/// A function that reports findings, and its input.
#[derive(Clone, Copy)]
pub(super) enum Check {
    /// The whole request. It is skipped if a turn failed to parse, because that would cause false positives.
    Request(fn(&WholeRequest<'_, '_>, &mut Diagnostics)),
    /// A place in the request that the description of the API does not allow.
    Api(fn(&Rejected<'_>, Span, &mut Diagnostics)),
    /// All tools that could be read.
    Tools(fn(&[LocatedTool<'_>], &mut Diagnostics)),
    /// All items that could be read.
    Items(fn(&[Located<'_>], &mut Diagnostics)),
    /// An image or a file in an item.
    Media(fn(&Media<'_>, &mut Diagnostics)),
    /// A text in an item.
    Text(fn(&SentText<'_>, &mut Diagnostics)),
    /// A file that the document sends.
    File(fn(&SentFile<'_>, &mut Diagnostics)),
    /// The text of the document, and of each file that it imports.
    Source(fn(&SourceText<'_>, &mut Diagnostics)),
    /// The same, with [`CheckOptions::portable`](super::CheckOptions::portable) only.
    Portable(fn(&SourceText<'_>, &mut Diagnostics)),
    /// The body of an element, with its Markdown code.
    Body(fn(&MarkdownBody<'_, '_>, &mut Diagnostics)),
}

/// A row of the list of lints.
pub(super) struct Entry {
    pub(super) rule: &'static Rule,
    pub(super) checks: &'static [Check],
    pub(super) fix: Option<Fixer>,
}

impl Entry {
    pub(super) const fn of<L: Lint>() -> Self {
        assert!(L::RULE.is_fixable == L::FIX.is_some(), "a rule is fixable if it has a fix");
        Self { rule: const { &L::RULE }, checks: L::CHECKS, fix: L::FIX }
    }
}
