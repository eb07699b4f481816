//! What a turn has added, what is to be done next, and what it has cost.

use std::path::Path;
use std::time::Duration;

use crate::diagnostic::{counted, sanitize_line};
use crate::{Call, Reply};

use crate::cli::paths::{quoted, shown};
use crate::cli::report::note;

/// Says what a reply has added to its document, which calls wait in `waiting`, what the API has counted, and how long the answer
/// has taken.
pub(crate) fn report_turn(
    reply: &Reply,
    appended_to: Option<&Path>,
    media: &Path,
    waiting: Option<(&Path, &[Call])>,
    elapsed: Duration,
) {
    for name in reply.media.keys() {
        note(&format!("wrote {}", shown(&media.join(name))));
    }
    if let Some(path) = appended_to.filter(|_| reply.has_items) {
        note(&format!("appended to {}: {}", shown(path), item_list(reply)));
    }
    if let Some((document, calls)) = waiting.filter(|(_, calls)| !calls.is_empty()) {
        let waits = match calls.len() {
            1 => "a call waits for its output".to_owned(),
            count => format!("{count} calls wait for their outputs"),
        };
        note(&format!("{waits}; `chatmd calls {}` lists them", quoted(document)));
    }
    if let Some(usage) = reply.usage {
        note(&format!("{usage}, {:.1} s", elapsed.as_secs_f64()));
    }
}

/// `1 message, 2 calls, 1 web_search_call`
fn item_list(reply: &Reply) -> String {
    let (mut calls, mut others) = (0, Vec::new());
    for (kind, count) in &reply.item_types {
        match kind.as_str() {
            "function_call" | "custom_tool_call" => calls += count,
            "reasoning" => others.push("reasoning".to_owned()),
            kind => others.push(counted(*count, &sanitize_line(kind))),
        }
    }
    others.extend((calls > 0).then(|| counted(calls, "call")));
    others.join(", ")
}
