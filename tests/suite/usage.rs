//! What a new user types: help, missing arguments, and flags that mean nothing.

use std::fs;
use std::path::Path;

use crate::run::{Ran, chatmd};

const CHAT: &str = "<config model=\"m\"/>\n\n<user>\nHello.\n</user>\n";

fn run(arguments: &[&str], stdin: &str) -> Ran {
    let directory = tempfile::tempdir().unwrap();
    for name in ["chat.md", "x.md"] {
        fs::write(directory.path().join(name), CHAT).unwrap();
    }
    chatmd(directory.path(), arguments, &[], stdin)
}

/// Asserts that the arguments are wrong, and that the message explains why.
fn assert_usage_error(arguments: &[&str], why: &str) {
    let ran = run(arguments, "");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{arguments:?}");
    assert!(ran.stderr.contains(why), "{arguments:?}: {}", ran.stderr);
}

#[test]
fn help_command_prints_the_help_of_a_command() {
    for (arguments, same) in [
        (&["help"][..], &["--help"][..]),
        (&["help", "send"], &["send", "--help"]),
        (&["help", "batch", "results"], &["batch", "results", "--help"]),
    ] {
        let ran = run(arguments, "");
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""));
        assert_eq!(ran.stdout, run(same, "").stdout);
    }
    assert_usage_error(&["help", "snd"], "'snd'");
    assert_usage_error(&["to-request", "--max-file-bytes", "1k"], "not a whole number");
    assert_usage_error(&["help", "send", "nope"], "`send` has no command `nope`");
    assert_usage_error(&["help", "batch", "results", "x"], "`results` has no command `x`");
}

#[test]
fn misspelt_topic_of_help_is_suggested() {
    assert_usage_error(&["help", "langauge"], "'language'");
    assert_usage_error(&["help", "chek"], "'check'");
}

#[test]
fn file_in_place_of_a_command_has_a_tip() {
    let tip = "tip: to send a document: 'chatmd send chat.md'; to read it: 'chatmd show chat.md'";
    assert_usage_error(&["chat.md"], tip);
    assert_usage_error(&["my chat.md"], "'chatmd send 'my chat.md''");
    assert!(!run(&["chat"], "").stderr.contains("to read it"));
}

#[test]
fn first_guesses_get_the_command_that_does_it() {
    for (arguments, tip) in [
        (&["chat"][..], "'chatmd ask TEXT'"),
        (&["help", "chat"], "'chatmd ask TEXT'"),
        (&["How warm is it?"], "'chatmd ask TEXT'"),
        (&["ls"], "a conversation is a file"),
        (&["view", "chat.md"], "'chatmd show FILE'"),
        (&["undo"], "'chatmd cut FILE'"),
        (&["--system", "x"], "'chatmd ask --system TEXT'"),
        (&["send", "--system", "x", "chat.md"], "'chatmd ask --system TEXT'"),
        (&["ask", "--temperature=0.5", "Hi."], "--set temperature=0.2"),
        (&["send", "--api-key", "x", "chat.md"], "'OPENAI_API_KEY'"),
        (&["ask", "--image", "a.png", "Hi."], "'chatmd ask --attach PATH TEXT'"),
        (&["send", "chat.md", "And tomorrow?"], "'chatmd ask -f FILE TEXT'"),
        (&["send", "-f", "chat.md"], "'chatmd send FILE'"),
    ] {
        assert_usage_error(arguments, tip);
        let ran = run(arguments, "");
        assert!(!ran.stderr.contains("similar") && !ran.stderr.contains("-- -"), "{arguments:?}: {}", ran.stderr);
    }
    // A misspelling still gets the nearest name.
    assert_usage_error(&["chek", "chat.md"], "'check'");
    assert_usage_error(&["send", "--modle", "m", "chat.md"], "'--model'");
}

