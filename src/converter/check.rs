//! Checks documents.

use serde::{Deserialize, Serialize};

use super::{Converter, Input};
use crate::convert::Context;
use crate::diagnostic::{Diagnostics, Report, Rule};
use crate::json::StringArena;
use crate::lint::{self, Checked};
use crate::resolve::Resolver;
use crate::source::Sources;

/// How a document is checked.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct CheckOptions {
    /// Whether the text is a fragment: a file that is imported into bodies.
    pub fragment: bool,
    /// Whether the document must have the same meaning for ochat.
    pub portable: bool,
    /// The rules whose violations are not reported.
    pub allowed: Vec<&'static Rule>,
}

impl Converter<'_> {
    /// Checks a document, the files that it imports and the request that it is converted to.
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
        let Checked { diagnostics, fixes } = {
            let resolver = Resolver::new(&sources, self.resources);
            let options = lint::Options {
                whitespace: self.whitespace,
                limits: self.limits,
                fragment: options.fragment,
                portable: options.portable,
                allowed: options.allowed.clone(),
            };
            lint::check(source, &Context::new(&resolver, &strings), &options)
        };
        Report::new(diagnostics, fixes, sources)
    }
}
