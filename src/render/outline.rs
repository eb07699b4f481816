//! The list of turns.

use super::Renderer;

/// A line of the outline, about the turn at an anchor.
pub(super) struct Entry {
    pub(super) anchor: usize,
    /// The role of a message. A tool call has none.
    pub(super) role: Option<&'static str>,
    /// How a message starts, or the name of the tool.
    pub(super) text: String,
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
        for run in entries.chunk_by(|one, next| one.role.is_none() && next.role.is_none()) {
            let Entry { anchor, role, text } = &run[0];
            let class = role.unwrap_or("tools");
            let text = if role.is_some() { text } else { &call_names(run) };
            self.html.write(
                "<li><a href=\"#item-{}\" class=\"{}\"><b>{}</b> {}</a></li>\n",
                &[anchor, &class, &class, text],
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
        let name = &call.text;
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
