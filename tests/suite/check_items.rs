//! The rules about items, tools and options that a schema cannot express: bad documents, and nearly bad ones.

use crate::check::rule_names;

const USER: &str = "<user>a</user>";

/// The rules that a document breaks, if a user message is added.
fn broken(document: &str) -> Vec<&'static str> {
    rule_names(&format!("{document}\n{USER}"))
}

#[test]
fn a_tool_choice_names_a_tool() {
    let tool = "<tool name=\"apply_patch\"/>";
    let server = "<tool mcp_server=\"https://e.com\" server_label=\"maps\"/>";
    for choice in
        ["nosuch", "apply-patch", "{\"type\":\"custom\",\"name\":\"x\"}", "{\"type\":\"mcp\",\"server_label\":\"x\"}"]
    {
        let document = format!("<config tool_choice='{choice}'/>{tool}{server}");
        assert_eq!(broken(&document), ["unknown-tool"], "{choice}");
    }
    let allowed = "{\"type\":\"allowed_tools\",\"mode\":\"auto\",\"tools\":[{\"type\":\"function\",\"name\":\"x\"}]}";
    assert_eq!(broken(&format!("<config tool_choice='{allowed}'/>{tool}")), ["unknown-tool"]);
    let hosted = "<config tool_choice='{\"type\":\"image_generation\"}'/>";
    assert_eq!(broken(hosted), ["unknown-tool"]);
    assert_eq!(broken(&format!("{hosted}<tool type=\"image_generation\"/>")), [""; 0]);
    assert_eq!(broken("<config tool_choice=\"required\"/>"), ["unknown-tool"]);
    for choice in ["auto", "none", "required", "apply_patch", "maps"] {
        let document = format!("<config tool_choice='{choice}'/>{tool}{server}");
        assert_eq!(broken(&document), [""; 0], "{choice}");
    }
    assert_eq!(broken("<config tool_choice=\"x\" prompt='{\"id\":\"pmpt_1\"}'/>"), [""; 0]);
}

#[test]
fn problems_of_a_conversion_are_reported_for_every_api() {
    let body = "<tool name=\"unheard_of\"/>\n<user>a <img src=\"https://e.com/a.png\" file_id=\"f\"/></user>";
    for api in ["responses", "messages", "chat"] {
        let document = format!("<config api=\"{api}\" model=\"m\" max_tokens=\"99\"/>\n{body}");
        assert_eq!(broken(&document), ["unknown-tool", "exclusive-fields"], "{api}");
    }
}

#[test]
fn options_exclude_each_other() {
    assert_eq!(broken("<config previous_response_id=\"resp_1\" conversation=\"conv_1\"/>"), ["exclusive-fields"]);
    assert_eq!(broken("<config previous_response_id=\"resp_1\">{\"conversation\":null}</config>"), [""; 0]);
}

#[test]
fn names_of_tools_are_plain() {
    assert_eq!(broken("<tool name=\"my tool\" command=\"ls\"/>"), ["tool-name"]);
    assert_eq!(broken(&format!("<tool type=\"custom\" name=\"{}\"/>", "a".repeat(65))), ["tool-name"]);
    assert_eq!(broken(&format!("<tool type=\"custom\" name=\"{}\"/>", "a-B_9".repeat(12))), [""; 0]);
}

#[test]
fn items_that_the_api_does_not_take_back() {
    let part = |part: &str| format!("<user><!-- chatmd:part {part} --></user>");
    for (document, expected) in [
        ("<assistant id=\"0\">a</assistant>".to_owned(), &["id-prefix"][..]),
        ("<assistant id=\"msg-0\">a</assistant>".to_owned(), &[]),
        (
            "<reasoning id=\"rs_1\" status=\"completed\">a</reasoning><assistant>a</assistant>".to_owned(),
            &["reasoning-fields"],
        ),
        ("<reasoning id=\"rs_1\" status>a</reasoning><assistant>a</assistant>".to_owned(), &[]),
        (
            "<reasoning id=\"rs_1\"><summary type=\"reasoning_text\">a</summary></reasoning><assistant>a</assistant>"
                .to_owned(),
            &["reasoning-fields"],
        ),
        (part("{\"type\":\"function_call\",\"name\":\"f\"}"), &["part-not-allowed"]),
        (part("{\"type\":\"input_audio\"}"), &["unsupported-part"]),
        (
            part("{\"type\":\"input_file\",\"filename\":\"a.mp3\",\"file_data\":\"data:audio/mpeg;base64,AAAA\"}"),
            &["unsupported-part"],
        ),
        (part("{\"type\":\"input_file\",\"file_url\":\"https://e.com/a.MP3?x=1\"}"), &["unsupported-part"]),
        (part("{\"type\":\"input_file\",\"file_url\":\"https://e.com/mp3\"}"), &[]),
        ("<user></user>".to_owned(), &["empty-message"]),
        ("<user> </user>".to_owned(), &[]),
        ("<assistant></assistant>".to_owned(), &[]),
    ] {
        assert_eq!(broken(&document), expected, "{document}");
    }
}

