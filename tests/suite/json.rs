//! Comparing JSON as values: objects without order, strings by their characters, numbers as they are spelled.
//!
//! It shares no code with the library, so that both cannot be wrong together.

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

#[test]
fn equal_values_have_one_spelling() {
    for (one, other) in [
        (r#"{"a":1,"b":[]}"#, " { \"b\" : [ ] , \"a\" : 1 } "),
        (r#""\u00e9\/""#, "\"é/\""),
        ("[1.0,1e2]", "[ 1.0 , 1e2 ]"),
        (r#""\ud800""#, r#""\ud800""#),
    ] {
        assert_eq!(normalized(one), normalized(other));
    }
}

#[test]
fn different_values_have_different_spellings() {
    for (one, other) in [
        ("1.0", "1"),
        ("1e2", "100"),
        ("-0", "0"),
        ("123456789012345678901234567890", "123456789012345678901234567891"),
        ("\"1\"", "1"),
        ("[1,2]", "[2,1]"),
        ("null", "\"null\""),
        (r#"{"a":null}"#, "{}"),
        (r#"{"a":1,"a":1}"#, r#"{"a":1}"#),
        (r#"{"$serde_json::private::Number":"1"}"#, "1"),
        (r#""\ud800""#, r#""\ud801""#),
    ] {
        assert_ne!(normalized(one), normalized(other));
    }
}
