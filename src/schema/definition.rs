//! The schema as it is read: only the keywords that it uses.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use serde::Deserialize;

use super::{Definition, Type};

/// The text of the schema.
pub(super) const TEXT: &str = include_str!("create-response.schema.json");

/// The whole schema. It is read when it is needed first.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Schema {
    #[serde(rename = "$defs")]
    pub(super) definitions: HashMap<String, Node>,
}

/// What one value must be. Another keyword is an error of the schema.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Node {
    #[serde(rename = "$ref")]
    reference: Option<String>,
    #[serde(rename = "type")]
    pub(super) kind: Option<Type>,
    pub(super) any_of: Vec<Node>,
    pub(super) all_of: Vec<Node>,
    #[serde(rename = "enum")]
    pub(super) known: Vec<String>,
    pub(super) properties: BTreeMap<String, Node>,
    pub(super) additional_properties: Option<Additional>,
    pub(super) required: Vec<String>,
    pub(super) max_properties: Option<usize>,
    pub(super) items: Option<Box<Node>>,
    pub(super) min_items: Option<usize>,
    pub(super) max_items: Option<usize>,
    pub(super) min_length: Option<usize>,
    pub(super) max_length: Option<usize>,
    pub(super) pattern: Option<String>,
    pub(super) minimum: Option<f64>,
    pub(super) maximum: Option<f64>,
}

/// What the other keys of an object may hold.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(super) enum Additional {
    /// Anything, or nothing.
    Any(bool),
    /// Values of this kind.
    Of(Box<Node>),
}

/// The schema. One that cannot be read, which a test rules out, accepts everything.
pub(super) fn schema() -> &'static Schema {
    static SCHEMA: OnceLock<Schema> = OnceLock::new();
    SCHEMA.get_or_init(|| serde_json::from_str(TEXT).unwrap_or_default())
}

impl Schema {
    /// The node of a definition.
    pub(super) fn node(&self, definition: Definition) -> Option<&Node> {
        self.definitions.get(match definition {
            Definition::Request => "CreateResponse",
            Definition::Item => "InputItem",
            Definition::Tool => "Tool",
        })
    }

    /// The node that a node refers to, or itself.
    fn resolve<'s>(&'s self, node: &'s Node) -> &'s Node {
        let name = node.reference.as_deref().and_then(|reference| reference.strip_prefix("#/$defs/"));
        name.and_then(|name| self.definitions.get(name)).unwrap_or(node)
    }

    /// The nodes that a value may be one of.
    pub(super) fn branches<'s>(&'s self, node: &'s Node, branches: &mut Vec<&'s Node>) {
        let node = self.resolve(node);
        if node.any_of.is_empty() {
            branches.push(node);
        } else {
            node.any_of.iter().for_each(|branch| self.branches(branch, branches));
        }
    }

    /// The nodes that an object must be all of.
    pub(super) fn shapes<'s>(&'s self, node: &'s Node, shapes: &mut Vec<&'s Node>) {
        let node = self.resolve(node);
        if node.all_of.is_empty() {
            shapes.push(node);
        } else {
            node.all_of.iter().for_each(|shape| self.shapes(shape, shapes));
        }
    }

    /// The strings that a property of a node may be; `None` if the node has no such property, or it may be any string.
    pub(super) fn known<'s>(&'s self, node: &'s Node, key: &str) -> Option<Vec<&'s str>> {
        let mut branches = Vec::new();
        self.branches(node.properties.get(key)?, &mut branches);
        let known: Vec<&str> = branches.iter().flat_map(|branch| &branch.known).map(String::as_str).collect();
        (!known.is_empty()).then_some(known)
    }
}

#[cfg(test)]
mod tests {
    use super::{Schema, TEXT};

    #[test]
    fn every_keyword_of_the_schema_is_known() {
        let schema: Result<Schema, _> = serde_json::from_str(TEXT);
        assert!(schema.as_ref().is_ok_and(|schema| schema.definitions.len() > 100), "{:?}", schema.err());
    }
}
