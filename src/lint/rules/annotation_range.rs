//! `annotation-range`: an annotation that points beyond its text.

use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::json::Json;
use crate::lint::entry::Lint;
use crate::lint::request::parts;
use crate::responses::Part;

/// `<!-- chatmd:part {"annotations":[{"start_index":0,"end_index":99,…}]} -->x`
pub(super) struct AnnotationRange {
    end: usize,
    length: usize,
}

impl Lint for AnnotationRange {
    const RULE: Rule = rule!("annotation-range" Warning Malformed is_allowable);

    fn message(&self) -> Message {
        let Self { end, length } = self;
        Message::new(
            format!("an annotation ends at character {end} of a text of {length}"),
            "points beyond the text",
            "the text was changed: change the annotation too, or remove it",
        )
    }

    fn check_items(items: &[Located<'_>], diagnostics: &mut Diagnostics) {
        for located in items {
            for (part, span) in parts(located) {
                let Part::Text(text) = part else { continue };
                let Some(annotations) = text.rest.get("annotations").and_then(|list| list.array().ok()) else {
                    continue;
                };
                let length = text.text.chars().count();
                if let Some(end) = annotations.into_iter().filter_map(last).find(|end| *end > length) {
                    AnnotationRange { end, length }.report(span, diagnostics);
                }
            }
        }
    }
}

/// The last character that an annotation points at, as an index or as the end of a range.
fn last(annotation: Json<'_>) -> Option<usize> {
    let annotation = annotation.object().ok()?;
    let indexes =
        ["start_index", "end_index", "index"].iter().filter_map(|key| annotation.get(key)?.raw().parse().ok());
    // The position of a citation in a list is not a place in the text.
    indexes.filter(|_| annotation.get_str("type").is_some_and(|kind| kind != "file_path")).max()
}
