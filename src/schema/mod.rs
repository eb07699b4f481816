//! Types, ranges, known values and required keys, from the public description of the API.
//!
//! Without the feature `schema` nothing is known, so nothing is wrong.

#[cfg(feature = "schema")]
mod definition;
#[cfg(feature = "schema")]
mod evaluate;
#[cfg(not(feature = "schema"))]
#[path = "no_evaluate.rs"]
mod evaluate;
#[cfg(feature = "schema")]
mod pattern;

pub(crate) use evaluate::{described_api, violations};

use crate::json::Json;
use crate::json::Step;
use serde::Deserialize;

/// Which definition a value is checked against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Definition {
    /// A request.
    Request,
    /// An element of `input`.
    Item,
    /// An element of `tools`.
    Tool,
}

/// The types of values. A whole number is a number too.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Type {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

/// A place in a value that the API does not accept.
#[derive(Debug, Clone)]
pub(crate) struct Violation<'j> {
    /// The path of the place.
    pub(crate) path: Vec<Step>,
    /// The value there.
    pub(crate) value: Json<'j>,
    /// What is wrong with it.
    pub(crate) kind: ViolationKind,
}

/// What is wrong with a value.
#[cfg_attr(not(feature = "schema"), allow(dead_code))] // never constructed
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ViolationKind {
    /// It has none of these types.
    WrongType(Vec<Type>),
    /// It is a string that is not among the known ones.
    UnknownValue(Vec<&'static str>),
    /// A number is less than this.
    TooSmall(f64),
    /// A number is greater than this.
    TooLarge(f64),
    /// A string, an array or an object has less than this many characters, elements or keys.
    TooShort(usize),
    /// A string, an array or an object has more than this many characters, elements or keys.
    TooLong(usize),
    /// A string does not match this pattern.
    NoMatch(&'static str),
    /// The object lacks this key.
    Missing(&'static str),
    /// The key of this value, the last step of the path, is not among the known ones.
    UnknownKey(Vec<&'static str>),
}

/// A path as the API writes it: `content[0].detail`.
pub(crate) fn display(path: &[Step]) -> String {
    let mut out = String::new();
    for step in path {
        match step {
            Step::Key(key) if out.is_empty() => out.push_str(key),
            Step::Key(key) => out.extend([".", key]),
            Step::Index(index) => out.extend(["[", &index.to_string(), "]"]),
        }
    }
    out
}
