//! Tests of `src/json/compare.rs`.

use super::{MAX_LINEAR_SEARCH, is_same, is_spelled_as};
use crate::json::StringArena;

#[test]
fn only_the_same_values_are_accepted_without_an_index() {
    let strings = StringArena::default();
    let texts = [
        r#"{"a":1,"b":[true,"x\n"],"c":{}}"#,
        r#"{"c":{},"b":[true,"x\n"],"a":1}"#,
        r#"{"a":12,"b":[true,"x\n"],"c":{}}"#,
        r#"{"a":1,"b":[true],"c":{}}"#,
        r#"{"a":1,"a":1,"c":{}}"#,
        r#"{"a":1,"b":[true,"x\n"]}"#,
        r#"{"a":1,"a":2}"#,
        r#"{"a":2,"a":1}"#,
        r#"{"a":1,"\u0061":2}"#,
        r#"{"\u0061":2,"a":1}"#,
        "[]",
        "[[]]",
        "{}",
        "1",
        "12",
    ];
    let values = texts.map(|text| strings.written(text));
    for one in values {
        for other in values {
            assert!(!is_spelled_as(other.raw(), one) || is_same(one, other), "{one:?} and {other:?}");
        }
    }
    assert!(is_spelled_as(texts[1], values[0]));
    let spaced = strings.written("{ \"b\" : [1, 2],\n \"a\": \"\" }");
    assert!(is_spelled_as(r#"{"a":"","b":[1,2]}"#, spaced));
    assert!(!is_spelled_as(r#"{"a":"","b":[1,2]}}"#, spaced));
}

#[test]
fn objects_with_many_keys_are_not_accepted_without_an_index() {
    let strings = StringArena::default();
    for count in 1..40 {
        let members: Vec<String> = (0..count).map(|at| format!("\"k{at}\":{at}")).collect();
        let text = format!("{{{}}}", members.join(","));
        assert_eq!(is_spelled_as(&text, strings.written(&text)), count <= MAX_LINEAR_SEARCH, "{count}");
    }
}
