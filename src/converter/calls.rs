//! The calls that wait for their outputs.

use serde::Serialize;

use super::{Converter, Error, Input, Output};
use crate::convert::{RequestOptions, find_calls};

/// A tool call, or a request for approval, without an output.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Call {
    /// The id that the output refers to.
    pub call_id: String,
    /// The name of the tool.
    pub name: String,
    /// The arguments, byte for byte; those of a hosted tool as JSON.
    pub arguments: String,
    /// The type of the item, such as `function_call`.
    #[serde(rename = "type")]
    pub kind: &'static str,
    /// Whether the model goes on without its output, so that the document can be sent.
    #[serde(rename = "async", skip_serializing_if = "std::ops::Not::not")]
    pub is_async: bool,
    /// The line of its opening tag, in the file that it is written in.
    pub line: usize,
}

impl Converter<'_> {
    /// The calls that wait for their outputs, in the order of the document.
    ///
    /// ```
    /// use chatmd::Converter;
    ///
    /// let document = "<tool_call tool_call_id=\"call_1\" function_name=\"now\">\n{}\n</tool_call>\n";
    /// let calls = Converter::new().calls(document)?.value;
    /// assert_eq!((calls[0].call_id.as_str(), calls[0].name.as_str(), calls[0].line), ("call_1", "now", 1));
    /// # Ok::<(), chatmd::Error>(())
    /// ```
    pub fn calls(&self, document: impl Into<Input>) -> Result<Output<Vec<Call>>, Error> {
        let (value, warnings) = self.with_document(document, &RequestOptions::default(), |reading, diagnostics| {
            let calls = find_calls(reading.document, &reading.context, diagnostics);
            let waiting = calls.into_iter().filter(|call| !call.is_answered).map(|call| Call {
                line: reading.context.sources.line_column(call.span).0,
                call_id: call.call_id,
                name: call.name,
                arguments: call.arguments,
                kind: call.kind.call_type(),
                is_async: call.is_async,
            });
            waiting.collect()
        })?;
        Ok(Output { value, warnings })
    }
}
