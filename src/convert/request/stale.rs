//! Collapses outputs that a newer output has made stale.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};

use crate::convert::to_items::Located;
use crate::json::{Json, StringArena};
use crate::responses::{Item, ToolOutput};
use crate::source::Span;

/// Keeps only the newest of several outputs of a tool for the same file. The older ones become a short text. Returns where
/// they are written, in order.
pub(in crate::convert) fn collapse<'i, 'd: 'i>(
    items: impl Iterator<Item = &'i mut Located<'d>>,
    tool: &str,
) -> Vec<Span> {
    let mut items: Vec<&mut Located<'d>> = items.collect();
    // A call id may be reused for another file: the call before an output counts.
    let mut open: HashMap<String, File> = HashMap::new();
    let mut files: Vec<Option<File>> = Vec::new();
    for located in &items {
        match &located.item {
            Item::ToolCall(call) => {
                open.remove(call.call_id.as_ref());
                let file = file_of(&call.input).filter(|_| call.name == tool);
                open.extend(file.map(|file| (call.call_id.to_string(), file)));
                files.push(None);
            }
            Item::ToolResponse(response) => files.push(open.get(response.call_id.as_ref()).cloned()),
            Item::Message(_) | Item::Reasoning(_) | Item::Other(_) | Item::Foreign(_) => files.push(None),
        }
    }
    let (mut newer, mut collapsed): (HashSet<&File>, Vec<Span>) = (HashSet::new(), Vec::new());
    for (located, file) in items.iter_mut().zip(&files).rev() {
        let (Item::ToolResponse(response), Some(file)) = (&mut located.item, file) else { continue };
        if !newer.insert(file) {
            let text = format!("(out of date: a newer output of {tool} for {} follows)", file.path);
            response.output = ToolOutput::Text(Cow::Owned(text));
            collapsed.push(located.span);
        }
    }
    collapsed.reverse();
    collapsed
}

/// A file that a call names.
#[derive(Clone, PartialEq, Eq, Hash)]
struct File {
    /// The directory that it is in, if the call names one.
    root: Option<String>,
    path: String,
}

/// The file that a call names.
fn file_of(arguments: &str) -> Option<File> {
    let strings = StringArena::default();
    let arguments = Json::parse(arguments, &strings).ok()?.object().ok()?;
    let path = ["path", "file"].iter().find_map(|key| arguments.get_str(key))?.into_owned();
    let root = arguments.get_present("root");
    let root = root.map(|root| root.as_str().unwrap_or_else(|_| root.compact()).into_owned());
    Some(File { root, path })
}
