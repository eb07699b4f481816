//! Sessions that are compressed, damaged or large.

use std::fs;
use std::path::Path;

use chatmd::internal::sessions::Format;
use chatmd::{Completion, Converter, Error, ResponseOptions};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use crate::run::{chatmd, directories, expected_exit, flags};

const USER: &str = r#"{"timestamp":"","type":"response_item","payload":{"role":"user","content":"Hello."}}"#;

fn compressed(text: impl AsRef<[u8]>) -> Vec<u8> {
    compress_to_vec(text.as_ref(), CompressionLevel::Fastest)
}

fn document(session: Vec<u8>) -> (String, Completion, String) {
    let reply = Converter::new().from_response(session, &ResponseOptions::default()).unwrap();
    (reply.text, reply.completion, reply.warnings.to_string())
}

#[test]
fn a_compressed_session_is_the_same_document() {
    for fixture in directories("sessions").iter().filter(|fixture| fixture.join("chat.md").exists()) {
        let temporary = tempfile::tempdir().unwrap();
        let session = fs::read(fixture.join("session.jsonl")).unwrap();
        // The format is not detected from the name.
        fs::write(temporary.path().join("session"), compressed(&session)).unwrap();
        let flags = flags(fixture);
        let args: Vec<&str> =
            ["from-response", "session"].into_iter().chain(flags.iter().map(String::as_str)).collect();
        let ran = chatmd(temporary.path(), &args, &[], "");
        assert_eq!(ran.code, Some(expected_exit(fixture)), "{}", ran.stderr);
        assert_eq!(ran.stdout, fs::read_to_string(fixture.join("chat.md")).unwrap());
    }
}

#[cfg(unix)]
#[test]
fn every_command_that_takes_sessions_takes_compressed_ones_from_a_pipe() {
    let temporary = tempfile::tempdir().unwrap();
    let model = r#"{"timestamp":"","type":"turn_context","payload":{"model":"gpt-5"}}"#;
    fs::write(temporary.path().join("session"), compressed(format!("{model}\n{USER}\n"))).unwrap();
    for command in ["from-response", "show --plain", "stats", "check", "from-response --any --append chat.md"] {
        let script = format!("cat session | {} {command}", env!("CARGO_BIN_EXE_chatmd"));
        let output = std::process::Command::new("sh").args(["-c", &script]).current_dir(&temporary).output().unwrap();
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(
        fs::read_to_string(temporary.path().join("chat.md")).unwrap(),
        "<config model=\"gpt-5\"/>\n\n<user>\nHello.\n</user>\n"
    );
}

#[test]
fn compressed_data_may_have_several_frames() {
    let skipped = [0x50, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, b'x', b'y', b'z'];
    let line = format!("{USER}\n");
    let session = [compressed(&line[..40]), skipped.to_vec(), compressed(&line[40..]), compressed(&line)].concat();
    assert_eq!(document(session).0.matches("Hello.").count(), 2);
}

#[test]
fn damaged_compressed_data_is_converted_up_to_the_damage() {
    let whole = [compressed(format!("{USER}\n")), compressed(format!("{USER}\n").repeat(1000))].concat();
    for length in [whole.len() - 1, whole.len() - 5, whole.len() / 2] {
        let (text, completion, warnings) = document(whole[..length].to_vec());
        assert!(text.starts_with("<user>\nHello.\n</user>\n"), "{text}");
        assert_eq!(completion, Completion::Truncated);
        assert!(warnings.contains("the zstd data is damaged or cut"), "{warnings}");
    }
}

#[test]
fn compressed_data_of_something_else_is_named() {
    for content in ["", "hello", r#"{"object":"response","output":[]}"#, "[]"] {
        let result = Converter::new().from_response(compressed(content), &ResponseOptions::default());
        let Err(Error::Problems(problems)) = result else { panic!("{content}: {result:?}") };
        assert!(problems.to_string().contains("this is zstd data"), "{problems}");
        let temporary = tempfile::tempdir().unwrap();
        fs::write(temporary.path().join("a.zst"), compressed(content)).unwrap();
        let ran = chatmd(temporary.path(), &["from-response", "a.zst"], &[], "");
        assert_eq!(ran.code, Some(65), "{}", ran.stderr);
        assert!(ran.stderr.contains("this is zstd data, but not a session"), "{}", ran.stderr);
    }
}

#[test]
fn a_few_bytes_do_not_become_a_line_of_any_length() {
    let head = compressed(format!("{USER}\n"));
    // 3000 frames of 128 KiB each in some 20 bytes.
    let bomb = compressed("a".repeat(128 << 10)).repeat(3000);
    let session = [head, bomb].concat();
    let error = Converter::new().from_response(session.clone(), &ResponseOptions::default()).unwrap_err();
    assert!(error.to_string().contains("64 MiB"), "{error}");
    let temporary = tempfile::tempdir().unwrap();
    fs::write(temporary.path().join("session"), &session).unwrap();
    let ran = chatmd(temporary.path(), &["from-response", "--max-session-bytes", "1000000000", "session"], &[], "");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(5), "<user>\nHello.\n</user>\n"));
    assert!(ran.stderr.contains("a line is longer than 256 MiB after decompression"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("damaged"), "{}", ran.stderr);
}

