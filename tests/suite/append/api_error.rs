//! `--append DOC` implies `--for DOC`: an API error is shown at the line that caused it.

use super::{append, folder_with, start};
use crate::run::chatmd;

const DOCUMENT: &str = "<config model=\"m\"/>\n\n<user>\nLook.\n<img src=\"https://example.com/a.png\"/>\n</user>\n\n<tool_call function_name=\"f\" tool_call_id=\"call_10\">\n{}\n</tool_call>\n\n<tool_call function_name=\"f\" tool_call_id=\"call_1\">\n{}\n</tool_call>\n\n<tool_response tool_call_id=\"call_9\">\nx\n</tool_response>\n\n<!-- chatmd:item {\"type\":\"shell_call\",\"call_id\":\"call_8\"} -->\n";

fn stderr_of(input: &str) -> String {
    let directory = folder_with(DOCUMENT);
    let output = start(directory.path(), &[], input).wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert_eq!(append(directory.path(), &[], input), (Some(4), DOCUMENT.to_owned()));
    String::from_utf8(output.stderr).unwrap()
}

#[test]
fn api_error_is_shown_at_its_param() {
    let stderr = stderr_of(
        r#"{"error":{"message":"Invalid URL.","code":"invalid_url","param":"input[0].content[1].image_url"}}"#,
    );
    assert!(stderr.contains(" --> chat.md:5:1\n"), "{stderr}");
    assert!(
        stderr.contains("API error (invalid_url): Invalid URL. (param: input[0].content[1].image_url)"),
        "{stderr}"
    );
}

#[test]
fn misalignment_is_explained() {
    let stderr = stderr_of(
        r#"{"object":"response","status":"failed","output":[],"error":{"message":"Blocked.","code":"misalignment_policy_violation",
            "misalignment":{"error_type":"potentially_unintended_data_transfer","detailed_explanation":"It would upload keys.",
            "review_target":null,"steer":{"message":"Say that it may."}}}}"#,
    );
    let expected = "API error (misalignment_policy_violation): Blocked.; potentially_unintended_data_transfer; It would upload keys.; to go on: Say that it may.";
    assert!(stderr.contains(expected), "{stderr}");
}

#[test]
fn api_error_is_shown_at_the_call_named_in_its_message() {
    let stderr = stderr_of(
        r#"{"error":{"message":"No tool output found for function call call_1.","type":"invalid_request_error","param":"input","code":null}}"#,
    );
    insta::assert_snapshot!(stderr, @r#"
    error[api-error]: API error (invalid_request_error): No tool output found for function call call_1. (param: input)
      --> chat.md:12:1
       |
    12 | <tool_call function_name="f" tool_call_id="call_1">
       | ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `call_1` comes from here
       |
       = help: fix it here and send the request again
    "#);
}

#[test]
fn api_error_is_shown_at_an_output_or_carried_item() {
    let message = |message: &str| format!(r#"{{"error":{{"message":"{message}"}}}}"#);
    let output = stderr_of(&message("No tool call found for function call output with call_id call_9."));
    assert!(output.contains(" --> chat.md:16:1\n"), "{output}");
    let item = stderr_of(&message("No tool output found for shell call 'call_8'."));
    assert!(item.contains(" --> chat.md:20:1\n"), "{item}");
    let unknown = stderr_of(&message("No tool output found for function call call_2."));
    assert_eq!(unknown, "error: API error: No tool output found for function call call_2.\n");
}

#[test]
fn for_names_another_document() {
    let directory = folder_with("<user>\nx\n</user>\n");
    std::fs::write(directory.path().join("sent.md"), DOCUMENT).unwrap();
    let error = r#"{"error":{"message":"No tool output found for function call call_10."}}"#;
    let ran = chatmd(directory.path(), &["from-response", "--append", "chat.md", "--for", "sent.md"], &[], error);
    assert_eq!(ran.code, Some(4));
    assert!(ran.stderr.contains(" --> sent.md:8:1\n"), "{}", ran.stderr);
}

#[test]
fn missing_document_does_not_hide_an_api_error() {
    let directory = tempfile::tempdir().unwrap();
    let error = r#"{"error":{"message":"no"}}"#;
    let ran = chatmd(directory.path(), &["from-response", "--append", "chat.md"], &[], error);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(4), "error: API error: no\n"));
    assert!(!directory.path().join("chat.md").exists());
}

#[test]
fn reason_of_an_incomplete_response_is_named() {
    for reason in ["max_output_tokens", "max_messages", "steered", "content_filter", "of_next_year"] {
        let directory = folder_with(DOCUMENT);
        let response = format!(
            r#"{{"object":"response","status":"incomplete","incomplete_details":{{"reason":"{reason}"}},"output":[{{"type":"message","role":"assistant","content":[]}}]}}"#
        );
        let output = start(directory.path(), &[], &response).wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(5));
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains(&format!("the response is incomplete ({reason})\n")), "{stderr}");
    }
}
