//! Statements of Wave Terminal about outputs and their calls.

use super::run;

#[test]
fn output_must_have_the_id_of_a_call() {
    let call = "<tool_call function_name=\"f\" tool_call_id=\"call_1\">\n{}\n</tool_call>\n";
    let output = |id: &str| format!("{call}<tool_response tool_call_id=\"{id}\">\nok\n</tool_response>\n");
    let right = run(&["check", "--format", "short"], &output("call_1"));
    assert_eq!((right.code, right.stdout.as_str()), (Some(0), ""), "{}", right.stderr);
    let wrong = run(&["check", "--format", "short"], &output("call_2"));
    assert_eq!(wrong.code, Some(1), "{}", wrong.stderr);
    assert!(wrong.stdout.contains("[output-without-call]"), "{}", wrong.stdout);
}
