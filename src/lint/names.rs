//! Rules by name, and the names that rules had before.

use std::fmt;

use super::rules::rules;
use crate::diagnostic::{Rule, nearest};

/// The names of rules, each with its former names.
const RENAMED: [(&str, &[&str]); 25] = [
    ("exclusive-fields", &["two-sources"]),
    ("forbidden-field", &["input-in-config"]),
    ("forbidden-file", &["remote-doc"]),
    ("invalid-option", &["invalid-set", "invalid-tools"]),
    ("invalid-value", &["id-length", "not-an-empty-list"]),
    (
        "limit-exceeded",
        &[
            "agent-too-deep",
            "image-too-large",
            "import-too-deep",
            "imports-too-large",
            "nesting-too-deep",
            "output-too-long",
            "too-many-imports",
            "too-many-runs",
        ],
    ),
    ("malformed-body", &["malformed-parts", "wrong-response-body"]),
    ("malformed-event", &["broken-line", "dropped-text"]),
    ("mismatched-tag", &["stray-closing-tag"]),
    ("misplaced-directive", &["directive-in-import"]),
    ("misplaced-element", &["block-in-imported-body", "inline-at-top-level", "nested-tool-trace"]),
    ("missing-attribute", &["status-without-id"]),
    ("no-items", &["empty-session"]),
    ("part-not-allowed", &["call-in-content", "part-in-text", "part-in-text-output"]),
    ("program-failed", &["agent-failed", "fetch-failed"]),
    ("repeated-config", &["repeated-request"]),
    ("repeated-field", &["duplicate-field", "repeated-key"]),
    ("repeated-id", &["duplicate-call-id", "duplicate-id"]),
    ("repeated-tool", &["duplicate-tool"]),
    ("unknown-tool", &["unknown-tool-choice"]),
    ("unknown-value", &["unknown-output", "unknown-response-type", "unknown-role", "unknown-tool-type"]),
    ("unsupported-image", &["not-an-image"]),
    (
        "unterminated",
        &["stray-quote", "unterminated-comment", "unterminated-quote", "unterminated-raw", "unterminated-tag"],
    ),
    ("unusable-file", &["html-not-converted", "not-text"]),
    ("wrong-type", &["invalid-config", "suspect-field"]),
];

/// Why a name is not that of a rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NotARule {
    /// A rule has another name now.
    Renamed(&'static str),
    /// A rule has a similar name.
    Similar(&'static str),
    /// No rule has a similar name.
    Unknown,
}

impl fmt::Display for NotARule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Renamed(name) => write!(f, "the rule is called `{name}` now"),
            Self::Similar(name) => write!(f, "did you mean `{name}`?"),
            Self::Unknown => f.write_str("check its spelling"),
        }
    }
}

/// The rule of this name, in any case of letters.
pub fn find_rule(name: &str) -> Result<&'static Rule, NotARule> {
    let is_same = |other: &str| other.eq_ignore_ascii_case(name.trim());
    let rule = rules().find(|rule| is_same(rule.name));
    rule.ok_or_else(|| match RENAMED.iter().find(|(_, former)| former.iter().any(|former| is_same(former))) {
        Some((renamed, _)) => NotARule::Renamed(renamed),
        None => nearest(name, rules().map(|rule| rule.name)).map_or(NotARule::Unknown, NotARule::Similar),
    })
}
