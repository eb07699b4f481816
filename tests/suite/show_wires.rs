//! `show`, `render` and `stats` on data of the Messages and the Chat Completions API.

use crate::run::chatmd;

/// A reply with tools that the server runs, thinking and citations.
const REPLY: &str = r#"{"id":"msg_1","type":"message","role":"assistant","model":"m","content":[
{"type":"thinking","thinking":"I should search.","signature":"EqQBCgIYAg=="},
{"type":"redacted_thinking","data":"EmwKAhgB"},
{"type":"text","text":"Let me look."},
{"type":"server_tool_use","id":"srvtoolu_1","name":"web_search","input":{"query":"weather in Paris"}},
{"type":"web_search_tool_result","tool_use_id":"srvtoolu_1","content":[{"type":"web_search_result","url":"https://w.example/paris","title":"Paris weather","encrypted_content":"EqgfCioIARgBIiQ3YTA","page_age":"1 day"}]},
{"type":"text","text":"It rains.","citations":[{"type":"web_search_result_location","url":"https://w.example/paris","title":"Paris weather","encrypted_index":"Eo8BCioI","cited_text":"Rain today"}]},
{"type":"server_tool_use","id":"srvtoolu_2","name":"bash_code_execution","input":{"command":"ls -l"}},
{"type":"bash_code_execution_tool_result","tool_use_id":"srvtoolu_2","content":{"type":"bash_code_execution_result","stdout":"total 0\n","stderr":"","return_code":0,"content":[]}},
{"type":"server_tool_use","id":"srvtoolu_3","name":"code_execution","input":{"code":"print(1)"}},
{"type":"code_execution_tool_result","tool_use_id":"srvtoolu_3","content":{"type":"code_execution_result","stdout":"1\n","stderr":"","return_code":0,"content":[]}},
{"type":"server_tool_use","id":"srvtoolu_4","name":"web_fetch","input":{"url":"https://a.example"}},
{"type":"web_fetch_tool_result","tool_use_id":"srvtoolu_4","content":{"type":"web_fetch_result","url":"https://a.example","retrieved_at":"2025-01-01","content":{"type":"document","source":{"type":"text","media_type":"text/plain","data":"Hello page"},"title":"A"}}},
{"type":"server_tool_use","id":"srvtoolu_5","name":"web_search","input":{"query":"x"}},
{"type":"web_search_tool_result","tool_use_id":"srvtoolu_5","content":{"type":"web_search_tool_result_error","error_code":"max_uses_exceeded"}},
{"type":"mcp_tool_use","id":"mcptoolu_1","name":"echo","server_name":"wiki","input":{"p":1}},
{"type":"mcp_tool_result","tool_use_id":"mcptoolu_1","is_error":false,"content":[{"type":"text","text":"Hello"}]},
{"type":"mcp_tool_use","id":"mcptoolu_2","name":"echo","server_name":"wiki","input":{"p":1}},
{"type":"mcp_tool_result","tool_use_id":"mcptoolu_2","is_error":true,"content":[{"type":"text","text":"No such page"}]},
{"type":"text","text":"From a file.","citations":[{"type":"char_location","cited_text":"abc","document_index":0,"document_title":"My Doc","start_char_index":0,"end_char_index":3},{"type":"page_location","cited_text":"abc","document_index":1,"document_title":"Paper","start_page_number":2,"end_page_number":3},{"type":"search_result_location","source":"https://s.example","title":"S","cited_text":"q","search_result_index":0,"start_block_index":0,"end_block_index":1}]},
{"type":"tool_use","id":"toolu_1","name":"get","input":{"a":1}}
],"stop_reason":"tool_use","usage":{"input_tokens":100,"cache_read_input_tokens":50,"output_tokens":300}}"#;

