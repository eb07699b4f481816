//! JSON that is laid out over lines.

use chatmd::internal::json::{Json, StringArena, lay_out};
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::cases::cases;
use crate::generate::text;

#[test]
fn short_json_stands_on_one_line() {
    assert_eq!(
        lay_out(r#"{ "a":[1 ,2.50],"b":{},"c" : "\u003c:,"}"#, 0, 0),
        r#"{"a": [1, 2.50], "b": {}, "c": "\u003c:,"}"#
    );
}

#[test]
fn long_json_is_broken_where_it_does_not_fit() {
    let (wide, short) = ("x".repeat(60), r#"{"type":"string"}"#);
    let json = format!(r#"{{"a":{short},"b":["{wide}","{wide}"],"c":[]}}"#);
    let expected = format!(
        "{{\n  \"a\": {{\"type\": \"string\"}},\n  \"b\": [\n    \"{wide}\",\n    \"{wide}\"\n  ],\n  \"c\": []\n}}"
    );
    assert_eq!(lay_out(&json, 0, 0), expected);
}

#[test]
fn a_line_has_at_most_100_columns() {
    let json = |length: usize| format!(r#"{{"a":"{}"}}"#, "é".repeat(length));
    // `{"a": ""}` has nine characters.
    assert_eq!(lay_out(&json(91), 0, 0).lines().count(), 1);
    assert_eq!(lay_out(&json(92), 0, 0).lines().count(), 3);
    assert_eq!(lay_out(&json(91), 1, 0).lines().count(), 3, "it starts in another column");
    assert_eq!(lay_out(&json(91), 0, 1).lines().count(), 3, "something follows it");
}

#[test]
fn the_result_is_linear_in_the_input() {
    let deep = "[".repeat(127) + &"\"0123456789\",".repeat(20_000) + "0" + &"]".repeat(127);
    assert!(lay_out(&deep, 0, 0).len() < 6 * deep.len());
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        text().prop_map(|text| json!(text)),
        any::<i64>().prop_map(|number| json!(number)),
        Just(json!(null))
    ];
    leaf.prop_recursive(4, 40, 5, |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::Array),
            proptest::collection::vec((text(), inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn layout_changes_only_whitespace_and_is_stable(value in value(), column in 0_usize..120) {
        let json = value.to_string();
        let laid_out = lay_out(&json, column, 4);
        let strings = StringArena::default();
        prop_assert_eq!(Json::parse(&laid_out, &strings).unwrap().compact(), json);
        prop_assert_eq!(lay_out(&laid_out, column, 4), laid_out.clone());
        // A line is longer only if it holds one value that cannot be broken.
        for line in laid_out.lines().skip(1).filter(|line| line.chars().count() > 100) {
            let value = line.trim().trim_end_matches(',');
            let is_one = |text: &str| serde_json::from_str::<Value>(text).is_ok_and(|value| !value.is_array() && !value.is_object());
            let member = serde_json::from_str::<Value>(&format!("{{{value}}}"));
            let is_member = member.is_ok_and(|member| member.as_object().is_some_and(|members| members.len() == 1));
            prop_assert!(is_one(value) || is_member || value.ends_with(['[', '{']), "{}", line);
        }
    }
}
