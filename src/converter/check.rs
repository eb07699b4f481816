//! Checks documents, requests and responses.

use super::{Converter, Input};
use crate::convert::{ReadOptions, decode_items, failure_problem, payload_problems, read_payload};
use crate::diagnostic::{Diagnostics, Report, RequestProblem};
use crate::json::write::array;
use crate::json::{Json, StringArena};
use crate::lint::{self, CheckOptions, Checked};
use crate::resolve::Resolver;
use crate::responses::{Completion, Failure, Payload, PayloadItem, is_payload};
use crate::source::{Origins, SourceId, Sources, Span};
use crate::stream::is_stream;

impl Converter<'_> {
    /// Checks a document, the files that it imports and the request that it is converted to. JSON that
    /// [`Converter::from_response`] reads is checked too: its findings have paths too.
    ///
    /// ```
    /// use chatmd::{CheckOptions, Converter};
    ///
    /// let document = "<user>\nHello.\n</user>\n\n<tool_call tool_call_id=\"call_1\" function_name=\"f\">\n{}\n</tool_call>\n";
    /// let report = Converter::new().check(document, &CheckOptions::default());
    /// let finding = report.iter().next().unwrap();
    /// assert_eq!((finding.name(), finding.line()), ("pending-call", 5));
    /// ```
    pub fn check(&self, document: impl Into<Input>, options: &CheckOptions) -> Report {
        let (sources, strings) = (Sources::new(), StringArena::default());
        let mut diagnostics = Diagnostics::new();
        let source = document.into().add_to(&sources, &mut diagnostics);
        if diagnostics.has_errors() {
            return Report::new(diagnostics, Vec::new(), sources);
        }
        if !options.fragment && is_payload(&sources.get(source).text) {
            let is_cut = check_json(source, &sources, options, &mut diagnostics);
            return Report::new(diagnostics, Vec::new(), sources).of_cut_stream(is_cut);
        }
        let Checked { diagnostics, fixes, ledger } = {
            let resolver = Resolver::new(&sources, self.resources);
            lint::check(source, &self.context(&resolver, &strings), options)
        };
        let lines = ledger.to_json_lines(&sources);
        let report = Report::new(diagnostics, fixes, sources);
        report.set_ledger(|| lines);
        report
    }

    /// What looks like a secret in a document and in the files that are sent with it.
    pub fn secrets(&self, document: impl Into<Input>) -> Report {
        self.check(document, &CheckOptions::default()).without(|finding| finding.name() != "secret")
    }
}

/// Checks JSON: a request, a response, a stream, or anything else that [`Converter::from_response`] reads. Returns whether
/// it is a stream that ended early.
fn check_json(source: SourceId, sources: &Sources, options: &CheckOptions, diagnostics: &mut Diagnostics) -> bool {
    let (text, strings) = (&sources.get(source).text, StringArena::default());
    let read = read_payload(text, ReadOptions { api: options.api, choice: None }, &strings)
        .and_then(|payload| Ok((decode_items(&payload)?, payload)));
    let mut problems = match &read {
        Ok(((_, findings), payload)) => payload_problems(payload, findings, sources, source),
        Err(failure) => failure_problem(failure, sources, source),
    };
    let is_cut = matches!(&read, Ok((_, payload)) if payload.completion == Completion::Truncated);
    match read {
        Ok((_, payload)) if is_cut && payload.items.is_empty() => {}
        Ok(((items, _), payload)) if is_assembled(&payload, source, sources) => {
            let (response, origins) = response(&payload, source, sources);
            let assembled = sources.add(sources.get(source).name.clone(), response, None);
            sources.set_origins(assembled, origins);
            // Items of another API than Responses are not read again.
            if payload.items.iter().any(PayloadItem::is_from_other_api) {
                let response = Json::parse(&sources.get(assembled).text, &strings).and_then(Json::object);
                let payload = payload.placed(response.unwrap_or_default().get_list("output"));
                problems.append(lint::check_payload(payload, items, assembled, sources, options));
            } else {
                check_json(assembled, sources, options, diagnostics);
            }
        }
        Ok(((items, _), payload)) => {
            problems.append(lint::check_payload(payload, items, source, sources, options));
        }
        Err(Failure::Api(error)) => {
            let (message, param) = (error.to_string(), error.param.unwrap_or_default());
            problems.report(RequestProblem::ApiError { message, param }, Span::new(source, 0..0));
        }
        Err(
            Failure::Malformed(_)
            | Failure::Unsupported(_)
            | Failure::Ambiguous { .. }
            | Failure::SeveralChoices(_)
            | Failure::NoChoices,
        ) => {}
    }
    sources.set_paths(source, lint::paths(text, &problems));
    diagnostics.append(problems);
    is_cut
}

/// Whether items were put together from the events of a stream, and so have no place in it.
fn is_assembled(payload: &Payload<'_>, source: SourceId, sources: &Sources) -> bool {
    let is_elsewhere = |item: &PayloadItem<'_>| sources.offset_of(source, item.json.raw()).is_none();
    let is_stream = is_stream(sources.get(source).text.trim_start_matches('\u{feff}').trim_ascii_start());
    payload.request.is_none() && (is_stream || payload.items.iter().any(is_elsewhere))
}

/// The response that has the items of a stream, and the line of the event that each comes from.
fn response(payload: &Payload<'_>, source: SourceId, sources: &Sources) -> (String, Origins) {
    let (mut response, mut origins) = (String::from(r#"{"object":"response","output":"#), Origins::default());
    origins.add(0, 1);
    array(&mut response, &payload.items, |out, item| {
        let start = item.json.offset();
        origins.add(out.len(), sources.line_column(Span::new(source, start..start)).0);
        item.encode(out);
    });
    response.push('}');
    (response, origins)
}
