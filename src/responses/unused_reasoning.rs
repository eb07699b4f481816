//! Reasoning of a request that the API did not use.

use std::borrow::Cow;

use crate::json::Object;

/// Reasoning that the API removed from the request before the model got it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnusedReasoning {
    /// The id of the reasoning.
    pub id: String,
    /// The reason that the API gives, in words if it is known.
    pub why: String,
}

impl UnusedReasoning {
    /// What a response says in `input_transformations`.
    pub fn of_response(response: &Object<'_>) -> Vec<Self> {
        let list = response.get_list("input_transformations");
        let unused = list.into_iter().filter_map(|one| {
            let one = one.object().ok()?;
            let is_removed = one.get_str("type")? == "reasoning" && one.get_str("action")? == "removed";
            let id = one.get_str("id").filter(|_| is_removed)?.into_owned();
            Some(Self { id, why: words(one.get_str("reason").unwrap_or_default()) })
        });
        unused.collect()
    }
}

fn words(reason: Cow<'_, str>) -> String {
    let known = match reason.as_ref() {
        "prefix_mismatch" => "the text before it has changed since",
        "model_mismatch" => "another model wrote it",
        "organization_mismatch" => "it belongs to another organization",
        "end_user_mismatch" => "it belongs to another end user",
        "turn_boundary" => "it belongs to an earlier turn",
        "" => "the API gives no reason",
        _ => return reason.into_owned(),
    };
    known.to_owned()
}
