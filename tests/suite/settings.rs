//! `chatmd.toml`: which file counts, what it may set, and what wins.

use std::fs;

use serde_json::Value;
use tempfile::TempDir;

use crate::run::{Ran, chatmd};

/// A repository with `chat.md` and `sub/chat.md`, and the directory of the user's settings beside it.
fn repository(near: &str, user: &str) -> TempDir {
    let directory = tempfile::tempdir().unwrap();
    let at = |path: &str| directory.path().join(path);
    for path in ["repo/.git", "repo/sub", "user/chatmd"] {
        fs::create_dir_all(at(path)).unwrap();
    }
    for path in ["repo/chat.md", "repo/sub/chat.md"] {
        fs::write(at(path), "<user>\nHello.\n</user>\n").unwrap();
    }
    for (path, text) in [("repo/chatmd.toml", near), ("user/chatmd/chatmd.toml", user)] {
        if !text.is_empty() {
            fs::write(at(path), text).unwrap();
        }
    }
    directory
}

fn run(directory: &TempDir, arguments: &[&str], variables: &[(&str, &str)], stdin: &str) -> Ran {
    let user = directory.path().join("user").display().to_string();
    let variables = [&[("XDG_CONFIG_HOME", user.as_str())], variables].concat();
    chatmd(&directory.path().join("repo"), arguments, &variables, stdin)
}

/// The model of the request that a command line makes.
fn model(directory: &TempDir, arguments: &[&str], variables: &[(&str, &str)], stdin: &str) -> String {
    let ran = run(directory, &[&["to-request"], arguments].concat(), variables, stdin);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{arguments:?}");
    serde_json::from_str::<Value>(&ran.stdout).unwrap()["model"].as_str().unwrap().to_owned()
}

const KEY: (&str, &str) = ("OPENAI_API_KEY", "sk-test");

#[test]
fn flag_wins_then_the_document_the_environment_the_near_file_and_the_file_of_the_user() {
    let user = "model = \"of-user\"\n[to-request]\nmodel = \"of-user-to-request\"\n";
    let both = repository("model = \"near\"\n", user);
    let document = "<config model=\"own\"/>\n<user>\nHello.\n</user>\n";
    assert_eq!(model(&both, &["-m", "flag"], &[("CHATMD_MODEL", "env")], document), "flag");
    assert_eq!(model(&both, &[], &[("CHATMD_MODEL", "env")], document), "own");
    assert_eq!(model(&both, &["chat.md"], &[("CHATMD_MODEL", "env")], ""), "env");
    assert_eq!(model(&both, &["chat.md"], &[], ""), "near");
    assert_eq!(model(&repository("", user), &["chat.md"], &[], ""), "of-user-to-request");
    let table = repository("model = \"near\"\n[send]\nmodel = \"other\"\n[to-request]\nmodel = \"table\"\n", user);
    assert_eq!(model(&table, &["chat.md"], &[], ""), "table");
    let none = run(&both, &["to-request", "--no-config", "chat.md"], &[], "");
    assert!(none.code == Some(65) && none.stderr.contains("missing-model"), "{}", none.stderr);
}

#[test]
fn nearest_file_up_to_the_repository_counts() {
    let directory = repository("model = \"near\"\n", "model = \"of-user\"\n");
    let at = |path: &str| directory.path().join(path);
    assert_eq!(model(&directory, &["sub/chat.md"], &[], ""), "near");
    fs::write(at("repo/sub/chatmd.toml"), "model = \"nearer\"\n").unwrap();
    assert_eq!(model(&directory, &["sub/chat.md"], &[], ""), "nearer");
    // A file counts for a run if it is near all of its documents.
    let several = run(&directory, &["batch", "requests", "sub/chat.md", "chat.md"], &[], "");
    assert_eq!(several.stdout.matches("\"near\"").count(), 2, "{}", several.stdout);
    let text = "<user>\nHello.\n</user>\n";
    assert_eq!(model(&directory, &[], &[], text), "near");
    assert_eq!(model(&directory, &["--stdin-filename", "sub/x.md"], &[], text), "nearer");
    // Files outside of the repository do not count, and without a repository only those of the document's own directory.
    fs::rename(at("repo/chatmd.toml"), at("chatmd.toml")).unwrap();
    assert_eq!(model(&directory, &["chat.md"], &[], ""), "of-user");
    fs::rename(at("chatmd.toml"), at("repo/chatmd.toml")).unwrap();
    fs::remove_file(at("repo/sub/chatmd.toml")).unwrap();
    fs::remove_dir(at("repo/.git")).unwrap();
    assert_eq!(model(&directory, &["sub/chat.md"], &[], ""), "of-user");
    assert_eq!(model(&directory, &["chat.md"], &[], ""), "near");
}

