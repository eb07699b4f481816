//! The vocabulary is one table. The reference describes every row of it, and the document layer understands it.

use std::collections::BTreeSet;

use chatmd::internal::document;
use chatmd::internal::element::{AttributeKind, BodyKind, Tag};
use chatmd::internal::source::Sources;
use chatmd::internal::syntax::Node;
use chatmd::internal::syntax::write::Whitespace;
use serde_json::Value;

use crate::support::examples::examples;
use crate::support::{files, parse};

/// The elements and attributes of a tree.
fn collect(nodes: &[Node<'_>], attributes: &mut BTreeSet<(&'static str, String)>) {
    for node in nodes {
        if let Node::Element(element) = node {
            attributes.insert((element.tag.name(), String::new()));
            for attribute in &element.attributes.0 {
                attributes.insert((element.tag.name(), attribute.name.to_string()));
            }
            collect(&element.children, attributes);
        }
    }
}

#[test]
fn the_reference_shows_every_element_and_attribute() {
    let mut understood = BTreeSet::new();
    for example in files("../docs/language", ".md").iter().flat_map(|path| examples(path)) {
        let sources = Sources::new();
        let (nodes, mut diagnostics) = parse(&sources, &example.source);
        document::lower(&nodes, Whitespace::Layout, &mut diagnostics);
        let mut written = BTreeSet::new();
        collect(&nodes, &mut written);
        let titles: BTreeSet<String> = diagnostics.iter().map(|one| one.message().title.clone()).collect();
        written.retain(|(tag, name)| !titles.contains(&format!("unknown attribute `{name}` on `<{tag}>`")));
        understood.extend(written);
    }
    let mut missing = Vec::new();
    for tag in Tag::ALL {
        let attributes = tag.definition().attributes;
        let listed = attributes.iter().map(|row| row.name).chain([""]).map(|name| (tag.name(), name.to_owned()));
        missing.extend(listed.filter(|attribute| !understood.contains(attribute)));
        if tag.definition().body != BodyKind::Declaration && *tag != Tag::Msg {
            let own = understood.iter().filter(|(element, name)| *element == tag.name() && !name.is_empty());
            let unlisted: Vec<_> = own.filter(|(_, name)| tag.attribute(name).is_none()).collect();
            assert!(unlisted.is_empty(), "not in the vocabulary: {unlisted:?}");
        }
    }
    assert!(missing.is_empty(), "no example in docs/language uses {missing:?}");
}

#[test]
fn every_name_is_found_by_its_own_name_only() {
    for tag in Tag::ALL {
        assert_eq!(Tag::from_name(tag.name()), Some(*tag));
        assert!(tag.name().len() <= Tag::MAX_NAME_LENGTH);
        assert!(tag.name().bytes().all(|b| b.is_ascii_lowercase() || b == b'_'), "{} is not lowercase", tag.name());
    }
}

#[test]
fn names_of_other_formats_mean_elements() {
    for (name, tag) in
        [("human", Tag::User), ("AI", Tag::Assistant), ("message", Tag::Msg), ("tool-use", Tag::ToolCall)]
    {
        assert_eq!((Tag::from_name(name), Tag::meant_by(name)), (None, Some(tag)));
    }
    assert_eq!(Tag::meant_by("br"), None);
}

/// The JSON types of the values that a schema describes.
fn types(root: &Value, schema: &Value, found: &mut BTreeSet<String>) {
    if let Some(name) = schema["$ref"].as_str() {
        types(root, &root["$defs"][name.trim_start_matches("#/$defs/")], found);
    }
    found.extend(schema["type"].as_str().filter(|kind| *kind != "null").map(str::to_owned));
    for branch in ["anyOf", "allOf"].iter().filter_map(|key| schema[key].as_array()).flatten() {
        types(root, branch, found);
    }
}

/// Every schema of a property with this name, in a schema or its alternatives.
fn properties<'s>(root: &'s Value, schema: &'s Value, name: &str, found: &mut Vec<&'s Value>) {
    if let Some(reference) = schema["$ref"].as_str() {
        properties(root, &root["$defs"][reference.trim_start_matches("#/$defs/")], name, found);
    }
    found.extend(schema["properties"].get(name));
    for branch in ["anyOf", "allOf"].iter().filter_map(|key| schema[key].as_array()).flatten() {
        properties(root, branch, name, found);
    }
}

/// The types that attributes of a kind can have, by the names of JSON Schema.
fn expected(kind: AttributeKind) -> &'static [&'static str] {
    match kind {
        AttributeKind::Text | AttributeKind::Nullable => &["string"],
        AttributeKind::TextOrObject | AttributeKind::NullableOrObject | AttributeKind::ToolChoice => {
            &["object", "string"]
        }
        AttributeKind::Number => &["number"],
        AttributeKind::Integer => &["integer"],
        AttributeKind::Boolean => &["boolean"],
        AttributeKind::Object | AttributeKind::TextFormat => &["object"],
        AttributeKind::Array | AttributeKind::List => &["array"],
        AttributeKind::Own
        | AttributeKind::ItemId
        | AttributeKind::EmptyList
        | AttributeKind::Flag
        | AttributeKind::FlagOrFalse
        | AttributeKind::CacheControl
        | AttributeKind::File
        | AttributeKind::Json
        | AttributeKind::Api => &[],
    }
}

#[test]
fn the_types_of_attributes_are_those_of_the_schema() {
    let root: Value = serde_json::from_str(include_str!("../../src/schema/create-response.schema.json")).unwrap();
    let mut compared = 0;
    for (tag, definition) in [(Tag::Config, "CreateResponse"), (Tag::Tool, "Tool")] {
        for row in tag.definition().attributes {
            let is_of_api = row.api.is_none() && !expected(row.kind).is_empty();
            let Some(path) = row.key.filter(|key| is_of_api && !key.starts_with('@')) else { continue };
            let mut schemas = vec![&root["$defs"][definition]];
            for name in path.split('.') {
                let mut inner = Vec::new();
                for schema in schemas {
                    properties(&root, schema, name, &mut inner);
                }
                schemas = inner;
            }
            let mut found = BTreeSet::new();
            for schema in schemas {
                types(&root, schema, &mut found);
            }
            assert_eq!(found.iter().map(String::as_str).collect::<Vec<_>>(), expected(row.kind), "{tag:?} {path}");
            compared += 1;
        }
    }
    assert!(compared > 40, "only {compared} attributes were compared");
}
