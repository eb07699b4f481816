//! The comparison of JSON that the tests use.

use crate::json::normalized;

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
