//! Adds the output of a tool to a document, after the call that it answers.

mod element;
mod place;

use element::AnswerElement;
pub(super) use element::body;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::convert::{FoundCall, Located, Request, RequestOptions, Wanted, find_calls};
use crate::converter::{Converter, Error, Input};
use crate::diagnostic::{Diagnostics, Report};
use crate::document::{Block, Document, line_ending, lower, print_with, set_line_ending};
use crate::error::{AnswerError, RoundTripError};
use crate::json::StringArena;
use crate::resolve::Resolver;
use crate::responses::{Item, Part, ToolOutput};
use crate::source::{SourceId, Sources, Span, Spanned};
use crate::syntax;
use crate::syntax::write::Whitespace;

/// The output of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Answer {
    /// One text, byte for byte.
    Text(String),
    /// Texts, images and files, in order.
    Parts(Vec<AnswerPart>),
    /// The output as JSON: a string, an array of parts, or the result of an MCP server.
    Json(String),
}

/// A part of an [`Answer`] or of a message. Paths are written to the document as given.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum AnswerPart {
    /// A text, byte for byte.
    Text(String),
    /// The text of a file, by its path.
    TextFile(String),
    /// An image, by its path or its `data:` URL.
    Image(String),
    /// A file.
    File {
        /// Its path or its `data:` URL.
        path: String,
        /// The name that it is sent with, if not its own.
        filename: Option<String>,
    },
}

/// How an answer is written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct AnswerOptions {
    /// Whether the tool has failed. This is written for people, and not sent.
    pub error: bool,
    /// The directory of the files that images and files in JSON become, as the document refers to it. `None` leaves them
    /// in the document as `data:` URLs.
    pub media: Option<String>,
}

/// A document with an answer.
#[derive(Debug)]
#[non_exhaustive]
pub struct Answered {
    /// The document.
    pub text: String,
    /// The warnings about the answer.
    pub warnings: Report,
    /// The files that the answer refers to, by their names in the directory of the options.
    pub media: BTreeMap<String, Vec<u8>>,
}

