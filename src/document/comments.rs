//! The layout of the JSON in `chatmd:` comments.

use std::borrow::Cow;

use super::print::with_line_ending;
use super::{Block, Body, Directive, DirectiveKind, Document, Part};
use crate::json::{fits_line, is_valid, lay_out};
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
fn change_comments(document: &mut Document<'_>, change: impl Fn(&mut Cow<'_, str>, DirectiveKind<'_>)) {
    for block in &mut document.blocks {
        match &mut block.value {
            Block::Element(element) => {
                if let Some(fields) = &mut element.fields {
                    change(&mut fields.value, DirectiveKind::Fields);
                }
                change_parts(&mut element.body, &change);
            }
            Block::Data(data) => change(&mut data.json.value, DirectiveKind::Data(data.kind)),
            Block::Declaration(_) | Block::Import(_) | Block::Comment(_) => {}
        }
    }
}

fn change_parts(parts: &mut Body<'_>, change: &impl Fn(&mut Cow<'_, str>, DirectiveKind<'_>)) {
    for part in parts {
        match &mut part.value {
            Part::Metadata(json) => change(json, DirectiveKind::Part),
            Part::Media(media) => change_parts(&mut media.body, change),
            Part::Text(_) | Part::Summary(_) => {}
        }
    }
}

/// Lays out the JSON of one comment. JSON that is malformed stays as it is.
fn lay_out_comment(json: &mut Cow<'_, str>, kind: DirectiveKind<'_>) {
    let (after, around) = (" -->".len(), Directive { kind, data: "" }.to_string().len());
    let column = around - after;
    if !fits_line(json, column, after) && is_valid(json) {
        *json = Cow::Owned(lay_out(json, column, after));
    }
}