#[test]
fn other_names_of_commands_and_flags_work() {
    let items = r#"[{"type":"message","role":"assistant","content":"Hi."}]"#;
    for (one, other) in [(&["from-response"][..], &["import"][..]), (&["import", "--next"], &["import", "--reply"])] {
        let (one, other) = (run(one, items), run(other, items));
        assert_eq!((one.code, &one.stdout), (Some(0), &other.stdout), "{}", one.stderr);
    }
    assert!(run(&["-h"], "").stdout.contains("[alias: import]"));
    assert!(!run(&["import", "--help"], "").stdout.contains("--reply"));
}

#[test]
fn value_of_set_that_is_a_text_is_shown_in_quotes() {
    let help = "put a text in quotes: --set 'model=\"gpt-4\"'";
    assert_usage_error(&["to-request", "--set", "model=gpt-4", "chat.md"], help);
    for other in ["model=", "model=\"gpt", "temperature=1.", "a=it's"] {
        assert_usage_error(&["to-request", "--set", other, "chat.md"], "write `--set PATH=JSON`");
    }
    let secret = format!("a=sk-proj-{}", "4bX9".repeat(12));
    let ran = run(&["to-request", "--set", &secret, "chat.md"], "");
    assert!(!ran.stderr.contains("4bX9"), "{}", ran.stderr);
}

#[test]
fn errors_of_the_system_are_in_words() {
    for (arguments, code, message) in [
        (
            &["show", "chat"][..],
            66,
            "error: cannot read chat: No such file or directory\n  = help: did you mean `chat.md`?\n",
        ),
        (&["show", "./x"], 66, "did you mean `./x.md`?"),
        (&["show", "./cat.md"], 66, "did you mean `./chat.md`?"),
        (&["show", "other.txt"], 66, "No such file or directory\n  = help: check the path\n"),
        (&["show", "none/chat.md"], 66, "= help: check the path\n"),
        (
            &["to-request", "--root", "none", "chat.md"],
            2,
            "error: --root none: the directory does not exist\n  = help: ",
        ),
        (&["to-request", "--root", "chat.md", "chat.md"], 2, "error: --root chat.md: not a directory\n  = help: "),
        (
            &["batch", "requests", "--root", "none", "chat.md"],
            2,
            "--root none: the directory does not exist\n  = help: ",
        ),
        (
            &["to-request", "chat.md", "-o", "none/"],
            74,
            "cannot write none/: it names a directory\n  = help: name a file in it\n",
        ),
        (&["send", "--send-command", "./none", "chat.md"], 74, "cannot run ./none: No such file or directory\n"),
    ] {
        let ran = run(arguments, "");
        assert_eq!(ran.code, Some(code), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(message) && !ran.stderr.contains("os error"), "{arguments:?}: {}", ran.stderr);
    }
}

#[test]
fn text_in_place_of_a_response_is_of_the_program_before_the_pipe() {
    for text in ["curl: (6) Could not resolve host: x\n", "not found\n", "404 page not found\n"] {
        let ran = run(&["from-response"], text);
        assert_eq!(ran.code, Some(65));
        assert!(ran.stderr.contains("= help: check the output of the command before the pipe\n"), "{}", ran.stderr);
    }
}

#[test]
fn empty_document_is_called_empty() {
    for document in ["", " \n"] {
        let ran = run(&["to-request", "-"], document);
        assert_eq!(ran.code, Some(65));
        assert!(ran.stderr.starts_with("error[missing-model]: the document is empty\n"), "{}", ran.stderr);
        assert!(ran.stderr.contains("`chatmd new FILE` writes a document to start from"), "{}", ran.stderr);
    }
}

#[test]
fn documents_of_a_directory_have_a_name_or_a_line_that_says_so() {
    let directory = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(directory.path().join(name), text).unwrap();
    write("a.chat.md", "<usr>\n");
    write("b.md", "# Title\n\n<user>\nHi.\n</user>\n");
    write("c.md", "```\n<user>\n```\n\nText about <user>.\n");
    write("d.md", "<details>\n<summary>More</summary>\n</details>\n");
    let ran = chatmd(directory.path(), &["check", "--format", "short", "."], &[], "");
    assert_eq!(ran.code, Some(1), "{}", ran.stdout);
    let named: Vec<&str> = ran.stdout.lines().filter_map(|line| line.split(':').next()).collect();
    assert_eq!(named, ["./a.chat.md", "./b.md"], "{}", ran.stdout);
    assert!(ran.stderr.contains("2 other files `*.md` are not documents"), "{}", ran.stderr);
}

