//! Signals, locks and links of documents that are rewritten.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

const UNFORMATTED: &str = "<user>Hello.</user>";

fn names(directory: &Path) -> Vec<String> {
    let names = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    names.collect()
}

/// Runs a shell script in a directory. `$CHATMD` is the program.
fn shell(directory: &Path, script: &str) -> Output {
    let mut shell = Command::new("sh");
    shell.args(["-c", script]).env("CHATMD", env!("CARGO_BIN_EXE_chatmd")).current_dir(directory);
    shell.stdin(Stdio::null()).output().unwrap()
}

#[test]
fn file_size_limit_is_an_error_and_leaves_no_temporary_file() {
    let directory = tempfile::tempdir().unwrap();
    let document = "<user>Hello.</user>\n".repeat(1000);
    fs::write(directory.path().join("chat.md"), &document).unwrap();
    for command in ["fmt chat.md", "to-request --input-only -o out.json chat.md"] {
        let ran = shell(directory.path(), &format!("ulimit -f 4; exec \"$CHATMD\" {command}"));
        let stderr = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(74), "{command}: {stderr}");
        assert!(stderr.contains("cannot write") && stderr.contains("too large"), "{stderr}");
        assert_eq!(names(directory.path()), ["chat.md"], "{command}");
    }
    assert_eq!(fs::read_to_string(directory.path().join("chat.md")).unwrap(), document);
}

/// `nohup` and `trap ''` ignore a signal for the programs that they start.
#[cfg(target_os = "linux")]
#[test]
fn signal_that_was_ignored_at_the_start_stays_ignored() {
    let directory = tempfile::tempdir().unwrap();
    let run = "mkfifo input; \"$CHATMD\" fmt - < input & exec 3> input; sleep 0.5; kill -HUP $!; sleep 0.5; \
               printf '<user>Hello.</user>' >&3; exec 3>&-; wait $!; echo $?; rm input";
    let ran = shell(directory.path(), &format!("trap '' HUP; {run}"));
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "<user>\nHello.\n</user>\n0\n", "{ran:?}");
    // Otherwise it ends the run.
    let ran = shell(directory.path(), &format!("trap '' PIPE; {run}"));
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "129\n", "{ran:?}");
}

#[test]
fn document_with_several_names_is_changed_under_one() {
    let directory = tempfile::tempdir().unwrap();
    let (chat, other) = (directory.path().join("chat.md"), directory.path().join("other.md"));
    fs::write(&chat, UNFORMATTED).unwrap();
    fs::hard_link(&chat, &other).unwrap();
    let ran = shell(directory.path(), "\"$CHATMD\" fmt chat.md");
    let stderr = String::from_utf8_lossy(&ran.stderr);
    assert_eq!(ran.status.code(), Some(0), "{stderr}");
    assert!(stderr.contains("warning: chat.md is one of 2 names of a file; only this name is changed"), "{stderr}");
    assert_eq!(fs::read_to_string(&other).unwrap(), UNFORMATTED);
    assert_ne!(fs::read_to_string(&chat).unwrap(), UNFORMATTED);
    assert_eq!(fs::metadata(&chat).unwrap().nlink(), 1);
}

#[test]
fn held_lock_is_reported() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("chat.md"), UNFORMATTED).unwrap();
    let held = File::open(directory.path().join("chat.md")).unwrap();
    held.lock().unwrap();
    let ran = shell(directory.path(), "timeout -s TERM 3 \"$CHATMD\" fmt chat.md");
    assert_eq!(ran.status.code(), Some(124), "timeout has ended it");
    let stderr = String::from_utf8_lossy(&ran.stderr);
    assert!(stderr.contains("note: waiting for the lock on chat.md, which another program holds"), "{stderr}");
    assert_eq!(names(directory.path()), ["chat.md"]);
}

#[test]
fn pipe_is_never_waited_for() {
    let directory = tempfile::tempdir().unwrap();
    fs::write(directory.path().join("reply.json"), "[]").unwrap();
    let commands =
        ["fmt pipe", "check --fix pipe", "answer pipe call_1", "send pipe", "from-response --append pipe reply.json"];
    for command in commands {
        let script = format!("test -p pipe || mkfifo pipe; timeout 20 \"$CHATMD\" {command}");
        let ran = shell(directory.path(), &script);
        let stderr = String::from_utf8_lossy(&ran.stderr);
        assert_eq!(ran.status.code(), Some(74), "{command}: {stderr}");
        assert!(stderr.contains("not a regular file"), "{command}: {stderr}");
    }
}

/// The list of a file with mode 0640: the owner reads and writes, user 4242 reads, the group and others do nothing.
#[cfg(target_os = "linux")]
fn access_list() -> Vec<u8> {
    let entries: [(u16, u16, u32); 5] =
        [(1, 6, u32::MAX), (2, 4, 4242), (4, 0, u32::MAX), (0x10, 4, u32::MAX), (0x20, 0, u32::MAX)];
    let bytes = entries.iter().flat_map(|(tag, access, id)| {
        [&tag.to_le_bytes()[..], &access.to_le_bytes()[..], &id.to_le_bytes()[..]].concat()
    });
    2_u32.to_le_bytes().into_iter().chain(bytes).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn list_of_users_that_may_read_a_document_is_kept() {
    use rustix::fs::{XattrFlags, getxattr, setxattr};
    const NAME: &str = "system.posix_acl_access";
    let directory = tempfile::tempdir().unwrap();
    let chat = directory.path().join("chat.md");
    let list = |path: &Path| {
        let mut bytes = Vec::with_capacity(1000);
        getxattr(path, NAME, rustix::buffer::spare_capacity(&mut bytes)).map(|_| bytes)
    };
    fs::write(&chat, UNFORMATTED).unwrap();
    if setxattr(&chat, NAME, &access_list(), XattrFlags::empty()).is_err() {
        // This file system has no such lists.
        return;
    }
    let ran = shell(directory.path(), "\"$CHATMD\" fmt chat.md");
    assert_eq!((ran.status.code(), ran.stderr.as_slice()), (Some(0), &b""[..]));
    assert_ne!(fs::read_to_string(&chat).unwrap(), UNFORMATTED);
    assert_eq!((list(&chat), fs::metadata(&chat).unwrap().mode() & 0o777), (Ok(access_list()), 0o640));
    // A document without a list gets none from its directory.
    fs::write(&chat, UNFORMATTED).unwrap();
    rustix::fs::removexattr(&chat, NAME).unwrap();
    setxattr(directory.path(), "system.posix_acl_default", &access_list(), XattrFlags::empty()).unwrap();
    assert!(shell(directory.path(), "\"$CHATMD\" fmt chat.md").status.success());
    assert!(list(&chat).is_err());
}
