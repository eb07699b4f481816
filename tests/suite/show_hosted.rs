//! `chatmd show` on hosted items: a line for each, opened by `--full`.

use std::fmt::Write;

use crate::check::PNG;
use crate::run::chatmd;

/// Items of every type that has a line, and of some that have none.
fn items() -> Vec<String> {
    let image = |json: &str| json.replace("PNG", PNG);
    let items = [
        r#"{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"positive news stories","sources":[{"type":"url","url":"https://example.com/a"}]}}"#,
        r#"{"type":"web_search_call","id":"ws_2","status":"completed","action":{"type":"search","queries":["rain in Lisbon","wind in Porto"]}}"#,
        r#"{"type":"web_search_call","id":"ws_3","status":"completed","action":{"type":"open_page","url":"https://example.com/weather"}}"#,
        r#"{"type":"web_search_call","id":"ws_4","status":"failed","action":{"type":"find_in_page","pattern":"rain","url":"https://example.com/weather"}}"#,
        r#"{"type":"web_search_call","id":"ws_5","status":"in_progress"}"#,
        r#"{"type":"file_search_call","id":"fs_1","status":"completed","queries":["refund policy"],"results":[{"filename":"policy.txt","score":0.91,"text":"Refunds within 30 days."},{"filename":"faq.txt","score":0.5,"text":"See the policy."}]}"#,
        r#"{"type":"file_search_call","id":"fs_2","status":"completed","queries":["refund"],"results":null}"#,
        r#"{"type":"tool_search_call","id":"ts_1","call_id":null,"execution":"server","status":"completed","arguments":{"queries":["exchange rates"]}}"#,
        r#"{"type":"tool_search_call","id":"ts_2","call_id":"c","execution":"client","status":"completed","arguments":{"paths":["crm"]}}"#,
        r#"{"type":"tool_search_output","call_id":"c","status":"completed","tools":[{"type":"function","name":"get_rate"},{"type":"function","name":"list_rates"}]}"#,
        r#"{"type":"code_interpreter_call","id":"ci_1","status":"completed","code":"x = 6 * 7\nprint(x)","container_id":"cntr_1","outputs":[{"type":"logs","logs":"42\n"},{"type":"image","url":"data:image/png;base64,PNG"}]}"#,
        r#"{"type":"shell_call","id":"sh_1","call_id":"c1","status":"completed","action":{"commands":["ls -l"],"timeout_ms":null}}"#,
        r#"{"type":"shell_call_output","call_id":"c1","output":[{"stdout":"total 8\nnotes.txt\n","stderr":"","outcome":{"type":"exit","exit_code":0}}]}"#,
        r#"{"type":"shell_call","id":"sh_2","call_id":"c2","status":"completed","action":{"commands":["cd /tmp","cat missing.txt"]}}"#,
        r#"{"type":"shell_call_output","call_id":"c2","output":[{"stdout":"","stderr":"cat: missing.txt: No such file\n","outcome":{"type":"exit","exit_code":1}},{"stdout":"","stderr":"","outcome":{"type":"timeout"}}]}"#,
        r#"{"type":"local_shell_call","id":"ls_1","call_id":"c3","status":"completed","action":{"type":"exec","command":["bash","-lc","git status"],"env":{}}}"#,
        r#"{"type":"local_shell_call","id":"ls_2","call_id":"c4","status":"completed","action":{"type":"exec","command":["ls","-l"],"env":{}}}"#,
        r#"{"type":"local_shell_call_output","call_id":"c4","output":"notes.txt\n"}"#,
        r#"{"type":"apply_patch_call","id":"ap_1","call_id":"c5","status":"completed","operation":{"type":"update_file","path":"src/a.rs","diff":"@@\n-old\n+new\n"}}"#,
        r#"{"type":"apply_patch_call_output","call_id":"c5","status":"failed","output":"the file has changed"}"#,
        r#"{"type":"computer_call","id":"cu_1","call_id":"c6","status":"completed","action":{"type":"click","button":"left","x":10,"y":20},"pending_safety_checks":[]}"#,
        r#"{"type":"computer_call","id":"cu_2","call_id":"c7","status":"completed","actions":[{"type":"type","text":"hello"},{"type":"keypress","keys":["CTRL","S"]},{"type":"scroll","x":1,"y":2,"scroll_x":0,"scroll_y":300},{"type":"drag","path":[{"x":1,"y":1},{"x":5,"y":6}]}],"pending_safety_checks":[{"id":"s","code":"x"}]}"#,
        r#"{"type":"computer_call_output","call_id":"c6","output":{"type":"computer_screenshot","image_url":"data:image/png;base64,PNG"}}"#,
        r#"{"type":"mcp_list_tools","id":"mcpl_1","server_label":"wiki","tools":[{"name":"ask_question"},{"name":"read_page"}]}"#,
        r#"{"type":"mcp_call","id":"mcp_1","server_label":"wiki","name":"ask_question","arguments":"{\"question\":\"What is it?\"}","output":"A wiki.","error":null}"#,
        r#"{"type":"mcp_call","id":"mcp_2","server_label":"wiki","name":"read_page","arguments":"{}","output":null,"error":"not found"}"#,
        r#"{"type":"mcp_approval_request","id":"mcpr_1","server_label":"wiki","name":"delete_page","arguments":"{\"id\":7}"}"#,
        r#"{"type":"mcp_approval_response","approval_request_id":"mcpr_1","approve":false,"reason":"too risky"}"#,
        r#"{"type":"image_generation_call","id":"ig_1","status":"completed","output_format":"png","revised_prompt":"A cat on a mat.","result":"PNG"}"#,
        r#"{"type":"image_generation_call","id":"ig_2","status":"generating","result":null}"#,
        r#"{"type":"compaction","id":"cmp_1","encrypted_content":"gAAAAABsecret"}"#,
        r#"{"type":"teleport_call","id":"tp_1","target":"Mars","speed":9,"crew":["Ann","Bo"],"note":null,"log":"a line that is far too long to be shown among the short fields of an item"}"#,
        r#"{"id":"x_1"}"#,
        r#"{"type":"web_search_call","action":{"type":"search","query":"\u001b[31mred\u202e\nand more"}}"#,
    ];
    items.iter().map(|item| image(item)).collect()
}

