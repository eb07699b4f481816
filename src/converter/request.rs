//! Documents to requests.

use std::io;

use super::{Converter, Error, Input, Opened, SourceMap};
use crate::convert::{Condensed, Request, RequestOptions, places, to_input, to_request};
use crate::diagnostic::{Diagnostics, Report};
use crate::lint::check_output_base64;

/// A request and its warnings.
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

/// The target of a conversion.
#[derive(Clone, Copy)]
enum Wanted {
    /// A whole request.
    Request,
    /// Its `input` array alone, whose source map is relative to it.
    Input,
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
        let whole = |request: PreparedRequest<'_>| (request.to_json(), request.source_map);
        let ((value, source_map), warnings) = self.prepared(document, options, Wanted::Request, whole)?;
        Ok(RequestOutput { value, warnings, source_map })
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
        let whole = |request: PreparedRequest<'_>| (request.to_json(), request.source_map);
        let ((value, source_map), warnings) = self.prepared(document, options, Wanted::Input, whole)?;
        Ok(RequestOutput { value, warnings, source_map })
    }

    /// Converts a document to a request, and lets `write` write it if there are no errors. It need not be in memory as a
    /// whole.
    ///
    /// ```
    /// use chatmd::{Converter, RequestOptions};
    ///
    /// let document = "<config model=\"gpt-5\"/>\n\n<user>\nHello.\n</user>\n";
    /// let mut out = Vec::new();
    /// Converter::new().with_request(document, &RequestOptions::default(), |request| request.write_to(&mut out))??;
    /// assert!(out.starts_with(br#"{"model":"gpt-5","input":["#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_request<T>(
        &self,
        document: impl Into<Input>,
        options: &RequestOptions,
        write: impl FnOnce(PreparedRequest<'_>) -> T,
    ) -> Result<T, Error> {
        self.prepared(document, options, Wanted::Request, write).map(|(written, _)| written)
    }

    /// Like [`Converter::with_request`], for the `input` array only. A model is not needed.
    pub fn with_input<T>(
        &self,
        document: impl Into<Input>,
        options: &RequestOptions,
        write: impl FnOnce(PreparedRequest<'_>) -> T,
    ) -> Result<T, Error> {
        self.prepared(document, options, Wanted::Input, write).map(|(written, _)| written)
    }

    fn prepared<T>(
        &self,
        document: impl Into<Input>,
        options: &RequestOptions,
        wanted: Wanted,
        write: impl FnOnce(PreparedRequest<'_>) -> T,
    ) -> Result<(T, Report), Error> {
        let (written, warnings) = self.with_context(document, options, |opened, diagnostics| {
            let Opened { context, source, place, report } = opened;
            let read = Condensed::read(&context, source, options, diagnostics);
            let (request, root) = match wanted {
                Wanted::Request => (to_request(&read, &context, options, place, diagnostics), ""),
                Wanted::Input => (to_input(&read, &context, options, diagnostics), "/input"),
            };
            // Items that are already serialized have less text than this check looks for.
            check_output_base64(&read.document, &context, diagnostics);
            if diagnostics.has_errors() {
                return None;
            }
            let source_map = options.source_map.then(|| {
                // The conversion has reported everything already.
                let mut reported = Diagnostics::new();
                let places = places(request.items(), &read.document, &context, options, &mut reported);
                SourceMap::new(&places, root, context.sources)
            });
            report.set(std::mem::take(diagnostics));
            Some(write(PreparedRequest { request: &request, warnings: report, source_map }))
        })?;
        match written {
            Some(written) => Ok((written, warnings)),
            // Without a request there is an error.
            None => Err(Error::Problems(warnings)),
        }
    }
}

/// A request that is complete, but not written yet.
#[derive(Debug)]
pub struct PreparedRequest<'d> {
    request: &'d Request<'d>,
    /// The warnings of the conversion.
    pub warnings: &'d Report,
    /// Where each part of the request is written, if the options ask for it.
    pub source_map: Option<SourceMap>,
}

impl PreparedRequest<'_> {
    /// Writes its JSON, compact, in pieces of some 64 KiB.
    pub fn write_to(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let rest = self.request.encode(|piece| {
            out.write_all(piece.as_bytes())?;
            piece.clear();
            io::Result::Ok(())
        })?;
        out.write_all(rest.as_bytes())
    }

    /// Its JSON, compact.
    pub fn to_json(&self) -> String {
        self.request.to_json()
    }
}
