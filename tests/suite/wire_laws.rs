//! Laws of all APIs, for arbitrary documents: a request comes back, every difference is in the ledger, nothing that another
//! issuer made is sent, data is never a text, and the beginning of a document is the beginning of its request.

use std::collections::BTreeSet;

use chatmd::api::Api;
use chatmd::options::ReadOptions;
use chatmd::{Converter, RequestOptions, ResponseOptions};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{select, subsequence};
use serde_json::{Value, json};

use crate::cases::cases;
use crate::generate::text;
use crate::items::{self, item};
use crate::json::normalized;

const APIS: [Api; 3] = [Api::Responses, Api::Messages, Api::Chat];
const OTHERS: [Api; 2] = [Api::Messages, Api::Chat];
const ISSUERS: [(&str, Option<Api>); 4] =
    [("openai", Some(Api::Responses)), ("anthropic", Some(Api::Messages)), ("chat", Some(Api::Chat)), ("other", None)];
/// The bytes of a PNG image and of a PDF file.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk";
const PDF: &str = "JVBERi0xLjQKJcOkw7zDtsOfCjIgMCBvYmoKPDwvTGVuZ3RoIDMgMCBSL0Zp";

const HEADS: [&str; 3] = [
    "<config model=\"m\" max_tokens=\"9\" temperature=\"1\" reasoning_effort=\"low\"/>",
    "<tool name=\"f\" description=\"d\">\n{\"type\":\"object\",\"properties\":{}}\n</tool>",
    "<system instructions cache_control>\nBe brief.\n</system>",
];

/// Elements of a conversation. Everything that one issuer made has the word `sealed` with its name.
fn element() -> impl Strategy<Value = String> {
    let said = select(vec!["Hello.", "On my way.\n\nNow.", "[part sha256:000000000000 of c1]", "RAW|x|RAW"]);
    let said = || said.clone();
    let image = format!("<img src=\"data:image/png;base64,{PNG}\"/>");
    let file = format!("<doc src=\"data:application/pdf;base64,{PDF}\" file filename=\"a.pdf\"/>");
    let id = || select(vec!["c1", "c2", "c d"]);
    let issuer = || select(ISSUERS.map(|(name, _)| name).to_vec());
    let foreign =
        |name: &str| format!("{{\"issuer\":\"{name}\",\"block\":{{\"type\":\"b\",\"data\":\"sealed-{name}\"}}}}");
    let call = |id: &str| format!("<tool_call function_name=\"f\" tool_call_id=\"{id}\">\n{{\"a\": 1}}\n</tool_call>");
    let output = |id: &str, attribute: &str, body: &str| {
        format!("<tool_response tool_call_id=\"{id}\"{attribute}>\n{body}\n</tool_response>")
    };
    let (image_of_user, image_of_output) = (image.clone(), image.clone());
    prop_oneof![
        3 => said().prop_map(|text| format!("<user>\n{text}\n</user>")),
        3 => said().prop_map(|text| format!("<assistant>\n{text}\n</assistant>")),
        1 => said().prop_map(|text| format!("<developer>\n{text}\n</developer>")),
        1 => said().prop_map(|text| format!("<user cache_control=\"1h\" name=\"ann\">\n{text}\n</user>")),
        1 => said().prop_map(move |text| format!("<user>\n{text}\n{image_of_user}\n{file}\n</user>")),
        1 => said().prop_map(|text| format!("<user><!-- chatmd:fields {{\"@messages\":{{\"@at\":\"new\"}}}} -->\n{text}\n</user>")),
        3 => id().prop_map(call),
        2 => (id(), said()).prop_map(move |(id, text)| output(id, "", text)),
        1 => (id(), said()).prop_map(move |(id, text)| output(id, " error", text)),
        2 => (id(), said()).prop_map(move |(id, text)| output(id, "", &format!("{text}\n{image_of_output}"))),
        1 => issuer().prop_map(|name| format!("<reasoning issuer=\"{name}\" signature=\"sealed-{name}\">\nsealed-{name}\n</reasoning>")),
        1 => issuer().prop_map(|name| format!("<reasoning issuer=\"{name}\" redacted=\"sealed-{name}\"></reasoning>")),
        1 => Just("<reasoning id=\"rs_1\"><encrypted>sealed-openai</encrypted>\n<summary>\nsealed-openai\n</summary>\n</reasoning>".to_owned()),
        1 => issuer().prop_map(move |name| format!("<!-- chatmd:foreign {} -->", foreign(name))),
        1 => select(vec!["chat", "messages"]).prop_map(|api| {
            let issuer = if api == "chat" { "chat" } else { "anthropic" };
            format!("<!-- chatmd:foreign {{\"api\":\"{api}\",\"message\":{{\"role\":\"user\",\"content\":[],\"x\":\"sealed-{issuer}\"}}}} -->")
        }),
        1 => Just("<user>\n<img file_id=\"sealed-anthropic\" issuer=\"anthropic\"/>\n</user>".to_owned()),
    ]
}

