//! Tests of `src/schema/pattern.rs`.

use super::{matches, parse};

#[test]
fn a_pattern_is_a_literal_and_a_class() {
    assert!(matches("^[a-zA-Z0-9_-]+$", "get-weather_2"));
    assert!(!matches("^[a-zA-Z0-9_-]+$", "get weather"));
    assert!(!matches("^[a-zA-Z0-9_-]+$", ""));
    assert!(matches("^t_[a-z0-9]{3}$", "t_a1b"));
    assert!(!matches("^t_[a-z0-9]{3}$", "t_a1"));
    assert!(!matches("^t_[a-z0-9]{3}$", "u_a1b"));
}

#[test]
fn every_pattern_of_the_schema_is_understood() {
    let patterns: Vec<&str> = crate::schema::definition::TEXT.split("\"pattern\": \"").skip(1).collect();
    assert!(!patterns.is_empty());
    for pattern in patterns {
        let pattern = pattern.split('"').next().unwrap_or_default();
        assert!(parse(pattern).is_some(), "{pattern}");
    }
}
