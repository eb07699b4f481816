//! Adds the output of a tool to a document, after the call that it answers.

mod element;
mod place;

use element::AnswerElement;
pub(super) use element::body;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::convert::{Call, Located, RequestOptions, find_calls};
use crate::converter::edit::{IsExpected, UnexpandedDocument};
use crate::converter::{Converter, Error, Input, Reading};
use crate::diagnostic::{Diagnostics, Report};
use crate::document::{Block, print};
use crate::error::{AnswerError, RoundTripError};
use crate::responses::{Item, Part, ToolOutput};
use crate::source::Sources;

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
    /// Whether the tool has failed. Only the Messages API gets it.
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
        let path = document.path.clone();
        let answered = self.with_document(document, &RequestOptions::default(), |reading, diagnostics| {
            let calls = find_calls(reading.document, &reading.context, diagnostics);
            *diagnostics = diagnostics.errors();
            let call = open_call(&calls, call_id)?;
            let element = self.answer_element(call, answer, options)?;
            let (text, element_text) = self.insert(reading, &element, call, &calls)?;
            Ok::<_, Error>((text, element_text, element))
        })?;
        let (text, element_text, AnswerElement { media, problems, .. }) = answered.value?;
        let element_input = Input { path, ..Input::from(element_text).with_name("<answer>") };
        let is_exact = |items: &[Located<'_>]| is_sent_as(items, answer);
        // JSON is compared when it is written.
        let is_exact: Option<IsExpected<'_>> = match answer {
            Answer::Json(_) => None,
            Answer::Text(_) | Answer::Parts(_) => Some(&is_exact),
        };
        let output = self.checked(text, "the answer", element_input, problems, is_exact)?;
        Ok(Answered { text: output.value, warnings: output.warnings, media })
    }

    /// The text of the document with the element, and the text of the element.
    fn insert(
        &self,
        reading: &Reading<'_>,
        element: &AnswerElement,
        call: &Call,
        calls: &[Call],
    ) -> Result<(String, String), RoundTripError> {
        const WITH_ANSWER: &str = "the document with the answer";
        let failure = || RoundTripError { what: WITH_ANSWER.to_owned() };
        let (sources, mut diagnostics) = (reading.context.sources, Diagnostics::new());
        let own = UnexpandedDocument::read(sources, reading.place.source, self.whitespace, &mut diagnostics);
        let added = Sources::new();
        let source = added.add("", element.text.clone(), None);
        let mut answer = UnexpandedDocument::read(&added, source, self.whitespace, &mut diagnostics).document;
        if diagnostics.has_errors() {
            return Err(failure());
        }
        for block in answer.blocks.iter_mut().filter(|_| element.has_failed) {
            if let Block::Element(response) = &mut block.value {
                response.set_failed();
            }
        }
        let element_text = print(&answer, self.whitespace);
        let index = place::index(&own.document.blocks, call, calls, sources).ok_or_else(failure)?;
        let (start, tail) = own.replaced(index..index, &answer, false, WITH_ANSWER)?;
        Ok(([&own.source.text[..start], &tail].concat(), element_text))
    }
}

/// Whether there is exactly one item, with the texts of the answer.
fn is_sent_as(items: &[Located<'_>], answer: &Answer) -> bool {
    let [located] = items else { return false };
    match (&located.item, answer) {
        (Item::ToolResponse(response), Answer::Text(text)) => {
            matches!(&response.output, ToolOutput::Text(sent) if sent == text)
        }
        (Item::ToolResponse(response), Answer::Parts(parts)) => are_same(parts, response.output.parts()),
        // JSON, and the outputs of shell, patch and other built-in calls, are compared when they are written.
        (Item::ToolResponse(_), Answer::Json(_)) | (Item::Other(_), _) => true,
        (Item::Message(_) | Item::ToolCall(_) | Item::Reasoning(_) | Item::Foreign(_), _) => false,
    }
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
fn open_call<'c>(calls: &'c [Call], call_id: &str) -> Result<&'c Call, AnswerError> {
    let mut named = calls.iter().filter(|call| call.call_id == call_id).peekable();
    if named.peek().is_none() {
        return Err(AnswerError::UnknownCall(call_id.to_owned()));
    }
    named.find(|call| !call.is_answered).ok_or_else(|| AnswerError::AlreadyAnswered(call_id.to_owned()))
}