#[test]
fn conversation_is_not_replaced_by_from_response() {
    let directory = tempfile::tempdir().unwrap();
    let out = directory.path().join("chat.md");
    let response = r#"{"object":"response","status":"completed","output":[{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hi."}]}]}"#;
    fs::write(&out, "<user>\nOld.\n</user>\n").unwrap();
    let refused = chatmd(directory.path(), &["from-response", "-o", "chat.md"], &[], response);
    assert_eq!(refused.code, Some(77), "{}", refused.stderr);
    assert!(
        refused.stderr.contains("`--append chat.md`") && refused.stderr.contains("`--force`"),
        "{}",
        refused.stderr
    );
    assert_eq!(fs::read_to_string(&out).unwrap(), "<user>\nOld.\n</user>\n");
    for flags in [&["--force"][..], &[]] {
        let written = chatmd(directory.path(), &[&["from-response", "-o", "chat.md"], flags].concat(), &[], response);
        assert_eq!(written.code, Some(0), "{}", written.stderr);
        assert_eq!(fs::read_to_string(&out).unwrap(), "<assistant>\nHi.\n</assistant>\n");
    }
}

#[test]
fn directory_without_documents_is_named_in_one_way() {
    let directory = tempfile::tempdir().unwrap();
    fs::create_dir(directory.path().join("none")).unwrap();
    let message = "none: no documents in this directory\n  = help: documents are files `*.chat.md`, and other files `*.md` in which a line begins with an element\n";
    for (arguments, code) in [(&["check", "none"][..], 0), (&["batch", "requests", "none"], 66)] {
        let ran = chatmd(directory.path(), arguments, &[], "");
        assert_eq!(ran.code, Some(code));
        assert!(ran.stderr.ends_with(message), "{}", ran.stderr);
    }
}

#[test]
fn help_has_the_sentence_then_the_usage_then_examples() {
    let help = run(&["send", "--help"], "").stdout;
    let places = ["Send a document", "\nUsage: chatmd send", "\nExamples:\n", "\nArguments:\n", "\nOptions:\n"];
    let found: Vec<_> = places.iter().map(|text| help.find(text).unwrap_or_else(|| panic!("{text}: {help}"))).collect();
    assert!(found.is_sorted(), "{found:?}");
}

#[test]
fn help_language_is_the_whole_reference() {
    let reference = run(&["help", "language"], "").stdout;
    let pages = fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/language")).unwrap();
    for page in pages {
        let path = page.unwrap().path();
        assert!(reference.contains(&fs::read_to_string(&path).unwrap()), "{} is not in it", path.display());
    }
    assert!(reference.contains("\n# What comes back from the API\n"));
}

#[test]
fn strict_is_refused_where_there_are_no_warnings() {
    for command in ["new", "explain", "man", "help"] {
        assert_usage_error(&[command, "--strict"], "`--strict` treats warnings as errors");
        assert_usage_error(&["--strict", command], "has no warnings");
        assert!(!run(&[command, "-h"], "").stdout.contains("--strict"), "{command}");
    }
    assert!(run(&["stats", "-h"], "").stdout.contains("--strict"));
}

#[test]
fn commands_that_need_a_file_refuse_standard_input() {
    for (arguments, what) in [
        (&["locate", "-", "input"][..], "`locate` needs a file"),
        (&["send", "-"], "`send` needs a file"),
        (&["answer", "-", "call_1"], "`answer` needs a file"),
        (&["from-response", "--append", "-"], "`--append` needs a file"),
        (&["from-response", "--for", "-"], "`--for` needs a file"),
    ] {
        assert_usage_error(arguments, what);
    }
}

