//! Comparing JSON as values: objects without order, strings by their characters, numbers as they are spelled.
//!
//! It shares no code with the library, so that both cannot be wrong together.
#![allow(dead_code)] // each test binary uses a part

use std::fmt::{self, Write};

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;

/// JSON in the one spelling that all equal values share, a line for each member. A key that is there twice
/// is there twice, and a string that has no UTF-8 stays as it is spelled.
pub(crate) fn normalized(json: &str) -> String {
    let raw: &RawValue = serde_json::from_str(json).unwrap_or_else(|error| panic!("{error} in {json}"));
    let mut out = String::new();
    spell(&mut out, raw.get(), 0);
    out
}

fn spell(out: &mut String, json: &str, depth: usize) {
    let indent = "  ".repeat(depth);
    match json.as_bytes()[0] {
        b'{' => {
            let Members(mut members) = serde_json::from_str(json).unwrap();
            members.sort_by(|one, other| one.0.cmp(&other.0));
            out.push_str("{\n");
            for (key, value) in members {
                write!(out, "{indent}  {key:?}: ").unwrap();
                spell(out, value.get(), depth + 1);
                out.push('\n');
            }
            write!(out, "{indent}}}").unwrap();
        }
        b'[' => {
            let elements: Vec<&RawValue> = serde_json::from_str(json).unwrap();
            out.push_str("[\n");
            for element in elements {
                write!(out, "{indent}  ").unwrap();
                spell(out, element.get(), depth + 1);
                out.push('\n');
            }
            write!(out, "{indent}]").unwrap();
        }
        b'"' => match serde_json::from_str::<String>(json) {
            Ok(text) => write!(out, "{text:?}").unwrap(),
            Err(_) => write!(out, "as spelled {json}").unwrap(),
        },
        _ => out.push_str(json),
    }
}

/// All members of an object, also those whose keys come again.
pub(crate) struct Members<'j>(pub(crate) Vec<(String, &'j RawValue)>);

impl<'j> Deserialize<'j> for Members<'j> {
    fn deserialize<D: Deserializer<'j>>(deserializer: D) -> Result<Self, D::Error> {
        struct Every;
        impl<'j> Visitor<'j> for Every {
            type Value = Members<'j>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'j>>(self, mut map: A) -> Result<Members<'j>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Every)
    }
}
