//! `-o OUT`: the whole result is written, or nothing changes.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use super::{CHATMD, HELLO, HELLO_LAYOUT, Ran, command, command_of, folder_with, run, run_with};

/// The id of the user and group `nobody`.
const NOBODY: u32 = 65534;

#[test]
fn new_file_has_the_result_and_the_default_mode() {
    let directory = folder_with(&[("chat.md", HELLO)]);
    run(&directory, &["parse", "chat.md", "-o", "tree.json"], "").assert(0, "", "");
    assert_eq!(read(&directory, "tree.json"), HELLO_LAYOUT);
    assert_eq!(mode(&directory, "tree.json"), mode(&directory, "chat.md"));
    assert_eq!(names(&directory), ["chat.md", "tree.json"]);
}

#[test]
fn dash_writes_to_standard_output() {
    let directory = folder_with(&[]);
    run(&directory, &["parse", "-o", "-"], HELLO).assert(0, HELLO_LAYOUT, "");
    assert_eq!(names(&directory), [""; 0]);
}

#[test]
fn open_pipes_and_standard_output_are_written_to() {
    let directory = folder_with(&[("chat.md", HELLO)]);
    let shell = |script: &str| {
        let output = Command::new("bash").args(["-c", script, CHATMD]).current_dir(directory.path()).output().unwrap();
        (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap())
    };
    for output in ["/dev/stdout", "/dev/fd/1", ">(cat; touch done)"] {
        let script = format!("rm -f done; $0 parse chat.md -o {output} | cat");
        assert_eq!(shell(&script), (HELLO_LAYOUT.to_owned(), String::new()), "{output}");
    }
    let map = shell("$0 to-request --model m --source-map /dev/stdout -o out.json chat.md | cat");
    assert!(map.0.starts_with("{\"/input/0\"") && map.1.is_empty(), "{map:?}");
    // Standard output that is a file is continued, and not replaced.
    shell("echo first > log; $0 parse chat.md -o /dev/stdout >> log");
    assert_eq!(read(&directory, "log"), format!("first\n{HELLO_LAYOUT}"));
}

#[test]
fn result_and_source_map_need_two_files() {
    let directory = folder_with(&[("chat.md", HELLO)]);
    let args = |path: &'static str| ["to-request", "--model", "m", "-o", "out.json", "--source-map", path, "chat.md"];
    for path in ["out.json", "./out.json"] {
        let help = "error: `-o` and `--source-map` both write out.json\n  = help: name two files\n";
        run(&directory, &args(path), "").assert(2, "", help);
    }
    assert_eq!(names(&directory), ["chat.md"]);
    run(&directory, &args("map.json"), "").assert(0, "", "");
    let twice = ["to-request", "--model", "m", "-o", "/dev/null", "--source-map", "/dev/null", "chat.md"];
    run(&directory, &twice, "").assert(0, "", "");
}

#[test]
fn existing_directory_is_not_called_missing() {
    let directory = folder_with(&[("chat.md", HELLO)]);
    symlink("gone/out.json", directory.path().join("link")).unwrap();
    let ran = run(&directory, &["parse", "chat.md", "-o", "link"], "");
    assert!(ran.stderr.contains("cannot write link: "), "{}", ran.stderr);
    assert!(!ran.stderr.contains("does not exist"), "{}", ran.stderr);
}

#[test]
fn replaced_file_keeps_its_mode() {
    let directory = folder_with(&[("tree.json", "old and longer than the new one".repeat(100).as_str())]);
    for kept in [0o640, 0o600, 0o755] {
        set_mode(directory.path().join("tree.json"), kept);
        run(&directory, &["parse", "--output", "tree.json"], HELLO).assert(0, "", "");
        assert_eq!((read(&directory, "tree.json").as_str(), mode(&directory, "tree.json")), (HELLO_LAYOUT, kept));
    }
    assert_eq!(names(&directory), ["tree.json"]);
}

#[test]
fn replaced_file_keeps_its_owner_and_group() {
    let directory = folder_with(&[("chat.md", "<user>Hello.</user>"), ("tree.json", "old")]);
    if fs::metadata(directory.path()).unwrap().uid() != 0 {
        // Only root may change the owner of a file.
        return;
    }
    for name in ["chat.md", "tree.json"] {
        chown(directory.path().join(name), Some(1234), Some(5678)).unwrap();
        set_mode(directory.path().join(name), 0o640);
    }
    run(&directory, &["parse", "--output", "tree.json"], HELLO).assert(0, "", "");
    run(&directory, &["fmt", "chat.md"], "").assert(0, "", "");
    for (name, content) in [("chat.md", HELLO), ("tree.json", HELLO_LAYOUT)] {
        let new = fs::metadata(directory.path().join(name)).unwrap();
        assert_eq!((new.uid(), new.gid(), mode(&directory, name)), (1234, 5678, 0o640), "{name}");
        assert_eq!(read(&directory, name), content);
    }
}

