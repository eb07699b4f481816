//! The story of the README: a new document, a turn with tools, outputs with a text and an image, and the final answer.

use std::fs;
use std::process::Command;

use serde_json::json;

use super::server::{Reply, Server, call, has_curl, message};

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89\0\0\0\nIDATx\x9cc\0\x01\0\0\x05\0\x01\r\n-\xb4\0\0\0\0IEND\xaeB`\x82";

#[test]
fn document_goes_from_new_to_the_final_answer() {
    if !has_curl() {
        return;
    }
    let calls = vec![call("call_1", "weather", "{\"city\": \"Zürich\"}"), call("call_2", "chart", "{}")];
    let server = Server::start(vec![Reply::Items(calls), Reply::Items(vec![message("It will be **warm**.")])]);
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("chart.png"), PNG).unwrap();
    let run = |arguments: &[&str]| {
        let output = server.run(directory.path(), arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    run(&["new", "chat.md"]);
    run(&["check", "--strict", "chat.md"]);
    run(&["send", "chat.md"]);
    let waiting = run(&["calls", "--format", "tsv", "chat.md"]);
    assert_eq!(waiting, "call_1\tweather\t{\"city\":\"Zürich\"}\ncall_2\tchart\t{}\n");
    assert_eq!(server.run(directory.path(), &["send", "chat.md"]).status.code(), Some(1));
    run(&["answer", "chat.md", "call_2", "--image", "chart.png"]);
    let shell = "printf '25°\\n</tool_response>' | \"$0\" answer chat.md call_1";
    let program = env!("CARGO_BIN_EXE_chatmd");
    assert!(Command::new("sh").args(["-c", shell, program]).current_dir(directory.path()).status().unwrap().success());
    assert_eq!(run(&["calls", "chat.md"]), "");
    run(&["check", "--strict", "chat.md"]);
    run(&["send", "chat.md", "--next"]);
    let shown = run(&["show", "chat.md"]);
    assert!(shown.contains("It will be **warm**."), "{shown}");
    let input = server.body(1)["input"].clone();
    let outputs: Vec<_> =
        input.as_array().unwrap().iter().filter(|item| item["type"] == "function_call_output").collect();
    assert_eq!(outputs[0]["output"], json!("25°\n</tool_response>"));
    assert_eq!(outputs[1]["output"][0]["type"], "input_image");
    assert!(outputs[1]["output"][0]["image_url"].as_str().unwrap().starts_with("data:image/png;base64,iVBOR"));
    assert_eq!(server.count(), 2);
}

#[test]
fn answers_go_through_pipes() {
    if !has_curl() {
        return;
    }
    let titled = message("{\"title\": \"A <b> title\",\n \"lines\": 2}");
    let server = Server::respond(move |index, _| {
        let mut answer = titled.clone();
        answer["id"] = format!("msg_{index}").into();
        Reply::Items(vec![answer])
    });
    let directory = tempfile::tempdir().unwrap();
    let run = |script: &str| {
        let program = env!("CARGO_BIN_EXE_chatmd");
        let mut bash = Command::new("bash");
        let script = script.replace("chatmd ", &format!("{program} "));
        bash.args(["-euo", "pipefail", "-c", &script]).current_dir(directory.path());
        bash.env("OPENAI_BASE_URL", &server.url).env("CHATMD_MODEL", "m").env_remove("CHATMD_SEND_COMMAND");
        let output = bash.output().unwrap();
        assert!(output.status.success(), "{script}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    };
    let diff = "git init -q . && echo old > a && git add a && echo '</user>RAW|' > a && git diff > diff.txt";
    run(diff);
    assert_eq!(run("git diff | chatmd ask 'Review this.' | head -1"), "{\"title\": \"A <b> title\",\n");
    let content = server.body(0)["input"][0]["content"].clone();
    assert_eq!(content[0]["text"], "Review this.");
    assert_eq!(content[1]["text"], fs::read_to_string(directory.path().join("diff.txt")).unwrap());
    assert!(!directory.path().join("chat.md").exists());
    run("git diff | chatmd ask -f chat.md --no-send 'Review this.'");
    assert_eq!(server.count(), 1);
    assert_eq!(
        server.body(0)["input"],
        serde_json::from_str::<serde_json::Value>(&run("chatmd to-request --input-only chat.md")).unwrap()
    );
    if Command::new("jq").arg("--version").output().is_ok() {
        assert_eq!(run("chatmd send chat.md | jq -r .title"), "A <b> title\n");
    }
    let asked = run(
        "for i in 1 2; do echo $i; done | while read -r i; do chatmd ask -f chat.md \"Line $i\" </dev/null | tail -1; done",
    );
    assert_eq!(asked, " \"lines\": 2}\n \"lines\": 2}\n");
    assert_eq!(run("chatmd show --last chat.md"), "{\"title\": \"A <b> title\",\n \"lines\": 2}\n");
    run(
        "chatmd cut chat.md && chatmd send chat.md && chatmd send --again chat.md && chatmd cut chat.md 'input[1]' -o fork.md",
    );
    assert!(fs::read_to_string(directory.path().join("fork.md")).unwrap().ends_with("</assistant>\n"));
}

#[test]
fn new_document_names_its_model_and_replaces_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let new = |arguments: &[&str], variables: &[(&str, &str)]| {
        crate::run::chatmd(directory.path(), &[&["new"], arguments].concat(), variables, "")
    };
    assert!(new(&[], &[]).stdout.starts_with("<config model=\"gpt-5\"/>\n\n<system>\n"));
    assert!(new(&["-"], &[("CHATMD_MODEL", "a")]).stdout.starts_with("<config model=\"a\"/>"));
    let odd = new(&["-m", "a\"b>"], &[("CHATMD_MODEL", "a")]).stdout;
    assert!(odd.starts_with("<config model=\"a&quot;b&gt;\"/>"), "{odd}");
    assert_eq!(new(&["--model", ""], &[]).code, Some(2));
    assert_eq!(new(&["chat.md"], &[]).code, Some(0));
    let first = fs::read_to_string(directory.path().join("chat.md")).unwrap();
    let again = new(&["--model", "b", "chat.md"], &[]);
    assert_eq!(again.code, Some(74));
    assert!(again.stderr.starts_with("error: chat.md already exists\n"), "{}", again.stderr);
    assert_eq!(fs::read_to_string(directory.path().join("chat.md")).unwrap(), first);
    let formatted = crate::run::chatmd(directory.path(), &["fmt", "--check", "chat.md"], &[], "");
    assert_eq!(formatted.code, Some(0));
}
