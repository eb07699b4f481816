//! Writes messages and their blocks as JSON.

use super::request::Block;
use crate::json::write::{ObjectWriter, array};
use crate::json::{Object, StringArena};
use crate::wire::Overlay;

/// Writes the blocks of a message as an array.
pub(super) fn write_blocks(out: &mut String, blocks: &[&Block<'_>]) {
    array(out, blocks, |out, block| {
        let mut object = ObjectWriter::new(out);
        object.members(&block.object);
        object.end();
    });
}

/// Writes a message with the members that the document has for it.
pub(super) fn write_message<'d>(
    out: &mut String,
    role: &str,
    blocks: &[&Block<'d>],
    overlays: &[&Overlay<'d>],
    strings: &'d StringArena,
) {
    if overlays.iter().all(|overlay| overlay.changes_nothing()) {
        let mut message = ObjectWriter::new(out);
        message.text("role", role);
        write_blocks(message.name("content"), blocks);
        message.end();
        return;
    }
    let mut message = Object::default();
    message.insert("role", strings.string(role));
    message.insert("content", strings.json(|out| write_blocks(out, blocks)));
    for overlay in overlays {
        overlay.apply(&mut message);
    }
    let mut object = ObjectWriter::new(out);
    object.members(&message);
    object.end();
}