#[test]
fn flags_that_would_do_nothing_are_errors() {
    for (arguments, why) in [
        (&["from-response", "--follow", "chat.md"][..], "`--follow` shows a stream from standard input"),
        (&["from-response", "--stateless"], "name the document with `--append DOC` or `--for DOC`"),
        (&["from-response", "--any"], "--append"),
        (&["from-response", "--any", "-o", "chat.md"], "--any"),
        (&["from-response", "--force", "--append", "chat.md"], "--force"),
        (&["check", "--null", "chat.md"], "--deps"),
        (&["check", "--null", "--fix", "chat.md"], "--null"),
        (&["ask", "--no-send", "Hello."], "--file"),
        (&["ask", "--no-send", "-o", "chat.md", "Hello."], "--no-send"),
        (&["stats", "--json", "--width", "100", "chat.md"], "--width"),
        (&["show", "--plain", "--full", "chat.md"], "--full"),
        (&["to-request", "--command-timeout", "5", "chat.md"], "--fetch-command"),
        (&["answer", "chat.md", "call_1", "--media", "pictures"], "`--media` copies images and files"),
        (&["batch", "requests", "--url", "/v1/x", "-"], "`--url`"),
        (&["batch", "results", "--root", ".", "-"], "`--root`"),
        (&["to-request", "--model", "", "chat.md"], "--model"),
        (&["stats", "--model", "", "chat.md"], "--model"),
    ] {
        assert_usage_error(arguments, why);
    }
}

#[test]
fn follow_takes_a_dash_for_standard_input() {
    let stream = "data: {\"type\":\"response.output_item.done\",\"output_index\":0,\"item\":{\"type\":\"message\",\"role\":\"assistant\",\"content\":[{\"type\":\"output_text\",\"text\":\"Hi!\"}]}}\n\ndata: {\"type\":\"response.completed\",\"response\":{\"status\":\"completed\"}}\n\n";
    let ran = run(&["from-response", "--follow", "-"], stream);
    assert_eq!(ran.stderr, "Hi!\n");
    assert!(ran.code == Some(0) && ran.stdout.contains("\nHi!\n</assistant>\n"), "{}", ran.stdout);
}

#[test]
fn drop_nulls_leaves_out_what_sdks_write_for_nothing() {
    let dumped = r#"{"id":"resp_1","object":"response","status":"completed","error":null,"output":[{"type":"message","id":"msg_1","role":"assistant","status":"completed","phase":null,"content":[{"type":"output_text","text":"Hi!","annotations":[],"logprobs":null}]},{"type":"function_call","call_id":"c","name":"f","arguments":"{\"a\":null}","id":null,"status":null}],"tools":[{"type":"function","name":"f","parameters":{"properties":{"a":{"default":null}}}}]}"#;
    let plain = "<assistant id=\"msg_1\" status=\"completed\">\nHi!\n</assistant>\n\n<tool_call function_name=\"f\" tool_call_id=\"c\">\n{\"a\":null}\n</tool_call>\n";
    let lines = format!("{}\n", dumped.replace('\n', ""));
    let stream = format!("data: {{\"type\":\"response.completed\",\"response\":{dumped}}}\n\n");
    for input in [dumped, &lines, &stream] {
        assert_ne!(run(&["from-response"], input).stdout, plain);
        let ran = run(&["from-response", "--drop-nulls"], input);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), plain), "{}", ran.stderr);
    }
    let request = r#"{"model":"m","user":null,"input":"a","tools":[{"type":"function","name":"f","description":null,"strict":true,"parameters":{"type":"object","properties":{"a":{"default":null}}}}]}"#;
    let document = run(&["from-response", "--drop-nulls"], request).stdout;
    assert!(document.contains("\"default\": null") || document.contains("\"default\":null"), "{document}");
    assert!(!document.contains("description") && !document.contains("user="), "{document}");
}