fn shown(args: &[&str]) -> String {
    let mut document = String::new();
    for item in items() {
        writeln!(document, "<!-- chatmd:item {} -->", item.replace("--", "-\\u002d")).unwrap();
    }
    let directory = tempfile::tempdir().unwrap();
    let ran = chatmd(directory.path(), &[&["show"], args].concat(), &[], &document);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
    assert!(!ran.stdout.contains(&PNG[..40]) && !ran.stdout.contains(['\x1b', '\u{202e}']), "{}", ran.stdout);
    ran.stdout
}

#[test]
fn every_hosted_item_has_a_line() {
    let lines = shown(&["--width", "100"]);
    assert_eq!(lines.lines().count(), items().len(), "{lines}");
    insta::assert_snapshot!("hosted", lines);
}

#[test]
fn every_hosted_item_opens() {
    insta::assert_snapshot!("hosted-full", shown(&["--width", "100", "--full"]));
}

/// Where every difference counts, the JSON is shown.
#[test]
fn items_are_whole_where_every_difference_counts() {
    let plain = shown(&["--plain"]);
    assert!(plain.contains("\"id\":\"ws_1\"") && plain.contains("\"timeout_ms\":null"), "{plain}");
}

/// The size of an image is that of the image, and a long name does not hide it.
#[test]
fn outputs_show_the_size_of_their_images() {
    let call = "<tool_call function_name=\"draw\" tool_call_id=\"c\">{}</tool_call>\n";
    let output = |body: &str| format!("{call}<tool_response tool_call_id=\"c\">\n{body}\n</tool_response>\n");
    let name = format!("{}.png", "0123456789abcdef".repeat(4));
    let directory = tempfile::tempdir().unwrap();
    let bytes = base64::Engine::decode(&base64::engine::general_purpose::STANDARD, PNG).unwrap();
    std::fs::write(directory.path().join(&name), bytes).unwrap();
    let show = |document: &str| chatmd(directory.path(), &["show", "--width", "70"], &[], document).stdout;
    insta::assert_snapshot!("hosted-images", [
        show(&output(&format!("Picture:\n<img src=\"data:image/png;base64,{PNG}\"/>"))),
        show(&output(&format!("<img src=\"{name}\" local/>"))),
        show(&output(&format!("RAW|\n[{{\"type\":\"input_text\",\"text\":\"Picture:\"}},{{\"type\":\"input_image\",\"image_url\":\"data:image/png;base64,{PNG}\"}}]\n|RAW"))),
    ].concat());
}
