//! Limits that the API documents in prose, not in its schema.

use crate::json::{Json, Kind, Object, Step, StringArena};
use crate::schema::{Violation, ViolationKind};

const MAX_METADATA: usize = 16;
const MAX_KEY_LENGTH: usize = 64;
const MAX_VALUE_LENGTH: usize = 512;
/// The longest name of a tool or of a format.
pub(in crate::lint) const MAX_NAME_LENGTH: usize = 64;
const NAME: &str = "^[a-zA-Z0-9_-]{1,64}$";
/// An MCP server has one of these.
const SERVERS: [&str; 3] = ["server_url", "connector_id", "tunnel_id"];

/// The places in the fields of a request that are beyond a limit.
pub(super) fn of_fields<'j>(fields: &Object<'j>, strings: &'j StringArena) -> Vec<Violation<'j>> {
    let mut violations = Vec::new();
    let metadata = fields.get("metadata").filter(|metadata| metadata.kind() == Kind::Object);
    violations.extend(metadata.into_iter().flat_map(|metadata| of_metadata(metadata, strings)));
    let format = fields.get_object("text").and_then(|text| text.get_object("format"));
    let name =
        format.and_then(|format| format.get("name")).filter(|name| name.as_str().is_ok_and(|name| !is_name(&name)));
    violations.extend(name.map(|name| at(&["text", "format", "name"], name, ViolationKind::NoMatch(NAME))));
    violations
}

/// An MCP server that names none.
pub(super) fn of_tool(tool: Json<'_>) -> Option<Violation<'_>> {
    let members = tool.object().ok()?;
    let is_mcp = members.get_str("type").as_deref() == Some("mcp");
    let has_server = SERVERS.iter().any(|key| members.get(key).is_some());
    (is_mcp && !has_server).then(|| at(&[], tool, ViolationKind::Missing(SERVERS[0])))
}

fn of_metadata<'j>(metadata: Json<'j>, strings: &'j StringArena) -> Vec<Violation<'j>> {
    let members = metadata.object().unwrap_or_default();
    let mut violations = Vec::new();
    if members.iter().nth(MAX_METADATA).is_some() {
        violations.push(at(&["metadata"], metadata, ViolationKind::TooLong(MAX_METADATA)));
    }
    for (key, value) in members.iter() {
        let length = |text: &str| text.chars().count();
        if length(key) > MAX_KEY_LENGTH {
            violations.push(at(&["metadata", key], strings.string(key), ViolationKind::TooLong(MAX_KEY_LENGTH)));
        }
        if value.as_str().is_ok_and(|text| length(&text) > MAX_VALUE_LENGTH) {
            violations.push(at(&["metadata", key], value, ViolationKind::TooLong(MAX_VALUE_LENGTH)));
        }
    }
    violations.truncate(MAX_METADATA);
    violations
}

fn at<'j>(keys: &[&str], value: Json<'j>, kind: ViolationKind) -> Violation<'j> {
    Violation { path: keys.iter().map(|key| Step::Key((*key).to_owned())).collect(), value, kind }
}

/// Whether the API accepts a name of a tool or of a format.
pub(in crate::lint) fn is_name(name: &str) -> bool {
    is_name_of(name, MAX_NAME_LENGTH)
}

/// Whether a name has only accepted characters, and at most `longest` of them.
pub(in crate::lint) fn is_name_of(name: &str, longest: usize) -> bool {
    let is_allowed = |b: u8| b.is_ascii_alphanumeric() || b == b'_' || b == b'-';
    (1..=longest).contains(&name.len()) && name.bytes().all(is_allowed)
}