#[test]
fn file_that_comes_with_a_document_runs_no_program_and_reads_no_file() {
    for key in [
        "run = \"tools\"",
        "send-command = \"touch ran\"",
        "fetch-command = \"touch ran\"",
        "root = [\"/\"]",
        "tools = \"/etc/passwd\"",
        "output = \"chat.md\"",
        "header = [\"X: y\"]",
        "retries = 9",
        "strict = false",
        "media = \"../elsewhere\"",
        "media = \"/tmp\"",
        "media = \"link\"",
        "media = \".\"",
        "media = \"itself\"",
        "media = \"\"",
        "continue = true",
    ] {
        for text in [format!("{key}\n"), format!("[send]\n{key}\n")] {
            if text.starts_with("[send]\noutput") || text.starts_with("[send]\ncontinue") {
                continue;
            }
            let directory = repository(&text, "");
            std::os::unix::fs::symlink("..", directory.path().join("repo/link")).unwrap();
            std::os::unix::fs::symlink(".", directory.path().join("repo/itself")).unwrap();
            let ran = run(&directory, &["send", "-m", "m", "chat.md"], &[KEY], "");
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(77), ""), "{text}{}", ran.stderr);
            assert!(ran.stderr.contains("chatmd.toml:") && ran.stderr.contains("`--no-config`"), "{}", ran.stderr);
            assert!(!directory.path().join("repo/ran").exists());
        }
    }
}

#[test]
fn wrong_keys_and_values_are_named_with_their_places() {
    for (text, message) in [
        ("modle = \"m\"", "chatmd.toml:1:1: unknown setting `modle`\n  = help: did you mean `model`?"),
        ("\n[snd]\nmodel = \"m\"", "chatmd.toml:2:2: unknown command `snd`\n  = help: did you mean `send`?"),
        ("[send]\nwidth = 3", "chatmd.toml:2:1: unknown setting of `send` `width`"),
        ("[batch]\nmodel = \"m\"", "chatmd.toml:2:1: unknown setting of `batch` `model`"),
        ("model = 1.5", "chatmd.toml:1:9: `model` must be a string"),
        ("model = 3", "chatmd.toml:1:9: `model` must be a string"),
        ("model = [\"a\"]", "`model` must be a string"),
        ("[check]\nallow = 3", "chatmd.toml:2:9: `allow` must be a string or an array of strings"),
        ("allow = \"sekret,foreign-id\"", "chatmd.toml:1:1: unknown rule `sekret`\n  = help: did you mean `secret`?"),
        ("allow = [\"unclosed-element\"]", "chatmd.toml:1:1: `unclosed-element` cannot be allowed"),
        ("model = \"\"", "a value is required for '--model <NAME>'"),
        ("next = \"yes\"", "chatmd.toml:1:8: `next` must be true or false"),
        ("allow = [true]", "`allow` must be a string or an array of strings"),
        ("[to-request]\napi = \"\\u001b[31m\"", "chatmd.toml:2:1: invalid value '"),
        ("model =", "chatmd.toml:1:8: "),
        ("model = \"a\"\nmodel = \"b\"", "chatmd.toml:2:1: duplicate key"),
    ] {
        let ran = run(&repository(text, ""), &["to-request", "chat.md"], &[], "");
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(65), ""), "{text}: {}", ran.stderr);
        assert!(ran.stderr.contains(message) && !ran.stderr.contains('\u{1b}'), "{text}: {}", ran.stderr);
    }
    for (text, message) in [
        ("[send]\nretries = \"2\"", "chatmd.toml:2:11: `retries` must be a whole number"),
        ("max-file-bytes = 0x10", "chatmd.toml:1:18: `max-file-bytes` must be a whole number"),
        ("[ask]\nretries = -1", "chatmd.toml:2:1: invalid value '-1' for '--retries <N>'"),
    ] {
        let ran = run(&repository("", text), &["to-request", "chat.md"], &[], "");
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(65), ""), "{text}: {}", ran.stderr);
        assert!(ran.stderr.contains(message), "{text}: {}", ran.stderr);
    }
    for key in ["run = \"tools\"", "continue = true", "no-config = true"] {
        let ran = run(&repository("", key), &["to-request", "chat.md"], &[], "");
        assert_eq!(ran.code, Some(65), "{}", ran.stderr);
        assert!(ran.stderr.contains("can only be given as a flag"), "{}", ran.stderr);
    }
}

#[test]
fn dry_run_and_deps_say_which_file_was_used() {
    let directory = repository("media = \"pictures\"\nnext = true\nstrict = true\n", "retries = 2\nmodel = \"m\"\n");
    let ran = run(&directory, &["send", "--dry-run", "--media", "other", "chat.md"], &[KEY], "");
    let user = directory.path().join("user/chatmd/chatmd.toml");
    let notes = format!(
        "note: chatmd.toml sets next, strict; documents may read pictures\nnote: {} sets model, retries\n",
        user.display()
    );
    assert!(ran.code == Some(0) && ran.stderr.starts_with(&notes), "{}", ran.stderr);
    let deps = run(&directory, &["check", "--deps", "chat.md"], &[], "");
    assert!(deps.stderr.contains("note: chatmd.toml sets strict; documents may read pictures\n"), "{}", deps.stderr);
    let none = run(&directory, &["check", "--deps", "--no-config", "chat.md"], &[], "");
    assert_eq!((none.code, none.stderr.as_str()), (Some(0), ""));
}

