//! The schema as it is read: only the keywords that it uses.

use std::collections::{BTreeMap, HashMap};
use std::sync::OnceLock;

use serde::Deserialize;

use super::{Definition, Type};

/// The text of the schema.
pub(super) const TEXT: &str = include_str!("create-response.schema.json");

/// The keys that identify the kind of an object.
pub(super) const DISCRIMINATORS: [&str; 2] = ["type", "role"];

/// The whole schema. It is read when it is needed first.
#[derive(Default, Deserialize)]
pub(super) struct Schema {
    /// The date and the version of the API: `the API of 2026-11-12 (openai 3.51.0)`.
    pub(super) title: String,
    #[serde(rename = "$defs")]
    pub(super) definitions: HashMap<String, Node>,
}

/// The constraints of one value. Any other keyword is an error of the schema.
#[derive(Default, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Node {
    #[serde(rename = "$ref")]
    reference: Option<String>,
    #[serde(rename = "type")]
    kind: Option<Type>,
    any_of: Vec<Node>,
    all_of: Vec<Node>,
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
    /// The branches that a value may match, computed on first use.
    #[serde(skip)]
    branches: OnceLock<Vec<Branch>>,
}

/// One alternative that a value may match.
pub(super) struct Branch {
    /// Its constraints, without those of `shapes`.
    pub(super) node: &'static Node,
    /// The nodes that an object must match, all of them.
    pub(super) shapes: Vec<&'static Node>,
    /// The type that it requires.
    pub(super) kind: Option<Type>,
    /// The strings that each discriminator may be; `None` if there is no such property, or it may be any string.
    pub(super) known: [Option<Vec<&'static str>>; DISCRIMINATORS.len()],
}

/// The constraints of additional properties.
#[derive(Deserialize)]
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

    /// What a value may be one of.
    pub(super) fn branches(&'static self, node: &'static Node) -> &'static [Branch] {
        node.branches.get_or_init(|| self.alternatives(node).into_iter().map(|node| self.branch(node)).collect())
    }

    fn branch(&'static self, node: &'static Node) -> Branch {
        let shapes = self.shapes(node);
        let kind = node.kind.or_else(|| shapes.first().and_then(|shape| shape.kind));
        let known = DISCRIMINATORS.map(|key| {
            let alternatives = self.alternatives(node.properties.get(key)?);
            let known: Vec<&str> = alternatives.into_iter().flat_map(|node| &node.known).map(String::as_str).collect();
            (!known.is_empty()).then_some(known)
        });
        Branch { node, shapes, kind, known }
    }

    /// The nodes that a value may be one of, with references followed.
    fn alternatives<'s>(&'s self, node: &'s Node) -> Vec<&'s Node> {
        let node = self.resolve(node);
        if node.any_of.is_empty() {
            return vec![node];
        }
        node.any_of.iter().flat_map(|branch| self.alternatives(branch)).collect()
    }

    /// The nodes that an object must be all of, with references followed.
    fn shapes<'s>(&'s self, node: &'s Node) -> Vec<&'s Node> {
        let node = self.resolve(node);
        if node.all_of.is_empty() {
            return vec![node];
        }
        node.all_of.iter().flat_map(|shape| self.shapes(shape)).collect()
    }

    /// The node that a node refers to, or itself.
    fn resolve<'s>(&'s self, node: &'s Node) -> &'s Node {
        let name = node.reference.as_deref().and_then(|reference| reference.strip_prefix("#/$defs/"));
        name.and_then(|name| self.definitions.get(name)).unwrap_or(node)
    }
}

#[cfg(test)]
#[path = "../../tests/unit/schema_definition.rs"]
mod tests;
