//! The citations of a text in one line.

use std::collections::HashSet;

use crate::json::{Json, JsonError, Object, StringArena};

/// What a part cites: `cites https://example.com/a, report.pdf`. `None` if its comment says anything else.
pub(super) fn citations(json: &str) -> Option<String> {
    let strings = StringArena::default();
    let part = Json::parse(json, &strings).and_then(Json::object).ok()?;
    let has_only_annotations = part.iter().all(|(key, _)| key == "annotations");
    let annotations = part.get("annotations").filter(|_| has_only_annotations)?.array().ok()?;
    let objects: Result<Vec<Object<'_>>, JsonError> = annotations.into_iter().map(Json::object).collect();
    let (mut names, mut seen) = (Vec::new(), HashSet::new());
    for annotation in objects.ok()? {
        let name = ["url", "filename", "file_id"].iter().find_map(|key| annotation.get_str(key))?.into_owned();
        if seen.insert(name.clone()) {
            names.push(name);
        }
    }
    (!names.is_empty()).then(|| format!("cites {}", names.join(", ")))
}
