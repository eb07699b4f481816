//! Tests of `src/schema/definition.rs`.

use super::{Definition, Schema, TEXT, schema};

#[test]
fn every_keyword_of_the_schema_is_known() {
    let schema: Result<Schema, _> = serde_json::from_str(TEXT);
    assert!(schema.as_ref().is_ok_and(|schema| schema.definitions.len() > 100), "{:?}", schema.err());
}

#[test]
fn the_three_definitions_are_in_the_schema() {
    for definition in [Definition::Request, Definition::Item, Definition::Tool] {
        assert!(schema().node(definition).is_some(), "{definition:?}");
    }
}