#[test]
fn arguments_are_json() {
    let call = |kind: &str, input: &str| {
        let output = format!("<tool_response type=\"{kind}\" tool_call_id=\"c\">x</tool_response>");
        format!("<tool_call type=\"{kind}\" function_name=\"f\" tool_call_id=\"c\">{input}</tool_call>{output}")
    };
    assert_eq!(broken(&call("function_call", "{\"a\":")), ["arguments-not-json"]);
    assert_eq!(broken(&call("function_call", "")), ["arguments-not-json"]);
    assert_eq!(broken(&call("function_call", " {} ")), [""; 0]);
    assert_eq!(broken(&call("custom_tool_call", "{\"a\":")), [""; 0]);
}

#[test]
fn an_annotation_is_inside_its_text() {
    let text = |end: usize| {
        let range = format!("\"start_index\":0,\"end_index\":{end}");
        let annotation = format!("{{\"type\":\"url_citation\",\"url\":\"https://e.com\",\"title\":\"\",{range}}}");
        format!("<assistant><!-- chatmd:part {{\"annotations\":[{annotation}]}} -->é€🙂</assistant>")
    };
    assert_eq!(broken(&text(4)), ["annotation-range"]);
    assert_eq!(broken(&text(3)), [""; 0]);
}

#[test]
fn a_request_asks_something() {
    for document in ["<config model=\"m\"/>", "<user></user>"] {
        assert_eq!(rule_names(document), ["no-input"], "{document}");
    }
    for document in ["<system>a</system>", "<assistant>a</assistant>"] {
        assert_eq!(rule_names(document), ["no-user-message"], "{document}");
    }
    for document in [
        "<config previous_response_id=\"resp_1\"/>",
        "<config prompt='{\"id\":\"pmpt_1\"}'/>",
        "<assistant>a</assistant><user>b</user>",
        "<tool_call function_name=\"f\" tool_call_id=\"c\">{}</tool_call><tool_response tool_call_id=\"c\">x</tool_response>",
    ] {
        assert_eq!(rule_names(document), [""; 0], "{document}");
    }
}

/// A search for tools may be answered by an output of another type.
#[test]
fn a_carried_item_with_a_call_id_is_a_call() {
    let search = "<!-- chatmd:item {\"type\":\"tool_search_call\",\"call_id\":\"c\",\"arguments\":{}} -->";
    let output = "<tool_response tool_call_id=\"c\">x</tool_response>";
    assert_eq!(broken(&format!("{search}{output}")), [""; 0]);
    assert_eq!(broken(&format!("{}{output}", search.replace("\"c\"", "\"d\""))), ["output-without-call"]);
}

#[test]
fn a_request_for_approval_is_answered() {
    let asked = "<!-- chatmd:item {\"type\":\"mcp_approval_request\",\"id\":\"mcpr_1\",\"server_label\":\"a\",\"name\":\"b\",\"arguments\":\"{}\"} -->";
    let answer = |id: &str| {
        let id = format!("\"approval_request_id\":\"{id}\"");
        format!("<!-- chatmd:item {{\"type\":\"mcp_approval_response\",{id},\"approve\":false}} -->")
    };
    assert_eq!(broken(asked), ["pending-approval"]);
    assert_eq!(broken(&format!("{asked}{}", answer("mcpr_2"))), ["pending-approval"]);
    assert_eq!(broken(&format!("{asked}{}", answer("mcpr_1"))), [""; 0]);
}

#[test]
fn secrets_are_found_by_what_is_around_them() {
    let value = "x9Kq2Lm7Pz4Rt8Wv";
    let key = "sk-proj-aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY";
    let (head, tail) = key.split_at(12);
    for text in [
        format!("DB_PASSWORD={value}"),
        format!("export GITHUB_TOKEN='{value}'"),
        format!("{{\"OPENAI_API_KEY\"=\"{value}\"}}"),
        "DATABASE_PASSWORD=Tr0ub4dor".to_owned(),
        "db_password = 'Tr0ub4dor'".to_owned(),
        format!("aws_secret_access_key = {value}"),
        format!("postgres://app:{value}@db.internal:5432/x"),
        format!("{head}RAW|{tail}|RAW"),
        format!("{head}RAW|\n{tail}\n|RAW"),
        format!("{head}<!-- note -->{tail}"),
    ] {
        // A RAW block in a word has a rule of its own.
        let names = broken(&format!("<user>\n{text}\n</user>"));
        assert_eq!(names.iter().filter(|name| **name == "secret").count(), 1, "{text}: {names:?}");
    }
    for text in [
        "DB_PASSWORD=$DATABASE_PASSWORD".to_owned(),
        "API_KEY=os.environ[\"OPENAI_API_KEY_2\"]".to_owned(),
        "TOKEN=your-token-goes-here-1".to_owned(),
        "password = user.hash256".to_owned(),
        "password == \"password1\"".to_owned(),
        "token = tokens[3]".to_owned(),
        format!("MAX_TOKENS={value}"),
        format!("https://app:{value}@localhost/"),
        "postgres://user:password1@db/x".to_owned(),
        "https://e.com/a:b@c".to_owned(),
        format!("{head} RAW|{tail}|RAW"),
    ] {
        assert_eq!(broken(&format!("<user>\n{text}\n</user>")), [""; 0], "{text}");
    }
}
