//! Removes the lines that are not shown from the text.

use std::collections::HashMap;

use super::trunk::{parents, tops, trunk};
use super::{Line, LineRole};
use crate::document::Block;
use crate::sessions::writer::Writer;
use crate::sessions::{SessionOptions, SessionView};

/// Keeps the lines that the options ask for.
pub(super) fn select(lines: &[Line], options: SessionOptions, writer: &mut Writer<'_>) {
    let parents = parents(lines);
    let is_trunk = trunk(lines, &parents);
    let is_message = |index: &usize| lines[*index].role == LineRole::Message;
    let messages: Vec<usize> = (0..lines.len()).filter(is_message).collect();
    let boundary = (0..lines.len()).rev().find(|index| lines[*index].role == LineRole::Boundary && is_trunk[*index]);
    let start = boundary.filter(|_| options.view == SessionView::Model).unwrap_or_default();
    let is_kept = |index: &usize| is_trunk[*index] && *index >= start;
    let abandoned = messages.iter().filter(|index| !is_trunk[**index]).count();
    let compacted = messages.iter().filter(|index| is_trunk[**index] && **index < start).count();
    writer.leave_out_many("compacted line", compacted);
    if options.branches && options.view == SessionView::All && abandoned > 0 {
        write_with_branches(lines, &messages, &parents, &is_trunk, writer);
        return;
    }
    writer.leave_out_many("line of abandoned branches", abandoned);
    keep(lines, messages.into_iter().filter(is_kept), writer);
}

/// Keeps these lines, and moves their texts together.
fn keep(lines: &[Line], kept: impl Iterator<Item = usize>, writer: &mut Writer<'_>) {
    let kept: Vec<&Line> = kept.map(|index| &lines[index]).collect();
    writer.items = kept.iter().map(|line| line.items).sum();
    writer.keep(kept.iter().map(|line| (line.range.clone(), line.number)));
}

/// Writes each abandoned branch where it begins, between comments.
fn write_with_branches(
    lines: &[Line],
    messages: &[usize],
    parents: &[Option<usize>],
    is_trunk: &[bool],
    writer: &mut Writer<'_>,
) {
    let tops = tops(parents, |parent| !is_trunk[parent]);
    let mut branches: HashMap<usize, Vec<usize>> = HashMap::new();
    for index in messages.iter().filter(|index| !is_trunk[**index]) {
        branches.entry(tops[*index]).or_default().push(*index);
    }
    let all = std::mem::take(&mut writer.text);
    writer.truncate(0);
    let copy = |line: &Line, writer: &mut Writer<'_>| {
        writer.line = line.number;
        writer.origins.add(writer.text.len(), line.number);
        writer.text.push_str(&all[line.range.clone()]);
    };
    for index in messages {
        if is_trunk[*index] {
            copy(&lines[*index], writer);
        } else if let Some(branch) = branches.remove(&tops[*index]) {
            let count = branch.len().to_string();
            writer.line = lines[*index].number;
            writer.comment("abandoned branch", |object| object.key("lines").push_str(&count));
            for line in branch {
                copy(&lines[line], writer);
            }
            writer.block(Block::Comment(" end of the abandoned branch ".into()));
        }
    }
}
