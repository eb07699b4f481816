//! Documents as pages.

use super::{Converter, Error, Input, Output};
use crate::convert::RequestOptions;
use crate::diagnostic::Diagnostics;
use crate::render::{self, Contents, Page, redact};
use crate::stats;

impl Converter<'_> {
    /// A document as one HTML page. Files that cannot be read are shown by their names.
    ///
    /// ```
    /// use chatmd::internal::render::Options;
    ///
    /// let options = Options { title: "Hello".to_owned(), ..Options::default() };
    /// let page = chatmd::Converter::new().render("<user>\n**Hi!** <script>\n</user>\n", &options)?.value;
    /// assert!(page.html.contains("<strong>Hi!</strong> &lt;script&gt;"));
    /// # Ok::<(), chatmd::Error>(())
    /// ```
    pub fn render(&self, document: impl Into<Input>, options: &render::Options) -> Result<Output<Page>, Error> {
        let mut document: Input = document.into();
        let mut redacted = Vec::new();
        if let (true, Ok(text)) = (options.redacts, std::str::from_utf8(&document.bytes)) {
            let (text, replaced) = redact(text, &mut document.origins);
            (document.bytes, redacted) = (text.into_bytes(), replaced);
        }
        let output = self.with_document(document, &RequestOptions::default(), |reading, diagnostics| {
            *diagnostics = diagnostics.without(|rule| rule.is_about_other_file);
            // A document that cannot be sent can still be shown.
            let mut unsent = Diagnostics::new();
            let request = reading.request(&mut unsent);
            let total = stats::count(&request).total();
            let contents = Contents { document: reading.document, request: &request, total };
            render::render(&contents, reading.context.resolver, options)
        })?;
        Ok(Output { value: Page { redacted, ..output.value }, warnings: output.warnings })
    }
}
