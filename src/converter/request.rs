//! Documents to requests.

use super::{Converter, Error, Input, Reading, SourceMap};
use crate::convert::{Request, RequestOptions, places, to_input, to_request};
use crate::diagnostic::{Diagnostics, Report};
use crate::lint::check_output_base64;

/// A request, and what is odd about its document.
#[derive(Debug)]
#[non_exhaustive]
pub struct RequestOutput {
    /// The JSON of the request, or of its `input`.
    pub value: String,
    /// The warnings of the conversion.
    pub warnings: Report,
    /// Where each part of the request is written, if the options ask for it.
    pub source_map: Option<SourceMap>,
}

impl Converter<'_> {
    /// Converts a document to the JSON of a request.
    ///
    /// ```
    /// use chatmd::{Converter, Error, RequestOptions};
    ///
    /// let document = "<config model=\"gpt-5\"/>\n\n<user colour=\"red\">\nHello.\n</user>\n";
    /// let output = Converter::new().to_request(document, &RequestOptions::default())?;
    /// assert!(output.value.starts_with(r#"{"model":"gpt-5","input":["#));
    ///
    /// let Err(Error::Problems(report)) = Converter::new().to_request("<user>", &RequestOptions::default()) else {
    ///     panic!("`<user>` is not closed");
    /// };
    /// let finding = report.iter().next().unwrap();
    /// assert_eq!((finding.name(), finding.line(), finding.column()), ("unclosed-element", 1, 1));
    /// # Ok::<(), chatmd::Error>(())
    /// ```
    pub fn to_request(&self, document: impl Into<Input>, options: &RequestOptions) -> Result<RequestOutput, Error> {
        self.convert(document, options, "", |reading, diagnostics| {
            to_request(reading.document, &reading.context, reading.options, reading.place, diagnostics)
        })
    }

    /// Converts a document to the JSON of an `input` array. A model is not needed.
    ///
    /// ```
    /// use chatmd::{Converter, RequestOptions};
    ///
    /// let output = Converter::new().to_input("<user>\nHello.\n</user>\n", &RequestOptions::default())?;
    /// assert_eq!(
    ///     output.value,
    ///     r#"[{"type":"message","role":"user","content":[{"type":"input_text","text":"Hello."}]}]"#
    /// );
    /// # Ok::<(), chatmd::Error>(())
    /// ```
    pub fn to_input(&self, document: impl Into<Input>, options: &RequestOptions) -> Result<RequestOutput, Error> {
        self.convert(document, options, "/input", |reading, diagnostics| {
            to_input(reading.document, &reading.context, reading.options, diagnostics)
        })
    }

    /// Converts a document. The source map has what is below the JSON pointer `root`.
    fn convert(
        &self,
        document: impl Into<Input>,
        options: &RequestOptions,
        root: &str,
        convert: impl for<'d> FnOnce(&Reading<'d>, &mut Diagnostics) -> Request<'d>,
    ) -> Result<RequestOutput, Error> {
        let ((value, source_map), warnings) = self.with_document(document, options, |reading, diagnostics| {
            let request = convert(reading, diagnostics);
            check_output_base64(reading.document, &reading.context, diagnostics);
            let source_map = reading.options.source_map.then(|| {
                // The conversion has reported everything already.
                let mut reported = Diagnostics::new();
                let places = places(&request.items, reading.document, &reading.context, reading.options, &mut reported);
                SourceMap::new(&places, root, reading.context.sources)
            });
            (request.to_json(), source_map)
        })?;
        Ok(RequestOutput { value, warnings, source_map })
    }
}
