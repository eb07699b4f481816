//! The list of turns.

use super::Renderer;

/// A line of the outline, about the turn at an anchor.
pub(super) struct Entry {
    pub(super) anchor: usize,
    pub(super) kind: EntryKind,
}

/// What a line of the outline is about.
pub(super) enum EntryKind {
    /// A message: its role, and how it starts.
    Message(&'static str, String),
    /// A tool call, by the name of the tool.
    Call(String),
}

/// A line names at most this many tools.
const MAX_NAMES: usize = 4;

impl Renderer<'_, '_> {
    /// A link to each message. Calls in a row share a link.
    pub(super) fn navigation(&mut self) {
        let entries = std::mem::take(&mut self.outline);
        if entries.is_empty() {
            return;
        }
        self.html.markup("<nav aria-label=\"Outline\"><details open><summary>Outline</summary>\n<ol>\n");
        let mut rest = entries.as_slice();
        while let Some(entry) = rest.first() {
            let calls = rest.iter().take_while(|entry| matches!(entry.kind, EntryKind::Call(_))).count();
            rest = &rest[calls.max(1)..];
            let run = &entries[entries.len() - rest.len() - calls..entries.len() - rest.len()];
            let (class, text) = match &entry.kind {
                EntryKind::Message(role, start) => (*role, start.clone()),
                EntryKind::Call(_) => ("tools", call_names(run)),
            };
            let anchor = entry.anchor;
            self.html.write(
                "<li><a href=\"#item-{}\" class=\"{}\"><b>{}</b> {}</a></li>\n",
                &[&anchor, &class, &class, &text],
            );
        }
        self.html.markup("</ol>\n</details></nav>\n");
    }
}

/// `read ×3, plot`
fn call_names(calls: &[Entry]) -> String {
    let mut names: Vec<(&str, usize)> = Vec::new();
    let mut others = 0;
    for call in calls {
        let EntryKind::Call(name) = &call.kind else { continue };
        match names.iter().position(|(known, _)| known == name) {
            Some(at) => names[at].1 += 1,
            None if names.len() < MAX_NAMES => names.push((name, 1)),
            None => others += 1,
        }
    }
    let counted =
        |(name, count): &(&str, usize)| if *count == 1 { (*name).to_owned() } else { format!("{name} ×{count}") };
    let mut words: Vec<String> = names.iter().map(counted).collect();
    if others > 0 {
        words.push(format!("{others} more"));
    }
    words.join(", ")
}
