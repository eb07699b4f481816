//! The ledger: every difference between a document and the request that is made of it.

use std::fmt;

use crate::api::Api;
use crate::diagnostic::Rule;
use crate::json::write::ObjectWriter;
use crate::source::{Sources, Span};

/// What an entry means for the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Class {
    /// The same content is at another place.
    Moved,
    /// The same content is sent in another form.
    Respelled,
    /// It is not sent, and the model is told the same without it: an id, a cache mark.
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
#[doc(hidden)]
#[derive(Debug, PartialEq, Eq)]
pub struct LedgerRule {
    /// The name, the severity and the page.
    pub rule: Rule,
    /// The class of its entries.
    pub class: Class,
}

impl LedgerRule {
    /// Its name: `moved-system`.
    pub fn name(&self) -> &'static str {
        self.rule.name
    }
}

/// Makes the rules and the table of them. The rules of a class have one severity.
macro_rules! ledger {
    ($($class:ident $severity:ident $properties:tt: $($rule:ident $name:literal)+;)+) => {
        /// The rules of the ledger, by their names.
        #[doc(hidden)]
        pub mod rules {
            use crate::diagnostic::rule;
            use crate::ledger::{Class, LedgerRule};

            $($(
                #[doc = concat!("`", $name, "`")]
                pub const $rule: &LedgerRule = &ledger!(@row $class $severity $properties $name);
            )+)+
        }

        /// Every rule of the ledger.
        #[doc(hidden)]
        pub const LEDGER_RULES: &[&LedgerRule] = &[$($(rules::$rule),+),+];
    };
    (@row $class:ident $severity:ident [$($property:ident)?] $name:literal) => {
        LedgerRule { rule: rule!($name $severity Malformed $($property)?), class: Class::$class }
    };
}

ledger! {
    Moved Note [is_allowable]:
        MOVED_SYSTEM "moved-system" MOVED_TEXT "moved-text" MOVED_OUTPUT "moved-output"
        MOVED_FIELD "moved-field" HOISTED_PART "hoisted-part" IMITATED_PART "imitated-part";
    Respelled Note [is_allowable]:
        RESPELLED_ROLE "respelled-role" RESPELLED_ID "respelled-id" RESPELLED_TOOL "respelled-tool"
        RESPELLED_ARGUMENTS "respelled-arguments" RESPELLED_REFUSAL "respelled-refusal"
        RESPELLED_FILE "respelled-file" RESPELLED_FIELD "respelled-field" ADDED_FILENAME "added-filename";
    Hint Note [is_allowable]:
        UNSENT_ID "unsent-id" UNSENT_DETAIL "unsent-detail" UNSENT_CACHE "unsent-cache"
        UNSENT_ERROR "unsent-error" UNSENT_ANNOTATION "unsent-annotation" UNSENT_SETTING "unsent-setting"
        EMPTY_TEXT "empty-text";
    Withheld Note [is_allowable]:
        FOREIGN_BLOCKS "foreign-blocks" UNSENT_REASONING "unsent-reasoning";
    Dropped Warning [is_allowable]:
        UNSENT_KEYS "unsent-keys" UNSENT_ITEM "unsent-item" UNSENT_PART "unsent-part" UNSENT_TOOL "unsent-tool"
        UNSENT_FIELD "unsent-field";
    Refused Error []:
        UNSUPPORTED_IMAGE "unsupported-image" UNSUPPORTED_MEDIA "unsupported-media"
        UNSUPPORTED_PART "unsupported-part" PART_IN_INSTRUCTIONS "part-in-instructions"
        MISSING_MODEL "missing-model" MISSING_MAX_TOKENS "missing-max-tokens" SERVER_HISTORY "server-history"
        FOREIGN_FILE "foreign-file" UNSUPPORTED_FILE "unsupported-file"
        ARGUMENTS_NOT_OBJECT "arguments-not-object" SIGNED_TURN "signed-turn"
        TOOL_NAME_COLLISION "tool-name-collision" CALL_WITHOUT_OUTPUT "call-without-output"
        OUTPUT_WITHOUT_CALL "output-without-call" NO_INPUT "no-input";
}

/// One difference between a document and its request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Its rule.
    #[doc(hidden)]
    pub rule: &'static LedgerRule,
    /// The path in the Responses request of the same document: `input[3].output[1]`.
    pub source: String,
    /// The path in this request, if the content is in it: `messages[4].content[2]`.
    pub target: Option<String>,
    /// Where it is written.
    #[doc(hidden)]
    pub span: Span,
    /// What differs, in one sentence.
    pub message: String,
    /// Whether signed reasoning comes after the moved content. Then an earlier request is no longer the start of this one.
    pub prefix: bool,
}

impl Entry {
    /// The name of its rule: `moved-system`.
    pub fn name(&self) -> &'static str {
        self.rule.name()
    }

    /// What it means for the model.
    pub fn class(&self) -> Class {
        self.rule.class
    }

    /// An entry of a rule.
    #[doc(hidden)]
    pub fn new(rule: &'static LedgerRule, source: impl Into<String>, span: Span, message: impl Into<String>) -> Self {
        Self { rule, source: source.into(), target: None, span, message: message.into(), prefix: false }
    }

    /// The same entry with the place in the request.
    #[must_use]
    #[doc(hidden)]
    pub fn at(self, target: impl Into<String>) -> Self {
        Self { target: Some(target.into()), ..self }
    }

    /// Writes the entry as one JSON object.
    fn write(&self, out: &mut String, api: Api, sources: &Sources) {
        let (line, column) = sources.line_column(self.span);
        let mut entry = ObjectWriter::new(out);
        entry.text("rule", self.rule.name());
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
    #[doc(hidden)]
    pub fn new(api: Api) -> Self {
        Self { api, entries: Vec::new() }
    }

    /// Adds an entry.
    #[doc(hidden)]
    pub fn push(&mut self, entry: Entry) {
        self.entries.push(entry);
    }

    /// Keeps the entries for which `is_kept` holds.
    #[doc(hidden)]
    pub fn retain(&mut self, is_kept: impl FnMut(&Entry) -> bool) {
        self.entries.retain(is_kept);
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
    #[doc(hidden)]
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
#[path = "../tests/unit/ledger.rs"]
mod tests;
