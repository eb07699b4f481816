//! The calls that wait for their outputs.

use super::{Converter, Error, Input, Output};
use crate::convert::{Call, RequestOptions, find_calls};

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
        self.with_document(document, &RequestOptions::default(), |reading, diagnostics| {
            let mut calls = find_calls(reading.document, &reading.context, diagnostics);
            calls.retain(|call| !call.is_answered);
            calls
        })
    }
}