/// Parts that no element expresses.
const PARTS: [&str; 2] = [
    r#"{"model":"m","max_tokens":9,"messages":[{"role":"user","content":[
{"type":"document","source":{"type":"text","media_type":"text/plain","data":"Plain text."},"title":"Notes"},
{"type":"search_result","source":"https://example.com/s","title":"A page","content":[{"type":"text","text":"Found."}]},
{"type":"container_upload","file_id":"file_2"}]}]}"#,
    r#"{"model":"m","messages":[{"role":"user","content":[
{"type":"input_audio","input_audio":{"data":"UklGRgAAAAA=","format":"wav"}},
{"type":"video_url","video_url":{"url":"https://example.com/a.mp4"}}]},
{"role":"assistant","audio":{"id":"audio_1","transcript":"Spoken words."}}]}"#,
];

/// The document of a reply or a request.
fn document(json: &str) -> String {
    let directory = tempfile::tempdir().unwrap();
    let ran = chatmd(directory.path(), &["from-response"], &[], json);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    ran.stdout
}

fn run(args: &[&str], document: &str) -> String {
    let directory = tempfile::tempdir().unwrap();
    let ran = chatmd(directory.path(), args, &[], document);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    ran.stdout
}

#[test]
fn tools_of_the_server_have_a_line_and_open() {
    let document = document(REPLY);
    let shown = run(&["show", "--width", "100"], &document);
    insta::assert_snapshot!("server-tools", shown);
    let full = run(&["show", "--width", "100", "--full"], &document);
    assert!(!full.contains("chatmd:") && !full.contains("EqgfCioIARgBIiQ3YTA"), "{full}");
    insta::assert_snapshot!("server-tools-full", full);
}

/// Where every difference counts, the JSON is shown.
#[test]
fn blocks_are_whole_where_every_difference_counts() {
    let plain = run(&["show", "--plain"], &document(REPLY));
    assert!(plain.contains("srvtoolu_1") && plain.contains("EqgfCioIARgBIiQ3YTA"), "{plain}");
}

#[test]
fn parts_of_one_api_have_a_line() {
    let shown = PARTS.map(|json| run(&["show", "--full"], &document(json))).concat();
    assert!(!shown.contains("UklGR"), "{shown}");
    insta::assert_snapshot!("parts-of-one-api", shown);
}

#[test]
fn pages_show_tools_of_the_server_and_parts() {
    for json in [REPLY, PARTS[0], PARTS[1]] {
        let page = run(&["render", "--no-source"], &document(json));
        assert!(!page.contains("chatmd:") && !page.contains("tool_use_id"), "{page}");
    }
    let page = run(&["render", "--no-source"], &document(REPLY));
    for shown in ["href=\"https://w.example/paris\"", "max_uses_exceeded", "No such page", "Hello page", ">My Doc<"] {
        assert!(page.contains(shown), "{shown} in {page}");
    }
    let page = run(&["render", "--no-source"], &PARTS.map(document).concat());
    for shown in ["search_result</b> A page", "Found.", "video</b> https://example.com/a.mp4", "Spoken words."] {
        assert!(page.contains(shown), "{shown} in {page}");
    }
}

/// Blocks of one API are counted for this API alone.
#[test]
fn blocks_of_one_api_are_counted() {
    let document = document(REPLY);
    let tokens = |api: &str| {
        let json = run(&["stats", "--json", "--api", api, "--model", "m"], &document);
        let stats: serde_json::Value = serde_json::from_str(&json).unwrap();
        let items = stats["items"].as_array().unwrap().clone();
        let search = items.iter().find(|item| item["type"] == "server_tool_use").cloned();
        search.map(|item| item["tokens"].as_u64().unwrap())
    };
    assert!(tokens("messages").unwrap() > 0);
    assert!(tokens("chat").is_none_or(|tokens| tokens == 0));
}

#[test]
fn a_citation_without_a_title_names_its_document() {
    let reply = r#"{"type":"message","role":"assistant","stop_reason":"end_turn","content":[{"type":"text","text":"So.",
        "citations":[{"type":"char_location","cited_text":"abc","document_index":2,"document_title":null}]}]}"#;
    let shown = run(&["show"], &document(reply));
    assert!(shown.contains("document 2"), "{shown}");
}
