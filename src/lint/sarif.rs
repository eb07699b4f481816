//! Diagnostics as SARIF 2.1.0, the format of code-scanning services.

use serde_json::{Value, json};

use super::formats::{Entry, entries};
use super::rules::rules;
use crate::diagnostic::{Hints, Report, Rule};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// One SARIF log with every diagnostic and the rules that they break.
pub fn sarif(reports: &[&Report], strict: bool, hints: &dyn Hints) -> String {
    let findings = entries(reports, strict, hints);
    let broken: Vec<&Rule> = rules().filter(|rule| findings.iter().any(|one| one.rule == rule.name)).collect();
    let results: Vec<Value> = findings.iter().map(|finding| result(finding, &broken)).collect();
    let rules: Vec<Value> = broken.iter().map(|rule| descriptor(rule)).collect();
    let log = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": { "name": "chatmd", "version": env!("CARGO_PKG_VERSION"), "rules": rules } },
            "columnKind": "unicodeCodePoints",
            "results": results,
        }],
    });
    format!("{log:#}\n")
}

fn descriptor(rule: &Rule) -> Value {
    json!({
        "id": rule.name,
        "shortDescription": { "text": rule.summary() },
        "help": { "text": rule.page, "markdown": rule.page },
    })
}

fn result(finding: &Entry<'_>, broken: &[&Rule]) -> Value {
    let mut location = json!({
        "physicalLocation": {
            "artifactLocation": { "uri": uri(finding.file) },
            "region": {
                "startLine": finding.line,
                "startColumn": finding.column,
                "endLine": finding.end_line,
                "endColumn": finding.end_column,
            },
        },
    });
    // A value in JSON.
    if let Some(path) = finding.path {
        location["logicalLocations"] = json!([{ "fullyQualifiedName": path }]);
    }
    json!({
        "ruleId": finding.rule,
        "ruleIndex": broken.iter().position(|rule| rule.name == finding.rule),
        "level": finding.severity,
        "message": { "text": format!("{}\n{}", finding.message, finding.help) },
        "locations": [location],
    })
}

/// A path as a URI, with all other characters percent-encoded.
fn uri(path: &str) -> String {
    let escaped = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    path.bytes().map(escaped).collect()
}
