//! Requests to items and back, and what items of the Responses API become.

use super::{export, import_replies, import_request};
use crate::json::{Json, Object, StringArena, is_same};
use crate::responses::Item;
use crate::source::Span;
use crate::wire::{Api, Incoming, LocatedTool, Placed, SourceRequest};

/// The request for items, and the rules and sources of the ledger.
fn exported<'j>(
    incoming: &'j Incoming<'j>,
    declared: Option<Api>,
    strings: &'j StringArena,
) -> (Json<'j>, Vec<(&'static str, String)>) {
    let instructions: Vec<Item<'j>> = incoming.instructions.iter().cloned().map(Item::Message).collect();
    let placed = |item| Placed { item, span: Span::NOWHERE, parts: &[], is_moved: false };
    let tools = incoming.fields.get("tools").and_then(|tools| tools.array().ok()).unwrap_or_default();
    let tool = |json| LocatedTool::given(json, Span::NOWHERE);
    let source = SourceRequest {
        declared,
        fields: &incoming.fields,
        instructions: instructions.iter().map(placed).collect(),
        items: incoming.items.iter().map(|(item, _)| placed(item)).collect(),
        tools: tools.into_iter().map(tool).collect(),
        place: Span::NOWHERE,
    };
    let sent = export(&source, strings);
    let entries = sent.ledger.iter().map(|entry| (entry.rule.name(), entry.source.clone())).collect();
    (sent.fields.to_json(strings), entries)
}

fn parse<'j>(text: &'j str, strings: &'j StringArena) -> Json<'j> {
    Json::parse(text, strings).unwrap_or(Json::NULL)
}

/// A request comes back as it is, and nothing differs.
fn assert_identity(request: &str) {
    let strings = StringArena::default();
    let json = parse(request, &strings);
    let incoming = import_request(json, &strings).unwrap_or_default();
    let (sent, entries) = exported(&incoming, Some(Api::Messages), &strings);
    assert!(is_same(sent, json), "{}\n{}", sent.raw(), json.compact());
    assert_eq!(entries, []);
}

/// The request for items of the Responses API.
fn assert_sent(items: &str, messages: &str, entries: &[(&str, &str)]) {
    let strings = StringArena::default();
    let decode = |json: Json<'_>| Item::decode(json).is_ok();
    let items = parse(items, &strings).array().unwrap_or_default();
    assert!(items.iter().copied().all(decode));
    let items = items.into_iter().filter_map(|json| Some((Item::decode(json).ok()?, json))).collect();
    let mut fields = Object::default();
    fields.insert("max_output_tokens", parse("9", &strings));
    let incoming = Incoming { fields, instructions: Vec::new(), items };
    let (sent, found) = exported(&incoming, None, &strings);
    let sent = sent.object().ok().and_then(|sent| sent.get("messages")).unwrap_or(Json::NULL);
    let found: Vec<(&str, &str)> = found.iter().map(|(rule, source)| (*rule, source.as_str())).collect();
    assert_eq!((sent.raw(), found.as_slice()), (messages, entries));
}

