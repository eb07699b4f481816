//! Documents to requests.

use super::{Converter, Error, Input, Output};
use crate::convert::{Context, Request, RequestOptions, Wanted};
use crate::diagnostic::Report;
use crate::lint::check_converted;

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
    pub fn to_request(&self, document: impl Into<Input>, options: &RequestOptions) -> Result<Output<String>, Error> {
        self.convert(document, options, Wanted::Request, |request, _| request.to_json())
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
    pub fn to_input(&self, document: impl Into<Input>, options: &RequestOptions) -> Result<Output<String>, Error> {
        self.convert(document, options, Wanted::Input, |request, _| request.to_json())
    }

    /// Converts a document to a request, and passes it with the warnings to `write` if there are no errors. Its JSON need not
    /// be in memory as a whole.
    ///
    /// ```
    /// use chatmd::{Converter, RequestOptions};
    ///
    /// let document = "<config model=\"gpt-5\"/>\n\n<user>\nHello.\n</user>\n";
    /// let mut out = Vec::new();
    /// Converter::new().with_request(document, &RequestOptions::default(), |request, _| request.write_to(&mut out))??;
    /// assert!(out.starts_with(br#"{"model":"gpt-5","input":["#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_request<T>(
        &self,
        document: impl Into<Input>,
        options: &RequestOptions,
        write: impl FnOnce(&Request<'_>, &Report) -> T,
    ) -> Result<T, Error> {
        self.convert(document, options, Wanted::Request, write).map(|written| written.value)
    }

    /// Like [`Converter::with_request`], for the `input` array only. A model is not needed.
    pub fn with_input<T>(
        &self,
        document: impl Into<Input>,
        options: &RequestOptions,
        write: impl FnOnce(&Request<'_>, &Report) -> T,
    ) -> Result<T, Error> {
        self.convert(document, options, Wanted::Input, write).map(|written| written.value)
    }

    pub(super) fn convert<T>(
        &self,
        document: impl Into<Input>,
        options: &RequestOptions,
        wanted: Wanted,
        write: impl FnOnce(&Request<'_>, &Report) -> T,
    ) -> Result<Output<T>, Error> {
        let Output { value, warnings } =
            self.with_context(document, options, |context, place, report, diagnostics| {
                let context = Context { check: Some(check_converted), ..context };
                let mut request = Request::new(place, context.sources);
                let document = request.read(place.source, &context, options, diagnostics);
                request.convert(&document, &context, options, wanted, diagnostics);
                request.report_ledger(options, diagnostics);
                report.set_ledger(|| request.ledger().to_json_lines(context.sources));
                if diagnostics.has_errors() {
                    return None;
                }
                report.set(std::mem::take(diagnostics));
                Some(write(&request, report))
            })?;
        match value {
            Some(value) => Ok(Output { value, warnings }),
            // Without a request there is an error.
            None => Err(Error::Problems(warnings)),
        }
    }
}
