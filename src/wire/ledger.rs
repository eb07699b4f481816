//! The ledger: every difference between a document and the request that is made of it.

use std::fmt;

use super::Api;
use crate::json::write::ObjectWriter;
use crate::source::{Sources, Span};

/// What an entry means for the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Class {
    /// The same content is at another place.
    Moved,
    /// The same content is said in other words of the API.
    Respelled,
    /// It is not sent, and the model is told the same.
    Hint,
    /// Only another issuer can read it.
    Withheld,
    /// It is not sent, and the model is told less.
    Dropped,
    /// It cannot be sent, so that nothing is sent.
    Refused,
}

impl Class {
    /// Its name in the ledger.
    pub fn name(self) -> &'static str {
        match self {
            Class::Moved => "moved",
            Class::Respelled => "respelled",
            Class::Hint => "hint",
            Class::Withheld => "withheld",
            Class::Dropped => "dropped",
            Class::Refused => "refused",
        }
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A kind of entry.
#[derive(Debug, PartialEq, Eq)]
pub struct LedgerRule {
    /// Its name: `moved-system`.
    pub name: &'static str,
    /// The class of its entries.
    pub class: Class,
    /// What its entries say, in one line.
    pub summary: &'static str,
}

const fn row(name: &'static str, class: Class, summary: &'static str) -> LedgerRule {
    LedgerRule { name, class, summary }
}

/// Every rule of the ledger.
pub const LEDGER_RULES: &[LedgerRule] = &[
    row("moved-system", Class::Moved, "a system message is sent in the field `system`"),
    row("moved-text", Class::Moved, "a text is sent before the calls of its turn"),
    row("moved-output", Class::Moved, "an output is sent directly after its call"),
    row("moved-field", Class::Moved, "a field is sent as another one"),
    row("hoisted-part", Class::Moved, "an image or a file of an output is sent in a user message"),
    row("imitated-part", Class::Moved, "a message looks like images or files of an output"),
    row("respelled-role", Class::Respelled, "a message is sent with another role"),
    row("respelled-id", Class::Respelled, "a call is sent with another id"),
    row("respelled-tool", Class::Respelled, "a tool, a call or an output is sent as a function"),
    row("respelled-arguments", Class::Respelled, "empty arguments are sent as `{}`"),
    row("respelled-refusal", Class::Respelled, "a refusal is sent as text"),
    row("respelled-file", Class::Respelled, "a file is sent as text, or a text as a file"),
    row("respelled-field", Class::Respelled, "a field is sent with another value"),
    row("added-filename", Class::Respelled, "a file is sent with a name that it does not have"),
    row("unsent-id", Class::Hint, "an id, a status or a phase is not sent"),
    row("unsent-detail", Class::Hint, "the detail of an image is not sent"),
    row("unsent-cache", Class::Hint, "a cache mark is not sent"),
    row("unsent-error", Class::Hint, "the error mark of an output is not sent"),
    row("unsent-annotation", Class::Hint, "annotations or log probabilities are not sent"),
    row("unsent-setting", Class::Hint, "a setting is not sent"),
    row("empty-text", Class::Hint, "an empty text is not sent"),
    row("foreign-blocks", Class::Withheld, "data that only another issuer can read is not sent"),
    row("unsent-reasoning", Class::Withheld, "reasoning that the API does not accept is not sent"),
    row("unsent-keys", Class::Dropped, "a member that the model would see is not sent"),
    row("unsent-item", Class::Dropped, "an item is not sent"),
    row("unsent-part", Class::Dropped, "a part is not sent"),
    row("unsent-tool", Class::Dropped, "a tool is not sent"),
    row("unsent-field", Class::Dropped, "a field that changes the answer is not sent"),
    row("unsupported-image", Class::Refused, "an image has a type that the API does not accept"),
    row("unsupported-media", Class::Refused, "an output has media that the API does not accept"),
    row("unsupported-part", Class::Refused, "the API has no such part"),
    row("part-in-instructions", Class::Refused, "a system message has an image or a file"),
    row("missing-model", Class::Refused, "no model is set"),
    row("missing-max-tokens", Class::Refused, "the API needs a limit for the length of the answer"),
    row("server-history", Class::Refused, "a part of the conversation is only on the server of another API"),
    row("foreign-file", Class::Refused, "a file id belongs to another issuer"),
    row("unsupported-file", Class::Refused, "a file has a form that the API does not accept"),
    row("arguments-not-object", Class::Refused, "the arguments of a call are not a JSON object"),
    row("signed-turn", Class::Refused, "a turn with signed reasoning would have to be reordered"),
    row("tool-name-collision", Class::Refused, "two tools would be sent with one name"),
    row("call-without-output", Class::Refused, "a call needs its output before the next turn"),
    row("output-without-call", Class::Refused, "an output does not say which call it answers"),
    row("no-input", Class::Refused, "no message would be sent"),
];

/// The rule of a name. Names are constants, so that a test finds an unknown one.
pub fn ledger_rule(name: &str) -> &'static LedgerRule {
    LEDGER_RULES.iter().find(|rule| rule.name == name).unwrap_or(&LEDGER_RULES[0])
}

