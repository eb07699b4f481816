//! `check`: the problems of a document, the lints that apply to it, and the fixes for both.
//!
//! The lints are in `rules`. The other files visit the request, its texts, and the sources for them.

mod allow;
mod api;
mod base64;
mod code;
mod fix;
mod formats;
mod names;
mod payload;
mod places;
mod request;
mod rules;
mod sarif;
mod sent;
mod source;
mod text;

pub use crate::options::CheckOptions;
pub use formats::{github, json, short};
pub use names::{NotARule, find_rule};
pub use payload::{check_payload, paths};
pub use rules::{check_converted, rules};
pub use sarif::sarif;

use std::collections::{HashMap, HashSet};
use std::path::Path;

use crate::convert::{Context, Request, RequestOptions, Wanted};
use crate::diagnostic::{Diagnostic, Diagnostics, ErrorKind, Fix};
use crate::document::references;
use crate::json::{Json, StringArena};
use crate::source::{SourceId, Sources, Span};
use crate::syntax::{Node, parse_body};
use crate::wire::{Api, Ledger};
use allow::Allowances;
use places::Places;
use request::WholeRequest;
use sent::SentRequest;
use source::SourceText;

/// The result of a check.
#[derive(Debug)]
pub struct Checked {
    /// The diagnostics in document order, without those that are allowed.
    pub diagnostics: Diagnostics,
    /// The fixes for them, in document order.
    pub fixes: Vec<Fix>,
    /// What differs between the document and its request.
    pub ledger: Ledger,
}

/// Checks a document, the files that it imports and the request that it is converted to.
pub fn check(source: SourceId, context: &Context<'_>, options: &CheckOptions) -> Checked {
    let mut diagnostics = Diagnostics::new();
    let read = if options.fragment { Context::read_fragment } else { Context::read };
    let document = read(context, source, &mut diagnostics);
    let (is_complete, is_well_formed) = (!diagnostics.has_errors(), !is_malformed(&diagnostics));
    let request_options =
        RequestOptions { api: options.api, default_api: options.default_api, ..RequestOptions::default() };
    let context = &Context { locates_parts: true, ..*context };
    let request =
        Request::of(&document, context, &request_options, Wanted::Unsent, Span::new(source, 0..0), &mut diagnostics);
    request.report_entries(options.changes, &mut diagnostics);
    let parsed = parse_sources(source, context.sources);
    let places = Places::new(&request, context.strings, Some(&parsed));
    let is_responses_request = request.api == Api::Responses;
    if is_well_formed {
        let is_whole = is_complete && !is_malformed(&diagnostics);
        check_request(&request, is_responses_request, is_whole, &places, &mut diagnostics);
        if !is_responses_request {
            let json = context.strings.keep(request.to_json());
            let fields = Json::parse(json, context.strings).and_then(Json::object).unwrap_or_default();
            rules::check_sent(&SentRequest { api: request.api, fields, places: &places }, &mut diagnostics);
        }
    }
    for reference in references(&document) {
        text::file(&reference, context, &mut diagnostics);
    }
    let allowances = check_sources(&parsed, context, options, &mut diagnostics);
    let mut diagnostics = without_repeated(diagnostics, context.sources)
        .filter(|diagnostic| !allowances.allow(diagnostic, context.sources))
        .collect::<Diagnostics>();
    diagnostics.sort(context.sources);
    let nodes = parsed.iter().find(|(id, _)| *id == source).map(|(_, nodes)| nodes.as_slice()).unwrap_or_default();
    let fixes = fix::fixes(source, nodes, context, options, &diagnostics);
    Checked { diagnostics, fixes, ledger: request.ledger().clone() }
}

fn is_malformed(diagnostics: &Diagnostics) -> bool {
    item_errors(diagnostics).any(|error| error.rule().kind == ErrorKind::Malformed)
}

/// The errors that may leave out items. A wrong attribute of `<config>` leaves out only its own field.
fn item_errors(diagnostics: &Diagnostics) -> impl Iterator<Item = &Diagnostic> {
    diagnostics.iter().filter(|diagnostic| diagnostic.is_error() && diagnostic.rule().name != "wrong-type")
}

/// Runs the checks of a request. `is_whole` is whether every turn could be read. Rules with `is_of_responses` are skipped for the
/// Messages and the Chat API.
fn check_request<'d>(
    request: &'d Request<'d>,
    is_responses_request: bool,
    is_whole: bool,
    places: &Places<'d>,
    diagnostics: &mut Diagnostics,
) {
    let (mut found, strings) = (Diagnostics::new(), StringArena::default());
    if is_whole {
        let lacks_nothing = item_errors(diagnostics).next().is_none();
        rules::check_request(&WholeRequest::new(request, places, lacks_nothing, &strings), &mut found);
    }
    rules::check_items(&request.items, &mut found);
    diagnostics.append(if is_responses_request { found } else { found.without(|rule| rule.is_of_responses) });
    text::check_texts(request, diagnostics);
    if is_responses_request {
        rules::tools::check_tools(request, places, diagnostics);
        api::check_api(request, places, diagnostics);
    }
}

/// The nodes of the document, and of every file that it imports.
fn parse_sources(document: SourceId, sources: &Sources) -> Vec<(SourceId, Vec<Node<'_>>)> {
    let root = |id| sources.import_chain(id).last().map_or(id, |import| import.source);
    // Reading the document has reported all problems.
    let parse = |id| (id, parse_body(sources, id, &mut Diagnostics::new()));
    sources.ids().filter(|id| root(*id) == document).map(parse).collect()
}

/// Runs the checks of sources, and returns the rules that the sources allow.
fn check_sources(
    parsed: &[(SourceId, Vec<Node<'_>>)],
    context: &Context<'_>,
    options: &CheckOptions,
    diagnostics: &mut Diagnostics,
) -> Allowances {
    let sources = context.sources;
    let mut allowances = Allowances::new(&options.allowed);
    for (id, nodes) in parsed {
        allowances.collect(nodes);
        let text = &sources.get(*id).text;
        let (whitespace, is_portable) = (context.whitespace, options.portable);
        let source = SourceText { id: *id, text, nodes, whitespace, sources, is_portable };
        check_source(&source, diagnostics);
    }
    allowances
}

/// Runs the checks of a source and of the bodies in it.
fn check_source(source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
    rules::check_source(source, diagnostics);
    code::check_bodies(source, diagnostics);
}

/// The diagnostics. A diagnostic in a file that is imported several times is reported once.
fn without_repeated(diagnostics: Diagnostics, sources: &Sources) -> impl Iterator<Item = Diagnostic> {
    let mut counts: HashMap<&Path, usize> = HashMap::new();
    for path in sources.ids().filter_map(|id| sources.get(id).path.as_deref()) {
        *counts.entry(path).or_default() += 1;
    }
    let is_repeated =
        |id| sources.get(id).path.as_deref().filter(|path| counts.get(path).is_some_and(|count| *count > 1));
    let repeated: HashMap<SourceId, &Path> = sources.ids().filter_map(|id| Some((id, is_repeated(id)?))).collect();
    let mut seen = HashSet::new();
    diagnostics.into_iter().filter(move |diagnostic| {
        let path = repeated.get(&diagnostic.span.source);
        path.is_none_or(|path| seen.insert((*path, diagnostic.span.range(), diagnostic.message().title.clone())))
    })
}
