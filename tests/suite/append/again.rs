//! A reply that is already at the end of the document is not appended again.

use std::fs;

use super::{ANSWER, DOCUMENT, EARLY, REPLY, WAITING, append, folder_with, start};
use crate::run::chatmd;

const CALL: &str = r#"{"object":"response","status":"completed","output":[{"type":"reasoning","id":"rs_1","summary":[]},{"type":"function_call","id":"fc_1","call_id":"call_1","name":"f","arguments":"{\"a\": 1}","status":"completed"},{"type":"web_search_call","id":"ws_1","status":"completed","action":{"type":"search","query":"q"}}]}"#;

#[test]
fn appending_twice_changes_nothing() {
    for (reply, arguments) in [(REPLY, &[][..]), (REPLY, &["--next"]), (CALL, &[]), (CALL, &["--envelope"])] {
        for whitespace in ["layout", "verbatim"] {
            let directory = folder_with(DOCUMENT);
            let arguments = [arguments, &["--whitespace", whitespace]].concat();
            let (code, once) = append(directory.path(), &arguments, reply);
            assert_eq!(code, Some(0));
            assert!(once.len() > DOCUMENT.len());
            let changed = fs::metadata(directory.path().join("chat.md")).unwrap().modified().unwrap();
            let output = start(directory.path(), &arguments, reply).wait_with_output().unwrap();
            let stderr = String::from_utf8(output.stderr).unwrap();
            assert_eq!(stderr, "note: chat.md already ends with this reply; nothing was appended\n");
            assert_eq!(output.status.code(), Some(0));
            assert_eq!(fs::read_to_string(directory.path().join("chat.md")).unwrap(), once);
            assert_eq!(fs::metadata(directory.path().join("chat.md")).unwrap().modified().unwrap(), changed);
        }
    }
}

#[test]
fn incomplete_reply_has_the_same_exit_code_when_appended_again() {
    let directory = folder_with(DOCUMENT);
    let incomplete = REPLY.replacen("completed", "incomplete", 1);
    for _ in 0..2 {
        assert_eq!(append(directory.path(), &[], &incomplete), (Some(5), format!("{DOCUMENT}\n{ANSWER}\n{EARLY}")));
    }
}

#[test]
fn response_that_has_no_items_yet_is_noted_once() {
    let queued = r#"{"object":"response","status":"queued","model":"m","output":[]}"#;
    let directory = folder_with(DOCUMENT);
    let once = append(directory.path(), &[], queued);
    assert_eq!(once.0, Some(5));
    assert_eq!(append(directory.path(), &[], queued), once);
}

#[test]
fn items_are_compared_by_their_json() {
    for same in [
        "<assistant id=\"m1\">Hi.</assistant>",
        "<assistant status='completed' id='m1'>\n\n<!-- a note -->\nRAW|Hi.|RAW\n</assistant>",
        "<msg role=\"assistant\" id=\"m1\" color=\"red\">\nHi.\n</msg>\n\n<!-- another note -->\n\n<config model=\"n\"/>",
        "<!-- chatmd:item {\"role\":\"assistant\",\"status\":\"completed\",\"type\":\"message\",\"content\":[{\"text\":\"Hi\\u002e\",\"type\":\"output_text\",\"annotations\":[]}],\"id\":\"m1\"} -->",
    ] {
        let document = format!("{DOCUMENT}\n{same}\n");
        for document in [document.clone(), format!("{document}\n{WAITING}")] {
            let directory = folder_with(&document);
            assert_eq!(append(directory.path(), &[], REPLY), (Some(0), document));
        }
    }
    for other in [
        "<assistant id=\"m1\">Hi!</assistant>",
        "<assistant id=\"m2\">Hi.</assistant>",
        "<assistant>Hi.</assistant>",
        "<assistant id=\"m1\">Hi.</assistant><user>More.</user>",
        "<user id=\"m1\">Hi.</user>",
    ] {
        let directory = folder_with(&format!("{DOCUMENT}\n{other}\n"));
        assert_eq!(append(directory.path(), &[], REPLY), (Some(0), format!("{DOCUMENT}\n{other}\n\n{ANSWER}")));
    }
}

#[test]
fn files_are_compared_by_content() {
    let image = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    let items = format!(
        r#"[{{"type":"function_call_output","call_id":"c","output":[{{"type":"input_image","image_url":"{image}"}}]}}]"#
    );
    let directory = folder_with(DOCUMENT);
    let (code, with_file) = append(directory.path(), &["--media", "pictures"], &items);
    assert_eq!(code, Some(0));
    assert!(with_file.contains("<img src=\"pictures/"), "{with_file}");
    for arguments in [&["--media", "pictures"][..], &[], &["--tool-output", "items"]] {
        assert_eq!(append(directory.path(), arguments, &items), (Some(0), with_file.clone()), "{arguments:?}");
    }
}

#[test]
fn partial_match_is_appended_in_full() {
    let directory = folder_with(DOCUMENT);
    let second = r#",{"type":"message","id":"m2","role":"assistant","status":"completed","content":[]}]}"#;
    let two = format!("{}{second}", REPLY.strip_suffix("]}").unwrap());
    assert_eq!(append(directory.path(), &[], REPLY).0, Some(0));
    let (code, text) = append(directory.path(), &[], &two);
    assert_eq!((code, text.matches("id=\"m1\"").count(), text.matches("id=\"m2\"").count()), (Some(0), 2, 1), "{text}");
}

#[test]
fn placeholder_is_added_even_if_the_reply_exists() {
    let directory = folder_with(&format!("{DOCUMENT}\n{ANSWER}"));
    for _ in 0..2 {
        assert_eq!(append(directory.path(), &["--next"], REPLY), (Some(0), format!("{DOCUMENT}\n{ANSWER}\n{WAITING}")));
    }
}

#[test]
fn repeated_id_is_a_warning() {
    let user = "<user>\nMore.\n</user>\n";
    for (reply, ids) in [(REPLY, "`m1`"), (CALL, "`rs_1`, `fc_1`, `call_1`, `ws_1`")] {
        let directory = folder_with(DOCUMENT);
        let (_, once) = append(directory.path(), &[], reply);
        let document = format!("{once}\n{user}");
        fs::write(directory.path().join("chat.md"), &document).unwrap();
        let strict = chatmd(directory.path(), &["--strict", "from-response", "--append", "chat.md"], &[], reply);
        assert_eq!(strict.code, Some(65), "{}", strict.stderr);
        assert_eq!(fs::read_to_string(directory.path().join("chat.md")).unwrap(), document);
        assert!(directory.path().join("chat.md.reply.md").exists());
        let ran = chatmd(directory.path(), &["from-response", "--append", "chat.md"], &[], reply);
        assert_eq!(ran.code, Some(0));
        assert!(
            ran.stderr.starts_with(&format!("warning: the reply repeats ids of chat.md: {ids};")),
            "{}",
            ran.stderr
        );
        assert!(fs::read_to_string(directory.path().join("chat.md")).unwrap().starts_with(&document));
    }
}

#[test]
fn reply_without_items_changes_nothing() {
    let empty = r#"{"object":"response","status":"completed","output":[]}"#;
    let directory = folder_with(&format!("{DOCUMENT}\n\n"));
    assert_eq!(append(directory.path(), &[], empty), (Some(0), format!("{DOCUMENT}\n\n")));
    let missing = tempfile::tempdir().unwrap();
    assert_eq!(start(missing.path(), &[], empty).wait().unwrap().code(), Some(0));
    assert!(!missing.path().join("chat.md").exists());
}