#[test]
fn replaced_file_with_a_lost_group_grants_no_more_access() {
    let directory = folder_with(&[("tree.json", "old")]);
    set_mode(directory.path(), 0o777);
    if fs::metadata(directory.path()).unwrap().uid() != 0 {
        return;
    }
    // `nobody` is not in the group of root.
    for (old, new) in [(0o640, 0o600), (0o644, 0o644), (0o664, 0o644), (0o604, 0o600), (0o666, 0o666)] {
        chown(directory.path().join("tree.json"), Some(NOBODY), Some(0)).unwrap();
        set_mode(directory.path().join("tree.json"), old);
        run_unprivileged(&directory, &["parse", "-o", "tree.json"], HELLO).assert(0, "", "");
        let written = fs::metadata(directory.path().join("tree.json")).unwrap();
        assert_eq!((written.uid(), written.gid(), mode(&directory, "tree.json")), (NOBODY, NOBODY, new), "{old:o}");
    }
    // The owner cannot be kept, but the group can: it is the only group of `nobody`.
    chown(directory.path().join("tree.json"), Some(0), Some(NOBODY)).unwrap();
    set_mode(directory.path().join("tree.json"), 0o660);
    let ran = run_unprivileged(&directory, &["parse", "-o", "tree.json"], HELLO);
    ran.assert_failed(0, &["warning: the owner of ", "tree.json cannot be kept: it belongs to user"]);
    let written = fs::metadata(directory.path().join("tree.json")).unwrap();
    assert_eq!((written.uid(), written.gid(), mode(&directory, "tree.json")), (NOBODY, NOBODY, 0o660));
}

#[test]
fn temporary_file_is_never_more_readable_than_the_target() {
    let long = "<user>\nA line of text.\n</user>\n\n".repeat(20_000);
    let mut modes = Vec::new();
    // The temporary file exists only for a moment: repeat until it was seen.
    for _ in 0..200 {
        let directory = folder_with(&[("chat.md", &long)]);
        set_mode(directory.path().join("chat.md"), 0o600);
        let mut child = command(&directory, &["fmt", "chat.md"]).spawn().unwrap();
        while child.try_wait().unwrap().is_none() {
            for entry in fs::read_dir(directory.path()).unwrap().map(Result::unwrap) {
                let is_temporary = entry.file_name().to_str().unwrap().starts_with(".chatmd-");
                // It may have been renamed already.
                if let Some(seen) = entry.metadata().ok().filter(|_| is_temporary) {
                    modes.push(seen.permissions().mode() & 0o7777);
                }
            }
        }
        assert_eq!(mode(&directory, "chat.md"), 0o600);
        assert!(read(&directory, "chat.md").len() < long.len());
        if !modes.is_empty() {
            break;
        }
    }
    assert!(!modes.is_empty() && modes.iter().all(|mode| *mode == 0o600), "{modes:?}");
}

#[test]
fn links_are_followed_and_kept() {
    let directory = folder_with(&[]);
    fs::create_dir(directory.path().join("trees")).unwrap();
    fs::write(directory.path().join("trees/real.json"), "old").unwrap();
    symlink("trees/real.json", directory.path().join("link.json")).unwrap();
    run(&directory, &["parse", "-o", "link.json"], HELLO).assert(0, "", "");
    assert_eq!(fs::read_link(directory.path().join("link.json")).unwrap(), Path::new("trees/real.json"));
    assert_eq!(read(&directory, "trees/real.json"), HELLO_LAYOUT);
    assert_eq!(names(&directory), ["link.json", "trees"]);
}

#[test]
fn device_is_written_and_not_replaced() {
    let directory = folder_with(&[]);
    run(&directory, &["parse", "-o", "/dev/null"], HELLO).assert(0, "", "");
    let null = fs::metadata("/dev/null").unwrap();
    assert!(!null.is_file() && !null.is_dir(), "/dev/null is no device any more");
}

#[test]
fn errors_leave_the_old_file_unchanged() {
    let directory = folder_with(&[("tree.json", "old")]);
    run(&directory, &["parse", "-o", "tree.json"], "hello").assert_failed(65, &["text-at-top-level"]);
    run(&directory, &["parse", "-o", "new.json"], "hello").assert_failed(65, &["text-at-top-level"]);
    assert_eq!((read(&directory, "tree.json").as_str(), names(&directory)), ("old", vec!["tree.json".to_owned()]));
}