#[test]
fn a_line_may_have_20_megabytes() {
    let output = "A line of text.\\n".repeat(1_300_000);
    let line = |content: &str| {
        format!(
            r#"{{"type":"user","sessionId":"s","uuid":"a","message":{{"content":[{{"type":"tool_result","tool_use_id":"t","content":"{content}"}}]}}}}"#
        )
    };
    let temporary = tempfile::tempdir().unwrap();
    fs::write(temporary.path().join("a.jsonl"), format!("{}\n", line(&output))).unwrap();
    let ran = chatmd(temporary.path(), &["from-response", "a.jsonl"], &[], "");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(ran.stdout.matches("A line of text.").count(), 1_300_000);
    // The same line, cut.
    fs::write(temporary.path().join("a.jsonl"), &format!("{USER}\n{}", line(&output))[..20_000_000]).unwrap();
    let ran = chatmd(temporary.path(), &["from-response", "a.jsonl"], &[], "");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(5), "<user>\nHello.\n</user>\n"), "{}", ran.stderr);
    assert!(ran.stderr.len() < 1000);
}

#[test]
fn blank_lines_and_a_byte_order_mark_may_come_first() {
    let session = format!("\u{feff}\r\n\n  \n{USER}\r\n\n");
    assert_eq!(document(session.clone().into_bytes()).0, "<user>\nHello.\n</user>\n");
    let ran = chatmd(Path::new("."), &["from-response"], &[], &session);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), "<user>\nHello.\n</user>\n"), "{}", ran.stderr);
}

#[test]
fn empty_session_is_shown_at_its_first_line() {
    let other = r#"{"type":"progress","sessionId":"s"}"#;
    let shown = format!("\n2 | {other}\n  | ^ nothing to write\n");
    for session in [format!("\n{other}\n"), format!(" \n{other}\n{{\n{other}\n")] {
        let (text, completion, warnings) = document(session.into_bytes());
        assert_eq!((text.as_str(), completion), ("", Completion::Complete));
        assert!(warnings.contains(&shown), "{warnings}");
    }
    let (_, _, warnings) = document(format!("{{\"a\n{other}\n").into_bytes());
    assert_eq!(warnings.matches("\n1 | {\"a\n").count(), 2, "{warnings}");
    let (_, _, warnings) = document(format!("\u{feff}{other}\n").into_bytes());
    assert!(warnings.contains(&shown.replace("2 |", "1 |")), "{warnings}");
    let (converter, options) = (Converter::new(), ResponseOptions::default());
    let nothing = converter.from_session(&mut "".as_bytes(), Format::Codex, "a", &options).unwrap();
    assert!(nothing.warnings.to_string().contains("the session has no messages"));
}
