//! The sources that a text cites.

use std::collections::HashSet;

use crate::json::{Json, Object, StringArena};

/// Something that a text cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Citation {
    /// Its URL, or else its file name or the id of its file.
    pub(crate) target: String,
    /// Its title, if it has one.
    pub(crate) title: String,
}

/// The sources that a part cites, each once. Other annotations are left out.
pub(crate) fn citations(json: &str) -> Vec<Citation> {
    let strings = StringArena::default();
    let part = Json::parse(json, &strings).and_then(Json::object).unwrap_or_default();
    let mut seen = HashSet::new();
    annotations(&part)
        .into_iter()
        .filter_map(|annotation| citation(&annotation?))
        .filter(|cited| seen.insert(cited.target.clone()))
        .collect()
}

/// `cites https://example.com/a, report.pdf`. `None` if the comment contains anything else.
pub(super) fn citation_line(json: &str) -> Option<String> {
    let strings = StringArena::default();
    let part = Json::parse(json, &strings).and_then(Json::object).ok()?;
    let has_only_annotations = part.iter().all(|(key, _)| key == "annotations");
    let is_citation = |annotation: &Option<Object<'_>>| annotation.as_ref().and_then(citation).is_some();
    if !has_only_annotations || !annotations(&part).iter().all(is_citation) {
        return None;
    }
    let targets: Vec<String> = citations(json).into_iter().map(|cited| cited.target).collect();
    (!targets.is_empty()).then(|| format!("cites {}", targets.join(", ")))
}

fn annotations<'j>(part: &Object<'j>) -> Vec<Option<Object<'j>>> {
    let annotations = part.get("annotations").and_then(|annotations| annotations.array().ok()).unwrap_or_default();
    annotations.into_iter().map(|annotation| annotation.object().ok()).collect()
}

fn citation(annotation: &Object<'_>) -> Option<Citation> {
    let target = ["url", "filename", "file_id"].iter().find_map(|key| annotation.get_str(key))?.into_owned();
    Some(Citation { target, title: annotation.get_str("title").unwrap_or_default().into_owned() })
}
