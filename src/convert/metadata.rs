//! Metadata: JSON in `chatmd:` comments, for whatever tags and attributes cannot express.

use std::borrow::Cow;

use crate::diagnostic::{Diagnostics, DirectiveProblem};
use crate::json::write::{ObjectWriter, array, string};
use crate::json::{Json, JsonError, Object, StringArena};
use crate::source::Span;

/// The key whose value lists fields that do not get their default.
pub(super) const ABSENT: &str = "-";

/// Keys that only an element's own tag and body may set.
const ELEMENT_KEYS: [&str; 7] = ["type", "role", "content", "output", "arguments", "input", "summary"];

/// A comment's object, and the keys that it lists as absent.
#[derive(Default)]
pub(super) struct Metadata<'d> {
    pub(super) members: Object<'d>,
    absent: Vec<Cow<'d, str>>,
}

impl<'d> Metadata<'d> {
    /// Reads a comment's JSON. Problems are reported at the comment.
    pub(super) fn read(json: &'d str, span: Span, strings: &'d StringArena, diagnostics: &mut Diagnostics) -> Self {
        Self::parse(json, strings).unwrap_or_else(|error| {
            diagnostics.report(DirectiveProblem::MalformedDirective(error.to_string()), span);
            Self::default()
        })
    }

    fn parse(json: &'d str, strings: &'d StringArena) -> Result<Self, JsonError> {
        let mut members = Json::parse(json, strings)?.object()?;
        if let Some((key, value)) = members.repeated().next() {
            return Err(value.malformed("is given twice").within(key));
        }
        let absent = members.take(ABSENT).map(Json::array).transpose()?.unwrap_or_default();
        let absent = absent.into_iter().map(Json::as_str).collect::<Result<_, _>>()?;
        Ok(Self { members, absent })
    }

    /// Reads `chatmd:fields`, which must not set what the tag and the body set.
    pub(super) fn fields(json: &'d str, span: Span, strings: &'d StringArena, diagnostics: &mut Diagnostics) -> Self {
        let metadata = Self::read(json, span, strings, diagnostics);
        if let Some((key, _)) = metadata.members.iter().find(|(key, _)| ELEMENT_KEYS.contains(key)) {
            diagnostics.report(DirectiveProblem::ForbiddenField(key.to_owned()), span);
        }
        metadata
    }

    /// Whether a key is listed as absent, so that its default is not written.
    pub(super) fn is_absent(&self, key: &str) -> bool {
        self.absent.iter().any(|absent| absent == key)
    }

    /// Whether the comment does not mention a key, so that its default applies.
    pub(super) fn is_unmentioned(&self, key: &str) -> bool {
        !self.is_absent(key) && self.members.get(key).is_none()
    }
}

/// Whether `chatmd:fields` may hold all of these members.
pub(super) fn can_be_fields(members: &Object<'_>) -> bool {
    members.iter().all(|(key, _)| key != ABSENT && !ELEMENT_KEYS.contains(&key))
}

/// Writes members as the JSON of a comment.
pub(super) fn comment(members: &Object<'_>, kind: Option<&str>, absent: &[&str]) -> String {
    let mut json = String::new();
    let mut object = ObjectWriter::new(&mut json);
    if let Some(kind) = kind {
        object.text("type", kind);
    }
    object.members(members);
    if !absent.is_empty() {
        array(object.key(ABSENT), absent, |out, key| string(out, key));
    }
    object.end();
    escape_comment(json)
}

/// Escapes JSON so that it cannot end its comment. `>` and `--` occur only in strings.
pub(crate) fn escape_comment(json: String) -> String {
    if json.contains('>') || json.contains("--") {
        json.replace('>', "\\u003e").replace("--", "-\\u002d")
    } else {
        json
    }
}
