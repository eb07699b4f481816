//! The JSON in a document.

use std::borrow::Cow;
use std::ops::Deref;

use crate::json::{is_valid, lay_out};

/// JSON as it is written. Whitespace between its tokens means nothing.
#[derive(Debug, Clone)]
pub struct JsonText<'s>(pub Cow<'s, str>);

impl Deref for JsonText<'_> {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl PartialEq for JsonText<'_> {
    fn eq(&self, other: &Self) -> bool {
        let is_json = |text: &Self| is_valid(text);
        self.0 == other.0 || is_json(self) && is_json(other) && lay_out(self, 0, 0) == lay_out(other, 0, 0)
    }
}

impl<'s> From<&'s str> for JsonText<'s> {
    fn from(json: &'s str) -> Self {
        JsonText(Cow::Borrowed(json))
    }
}

impl From<String> for JsonText<'_> {
    fn from(json: String) -> Self {
        JsonText(Cow::Owned(json))
    }
}
