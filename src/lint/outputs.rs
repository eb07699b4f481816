//! The checks that are also made when a request is written.

use super::base64::unwrapped_runs;
use super::rules::base64_in_text::report_base64;
use super::rules::parts::report_items_as_parts;
use crate::convert::{Context, Located, spelled_output};
use crate::diagnostic::Diagnostics;
use crate::document::{Block, ItemElement, ItemKind, MediaSource, OutputHint, Part, ResponseKind, has_parts};
use crate::json::StringArena;
use crate::responses::ToolOutput;
use crate::source::{Span, Spanned};

/// Longer runs of base64 in the text of an output are reported.
const MAX_BASE64_RUN: usize = 4096;

/// Warns of long base64 in the output of a tool that is sent as text, and of items that are sent as parts of a message.
pub fn check_converted(
    block: &Spanned<Block<'_>>,
    item: Option<&Located<'_>>,
    context: &Context<'_>,
    diagnostics: &mut Diagnostics,
) {
    if let Some(item) = item {
        report_items_as_parts(item, diagnostics);
    }
    if let Some(response) = block.value.element()
        && matches!(response.kind, ItemKind::ToolResponse(ResponseKind::Tool(_)))
        && response.output() != Some(OutputHint::Content)
        && !has_parts(&response.body)
    {
        check_output(response, context, diagnostics);
    }
}

fn check_output(response: &ItemElement<'_>, context: &Context<'_>, diagnostics: &mut Diagnostics) {
    let texts: Vec<(&str, Span)> = response.body.iter().filter_map(|part| text_of(part, context)).collect();
    let has_base64 = |text: &str| unwrapped_runs(text).any(|run| run.len() > MAX_BASE64_RUN);
    if !texts.iter().any(|(text, _)| has_base64(text)) || is_parts(response, &texts) {
        return;
    }
    for (text, span) in texts {
        for run in unwrapped_runs(text).filter(|run| run.len() > MAX_BASE64_RUN) {
            let start = context.sources.offset_of(span.source, text);
            let place = start.map_or(span, |start| Span::new(span.source, start + run.start..start + run.end));
            report_base64(&text[run], place, diagnostics);
        }
    }
}

/// The text of a part of a body that is one text.
fn text_of<'d>(part: &'d Spanned<Part<'_>>, context: &Context<'d>) -> Option<(&'d str, Span)> {
    let text = match &part.value {
        Part::Text(text) => text.as_ref(),
        Part::Doc(doc) => match &doc.source {
            // A file that cannot be read has been reported.
            MediaSource::Local(path) => {
                let file = context.resolver.file(path, part.span, &mut Diagnostics::new())?;
                std::str::from_utf8(&file.bytes).ok()?
            }
            MediaSource::Url(_) | MediaSource::FileId(_) => return None,
        },
        Part::Image(_) | Part::Agent(_) | Part::Import(_) | Part::Summary(_) | Part::Metadata(_) => return None,
    };
    Some((text, part.span))
}

/// Whether the text is read as parts, so that nothing in it is sent as text.
fn is_parts(response: &ItemElement<'_>, texts: &[(&str, Span)]) -> bool {
    let whole: String = texts.iter().map(|(text, _)| *text).collect();
    matches!(spelled_output(&whole, response.output(), &StringArena::default()), ToolOutput::Content(_))
}