/// One difference between a document and its request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its rule.
    pub rule: &'static LedgerRule,
    /// The path in the Responses request of the same document: `input[3].output[1]`.
    pub source: String,
    /// The path in this request, if the content is in it: `messages[4].content[2]`.
    pub target: Option<String>,
    /// Where it is written.
    pub span: Span,
    /// What differs, in one sentence.
    pub message: String,
    /// Whether signed reasoning that is sent follows the change, so that an earlier request is not a prefix.
    pub prefix: bool,
}

impl Entry {
    /// An entry of a rule.
    pub fn new(rule: &'static str, source: impl Into<String>, span: Span, message: impl Into<String>) -> Self {
        let (rule, source, message) = (ledger_rule(rule), source.into(), message.into());
        Self { rule, source, target: None, span, message, prefix: false }
    }

    /// The same entry with the place in the request.
    #[must_use]
    pub fn at(self, target: impl Into<String>) -> Self {
        Self { target: Some(target.into()), ..self }
    }

    /// Writes the entry as one JSON object.
    fn write(&self, out: &mut String, api: Api, sources: &Sources) {
        let (line, column) = sources.line_column(self.span);
        let mut entry = ObjectWriter::new(out);
        entry.text("rule", self.rule.name);
        entry.text("class", self.rule.class.name());
        entry.text("api", api.name());
        entry.text("source", &self.source);
        if let Some(target) = &self.target {
            entry.text("target", target);
        }
        entry.text("file", &sources.get(self.span.source).name);
        entry.name("line").push_str(&line.to_string());
        entry.name("column").push_str(&column.to_string());
        entry.text("message", &self.message);
        if self.prefix {
            entry.name("prefix").push_str("true");
        }
        entry.end();
    }
}

/// Every difference between a document and its request, in the order in which the conversion found them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ledger {
    /// The API of the request.
    pub api: Api,
    entries: Vec<Entry>,
}

impl Ledger {
    /// An empty ledger of an API.
    pub fn new(api: Api) -> Self {
        Self { api, entries: Vec::new() }
    }

    /// Adds an entry.
    pub fn push(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    /// The entries.
    pub fn iter(&self) -> std::slice::Iter<'_, Entry> {
        self.entries.iter()
    }

    /// Whether there are no entries.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Whether nothing may be sent.
    pub fn is_refused(&self) -> bool {
        self.iter().any(|entry| entry.rule.class == Class::Refused)
    }

    /// The entries of each rule, in the order of their first entries.
    pub fn by_rule(&self) -> Vec<Vec<&Entry>> {
        let mut groups: Vec<Vec<&Entry>> = Vec::new();
        for entry in &self.entries {
            match groups.iter_mut().find(|group| group[0].rule == entry.rule) {
                Some(group) => group.push(entry),
                None => groups.push(vec![entry]),
            }
        }
        groups
    }

    /// The entries as JSON, one on each line.
    pub fn to_json_lines(&self, sources: &Sources) -> String {
        let mut lines = String::new();
        for entry in &self.entries {
            entry.write(&mut lines, self.api, sources);
            lines.push('\n');
        }
        lines
    }
}

impl<'l> IntoIterator for &'l Ledger {
    type Item = &'l Entry;
    type IntoIter = std::slice::Iter<'l, Entry>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Extend<Entry> for Ledger {
    fn extend<I: IntoIterator<Item = Entry>>(&mut self, entries: I) {
        self.entries.extend(entries);
    }
}

#[cfg(test)]
mod tests {
    use super::{Entry, Ledger, ledger_rule};
    use crate::source::{Sources, Span};
    use crate::wire::Api;

    #[test]
    fn an_entry_is_a_json_line_with_its_place() {
        let sources = Sources::new();
        let id = sources.add("chat.md", "<user>\n</user>\n".to_owned(), None);
        let mut ledger = Ledger::new(Api::Chat);
        let span = Span::new(id, 7..14);
        ledger.push(Entry::new("hoisted-part", "input[3].output[1]", span, "moved").at("messages[4].content[2]"));
        let line = r#"{"rule":"hoisted-part","class":"moved","api":"chat","source":"input[3].output[1]","target":"messages[4].content[2]","file":"chat.md","line":2,"column":1,"message":"moved"}"#;
        assert_eq!(ledger.to_json_lines(&sources), format!("{line}\n"));
        assert!(!ledger.is_refused());
    }

    #[test]
    fn rules_are_found_by_name() {
        for rule in super::LEDGER_RULES {
            assert_eq!(ledger_rule(rule.name), rule);
        }
    }
}