#[test]
fn unwritable_output_is_named_and_leaves_no_temporary_file() {
    let directory = folder_with(&[("file", "")]);
    fs::create_dir(directory.path().join("folder")).unwrap();
    for out in ["gone/tree.json", "file/tree.json", "folder"] {
        let message = format!("error: cannot write {out}: ");
        run(&directory, &["parse", "-o", out], HELLO).assert_failed(74, &[&message]);
    }
    assert_eq!(names(&directory), ["file", "folder"]);
    assert_eq!(fs::read_dir(directory.path().join("folder")).unwrap().count(), 0);
}

#[test]
fn read_only_files_are_not_replaced() {
    let directory = folder_with(&[("protected.json", "old")]);
    let locked = directory.path().join("locked");
    fs::create_dir(&locked).unwrap();
    set_mode(directory.path().join("protected.json"), 0o444);
    set_mode(&locked, 0o555);
    set_mode(directory.path(), 0o777);
    for (out, why) in
        [("protected.json", "the file is read-only"), ("locked/tree.json", "the directory locked is read-only")]
    {
        let message = format!("error: cannot write {out}: {why}\n");
        run_unprivileged(&directory, &["parse", "-o", out], HELLO).assert_failed(74, &[&message]);
    }
    assert_eq!(read(&directory, "protected.json"), "old");
    assert_eq!(
        (names(&directory), fs::read_dir(&locked).unwrap().count()),
        (vec!["locked".into(), "protected.json".into()], 0)
    );
}

#[test]
fn reply_to_a_read_only_document_is_saved() {
    let directory = folder_with(&[("protected.md", HELLO)]);
    let locked = directory.path().join("locked");
    fs::create_dir(&locked).unwrap();
    fs::write(locked.join("chat.md"), HELLO).unwrap();
    set_mode(locked.join("chat.md"), 0o666);
    set_mode(directory.path().join("protected.md"), 0o444);
    set_mode(&locked, 0o555);
    set_mode(directory.path(), 0o777);
    let (reply, answer) = (r#"[{"role":"assistant","content":"y"}]"#, "<assistant>\ny\n</assistant>\n");
    let ran = run_unprivileged(&directory, &["from-response", "--append", "protected.md"], reply);
    let messages = ["cannot write protected.md: the file is read-only", "saved to protected.md.reply.md"];
    ran.assert_failed(74, &messages);
    assert_eq!((read(&directory, "protected.md").as_str(), mode(&directory, "protected.md")), (HELLO, 0o444));
    assert_eq!(read(&directory, "protected.md.reply.md"), answer);
    // If the directory is read-only, the reply is in a private directory for temporary files.
    for document in ["locked/chat.md", "locked/new.md"] {
        let ran = run_unprivileged(&directory, &["from-response", "--append", document], reply);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(74), ""), "{}", ran.stderr);
        let message = format!("error: cannot write {document}: the directory locked is read-only");
        assert!(ran.stderr.contains(&message), "{}", ran.stderr);
        let (_, saved) = ran.stderr.split_once("the reply was saved to ").unwrap();
        let saved = std::path::Path::new(saved.lines().next().unwrap());
        assert_eq!(fs::read_to_string(saved).unwrap(), answer);
        let private = saved.parent().unwrap();
        assert_eq!(fs::metadata(private).unwrap().permissions().mode() & 0o777, 0o700);
        fs::remove_dir_all(private).unwrap();
    }
    assert_eq!(read(&directory, "locked/chat.md"), HELLO);
    assert_eq!(fs::read_dir(&locked).unwrap().count(), 1);
}

#[test]
fn temporary_file_is_created_with_mode_600() {
    let directory = folder_with(&[("chat.md", "<user>Hello.</user>")]);
    let Some((ran, trace)) = traced(&directory, &["-e", "trace=openat"], &["fmt", "chat.md"]) else { return };
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let created = trace.lines().find(|line| line.contains(".chatmd-") && line.contains("O_CREAT")).unwrap();
    assert!(created.contains(", 0600)"), "{created}");
}

