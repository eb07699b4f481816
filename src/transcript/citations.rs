//! The sources that a text cites.

use std::borrow::Cow;
use std::collections::HashSet;

use crate::api::Api;
use crate::json::Object;

/// Something that a text cites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Citation {
    /// Its URL, or else its file name, its title, the id of its file, or the number of the document in the request.
    pub(crate) target: String,
    /// Its title, if it has one.
    pub(crate) title: String,
}

/// The sources that a part cites, each once. Other annotations are left out.
pub(super) fn citations(part: &Object<'_>) -> Vec<Citation> {
    let mut seen = HashSet::new();
    let own = part.get_object(Api::Messages.overlay_key()).unwrap_or_default();
    part.get_objects("annotations")
        .chain(own.get_objects("citations"))
        .filter_map(|annotation| citation(&annotation))
        .filter(|cited| seen.insert(cited.target.clone()))
        .collect()
}

fn citation(annotation: &Object<'_>) -> Option<Citation> {
    // The Chat Completions API has the members in an object.
    let inner = annotation.get_object("url_citation");
    let annotation = inner.as_ref().unwrap_or(annotation);
    let first = |keys: &[&str]| keys.iter().find_map(|key| annotation.get_str(key)).map(Cow::into_owned);
    let number = || Some(format!("document {}", annotation.get("document_index")?.raw()));
    let target = first(&["url", "source", "filename", "document_title", "file_id"]).or_else(number)?;
    Some(Citation { target, title: first(&["title"]).unwrap_or_default() })
}