fn document() -> impl Strategy<Value = String> {
    (subsequence(&HEADS[..], 0..=HEADS.len()), vec(element(), 1..7)).prop_map(|(heads, elements)| {
        heads.into_iter().map(str::to_owned).chain(elements).collect::<Vec<_>>().join("\n\n")
    })
}

fn options(api: Api) -> RequestOptions {
    let set = if api == Api::Messages { vec![("max_tokens".to_owned(), "9".to_owned())] } else { Vec::new() };
    RequestOptions { api: Some(api), model: Some("m".to_owned()), set, ..RequestOptions::default() }
}

/// The request for an API and its ledger; `None` if something is refused.
fn request(document: &str, api: Api) -> Option<(String, Vec<Value>)> {
    let request = Converter::new().to_request(document, &options(api)).ok()?;
    let entries = request.warnings.ledger().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    Some((request.value, entries))
}

/// The document of a request.
fn document_of(request: &str, api: Api) -> String {
    let read = ReadOptions { api: Some(api), ..ReadOptions::default() };
    Converter::new().from_response(request, &ResponseOptions { read, ..ResponseOptions::default() }).unwrap().text
}

/// Every item in pieces that do not depend on the division into messages. Other APIs have one type of text.
fn pieces(items: &[Value]) -> Vec<Value> {
    let parts = |item: &Value| -> Vec<Value> {
        match (item["role"].as_str(), item["content"].as_array()) {
            (Some("assistant"), Some(parts)) => parts.iter().map(|part| json!(["assistant", part["text"]])).collect(),
            _ => vec![with_one_type_of_text(item)],
        }
    };
    items.iter().flat_map(parts).collect()
}

fn with_one_type_of_text(item: &Value) -> Value {
    let mut item = item.clone();
    for list in ["content", "output"] {
        for part in item.get_mut(list).and_then(Value::as_array_mut).into_iter().flatten() {
            if ["output_text", "text"].iter().any(|kind| part["type"] == *kind) {
                part["type"] = json!("input_text");
            }
            // The way back names a file without a name.
            if let Some(part) = part.as_object_mut() {
                part.retain(|key, value| key != "filename" || !value.is_null() && value != "file.pdf");
            }
        }
    }
    item
}

fn input(document: &str) -> Vec<Value> {
    // A document without any item is an error.
    let options = RequestOptions { api: Some(Api::Responses), ..RequestOptions::default() };
    let Ok(input) = Converter::new().to_input(document, &options) else { return Vec::new() };
    serde_json::from_str(&input.value).unwrap()
}

/// The texts that a model reads, and those of calls.
fn texts(value: &Value) -> Vec<&str> {
    match value {
        Value::Object(members) => members
            .iter()
            .flat_map(|(key, value)| match value {
                Value::String(text) if !["data", "url", "image_url", "file_data"].contains(&key.as_str()) => {
                    vec![text.as_str()]
                }
                _ => texts(value),
            })
            .collect(),
        Value::Array(elements) => elements.iter().flat_map(texts).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    }
}

