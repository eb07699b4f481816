//! Diagnostics as SARIF 2.1.0, the format of code-scanning services.

use serde::Serialize;

use super::formats::{Entry, entries};
use super::rules::rules;
use crate::diagnostic::{Hints, Report, Rule};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

#[derive(Serialize)]
struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    column_kind: &'static str,
    results: Vec<Outcome>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Descriptor>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Descriptor {
    id: &'static str,
    short_description: Text,
    help: Text,
}

#[derive(Serialize)]
struct Text {
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    markdown: Option<&'static str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Outcome {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Text,
    locations: [Location; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: Physical,
    #[serde(skip_serializing_if = "Option::is_none")]
    logical_locations: Option<[Logical; 1]>,
}

/// A value in JSON, by its path.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Logical {
    fully_qualified_name: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Physical {
    artifact_location: Artifact,
    region: Region,
}

#[derive(Serialize)]
struct Artifact {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: usize,
    start_column: usize,
    end_line: usize,
    end_column: usize,
}

/// One SARIF log with every diagnostic and the rules that they break.
pub fn sarif(reports: &[&Report], strict: bool, hints: &dyn Hints) -> String {
    let findings = entries(reports, strict, hints);
    let broken: Vec<&Rule> = rules().filter(|rule| findings.iter().any(|one| one.rule == rule.name)).collect();
    let results = findings.iter().filter_map(|one| outcome(one, &broken)).collect();
    let rules = broken.iter().map(|rule| descriptor(rule)).collect();
    let driver = Driver { name: "chatmd", version: env!("CARGO_PKG_VERSION"), rules };
    let run = Run { tool: Tool { driver }, column_kind: "unicodeCodePoints", results };
    let log = Log { schema: SCHEMA, version: "2.1.0", runs: [run] };
    serde_json::to_string_pretty(&log).unwrap_or_default() + "\n"
}

fn descriptor(rule: &Rule) -> Descriptor {
    Descriptor {
        id: rule.name,
        short_description: Text::plain(rule.summary()),
        help: Text { text: rule.page.to_owned(), markdown: Some(rule.page) },
    }
}

fn outcome(one: &Entry<'_>, broken: &[&Rule]) -> Option<Outcome> {
    let region = Region {
        start_line: one.lines.line,
        start_column: one.lines.column,
        end_line: one.lines.end_line,
        end_column: one.lines.end_column,
    };
    let logical_locations = one.path.map(|path| [Logical { fully_qualified_name: path.to_owned() }]);
    let physical_location = Physical { artifact_location: Artifact { uri: uri(one.file) }, region };
    Some(Outcome {
        rule_id: one.rule,
        rule_index: broken.iter().position(|rule| rule.name == one.rule)?,
        level: one.severity,
        message: Text::plain(format!("{}\n{}", one.message, one.help)),
        locations: [Location { physical_location, logical_locations }],
    })
}

impl Text {
    fn plain(text: impl Into<String>) -> Self {
        Self { text: text.into(), markdown: None }
    }
}

/// A path as a URI, with all other characters percent-encoded.
fn uri(path: &str) -> String {
    let escaped = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'.' | b'-' | b'_' | b'~' => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    };
    path.bytes().map(escaped).collect()
}
