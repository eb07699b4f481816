//! The JSON of a request or a reply: the same checks, with paths into the JSON as places.

use std::collections::HashMap;

use super::allow::Allowances;
use super::places::Places;
use super::sent::SentRequest;
use super::source::SourceText;
use super::{CheckOptions, check_request, check_source, rules};
use crate::convert::{API_MEMBER, Request};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::json::{Json, Kind, StringArena};
use crate::responses::{Item, Payload, PayloadItem};
use crate::source::{SourceId, Sources};
use crate::syntax::write::Whitespace;
use crate::wire::Api;

/// Checks the request of a payload, or a request with its items as input.
pub fn check_payload<'p>(
    payload: Payload<'p>,
    items: Vec<Item<'p>>,
    source: SourceId,
    sources: &'p Sources,
    options: &CheckOptions,
) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    let is_of_other_api = payload.items.iter().any(PayloadItem::is_from_other_api);
    let request = Request::of_payload(payload, items, source, sources);
    let strings = StringArena::default();
    let places = Places::new(&request, &strings, None);
    let text = &sources.get(source).text;
    let declared_api = request.fields.get_str(API_MEMBER).and_then(|name| Api::from_name(&name));
    let other_api = declared_api.filter(|api| *api != Api::Responses);
    check_request(&request, other_api.is_none() && !is_of_other_api, true, &places, &mut diagnostics);
    if let Some(api) = other_api {
        let start = sources.get(source).start();
        if let Ok(fields) = Json::parse_at(&text[start..], start, &strings).and_then(Json::object) {
            rules::check_sent(&SentRequest { api, fields, places: &places }, &mut diagnostics);
        }
    }
    let whitespace = Whitespace::Layout;
    check_source(
        &SourceText { id: source, text, nodes: &[], whitespace, sources, is_portable: false },
        &mut diagnostics,
    );
    let allowances = Allowances::new(&options.allowed);
    diagnostics.into_iter().filter(|diagnostic| !allowances.allow(diagnostic, sources)).collect()
}

/// The path of each value that a diagnostic is about, by the place of the diagnostic.
pub fn paths<'d>(text: &str, diagnostics: impl IntoIterator<Item = &'d Diagnostic>) -> HashMap<usize, String> {
    let places = diagnostics.into_iter().flat_map(|diagnostic| {
        let related = diagnostic.message().related.as_ref().map(|(span, _)| span.start);
        [Some(diagnostic.span.start), related]
    });
    let mut wanted: Vec<usize> = places.flatten().collect();
    wanted.sort_unstable();
    wanted.dedup();
    let mut paths = HashMap::new();
    let start = text.len() - text.trim_start_matches('\u{feff}').len();
    let strings = StringArena::default();
    if let Ok(json) = Json::parse_at(&text[start..], start, &strings) {
        visit(json, &mut String::new(), &wanted, &mut paths);
    } else {
        visit_lines(&text[start..], start, &wanted, &mut paths);
    }
    paths
}

/// For JSON lines, the path starts with the index of the line.
fn visit_lines(text: &str, at: usize, wanted: &[usize], paths: &mut HashMap<usize, String>) {
    let (mut end, strings) = (0, StringArena::default());
    for index in 0.. {
        let Ok((json, length)) = Json::parse_first(&text[end..], at + end, &strings) else { break };
        visit(json, &mut format!("[{index}]"), within(wanted, json), paths);
        end += length;
    }
}

/// The innermost value at each of the places, which are all in this value.
fn visit(json: Json<'_>, path: &mut String, wanted: &[usize], paths: &mut HashMap<usize, String>) {
    paths.extend(wanted.iter().map(|place| (*place, path.clone())));
    let length = path.len();
    let mut step = |name: &str, value: Json<'_>| {
        let inside = within(wanted, value);
        if !inside.is_empty() {
            path.push_str(name);
            visit(value, path, inside, paths);
            path.truncate(length);
        }
    };
    match json.kind() {
        Kind::Array => {
            let elements = json.array().unwrap_or_default();
            elements.into_iter().enumerate().for_each(|(index, value)| step(&format!("[{index}]"), value));
        }
        Kind::Object => {
            let dot = if length == 0 { "" } else { "." };
            let object = json.object().unwrap_or_default();
            object.iter().chain(object.repeated()).for_each(|(key, value)| step(&format!("{dot}{key}"), value));
        }
        Kind::Null | Kind::Boolean | Kind::Number | Kind::String => {}
    }
}

/// The places inside a value. `places` is sorted.
fn within<'w>(wanted: &'w [usize], json: Json<'_>) -> &'w [usize] {
    let start = wanted.partition_point(|place| *place < json.offset());
    let end = wanted.partition_point(|place| *place < json.offset() + json.raw().len());
    &wanted[start..end]
}
