//! Whether a document can be sent, and what the answer is.

use super::edit::UnexpandedDocument;
use super::{Call, Converter, Error, Input, Output};
use crate::convert::{Request, RequestOptions, Wanted, ended_early, last_answer};
use crate::diagnostic::Diagnostics;
use crate::document::Document;
use crate::json::{Json, Object, StringArena};
use crate::source::Sources;
use crate::wire::Api;

/// What can be done with a document.
#[derive(Debug)]
#[non_exhaustive]
pub enum Turn {
    /// This request can be sent.
    Ready(Output<String>),
    /// These calls wait for their outputs.
    Waiting(Vec<Call>),
    /// The last item of the request is a complete answer.
    Answered,
    /// There is no message to answer.
    Empty,
}

/// The fields of a request that refer to input on the server.
const STORED_INPUT: [&str; 3] = ["prompt", "previous_response_id", "conversation"];

impl Converter<'_> {
    /// Converts a document to a request, unless there is nothing to answer. `continues`: a complete answer at the end may
    /// be continued.
    ///
    /// ```
    /// use chatmd::{Converter, RequestOptions, Turn};
    ///
    /// let answered = "<config model=\"m\"/>\n<user>\nHello.\n</user>\n<assistant>\nHi!\n</assistant>\n";
    /// let turn = Converter::new().turn(answered, &RequestOptions::default(), false)?;
    /// assert!(matches!(turn, Turn::Answered));
    /// # Ok::<(), chatmd::Error>(())
    /// ```
    pub fn turn(&self, document: impl Into<Input>, options: &RequestOptions, continues: bool) -> Result<Turn, Error> {
        let document: Input = document.into();
        // Asked first, because answering agents and fetching pages may cost something.
        let mut calls = self.calls(document.clone())?.value;
        calls.retain(|call| !call.is_async);
        if !calls.is_empty() {
            return Ok(Turn::Waiting(calls));
        }
        let own = |document: &Document<'_>| (document.placeholder().is_some(), ended_early(document));
        let (has_empty_turn, ended_early) = self.of_own_blocks(document.clone(), own);
        let converted = self.convert(document, options, Wanted::Request, |request, _| {
            let (last, strings) = (request.last_item(), StringArena::default());
            let last =
                last.as_deref().map(|last| Json::parse(last, &strings).and_then(Json::object).unwrap_or_default());
            let is_stored = STORED_INPUT.iter().any(|key| request.fields.get(key).is_some());
            let end = match last {
                None if request.has_empty_input() && !is_stored => Some(Turn::Empty),
                Some(item) if is_complete_answer(&item) && !ended_early && !continues => Some(Turn::Answered),
                Some(item) if has_empty_turn && is_step(&item) && !continues => Some(Turn::Empty),
                Some(_) | None => None,
            };
            (end, request.to_json())
        })?;
        let Output { value: (end, value), warnings } = converted;
        Ok(end.unwrap_or_else(|| Turn::Ready(Output { value, warnings })))
    }

    /// The text of the last answer; `None` if there is none.
    ///
    /// ```
    /// let document = "<user>\nHello.\n</user>\n<assistant>\nHi!\n</assistant>\n<user>\nAnd now?\n</user>\n";
    /// let answer = chatmd::Converter::new().last_answer(document)?.value;
    /// assert_eq!(answer.as_deref(), Some("Hi!"));
    /// # Ok::<(), chatmd::Error>(())
    /// ```
    pub fn last_answer(&self, document: impl Into<Input>) -> Result<Output<Option<String>>, Error> {
        self.with_document(document, &RequestOptions::default(), |reading, diagnostics| {
            last_answer(reading.document, &reading.context, diagnostics)
        })
    }

    /// The API that a document is sent to. A document that cannot be read is for the API of the options.
    pub fn api(&self, document: impl Into<Input>, options: &RequestOptions) -> Api {
        let read = self.with_document(document, options, |reading, _| {
            Request::api_of(reading.document, &reading.context, reading.options)
        });
        read.map_or(options.api.or(options.default_api).unwrap_or_default(), |read| read.value)
    }

    /// Calls `work` with a document whose imports are not read. Its errors are not reported.
    pub(super) fn of_own_blocks<T>(&self, document: Input, work: impl FnOnce(&Document<'_>) -> T) -> T {
        let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let source = document.add_to(&sources, &mut diagnostics);
        work(&UnexpandedDocument::read(&sources, source, self.whitespace, &mut diagnostics).document)
    }
}

/// Whether an item is a message of the model that is complete.
fn is_complete_answer(item: &Object<'_>) -> bool {
    let is_open = item.get_str("status").is_some_and(|status| status == "incomplete" || status == "in_progress");
    item.get_str("role").is_some_and(|role| role == "assistant") && !is_open
}

/// Whether an item is a step of the model towards an answer.
fn is_step(item: &Object<'_>) -> bool {
    let kind = item.get_str("type").unwrap_or_default();
    kind == "reasoning" || kind.ends_with("_call")
}
