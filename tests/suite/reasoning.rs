//! Reasoning: summaries are always text in a body, whatever the item is called and whatever the text holds.

use chatmd::resources::NoFiles;
use chatmd::{document_of_items, items_of_document};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::generate::text;

/// A reasoning item with these summaries; its `id` is absent, null or a string.
fn item(id: Option<Value>, summaries: &[String]) -> Value {
    let summary: Vec<Value> = summaries.iter().map(|text| json!({ "type": "summary_text", "text": text })).collect();
    let mut item = json!({ "type": "reasoning", "summary": summary });
    if let Some(id) = id {
        item["id"] = id;
    }
    item
}

fn id() -> impl Strategy<Value = Option<Value>> {
    option::of(prop_oneof![Just(Value::Null), text().prop_map(Value::String)])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: ProptestConfig::default().cases.max(1000), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn summaries_are_never_in_a_comment(id in id(), summaries in vec(text(), 0..3)) {
        let items = json!([item(id, &summaries)]);
        let document = document_of_items(&items.to_string()).unwrap();
        prop_assert!(document.starts_with("<reasoning"), "{document}");
        let back: Value = serde_json::from_str(&items_of_document(&document, &NoFiles).unwrap()).unwrap();
        prop_assert_eq!(back, items, "{}", document);
    }
}
