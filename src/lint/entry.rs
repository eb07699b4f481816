//! What a rule of `check` is: a finding, its message, and the checks that report it.

use super::api::Rejected;
use super::code::MarkdownBody;
use super::fix::Fixer;
use super::media::Media;
use super::request::WholeRequest;
use super::sent::SentRequest;
use super::source::SourceText;
use super::text::{SentFile, SentText};
use crate::convert::{Located, LocatedTool};
use crate::diagnostic::{Diagnostics, Message, Rule};
use crate::source::Span;

/// A finding of `check`. Each rule has a type of its own, in a file of its own, with those checks that it needs.
pub(super) trait Lint: Sized {
    /// The name, severity, properties and page of the rule.
    const RULE: Rule;
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

    /// Checks the whole request. It is skipped if a turn failed to parse, because that would cause false positives.
    fn check_request(_request: &WholeRequest<'_, '_>, _diagnostics: &mut Diagnostics) {}

    /// Checks a place in the request that the description of the API does not allow.
    fn check_api(_rejected: &Rejected<'_>, _span: Span, _diagnostics: &mut Diagnostics) {}

    /// Checks the JSON of a request for the Messages or the Chat API.
    fn check_sent(_sent: &SentRequest<'_>, _diagnostics: &mut Diagnostics) {}

    /// Checks all tools that could be read.
    fn check_tools(_tools: &[LocatedTool<'_>], _diagnostics: &mut Diagnostics) {}

    /// Checks all items that could be read.
    fn check_items(_items: &[Located<'_>], _diagnostics: &mut Diagnostics) {}

    /// Checks an image or a file in an item.
    fn check_media(_media: &Media<'_>, _diagnostics: &mut Diagnostics) {}

    /// Checks a text in an item.
    fn check_text(_text: &SentText<'_>, _diagnostics: &mut Diagnostics) {}

    /// Checks a file that the document sends.
    fn check_file(_file: &SentFile<'_>, _diagnostics: &mut Diagnostics) {}

    /// Checks the text of the document, and of each file that it imports.
    fn check_source(_source: &SourceText<'_>, _diagnostics: &mut Diagnostics) {}

    /// Checks the same text, with [`CheckOptions::portable`](super::CheckOptions::portable) only.
    fn check_portable(_source: &SourceText<'_>, _diagnostics: &mut Diagnostics) {}

    /// Checks the body of an element, with its Markdown code.
    fn check_body(_body: &MarkdownBody<'_, '_>, _diagnostics: &mut Diagnostics) {}
}

/// A row of the list of lints.
pub(super) struct Entry {
    pub(super) rule: &'static Rule,
    pub(super) fix: Option<Fixer>,
    pub(super) check_request: fn(&WholeRequest<'_, '_>, &mut Diagnostics),
    pub(super) check_api: fn(&Rejected<'_>, Span, &mut Diagnostics),
    pub(super) check_sent: fn(&SentRequest<'_>, &mut Diagnostics),
    pub(super) check_tools: fn(&[LocatedTool<'_>], &mut Diagnostics),
    pub(super) check_items: fn(&[Located<'_>], &mut Diagnostics),
    pub(super) check_media: fn(&Media<'_>, &mut Diagnostics),
    pub(super) check_text: fn(&SentText<'_>, &mut Diagnostics),
    pub(super) check_file: fn(&SentFile<'_>, &mut Diagnostics),
    pub(super) check_source: fn(&SourceText<'_>, &mut Diagnostics),
    pub(super) check_portable: fn(&SourceText<'_>, &mut Diagnostics),
    pub(super) check_body: fn(&MarkdownBody<'_, '_>, &mut Diagnostics),
}

impl Entry {
    pub(super) const fn of<L: Lint>() -> Self {
        assert!(L::RULE.is_fixable == L::FIX.is_some(), "a rule is fixable if it has a fix");
        Self {
            rule: const { &L::RULE },
            fix: L::FIX,
            check_request: L::check_request,
            check_api: L::check_api,
            check_sent: L::check_sent,
            check_tools: L::check_tools,
            check_items: L::check_items,
            check_media: L::check_media,
            check_text: L::check_text,
            check_file: L::check_file,
            check_source: L::check_source,
            check_portable: L::check_portable,
            check_body: L::check_body,
        }
    }
}
