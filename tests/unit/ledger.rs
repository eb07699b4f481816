//! Tests of `src/ledger.rs`.

use crate::api::Api;
use crate::ledger::{Entry, Ledger, rules};
use crate::source::{Sources, Span};

#[test]
fn an_entry_is_a_json_line_with_its_place() {
    let sources = Sources::new();
    let id = sources.add("chat.md", "<user>\n</user>\n".to_owned(), None);
    let mut ledger = Ledger::new(Api::Chat);
    let span = Span::new(id, 7..14);
    ledger.push(Entry::new(rules::HOISTED_PART, "input[3].output[1]", span, "moved").at("messages[4].content[2]"));
    let line = r#"{"rule":"hoisted-part","class":"moved","api":"chat","source":"input[3].output[1]","target":"messages[4].content[2]","file":"chat.md","line":2,"column":1,"message":"moved"}"#;
    assert_eq!(ledger.to_json_lines(&sources), format!("{line}\n"));
    assert!(!ledger.is_refused());
}
