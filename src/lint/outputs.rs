//! The checks that are also made when a request is written.

use super::base64::unwrapped_runs;
use super::rules::base64_in_text::report_base64;
use super::rules::parts::report_items_as_parts;
use super::text::span_in;
use crate::convert::Located;
use crate::diagnostic::Diagnostics;
use crate::responses::{Item, ToolOutput};
use crate::source::Sources;

/// Longer runs of base64 in the text of an output are reported.
const MAX_BASE64_RUN: usize = 4096;

/// Warns of long base64 in the output of a tool that is sent as text, and of items that are sent as parts of a message.
pub fn check_converted(item: &Located<'_>, sources: &Sources, diagnostics: &mut Diagnostics) {
    report_items_as_parts(item, diagnostics);
    let Item::ToolResponse(response) = &item.item else { return };
    let ToolOutput::Text(text) = &response.output else { return };
    for run in unwrapped_runs(text).filter(|run| run.len() > MAX_BASE64_RUN) {
        let place = span_in(text, run.clone(), item.span, sources);
        report_base64(&text[run], place, diagnostics);
    }
}
