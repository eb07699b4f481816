//! The layout of the JSON in `chatmd:` comments.

use std::borrow::Cow;

use super::print::with_line_ending;
use super::{Block, Body, Directive, Document, Part};
use crate::json::{fits_line, is_valid, lay_out};
use crate::source::Spanned;
use crate::syntax::write::LineEnding;

/// Lays out the JSON of every `chatmd:` comment that does not fit on a line.
pub fn lay_out_comments(document: &mut Document<'_>) {
    change_comments(document, lay_out_comment);
}

/// Gives the JSON of every `chatmd:` comment the line breaks that [`print_with`](super::print_with) writes.
pub(crate) fn set_line_ending(document: &mut Document<'_>, line_ending: LineEnding) {
    change_comments(document, |json, _| {
        if let Cow::Owned(changed) = with_line_ending(json, line_ending) {
            *json = Cow::Owned(changed);
        }
    });
}

/// Changes the JSON of every `chatmd:` comment.
fn change_comments(document: &mut Document<'_>, change: impl Fn(&mut Cow<'_, str>, Directive<'_>)) {
    for block in &mut document.blocks {
        match &mut block.value {
            Block::Message(message) => element(message.fields.as_mut(), &mut message.body, &change),
            Block::ToolCall(call) => element(call.fields.as_mut(), &mut call.body, &change),
            Block::ToolResponse(response) => element(response.fields.as_mut(), &mut response.body, &change),
            Block::Reasoning(reasoning) => element(reasoning.fields.as_mut(), &mut reasoning.body, &change),
            Block::Item(json) => change(json, Directive::Item("")),
            Block::ItemFiles(json) => change(&mut json.value, Directive::ItemFiles("")),
            Block::Request(json) => change(json, Directive::Request("")),
            Block::Foreign(json) => change(json, Directive::Foreign("")),
            Block::Declaration(_) | Block::Import(_) | Block::Comment(_) => {}
        }
    }
}

fn element(
    fields: Option<&mut Spanned<Cow<'_, str>>>,
    parts: &mut Body<'_>,
    change: &impl Fn(&mut Cow<'_, str>, Directive<'_>),
) {
    if let Some(fields) = fields {
        change(&mut fields.value, Directive::Fields(""));
    }
    body(parts, change);
}

fn body(parts: &mut Body<'_>, change: &impl Fn(&mut Cow<'_, str>, Directive<'_>)) {
    for part in parts {
        match &mut part.value {
            Part::Metadata(json) => change(json, Directive::Part("")),
            Part::Agent(agent) => body(&mut agent.body, change),
            Part::Text(_) | Part::Image(_) | Part::Doc(_) | Part::Import(_) | Part::Summary(_) => {}
        }
    }
}

/// Lays out the JSON of one comment. JSON that is malformed stays as it is.
fn lay_out_comment(json: &mut Cow<'_, str>, kind: Directive<'_>) {
    let (after, around) = (" -->".len(), kind.to_string().len());
    let column = around - after;
    if !fits_line(json, column, after) && is_valid(json) {
        *json = Cow::Owned(lay_out(json, column, after));
    }
}
