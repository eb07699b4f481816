//! The sources that a text cites.

use std::collections::HashSet;

use crate::json::Object;

/// Something that a text cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Citation {
    /// Its URL, or else its file name or the id of its file.
    pub(crate) target: String,
    /// Its title, if it has one.
    pub(crate) title: String,
}

/// The sources that a part cites, each once. Other annotations are left out.
pub(super) fn citations(part: &Object<'_>) -> Vec<Citation> {
    let mut seen = HashSet::new();
    let annotations = part.get("annotations").and_then(|annotations| annotations.array().ok()).unwrap_or_default();
    annotations
        .into_iter()
        .filter_map(|annotation| citation(&annotation.object().ok()?))
        .filter(|cited| seen.insert(cited.target.clone()))
        .collect()
}

fn citation(annotation: &Object<'_>) -> Option<Citation> {
    let target = ["url", "filename", "file_id"].iter().find_map(|key| annotation.get_str(key))?.into_owned();
    Some(Citation { target, title: annotation.get_str("title").unwrap_or_default().into_owned() })
}