impl Converter<'_> {
    /// Adds the output of a tool after the call that it answers. The result is read back and compared.
    ///
    /// It is inserted after the group of calls and outputs that contains the call; outputs are in the order of their calls.
    ///
    /// ```
    /// use chatmd::{Answer, AnswerOptions, Converter};
    ///
    /// let document = "<tool_call tool_call_id=\"call_1\" function_name=\"now\">\n{}\n</tool_call>\n";
    /// let answer = Answer::Text("12:00</tool_response>".to_owned());
    /// let answered = Converter::new().answer(document, "call_1", &answer, &AnswerOptions::default())?;
    /// let output = "<tool_response tool_call_id=\"call_1\">\nRAW|\n12:00</tool_response>\n|RAW\n</tool_response>\n";
    /// assert_eq!(answered.text, [document, "\n", output].concat());
    /// # Ok::<(), chatmd::Error>(())
    /// ```
    pub fn answer(
        &self,
        document: impl Into<Input>,
        call_id: &str,
        answer: &Answer,
        options: &AnswerOptions,
    ) -> Result<Answered, Error> {
        let document: Input = document.into();
        let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let path = document.path.clone();
        let source = document.add_to(&sources, &mut diagnostics);
        let calls =
            if diagnostics.has_errors() { Vec::new() } else { self.all_calls(&sources, source, &mut diagnostics) };
        if diagnostics.has_errors() {
            return Err(Error::Problems(Report::new(diagnostics.errors(), Vec::new(), sources)));
        }
        let call = open_call(&calls, call_id)?;
        let AnswerElement { text: element, media, problems } = self.answer_element(call, answer, options)?;
        let text = self.insert(&sources, source, &element, call, &calls)?;
        // The answer is checked alone, so that messages show it and not the whole document.
        let own = Sources::new();
        let source = own.add_file("<answer>", path, element, None);
        let mut diagnostics = Diagnostics::new();
        for problem in problems {
            diagnostics.report(problem, Span::new(source, 0..0));
        }
        if !self.is_sent_as(&own, source, answer, &mut diagnostics) && !diagnostics.has_errors() {
            return Err(RoundTripError { what: "the answer".to_owned() }.into());
        }
        let (text, warnings) = Error::unless_errors(text, diagnostics, own)?;
        Ok(Answered { text, warnings, media })
    }

    /// Every call of a document and its imports.
    fn all_calls(&self, sources: &Sources, source: SourceId, diagnostics: &mut Diagnostics) -> Vec<FoundCall> {
        let strings = StringArena::default();
        let resolver = Resolver::new(sources, self.resources);
        let context = self.context(&resolver, &strings);
        let document = context.read(source, diagnostics);
        find_calls(&document, &context, diagnostics)
    }

    /// The text of the document with the element.
    fn insert(
        &self,
        sources: &Sources,
        source: SourceId,
        element: &str,
        call: &FoundCall,
        calls: &[FoundCall],
    ) -> Result<String, RoundTripError> {
        let wrong = || RoundTripError { what: "the document with the answer".to_owned() };
        let mut diagnostics = Diagnostics::new();
        let nodes = syntax::parse(sources, source, &mut diagnostics);
        let document = lower(&nodes, self.whitespace, &mut diagnostics);
        let line_ending = line_ending(&nodes, self.whitespace);
        let own = Sources::new();
        let mut answer = read(&own, own.add("", element.to_owned(), None), self.whitespace, &mut diagnostics);
        let index = place::index(&document.blocks, call, calls, sources).ok_or_else(wrong)?;
        let added = print_with(&answer, self.whitespace, line_ending);
        set_line_ending(&mut answer, line_ending);
        let text = place::insert(&sources.get(source).text, &document.blocks, index, &added, line_ending);
        let again = Sources::new();
        let result = read(&again, again.add("", text.clone(), None), self.whitespace, &mut diagnostics);
        let (before, after) = document.blocks.split_at(index);
        let expected: Vec<&Block<'_>> = [before, &answer.blocks, after].into_iter().flatten().map(value).collect();
        let is_exact = result.blocks.iter().map(value).eq(expected.iter().copied());
        if is_exact && !diagnostics.has_errors() { Ok(text) } else { Err(wrong()) }
    }

    /// Whether the element is one item, whose texts are those of the answer. JSON is compared when it is written.
    fn is_sent_as(&self, sources: &Sources, element: SourceId, answer: &Answer, diagnostics: &mut Diagnostics) -> bool {
        if matches!(answer, Answer::Json(_)) {
            return true;
        }
        self.with_items(sources, element, diagnostics, |items| {
            let [located] = items else { return false };
            match (&located.item, answer) {
                (Item::ToolResponse(response), Answer::Text(text)) => {
                    matches!(&response.output, ToolOutput::Text(sent) if sent == text)
                }
                (Item::ToolResponse(response), Answer::Parts(parts)) => are_same(parts, response.output.parts()),
                (Item::ToolResponse(_), Answer::Json(_)) | (Item::Other(_), _) => true,
                (Item::Message(_) | Item::ToolCall(_) | Item::Reasoning(_) | Item::Foreign(_), _) => false,
            }
        })
    }

    /// Converts a document to items, and calls `work` with them.
    pub(super) fn with_items<T>(
        &self,
        sources: &Sources,
        source: SourceId,
        diagnostics: &mut Diagnostics,
        work: impl FnOnce(&[Located<'_>]) -> T,
    ) -> T {
        let strings = StringArena::default();
        let resolver = Resolver::new(sources, self.resources);
        let context = self.context(&resolver, &strings);
        let document = context.read(source, diagnostics);
        let place = Span::new(source, 0..0);
        work(&Request::of(&document, &context, &RequestOptions::default(), Wanted::Input, place, diagnostics).items)
    }
}

fn value<'b, 's>(block: &'b Spanned<Block<'s>>) -> &'b Block<'s> {
    &block.value
}

pub(super) fn read<'s>(
    sources: &'s Sources,
    source: SourceId,
    whitespace: Whitespace,
    diagnostics: &mut Diagnostics,
) -> Document<'s> {
    lower(&syntax::parse(sources, source, diagnostics), whitespace, diagnostics)
}

/// Whether parts are sent as they were given: texts byte for byte, images as images, files as files.
pub(super) fn are_same(parts: &[AnswerPart], sent: &[Part<'_>]) -> bool {
    let is_same = |(part, sent): (&AnswerPart, &Part<'_>)| match (part, sent) {
        (AnswerPart::Text(text), Part::Text(sent)) => *text == sent.text,
        (AnswerPart::TextFile(_), Part::Text(_))
        | (AnswerPart::Image(_), Part::Image(_))
        | (AnswerPart::File { .. }, Part::Other(_)) => true,
        (AnswerPart::Text(_) | AnswerPart::TextFile(_) | AnswerPart::Image(_) | AnswerPart::File { .. }, _) => false,
    };
    parts.len() == sent.len() && parts.iter().zip(sent).all(is_same)
}

/// The call with this id that has no output.
fn open_call<'c>(calls: &'c [FoundCall], call_id: &str) -> Result<&'c FoundCall, AnswerError> {
    let mut named = calls.iter().filter(|call| call.call_id == call_id).peekable();
    if named.peek().is_none() {
        return Err(AnswerError::UnknownCall(call_id.to_owned()));
    }
    named.find(|call| !call.is_answered).ok_or_else(|| AnswerError::AlreadyAnswered(call_id.to_owned()))
}