#[test]
fn drop_nulls_keeps_the_warning_about_a_repeated_key() {
    for input in [
        r#"[{"role":"user","content":"a","content":"b"}]"#,
        r#"[{"role":"user","content":"a","id":null,"content":"b"}]"#,
    ] {
        let ran = run(&["from-response", "--drop-nulls"], input);
        assert!(ran.stdout.contains("\nb\n") && ran.stderr.contains("repeated-field"), "{}{}", ran.stdout, ran.stderr);
    }
    // The last value counts, also if it is null.
    let ran = run(&["from-response", "--drop-nulls"], r#"[{"role":"user","content":"a","content":null}]"#);
    assert!(ran.stdout.contains("null") && !ran.stdout.contains("\na\n"), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn stats_says_nothing_about_tool_outputs_if_there_are_none() {
    let stats = |document: &str| run(&["stats", "-"], document).stdout;
    assert!(!stats(CHAT).contains("Tool outputs"));
    let call = "<tool_call function_name=\"f\" tool_call_id=\"c\">\n{}\n</tool_call>\n<tool_response tool_call_id=\"c\">\nx\n</tool_response>\n";
    assert!(stats(&format!("{CHAT}{call}")).contains("Tool outputs are"));
}

#[test]
fn stats_counts_the_request_that_flags_change() {
    let directory = tempfile::tempdir().unwrap();
    let read = |id: &str| {
        let text = "a line of text\n".repeat(50);
        format!(
            "<tool_call function_name=\"read_file\" tool_call_id=\"{id}\">\n{{\"file\":\"a\"}}\n</tool_call>\n<tool_response tool_call_id=\"{id}\">\n{text}</tool_response>\n"
        )
    };
    fs::write(directory.path().join("chat.md"), format!("{CHAT}{}{}", read("a"), read("b"))).unwrap();
    fs::write(directory.path().join("tools.json"), r#"[{"type":"function","name":"f","parameters":{}}]"#).unwrap();
    let tokens = |flags: &[&str]| {
        let ran = chatmd(directory.path(), &[&["stats", "--json", "chat.md"], flags].concat(), &[], "");
        let stats: serde_json::Value = serde_json::from_str(&ran.stdout).unwrap_or_else(|_| panic!("{}", ran.stderr));
        stats["total"]["tokens"].as_u64().unwrap()
    };
    let all = tokens(&[]);
    assert!(tokens(&["--collapse-stale"]) < all - 100);
    assert!(tokens(&["--tools", "tools.json"]) > all);
}

#[test]
fn missing_argument_gets_an_example() {
    for (arguments, example) in [
        (&["send"][..], "\nExample: chatmd send chat.md\n"),
        (&["answer", "chat.md"], "\nExample: ./weather Zürich | chatmd answer chat.md call_1\n"),
        (&["batch", "results"], "\nExample: chatmd batch results output.jsonl\n"),
    ] {
        assert_usage_error(arguments, example);
    }
}

#[test]
fn options_of_all_commands_are_listed_last() {
    let help = run(&["to-request", "-h"], "").stdout;
    let places = ["--output <OUT>", "--model <NAME>", "--color <WHEN>", "--help"];
    let found: Vec<_> = places.iter().map(|text| help.find(text).unwrap()).collect();
    assert!(found.is_sorted(), "{help}");
}

/// The vocabulary of tokens takes long to load, and nothing is counted here.
#[test]
fn stats_without_text_does_not_load_the_vocabulary() {
    let seconds = |document: &str| {
        let run = |_| {
            let start = std::time::Instant::now();
            assert_eq!(run(&["stats", "-"], document).code, Some(0));
            start.elapsed().as_secs_f64()
        };
        (0..3).map(run).fold(f64::INFINITY, f64::min)
    };
    let image = "<config model=\"m\"/>\n<user>\n<img src=\"https://example.com/a.png\"/>\n</user>\n";
    let (without, with) = (seconds(image), seconds(CHAT));
    assert!(without < with / 2.0, "{without} and {with} seconds");
}
