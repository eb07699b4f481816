//! What tags cannot say: JSON in comments.

use std::borrow::Cow;

use crate::diagnostic::{Diagnostics, Problem};
use crate::json::write::{ObjectWriter, array, string};
use crate::json::{Json, JsonError, Object};
use crate::source::Span;

/// The key that lists what is absent where a default would be written.
pub(super) const ABSENT: &str = "-";

/// Keys that only an element's own tag and body can say.
const ELEMENT_KEYS: [&str; 7] = ["type", "role", "content", "output", "arguments", "input", "summary"];

/// A comment's object, with what it says to be absent apart.
#[derive(Default)]
pub(super) struct Metadata<'d> {
    pub(super) members: Object<'d>,
    absent: Vec<Cow<'d, str>>,
}

impl<'d> Metadata<'d> {
    /// Reads a comment's JSON; what is wrong with it is reported at the comment.
    pub(super) fn read(json: &'d str, span: Span, diagnostics: &mut Diagnostics) -> Self {
        Self::parse(json).unwrap_or_else(|error| {
            diagnostics.report(Problem::MalformedDirective(error.to_string()), span);
            Self::default()
        })
    }

    fn parse(json: &'d str) -> Result<Self, JsonError> {
        let mut members = Json::parse(json)?.object()?;
        if let Some((key, value)) = members.repeated().next() {
            return Err(value.malformed("is given twice").within(key));
        }
        let absent = members.take(ABSENT).map(Json::array).transpose()?.unwrap_or_default();
        let absent = absent.into_iter().map(Json::string).collect::<Result<_, _>>()?;
        Ok(Self { members, absent })
    }

    /// The fields of an element, which cannot change what its tag and body say.
    pub(super) fn fields(json: &'d str, span: Span, diagnostics: &mut Diagnostics) -> Self {
        let carried = Self::read(json, span, diagnostics);
        if let Some((key, _)) = carried.members.iter().find(|(key, _)| ELEMENT_KEYS.contains(key)) {
            diagnostics.report(Problem::ForbiddenField(key.to_owned()), span);
        }
        carried
    }

    /// Whether a key has neither a value here nor a default.
    pub(super) fn is_absent(&self, key: &str) -> bool {
        self.absent.iter().any(|absent| absent == key)
    }

    /// Whether nothing is said about a key, so that its default holds.
    pub(super) fn is_silent(&self, key: &str) -> bool {
        !self.is_absent(key) && self.members.get(key).is_none()
    }
}

/// Whether a comment behind an element's tag can say all of these members.
pub(super) fn can_be_fields(members: &Object<'_>) -> bool {
    members.iter().all(|(key, _)| key != ABSENT && !ELEMENT_KEYS.contains(&key))
}

/// Members as the JSON of a comment.
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
    sealed(json)
}

/// JSON that cannot end the comment it stands in. `>` and `--` occur only in strings.
pub(super) fn sealed(json: String) -> String {
    if json.contains('>') || json.contains("--") {
        json.replace('>', "\\u003e").replace("--", "-\\u002d")
    } else {
        json
    }
}
