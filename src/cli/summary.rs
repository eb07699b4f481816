//! What a turn has added, what is to be done next, and what it has cost.

use std::path::Path;
use std::time::Duration;

use crate::diagnostic::{counted, sanitize_line};
use crate::{Call, Reply};

use crate::cli::paths::{quoted, shown};
use crate::cli::report::note;

/// Says what a reply has added to a document: its items, and the files of its images.
pub(crate) fn report_appended(reply: &Reply, document: Option<&Path>, media: &Path) {
    for name in reply.media.keys() {
        note(&format!("wrote {}", shown(&media.join(name))));
    }
    if let Some(path) = document.filter(|_| reply.has_items) {
        note(&format!("appended to {}: {}", shown(path), item_list(reply)));
    }
}

/// Says how many calls wait, and which command lists them.
pub(crate) fn report_waiting(calls: &[Call], document: &Path) {
    let waits = match calls.len() {
        0 => return,
        1 => "a call waits for its output".to_owned(),
        count => format!("{count} calls wait for their outputs"),
    };
    note(&format!("{waits}; `chatmd calls {}` lists them", quoted(document)));
}

/// Says how many tokens the API has counted, and how long the answer has taken.
pub(crate) fn report_usage(reply: &Reply, elapsed: Duration) {
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