#[test]
fn settings_of_flags_that_do_nothing_here_are_no_errors() {
    let user = "stateless = true\nmedia = \"pictures\"\nurl = \"/v1/x\"\nretries = 2\nwidth = 100\nroot = \".\"\n";
    let directory = repository("", user);
    let call = "<tool_call function_name=\"f\" tool_call_id=\"c\">\n{}\n</tool_call>\n";
    fs::write(directory.path().join("repo/call.md"), call).unwrap();
    let line = r#"{"id":"a","document":"<config model='m'/><user>\nHello.\n</user>"}"#;
    for (arguments, stdin) in [
        (&["from-response"][..], r#"[{"type":"message","role":"user","content":"Hi."}]"#),
        (&["answer", "call.md", "c"], "done"),
        (&["batch", "requests", "-"], line),
        (&["show", "--plain", "chat.md"], ""),
        (&["stats", "--json", "-m", "m", "chat.md"], ""),
    ] {
        let ran = run(&directory, arguments, &[], stdin);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{arguments:?}");
    }
    let wrong = run(&directory, &["explain", "--no-config"], &[], "");
    assert!(wrong.code == Some(2) && wrong.stderr.contains("`explain` never does"), "{}", wrong.stderr);
}

#[test]
fn near_file_sets_media_below_itself_and_the_rules_to_ignore() {
    let directory = repository("media = \"pictures\"\nallow = [\"secret\"]\n", "");
    let key = format!("<config model=\"m\"/>\n<user>\nThe key is sk-proj-{}.\n</user>\n", "4bX9".repeat(12));
    fs::write(directory.path().join("repo/chat.md"), key).unwrap();
    assert_eq!(run(&directory, &["check", "--strict", "chat.md"], &[], "").code, Some(0));
    assert_eq!(run(&directory, &["check", "--strict", "--no-config", "chat.md"], &[], "").code, Some(1));
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    let items = format!(
        r#"[{{"type":"message","role":"user","content":[{{"type":"input_image","image_url":"data:image/png;base64,{png}"}}]}}]"#
    );
    let ran = run(&directory, &["import", "-o", "new.md"], &[], &items);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert_eq!(fs::read_dir(directory.path().join("repo/pictures")).unwrap().count(), 1);
}

#[test]
fn media_of_the_repository_is_one_directory_that_all_its_documents_read() {
    let directory = repository("model = \"m\"\nmedia = \"pictures\"\n", "");
    let at = |path: &str| directory.path().join(path);
    fs::create_dir(at("repo/sub/deep")).unwrap();
    fs::write(at("chart.pdf"), "%PDF-1.4 report").unwrap();
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    let reply = format!(
        r#"{{"object":"response","status":"completed","output":[{{"type":"image_generation_call","id":"ig_1","status":"completed","result":"{png}"}}]}}"#
    );
    fs::write(at("reply.json"), reply).unwrap();
    // From the top of the repository, from the document's own directory, and from another one.
    for (current, document) in [("repo", "sub/a.md"), ("repo/sub/deep", "b.md"), ("repo/sub", "../c.md")] {
        let user = at("user").display().to_string();
        let run = |arguments: &[&str]| {
            let variables = [("XDG_CONFIG_HOME", user.as_str()), ("PATH", "/usr/bin:/bin")];
            let ran = chatmd(&at(current), arguments, &variables, "");
            assert_eq!(ran.code, Some(0), "{arguments:?}: {}", ran.stderr);
            ran.stdout
        };
        let (reply, chart) = (at("reply.json").display().to_string(), at("chart.pdf").display().to_string());
        let command = format!("cat {reply}");
        run(&["ask", "-f", document, "--send-command", &command, "--attach", &chart, "Draw."]);
        let real = at(current).join(document).canonicalize().unwrap();
        let text = fs::read_to_string(&real).unwrap();
        let up = if current == "repo/sub/deep" { "../../pictures/" } else { "../pictures/" };
        let up = if document == "../c.md" { "pictures/" } else { up };
        assert!(text.contains(&format!("\"{up}")) && !text.contains(png), "{document}: {text}");
        // The files are read again, by every command.
        let request = run(&["to-request", "--input-only", document]);
        assert!(request.contains(png) && request.contains("data:application/pdf;base64,"), "{request}");
        run(&["check", "--strict", document]);
        run(&["show", document]);
        assert_eq!(run(&["media", &at("repo/pictures").display().to_string(), document]), "");
    }
    assert_eq!(fs::read_dir(at("repo/pictures")).unwrap().count(), 2);
    // Without the file, and for any other directory, the roots are as before.
    let refused = run(&directory, &["check", "--no-config", "sub/a.md"], &[], "");
    assert_eq!(refused.code, Some(1), "{}", refused.stdout);
    fs::create_dir(at("repo/other")).unwrap();
    fs::write(at("repo/other/x.txt"), "x").unwrap();
    fs::write(at("repo/sub/chat.md"), "<user>\n<doc src=\"../other/x.txt\" local/>\n</user>\n").unwrap();
    assert_eq!(run(&directory, &["to-request", "sub/chat.md"], &[], "").code, Some(77));
}
