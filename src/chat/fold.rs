//! Finds the user messages that have the images and files of the outputs before them.

use super::hoist::{Content, Output, OutputPart, fold};
use crate::json::{Json, Kind, Object, StringArena};
use crate::wire::{Members, Value};

/// A message with the parts of the user message after it.
pub(super) struct Folded<'j> {
    /// Which of the messages it is.
    pub(super) index: usize,
    pub(super) message: Object<'j>,
    /// The indexes of the parts that come from the user message.
    pub(super) moved: Vec<usize>,
}

/// The messages with the parts of user messages back in the outputs before them.
pub(super) fn folded<'j>(messages: &[Object<'j>], strings: &'j StringArena) -> Vec<Folded<'j>> {
    let mut all: Vec<Folded<'j>> = Vec::with_capacity(messages.len());
    for (index, message) in messages.iter().enumerate() {
        let outputs = folded_parts(&messages[..index], message, messages.get(index + 1));
        let Some(outputs) = outputs else {
            all.push(Folded { index, message: message.clone(), moved: Vec::new() });
            continue;
        };
        let start = all.len() - outputs.len();
        for (Folded { message, moved, .. }, output) in all[start..].iter_mut().zip(outputs) {
            if let Content::Parts(parts) = output.content {
                moved.extend(parts.iter().enumerate().filter(|(_, part)| part.is_moved()).map(|(index, _)| index));
                let parts: Vec<Members<'j>> = parts.into_iter().map(|part| part.members).collect();
                message.replace("content", Value::from(parts).to_json(strings));
            }
        }
    }
    all
}

/// The outputs directly before a user message, with the parts of this message; `None` if it has none of their parts.
pub(super) fn folded_parts<'j>(
    before: &[Object<'j>],
    message: &Object<'j>,
    next: Option<&Object<'j>>,
) -> Option<Vec<Output<'j>>> {
    let is_role = |message: &Object<'j>, role: &str| message.get_str("role").is_some_and(|own| own == role);
    // The parts of outputs come after the last of them.
    let is_after_outputs = before.last().is_some_and(|last| is_role(last, "tool"));
    if !is_after_outputs || next.is_some_and(|next| is_role(next, "tool")) || message.iter().count() != 2 {
        return None;
    }
    let content = message.get("content").filter(|_| is_role(message, "user"))?.array().ok()?;
    let content: Vec<Members<'j>> =
        content.into_iter().map(|part| part.object().ok().map(Members::from)).collect::<Option<_>>()?;
    let start = before.iter().rposition(|message| !is_role(message, "tool")).map_or(0, |index| index + 1);
    let outputs: Vec<Output<'j>> = before[start..].iter().map(output_of).collect::<Option<_>>()?;
    fold(&outputs, &content)
}

/// An output as its message has it.
fn output_of<'j>(message: &Object<'j>) -> Option<Output<'j>> {
    let call_id = message.get_str("tool_call_id")?;
    let content = message.get("content")?;
    let content = match content.kind() {
        Kind::String => Content::Text(content.as_str().ok()?),
        Kind::Array => {
            let part = |part: Json<'j>| Some(OutputPart { members: part.object().ok()?.into(), stays: true });
            Content::Parts(content.array().ok()?.into_iter().map(part).collect::<Option<_>>()?)
        }
        Kind::Null | Kind::Boolean | Kind::Number | Kind::Object => return None,
    };
    Some(Output { call_id, content })
}