#[test]
fn directory_that_cannot_be_flushed_is_a_warning() {
    let directory = folder_with(&[("chat.md", "<user>Hello.</user>")]);
    // The second flush is for the directory.
    let fault = ["-e", "trace=fsync", "-e", "inject=fsync:error=EIO:when=2"];
    let Some((ran, trace)) = traced(&directory, &fault, &["fmt", "chat.md"]) else { return };
    assert!(trace.contains("INJECTED"), "{trace}");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stderr.contains("chat.md is written, but may be lost in a power failure: "), "{}", ran.stderr);
    assert_eq!(read(&directory, "chat.md"), HELLO);
}

/// Runs the command under `strace`; `None` if that is not possible.
fn traced(directory: &TempDir, options: &[&str], args: &[&str]) -> Option<(Ran, String)> {
    let mut strace = Command::new("strace");
    strace.args(["-f", "-o", "trace"]).args(options).arg(CHATMD).args(args).current_dir(directory.path());
    let output = strace.output().ok();
    let trace = fs::read_to_string(directory.path().join("trace")).unwrap_or_default();
    if trace.is_empty() {
        eprintln!("not checked: no `strace`");
    }
    output.filter(|_| !trace.is_empty()).map(|output| (Ran::from(output), trace))
}

/// Runs the command as a user other than root, who can ignore permissions.
fn run_unprivileged(directory: &TempDir, args: &[&str], stdin: &str) -> Ran {
    if fs::metadata(directory.path()).unwrap().uid() != 0 {
        return run(directory, args, stdin);
    }
    // Other users may not be allowed to read the build directory.
    let open = TempDir::new().unwrap();
    set_mode(open.path(), 0o755);
    let program = open.path().join("chatmd");
    // Copied by another process: running a file that this process has just written may fail with `ETXTBSY`.
    assert!(Command::new("cp").arg(CHATMD).arg(&program).status().unwrap().success());
    // The directory for temporary files may be closed to other users.
    let mut command = command_of(&program, directory, args);
    run_with(command.uid(NOBODY).gid(NOBODY).env("TMPDIR", directory.path()), stdin.as_bytes())
}

fn read(directory: &TempDir, name: &str) -> String {
    fs::read_to_string(directory.path().join(name)).unwrap()
}

fn mode(directory: &TempDir, name: &str) -> u32 {
    fs::metadata(directory.path().join(name)).unwrap().permissions().mode() & 0o7777
}

fn set_mode(path: impl AsRef<Path>, mode: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// The files in the directory, including temporary files.
fn names(directory: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(directory.path()).unwrap();
    let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn output_never_replaces_the_input() {
    let directory = folder_with(&[("chat.md", HELLO), ("reply.json", "[]")]);
    symlink("chat.md", directory.path().join("link.md")).unwrap();
    for arguments in [
        ["to-request", "-o", "chat.md", "chat.md"],
        ["to-request", "--source-map", "chat.md", "chat.md"],
        ["parse", "-o", "link.md", "./chat.md"],
        ["render", "-o", "chat.md", "link.md"],
        ["from-response", "-o", "reply.json", "reply.json"],
    ] {
        run(&directory, &arguments, "")
            .assert_failed(2, &["is the input, and would be replaced", "help: write to another file"]);
    }
    let redirected = format!("'{CHATMD}' parse -o chat.md < chat.md");
    let status = Command::new("sh").args(["-c", &redirected]).current_dir(directory.path()).status().unwrap();
    assert_eq!(status.code(), Some(2));
    assert_eq!((read(&directory, "chat.md").as_str(), read(&directory, "reply.json").as_str()), (HELLO, "[]"));
}

/// Commands that read a reply report that it was cut and what is left out, and show the text that has arrived.
#[test]
fn cut_reply_is_shown_with_a_warning() {
    let stream = "data: {\"type\":\"response.output_text.delta\",\"output_index\":0,\"content_index\":0,\"delta\":\"Hello\"}\n\n";
    let session = "{\"timestamp\":\"\",\"type\":\"response_item\",\"payload\":{\"role\":\"user\",\"content\":\"Hello\"}}\n{\"timestamp\":\"\",\"type\":\"event_msg\",\"payload\":{}}\n{\"ti";
    let directory = folder_with(&[]);
    let cut = "note: left out: 1 event line\nwarning: the last line of the session is cut";
    for (input, warning) in [(stream, "the stream ended before"), (session, cut)] {
        for command in [&["show", "--plain"][..], &["stats", "--json"], &["render"]] {
            let ran = run(&directory, command, input);
            assert_eq!(ran.code, Some(0), "{}", ran.stderr);
            assert!(ran.stderr.contains(warning), "{command:?}: {}", ran.stderr);
            assert!(command[0] == "stats" || ran.stdout.contains("Hello"), "{}", ran.stdout);
        }
    }
}
