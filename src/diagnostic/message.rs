//! The words of a diagnostic: title, labels and help.

use super::redact::sanitize_short;
use crate::source::Span;

/// A diagnostic in words.
#[derive(Debug, Clone, PartialEq)]
pub struct Message {
    /// What is wrong, in one line.
    pub title: String,
    /// What the marked text is.
    pub label: String,
    /// A second place, and its label.
    pub related: Option<(Span, String)>,
    /// What to do.
    pub help: String,
    /// An option of the caller that would help. The caller describes it.
    pub hint: Option<Hint>,
}

/// An option that only the caller can change.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Hint {
    /// Let the document read another directory.
    AllowDirectory,
    /// Let the document read the current directory.
    AllowCurrentDirectory,
    /// Read larger files.
    AllowLargerFiles,
    /// Read more bytes in all.
    AllowMoreBytes,
    /// Allow imports to nest deeper.
    AllowDeeperImports,
    /// Allow more imports.
    AllowMoreImports,
    /// Run programs more often.
    AllowMoreRuns,
    /// Allow imports to bring more bytes.
    AllowLargerImports,
    /// Name the model.
    NameModel,
    /// Start with a small document.
    StartDocument,
    /// Give the definition of a tool.
    DefineTool,
    /// Run a program that fetches URLs.
    AllowFetch,
    /// Run a program that answers agents.
    AllowAgents,
    /// Ask for encrypted reasoning from the first turn on.
    AskForEncryptedReasoning,
    /// List the rules.
    ListRules,
    /// List all problems, one on each line.
    ListProblems,
    /// Change the line breaks of a document.
    ChangeLineBreaks,
    /// Add the output of a call.
    AnswerCall,
    /// Convert JSON to a document.
    ConvertJson,
    /// Set the limit of the answer's length.
    SetMaxTokens,
    /// Name the API.
    NameApi,
    /// Choose one of several choices.
    NameChoice,
}

/// Describes hints in the caller's words.
pub trait Hints {
    /// A hint in the caller's words, such as the name of a flag.
    fn words(&self, hint: Hint) -> Option<&'static str>;
}

/// Does not describe hints.
#[derive(Debug)]
pub struct NoHints;

impl Hints for NoHints {
    fn words(&self, _hint: Hint) -> Option<&'static str> {
        None
    }
}

impl Message {
    /// What to do, with the caller's words for its hint.
    pub fn help_with(&self, hints: &dyn Hints) -> String {
        match self.hint.and_then(|hint| hints.words(hint)) {
            Some(words) => format!("{}; {words}", self.help),
            None => self.help.clone(),
        }
    }

    pub(crate) fn new(title: impl Into<String>, label: impl Into<String>, help: impl Into<String>) -> Self {
        let (title, help) = (bounded(title.into()), bounded(help.into()));
        Self { title, label: label.into(), related: None, help, hint: None }
    }

    pub(crate) fn related(mut self, span: Span, label: impl Into<String>) -> Self {
        self.related = Some((span, label.into()));
        self
    }

    pub(crate) fn hint(mut self, hint: Hint) -> Self {
        self.hint = Some(hint);
        self
    }
}

/// Limits the length of a text: names and paths in it may be as long as a document.
fn bounded(text: String) -> String {
    const MAX_LENGTH: usize = 1000;
    if text.len() > MAX_LENGTH { sanitize_short(&text, MAX_LENGTH) } else { text }
}

/// `1 image`, `2,000 images`
pub fn counted(count: usize, thing: &str) -> String {
    format!("{} {thing}{}", thousands(count), if count == 1 { "" } else { "s" })
}

/// A number with a comma before every three digits.
pub fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
