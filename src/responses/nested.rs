//! Texts inside a member of their item: the commands of a shell call, and the diff of a patch.

use super::build::Texts;
use super::event::TextKind;
use crate::json::write::array;
use crate::json::{Json, Object, StringArena};

/// Whether texts of this kind are inside a member of their item.
pub(super) fn is_nested(kind: TextKind) -> bool {
    matches!(kind, TextKind::Command | TextKind::Diff)
}

/// Adds such texts to an item. Returns the texts that contradict what it already has.
pub(super) fn insert_nested<'j, 't>(
    members: &mut Object<'j>,
    texts: &Texts<'t>,
    strings: &'j StringArena,
) -> Texts<'t> {
    let mut rest = Texts::new();
    let mut action = None;
    for (place, text) in texts.iter().filter(|(place, _)| is_nested(place.kind)) {
        let is_kept = if place.kind == TextKind::Diff {
            let mut operation = object(members, "operation");
            let diff = operation.get("diff").unwrap_or(Json::NULL);
            let (diff, is_kept) = longer(diff, text, strings);
            operation.replace("diff", diff);
            members.replace("operation", strings.object(&operation));
            is_kept
        } else {
            let (_, commands) = action.get_or_insert_with(|| {
                let action = object(members, "action");
                let commands = action.get("commands").and_then(|commands| commands.array().ok()).unwrap_or_default();
                (action, commands)
            });
            if let Some(command) = usize::try_from(place.part).ok().and_then(|at| commands.get_mut(at)) {
                let (longer, is_kept) = longer(*command, text, strings);
                *command = longer;
                is_kept
            } else {
                commands.push(strings.string(text));
                true
            }
        };
        if !is_kept {
            rest.insert(*place, text);
        }
    }
    if let Some((mut action, commands)) = action {
        action.replace("commands", strings.json(|out| array(out, commands, |out, one| out.push_str(one.raw()))));
        members.replace("action", strings.object(&action));
    }
    rest
}

fn object<'j>(members: &Object<'j>, key: &str) -> Object<'j> {
    members.get(key).and_then(|json| json.object().ok()).unwrap_or_default()
}

/// The longer of two texts, and whether it contains the other one.
fn longer<'j>(known: Json<'j>, text: &str, strings: &'j StringArena) -> (Json<'j>, bool) {
    let known_text = known.as_str_lossy().unwrap_or_default();
    if text.contains(known_text.as_ref()) { (strings.string(text), true) } else { (known, known_text.contains(text)) }
}
