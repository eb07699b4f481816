//! Reasoning: summaries are always text in a body, for every id and every text.

use std::path::Path;

use chatmd::internal::syntax::write::{self, LineEnding, Whitespace};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::cases::cases;
use crate::generate::text;
use crate::run::chatmd;
use crate::support::{from_response, to_input};

/// A reasoning item with these summaries. Its `id` is absent, null or a string.
fn item(id: Option<Value>, summaries: &[String]) -> Value {
    let summary: Vec<Value> = summaries.iter().map(|text| json!({ "type": "summary_text", "text": text })).collect();
    let mut item = json!({ "type": "reasoning", "summary": summary });
    if let Some(id) = id {
        item["id"] = id;
    }
    item
}

/// A text or a nested summary.
#[derive(Debug, Clone)]
enum Node {
    Text(String),
    Summary(Vec<Node>),
}

fn summary() -> impl Strategy<Value = Node> {
    let leaf = text().prop_map(|text| Node::Summary(vec![Node::Text(text)]));
    leaf.prop_recursive(4, 12, 3, |inner| {
        let children = vec(prop_oneof![text().prop_map(Node::Text), inner], 0..4);
        children.prop_map(|mut children| {
            children.dedup_by(|a, b| matches!((a, b), (Node::Text(_), Node::Text(_))));
            Node::Summary(children)
        })
    })
}

/// Writes a node, every part of it on lines of its own.
fn write(node: &Node, out: &mut String) {
    match node {
        Node::Text(text) => write::text(out, text, Whitespace::Layout, LineEnding::Lf),
        Node::Summary(children) => {
            out.push_str("<summary>");
            for child in children {
                write::end_line(out, LineEnding::Lf);
                write(child, out);
            }
            write::end_line(out, LineEnding::Lf);
            out.push_str("</summary>");
        }
    }
}

/// The texts of a node in order. A summary without content is an empty text.
fn texts(node: &Node) -> Vec<String> {
    match node {
        Node::Text(text) => vec![text.clone()],
        Node::Summary(children) if children.is_empty() => vec![String::new()],
        Node::Summary(children) => children.iter().flat_map(texts).collect(),
    }
}

fn id() -> impl Strategy<Value = Option<Value>> {
    option::of(prop_oneof![Just(Value::Null), text().prop_map(Value::String)])
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn summaries_are_never_in_a_comment(id in id(), summaries in vec(text(), 0..3)) {
        let items = json!([item(id, &summaries)]);
        let document = from_response(&items.to_string()).unwrap().text;
        prop_assert!(document.starts_with("<reasoning"), "{document}");
        let back: Value = serde_json::from_str(&to_input(&document).unwrap()).unwrap();
        prop_assert_eq!(back, items, "{}", document);
    }

    #[test]
    fn summaries_inside_summaries_keep_their_order(summary in summary()) {
        let mut document = "<reasoning>".to_owned();
        write(&summary, &mut document);
        document.push_str("</reasoning>");
        let back: Value = serde_json::from_str(&to_input(&document).unwrap()).unwrap();
        prop_assert_eq!(back, json!([item(None, &texts(&summary))]), "{}", document);
    }
}

#[test]
fn fmt_keeps_the_attributes_of_a_summary_without_text() {
    let document = "<reasoning><summary note=\"x\"><summary>a</summary></summary></reasoning>\n";
    let ran = chatmd(Path::new("."), &["fmt", "-"], &[], document);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), document), "{}", ran.stderr);
}