/// A part whose type only another API has is not sent. If the type is a text, the members of the other API are noted.
#[test]
fn a_part_of_another_api_has_an_entry() {
    let part = |block: &str, text: &str| format!("<user>\n<!-- chatmd:part {block} -->\n{text}\n</user>");
    for (block, text, api, rule) in [
        (r#"{"@messages":{"type":"text","text":"a \ud800"}}"#, "RAW||RAW", Api::Chat, "unsent-part"),
        (r#"{"@messages":{"type":"text","text":"a \ud800"}}"#, "RAW||RAW", Api::Responses, "unsent-part"),
        (r#"{"@messages":{"type":"text","citations":[]}}"#, "Cited.", Api::Chat, "unsent-keys"),
        (r#"{"@messages":{"type":"document","source":{"type":"text"}}}"#, "Text.", Api::Chat, "respelled-file"),
        (r#"{"@messages":{"type":"search_result"}}"#, "RAW||RAW", Api::Chat, "unsent-part"),
        (r#"{"@chat":{"type":"video_url"}}"#, "RAW||RAW", Api::Messages, "unsent-part"),
    ] {
        let document = format!("{}\n\n<user>\nLook.\n</user>", part(block, text));
        let (sent, entries) = request(&document, api).unwrap();
        let rules: Vec<&str> = entries.iter().filter_map(|entry| entry["rule"].as_str()).collect();
        assert_eq!(rules, [rule], "{block} {api:?}");
        assert_eq!(sent.contains(text), !text.starts_with("RAW"), "{block} {api:?}");
    }
}

proptest! {
    #![proptest_config(cases())]

    /// A request becomes a document, and the document becomes the same request with an empty ledger.
    #[test]
    fn a_request_comes_back_and_nothing_is_noted(document in document()) {
        for api in APIS {
            let Some((sent, _)) = request(&document, api) else { continue };
            let again = document_of(&sent, api);
            let (back, entries) = request(&again, api).unwrap_or_else(|| panic!("{api:?}\n{document}\n{again}"));
            prop_assert_eq!(normalized(&back), normalized(&sent), "{:?}\n{}\n{}", api, document, again);
            prop_assert!(entries.is_empty(), "{entries:?}\n{document}\n{again}");
        }
    }

    /// Every difference between the items of a document and those of its request has an entry at its place.
    #[test]
    fn what_is_not_sent_as_it_is_has_an_entry(drawn in vec(item(), 1..5)) {
        let items: Vec<Value> = drawn.iter().map(items::canonical).collect();
        let json = Value::Array(drawn).to_string();
        let document = Converter::new().from_response(json, &ResponseOptions::default()).unwrap().text;
        for api in OTHERS {
            let Some((sent, entries)) = request(&document, api) else { continue };
            let found = input(&document_of(&sent, api));
            let noted: BTreeSet<usize> = entries.iter().filter_map(|entry| {
                entry["source"].as_str()?.strip_prefix("input[")?.split(']').next()?.parse().ok()
            }).collect();
            let all = pieces(&found);
            for (index, item) in items.iter().enumerate().filter(|(index, _)| !noted.contains(index)) {
                let missing: Vec<Value> = pieces(std::slice::from_ref(item)).into_iter().filter(|piece| !all.contains(piece)).collect();
                prop_assert!(missing.is_empty(), "{api:?} input[{index}] {missing:?}\n{found:?}\n{entries:?}");
            }
            if noted.is_empty() {
                prop_assert_eq!(all, pieces(&items), "{:?}", api);
            }
        }
    }

    /// What an issuer made goes to its API only. Images and files are sent as such.
    #[test]
    fn nothing_foreign_is_sent_and_data_is_no_text(document in document()) {
        for api in APIS {
            let Some((sent, _)) = request(&document, api) else { continue };
            for (issuer, own) in ISSUERS {
                prop_assert!(own == Some(api) || !sent.contains(&format!("sealed-{issuer}")), "{api:?} {sent}");
            }
            let value: Value = serde_json::from_str(&sent).unwrap();
            for text in texts(&value) {
                prop_assert!(!text.contains(&PNG[..24]) && !text.contains(&PDF[..24]), "{api:?} {text}");
            }
        }
    }

    /// Up to the end of a turn of the model, the request of a document is the beginning of its whole request.
    #[test]
    fn a_beginning_of_a_document_is_a_beginning_of_its_request(
        heads in subsequence(&HEADS[..], 0..=HEADS.len()),
        elements in vec(element(), 1..7),
        last in text(),
    ) {
        let closing = [format!("<user>\n{last}x\n</user>"), "<assistant>\nDone.\n</assistant>".to_owned()];
        let all: Vec<String> = elements.into_iter().chain(closing).collect();
        // What only another API can read ends no turn.
        let is_sent = |element: &String| element.starts_with("<assistant") || element.starts_with("<tool_call");
        let is_model = |element: &String| is_sent(element) || element.starts_with("<reasoning") || element.starts_with("<!--");
        let text_of = |end: usize| heads.iter().map(|head| (*head).to_owned()).chain(all[..end].iter().cloned()).collect::<Vec<_>>().join("\n\n");
        for api in OTHERS {
            let Some((whole, entries)) = request(&text_of(all.len()), api) else { continue };
            if entries.iter().any(|entry| entry["rule"] == "moved-output") {
                continue;
            }
            let mut whole: Value = serde_json::from_str(&whole).unwrap();
            let messages = whole["messages"].take();
            for end in (1..all.len()).filter(|end| is_sent(&all[end - 1]) && !is_model(&all[*end])) {
                let Some((start, _)) = request(&text_of(end), api) else { continue };
                let mut start: Value = serde_json::from_str(&start).unwrap();
                let first = start["messages"].take();
                prop_assert!(messages.as_array().unwrap().starts_with(first.as_array().unwrap()), "{api:?}\n{first}\n{messages}");
                prop_assert_eq!(&start, &whole, "{:?}", api);
            }
        }
    }
}
