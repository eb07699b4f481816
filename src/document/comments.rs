//! Lays out the JSON in `chatmd:` comments.

use std::borrow::Cow;

use super::{Block, Body, Directive, Document, Part};
use crate::json::{fits_line, is_valid, lay_out};
use crate::source::Spanned;

/// Lays out the JSON of every `chatmd:` comment that does not fit on a line.
pub fn lay_out_comments(document: &mut Document<'_>) {
    for block in &mut document.blocks {
        match &mut block.value {
            Block::Message(message) => element(message.fields.as_mut(), &mut message.body),
            Block::ToolCall(call) => element(call.fields.as_mut(), &mut call.body),
            Block::ToolResponse(response) => element(response.fields.as_mut(), &mut response.body),
            Block::Reasoning(reasoning) => element(reasoning.fields.as_mut(), &mut reasoning.body),
            Block::Item(json) => comment(json, Directive::Item("")),
            Block::ItemFiles(json) => comment(&mut json.value, Directive::ItemFiles("")),
            Block::Request(json) => comment(json, Directive::Request("")),
            Block::Foreign(json) => comment(json, Directive::Foreign("")),
            Block::Declaration(_) | Block::Import(_) | Block::Comment(_) => {}
        }
    }
}

fn element(fields: Option<&mut Spanned<Cow<'_, str>>>, parts: &mut Body<'_>) {
    if let Some(fields) = fields {
        comment(&mut fields.value, Directive::Fields(""));
    }
    body(parts);
}

fn body(parts: &mut Body<'_>) {
    for part in parts {
        match &mut part.value {
            Part::Metadata(json) => comment(json, Directive::Part("")),
            Part::Agent(agent) => body(&mut agent.body),
            Part::Text(_) | Part::Image(_) | Part::Doc(_) | Part::Import(_) | Part::Summary(_) => {}
        }
    }
}

/// Lays out the JSON of one comment. JSON that is malformed stays as it is.
fn comment(json: &mut Cow<'_, str>, kind: Directive<'_>) {
    let (after, around) = (" -->".len(), kind.to_string().len());
    let column = around - after;
    if !fits_line(json, column, after) && is_valid(json) {
        *json = Cow::Owned(lay_out(json, column, after));
    }
}