#[test]
fn requests_come_back_as_they_are() {
    for messages in [
        r#"[{"role":"user","content":[{"type":"text","text":"a","cache_control":{"type":"ephemeral"}},{"type":"text","text":"b"}]}]"#,
        r#"[{"role":"user","content":[]},{"role":"user","content":[{"type":"text","text":""}],"extra":null}]"#,
        r#"[{"role":"system","content":[{"type":"text","text":"s"}]},{"role":"tool","content":[{"type":"text","text":"x"}]}]"#,
        r#"[{"role":"assistant","content":[{"type":"text","text":"a"}]},{"role":"assistant","content":[{"type":"text","text":"b"}]}]"#,
        r#"[{"role":"assistant","content":[{"type":"tool_use","id":"a.b","name":"f","input":{"n":1.0}},{"type":"text","text":"late"}]},
            {"role":"user","content":[{"type":"text","text":"first"},{"type":"tool_result","tool_use_id":"a.b"}]}]"#,
        r#"[{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","is_error":false,"content":[
            {"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}},
            {"type":"image","source":{"type":"base64","media_type":"image/tiff","data":"AAAA"}},
            {"type":"search_result","source":"s","title":"t","content":[]},{"type":"tool_reference","tool_name":"f"}]}]}]"#,
        r#"[{"role":"user","content":[
            {"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AAAA"},"title":"a.pdf","context":"c"},
            {"type":"document","source":{"type":"text","media_type":"text/plain","data":"T"},"citations":{"enabled":true}},
            {"type":"document","source":{"type":"content","content":"x"}},{"type":"document","source":{"type":"file","file_id":"f"}},
            {"type":"container_upload","file_id":"f"}]}]"#,
        r#"[{"role":"assistant","content":[{"type":"thinking","thinking":"","signature":""},{"type":"redacted_thinking","data":"d"},
            {"type":"thinking","thinking":"unsigned"},{"type":"thinking","thinking":"t","signature":null},
            {"type":"server_tool_use","id":"s","name":"web_search","input":{}},{"type":"image","source":{"type":"url","url":"u"}},
            {"type":"text","text":"t","citations":[{"type":"char_location"}]}]}]"#,
        r#"[{"role":"user","content":[{"type":"text","text":"x","-":1},{"type":"text"}]},{"role":"user","content":[{"type":"text","text":"x","@at":"new"}]}]"#,
    ] {
        assert_identity(&format!(r#"{{"model":"m","max_tokens":9,"messages":{messages}}}"#));
    }
}

#[test]
fn fields_and_tools_come_back_as_they_are() {
    for fields in [
        r#""system":[{"type":"text","text":"a"},{"type":"text","text":"b","cache_control":{"type":"ephemeral","ttl":"1h"}}]"#,
        r#""system":[],"tools":[],"tool_choice":null,"metadata":{"user_id":"u"},"service_tier":"standard_only""#,
        r#""tool_choice":{"type":"tool","name":"f","disable_parallel_tool_use":true},"output_config":{"effort":"none"}"#,
        r#""tool_choice":{"type":"none","disable_parallel_tool_use":true},"output_config":{"effort":"high","task_budget":{}}"#,
        r#""output_config":{"format":{"type":"json_schema","schema":{"type":"object"}}},"thinking":{"type":"disabled"}"#,
        r#""output_config":{},"reasoning":{"effort":"low"},"store":true,"stop_sequences":["x"],"cache_control":{"type":"ephemeral"}"#,
        r#""metadata":{"user_id":"u","a":1},"temperature":null,"input":[],"previous_response_id":"r","stream":true"#,
        r#""tools":[{"name":"f","input_schema":{"type":"object"},"description":null,"strict":true,"type":"custom"},
            {"type":"web_search_20250305","name":"web_search","max_uses":1,"cache_control":{"type":"ephemeral"}},
            {"name":"g","input_schema":{},"defer_loading":true,"input_examples":[]}]"#,
        r#""tools":[{"input_schema":{}}]"#,
        r#""tools":[{"name":"f"},{"type":null,"name":"g","input_schema":{}},{"type":"function","function":{"name":"h"}},null]"#,
        r#""id":"i","max_tokens_key":"max_tokens""#,
    ] {
        let message = r#"[{"role":"user","content":[{"type":"text","text":"x"}]}]"#;
        assert_identity(&format!(r#"{{"model":"m","max_tokens":9,{fields},"messages":{message}}}"#));
    }
}

#[test]
fn items_of_the_responses_api_become_messages() {
    assert_sent(
        r#"[{"type":"message","role":"system","content":"S"},{"type":"message","role":"user","content":"U"},
            {"type":"reasoning","id":"r","summary":[{"type":"summary_text","text":"secret"}]},
            {"type":"message","role":"assistant","id":"m","content":[{"type":"refusal","refusal":"No."}]},
            {"type":"web_search_call","id":"w","status":"completed"},
            {"type":"message","role":"developer","content":"D"}]"#,
        r#"[{"role":"user","content":[{"type":"text","text":"U"}]},{"role":"assistant","content":[{"type":"text","text":"No."}]},{"role":"system","content":[{"type":"text","text":"D"}]}]"#,
        &[
            ("unsent-reasoning", "input[2]"),
            ("unsent-item", "input[4]"),
            ("moved-system", "input[0]"),
            ("respelled-refusal", "input[3].content[0]"),
            ("unsent-id", "input[3]"),
            ("respelled-role", "input[5]"),
        ],
    );
}

#[test]
fn calls_and_outputs_are_respelled() {
    assert_sent(
        r#"[{"type":"custom_tool_call","call_id":"a","name":"sql","input":"SELECT 1"},
            {"type":"custom_tool_call_output","call_id":"a","output":"1"},
            {"type":"function_call","call_id":"b","name":"f","arguments":""},
            {"type":"function_call_output","call_id":"b","output":[{"type":"input_text","text":""}]}]"#,
        r#"[{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"sql","input":{"input":"SELECT 1"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"}]},{"role":"assistant","content":[{"type":"tool_use","id":"b","name":"f","input":{}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":[]}]}]"#,
        &[
            ("respelled-tool", "input[0]"),
            ("respelled-tool", "input[1]"),
            ("respelled-arguments", "input[2]"),
            ("empty-text", "input[3].output[0]"),
        ],
    );
}

