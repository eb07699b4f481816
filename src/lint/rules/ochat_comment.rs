//! `ochat-comment`: a `chatmd:` comment, which ochat ignores.

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::document::Directive;
use crate::lint::entry::Lint;
use crate::lint::source::{SourceText, each_comment};

/// `<!-- chatmd:item {…} -->`
pub(super) struct OchatComment;

impl Lint for OchatComment {
    const RULE: Rule = rule!("ochat-comment" Warning Malformed is_allowable);

    fn message(&self) -> Message {
        Message::new(
            "ochat ignores the data in this comment",
            "ignored by ochat",
            "use elements and attributes where possible",
        )
    }

    fn check_portable(source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
        each_comment(source.nodes, &mut |comment| {
            if Directive::metadata(comment.value).is_some() {
                OchatComment.report(comment.span, diagnostics);
            }
        });
    }
}