#[test]
fn content_that_cannot_be_sent_is_refused() {
    for (item, rule) in [
        (r#"{"type":"message","role":"user","content":[{"type":"input_image","file_id":"f"}]}"#, "foreign-file"),
        (r#"{"type":"message","role":"user","content":[{"type":"input_audio"}]}"#, "unsupported-part"),
        (
            r#"{"type":"message","role":"user","content":[{"type":"input_image","image_url":"data:image/tiff;base64,AA=="}]}"#,
            "unsupported-image",
        ),
        (
            r#"{"type":"message","role":"user","content":[{"type":"input_file","file_data":"data:application/zip;base64,AA=="}]}"#,
            "unsupported-file",
        ),
        (r#"{"type":"function_call","call_id":"a","name":"f","arguments":"[1]"}"#, "arguments-not-object"),
        (r#"{"type":"compaction","id":"c"}"#, "server-history"),
        (
            r#"{"type":"message","role":"system","content":[{"type":"input_image","file_id":"f"}]}"#,
            "part-in-instructions",
        ),
    ] {
        let strings = StringArena::default();
        let json = parse(item, &strings);
        let items = Item::decode_lenient(json).map(|(item, _)| vec![(item, json)]).unwrap_or_default();
        let incoming = Incoming { items, ..Incoming::default() };
        let (_, entries) = exported(&incoming, None, &strings);
        assert!(entries.iter().any(|(found, _)| *found == rule), "{item}: {entries:?}");
    }
}

#[test]
fn replies_are_taken_as_requests_take_them() {
    let strings = StringArena::default();
    let reply = r#"{"type":"message","id":"msg_1","role":"assistant","stop_reason":"end_turn","content":[
        {"type":"text","text":"Hi.","citations":null},{"type":"tool_use","id":"a","name":"f","input":{},"caller":{"type":"direct"}}]}"#;
    let (items, envelopes) = import_replies([parse(reply, &strings)], &strings).unwrap_or_default();
    let incoming = Incoming { items, ..Incoming::default() };
    let (sent, _) = exported(&incoming, Some(Api::Messages), &strings);
    let messages = sent.object().ok().and_then(|sent| sent.get("messages")).unwrap_or(Json::NULL);
    let expected = r#"[{"role":"assistant","content":[{"type":"text","text":"Hi."},{"type":"tool_use","id":"a","name":"f","input":{}}]}]"#;
    assert_eq!(messages.raw(), expected);
    assert_eq!(envelopes[0].iter().map(|(key, _)| key).collect::<Vec<_>>(), ["type", "id", "stop_reason"]);
}

#[test]
fn everything_that_a_namespace_and_members_for_another_api_say_is_in_the_ledger() {
    let strings = StringArena::default();
    let fields = r#"{"max_output_tokens":9,"@chat":{"stop":["a"],"seed":1},"tools":[
        {"type":"namespace","name":"n","description":"d","tools":[{"type":"function","name":"f","parameters":{}}]}]}"#;
    let fields = parse(fields, &strings).object().unwrap_or_default();
    let (_, entries) = exported(&Incoming { fields, ..Incoming::default() }, None, &strings);
    let has = |rule, source: &str| entries.iter().any(|entry| *entry == (rule, source.to_owned()));
    assert!(has("unsent-field", "@chat") && has("unsent-setting", "@chat"), "{entries:?}");
    assert!(has("unsent-setting", "tools[0].description"), "{entries:?}");
}
