//! A document cannot read files outside its roots, and no content from outside is shown.
//!
//! The document is in `inside/docs`, which is its only root, and the command runs in `inside/work`.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::Command;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use tempfile::TempDir;

use crate::run::{Ran, chatmd};

const SECRET: &str = "the secret of the outside";
/// The elements that read a file.
const READERS: [(&str, &str); 5] = [
    ("doc", "<user><doc src=\"PATH\" local/></user>"),
    ("file", "<user><doc src=\"PATH\" local file/></user>"),
    ("img", "<user><img src=\"PATH\" local/></user>"),
    ("import of elements", "<import src=\"PATH\"/>"),
    ("import of content", "<user><import src=\"PATH\"/></user>"),
];

struct Scene {
    top: TempDir,
}

impl Scene {
    fn new() -> Self {
        let top = TempDir::new().unwrap();
        let at = |name: &str| top.path().join(name);
        for directory in ["inside/docs/sub", "inside/work", "inside/shared", "outside/folder", "inside/docs-private"] {
            fs::create_dir_all(at(directory)).unwrap();
        }
        for file in ["outside/secret.md", "outside/folder/secret.md", "inside/docs-private/secret.md"] {
            fs::write(at(file), format!("<user>{SECRET}</user>")).unwrap();
        }
        fs::write(at("inside/docs/note.txt"), "note").unwrap();
        fs::write(at("inside/docs/sub/deep.txt"), "deep").unwrap();
        fs::write(at("inside/work/work.txt"), "work").unwrap();
        fs::write(at("inside/shared/shared.txt"), "shared").unwrap();
        fs::write(at("inside/docs/escapes.md"), "<import src=\"../../outside/secret.md\"/>").unwrap();
        fs::write(at("inside/docs/sub/reads.md"), "<user><doc src=\"../../../outside/secret.md\" local/></user>")
            .unwrap();
        for (link, target) in [
            ("inside/docs/to-secret.md", at("outside/secret.md")),
            ("inside/docs/to-secret-relative.md", "../../outside/secret.md".into()),
            ("inside/docs/to-outside", at("outside")),
            ("inside/docs/to-parent", "..".into()),
            ("inside/docs/to-top", "/".into()),
            ("inside/docs/chain-1.md", "sub/chain-2.md".into()),
            ("inside/docs/sub/chain-2.md", at("inside/docs/chain-3.md")),
            ("inside/docs/chain-3.md", at("outside/secret.md")),
            ("inside/docs/to-nothing-outside.md", at("outside/nothing.md")),
            ("inside/docs/to-zero", "/dev/zero".into()),
            ("inside/docs/to-note.txt", "note.txt".into()),
            ("inside/docs/to-work.txt", at("inside/work/work.txt")),
            ("inside/docs/to-sub", "sub".into()),
            ("inside/docs/loop-1", "loop-2".into()),
            ("inside/docs/loop-2", "loop-1".into()),
        ] {
            symlink(target, at(link)).unwrap();
        }
        let made = Command::new("mkfifo").arg(at("inside/docs/pipe")).status();
        assert!(made.unwrap().success());
        Self { top }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.top.path().join(name)
    }

    /// Converts a document in `inside/docs`; `{top}` is the temporary directory.
    fn convert(&self, document: &str, flags: &[&str]) -> Ran {
        self.convert_with(document, flags, &[])
    }

    fn convert_with(&self, document: &str, flags: &[&str], variables: &[(&str, &str)]) -> Ran {
        let document = document.replace("{top}", self.top.path().to_str().unwrap());
        fs::write(self.at("inside/docs/chat.md"), document).unwrap();
        let args = ["to-request", "--input-only", "../docs/chat.md"].into_iter().chain(flags.iter().copied());
        let (args, directory): (Vec<String>, _) = (args.map(str::to_owned).collect(), self.at("inside/work"));
        let variables: Vec<(String, String)> =
            variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            let variables: Vec<_> = variables.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
            sender.send(chatmd(&directory, &args, &variables, ""))
        });
        receiver.recv_timeout(Duration::from_secs(20)).expect("the command waits for something")
    }

    /// Asserts that every element refuses the path with this exit code, quickly and without showing its content.
    #[track_caller]
    fn assert_refused(&self, path: &str, code: i32) {
        for (reader, document) in READERS {
            let ran = self.convert(&document.replace("PATH", path), &[]);
            assert_eq!((ran.code, ran.stdout.as_str()), (Some(code), ""), "{reader} of {path}: {}", ran.stderr);
            assert!(!ran.stderr.contains(SECRET), "{reader} of {path}: {}", ran.stderr);
            assert!(
                code != 77 || ran.stderr.contains("--root") || ran.stderr.contains("not a regular file"),
                "{}",
                ran.stderr
            );
        }
    }

    /// The text that a document with one `<doc local>` sends.
    #[track_caller]
    fn assert_reads(&self, path: &str, flags: &[&str], text: &str) {
        let ran = self.convert(&format!("<user><doc src=\"{path}\" local/></user>"), flags);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{path}");
        assert!(ran.stdout.contains(&format!("\"text\":\"{text}")), "{path}: {}", ran.stdout);
    }
}

macro_rules! refused {
    ($($name:ident: $path:expr => $code:expr,)*) => {$(
        #[test]
        fn $name() {
            Scene::new().assert_refused($path, $code);
        }
    )*};
}

mod way {
    use super::Scene;

    refused! {
        up: "../../outside/secret.md" => 77,
        up_to_nothing: "../../outside/nothing.md" => 77,
        up_from_below: "sub/../../../outside/secret.md" => 77,
        up_through_nothing: "gone/../../../outside/secret.md" => 77,
        up_past_the_top: "../../../../../../../../../../../../../../etc/passwd" => 77,
        up_with_dots_between: "././.././/../outside/./secret.md" => 77,
        up_spelled_with_entities: "&#46;./&#46;&#x2e;/outside/secret.md" => 77,
        beside_a_root: "../docs-private/secret.md" => 77,
        the_folder_around_the_root: ".." => 77,
        the_current_directory: "../work/work.txt" => 77,
        link_to_the_current_directory: "to-work.txt" => 77,
        only_in_the_current_directory: "work.txt" => 66,
        absolute: "{top}/outside/secret.md" => 77,
        absolute_to_nothing: "{top}/outside/nothing.md" => 77,
        absolute_to_a_folder: "{top}/outside/folder" => 77,
        absolute_below_a_file: "{top}/outside/secret.md/x" => 77,
        absolute_through_a_root: "{top}/inside/docs/../../outside/secret.md" => 77,
        absolute_with_two_slashes: "//etc/passwd" => 77,
        the_top: "/" => 77,
        link: "to-secret.md" => 77,
        link_relative: "to-secret-relative.md" => 77,
        link_chain: "chain-1.md" => 77,
        link_to_a_folder: "to-outside/secret.md" => 77,
        link_to_a_folder_and_down: "to-outside/folder/secret.md" => 77,
        link_to_a_folder_and_up: "to-outside/../outside/secret.md" => 77,
        link_to_the_parent: "to-parent/../outside/secret.md" => 77,
        link_to_the_top: "to-top/etc/passwd" => 77,
        link_to_nothing_outside: "to-nothing-outside.md" => 77,
        link_to_a_device: "to-zero" => 77,
        device: "/dev/zero" => 77,
        standard_input: "/dev/stdin" => 77,
        environment: "/proc/self/environ" => 77,
        process_root: "/proc/self/root/etc/passwd" => 77,
        named_pipe: "pipe" => 77,
        directory: "sub" => 77,
        folder_with_a_slash: "sub/" => 77,
        folder_through_a_link: "to-sub" => 77,
        folder_of_the_document: "." => 77,
        link_loop: "loop-1" => 65,
        line_break_in_a_name: "note.txt\n" => 66,
        line_break_by_entity: "note.txt&#10;" => 66,
        percent_is_a_name: "%2e%2e/%2e%2e/outside/secret.md" => 66,
        tilde_is_a_name: "~/secret.md" => 66,
        file_url_is_a_name: "file:///etc/passwd" => 66,
        missing: "nowhere.md" => 66,
        empty: "" => 65,
    }
}

#[test]
fn path_with_nul_is_refused() {
    let scene = Scene::new();
    for path in ["note.txt&#0;.png", "{top}/outside/secret.md&#0;", "&#x0;"] {
        for (reader, document) in READERS {
            let ran = scene.convert(&document.replace("PATH", path), &[]);
            assert!(matches!(ran.code, Some(65 | 66 | 77)), "{reader} of {path}: {:?}", ran.code);
            assert!(ran.stdout.is_empty() && !ran.stderr.contains(SECRET), "{reader} of {path}: {}", ran.stderr);
        }
    }
}

#[test]
fn import_has_no_more_access_than_the_document() {
    let scene = Scene::new();
    for document in ["<import src=\"escapes.md\"/>", "<import src=\"sub/reads.md\"/>"] {
        let ran = scene.convert(document, &[]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(77), ""), "{document}: {}", ran.stderr);
        assert!(!ran.stderr.contains(SECRET) && ran.stderr.contains("imported at"), "{}", ran.stderr);
    }
}

#[test]
fn document_on_standard_input_may_read_the_current_directory() {
    let scene = Scene::new();
    let directory = scene.at("inside/work");
    let run = |document: &str, flags: &[&str]| {
        let args: Vec<&str> = ["to-request", "--input-only"].iter().chain(flags).copied().collect();
        chatmd(&directory, &args, &[], document)
    };
    let refused = run("<user><doc src=\"../docs/note.txt\" local/></user>", &[]);
    assert_eq!((refused.code, refused.stdout.as_str()), (Some(77), ""));
    assert_eq!(run("<user><doc src=\"work.txt\" local/></user>", &[]).code, Some(0));
}

#[test]
fn files_inside_the_roots_are_read() {
    let scene = Scene::new();
    for (path, text) in [
        ("note.txt", "note"),
        ("./sub/../note.txt", "note"),
        ("sub/deep.txt", "deep"),
        ("to-note.txt", "note"),
        ("to-sub/deep.txt", "deep"),
        ("{top}/inside/docs/note.txt", "note"),
    ] {
        scene.assert_reads(path, &[], text);
    }
}

#[test]
fn root_allows_exactly_its_directory() {
    let scene = Scene::new();
    scene.assert_refused("../shared/shared.txt", 77);
    scene.assert_reads("shared.txt", &["--root", "../shared"], "shared");
    for path in ["work.txt", "../work/work.txt", "to-work.txt"] {
        scene.assert_reads(path, &["--root", "."], "work");
    }
    scene.assert_reads("../shared/shared.txt", &["--root", "../shared"], "shared");
    let (shared, outside) = (scene.at("inside/shared"), scene.at("outside"));
    let roots = ["--root", shared.to_str().unwrap(), "--root", outside.to_str().unwrap()];
    scene.assert_reads("{top}/inside/shared/shared.txt", &roots, "shared");
    scene.assert_reads("to-secret.md", &roots, "<user>the secret");
    scene.assert_reads("../../outside/secret.md", &["--root", "/"], "<user>the secret");
    let still = scene.convert("<user><doc src=\"/etc/passwd\" local/></user>", &roots);
    assert_eq!((still.code, still.stdout.as_str()), (Some(77), ""));
    let device = scene.convert("<user><doc src=\"/dev/zero\" local/></user>", &["--root", "/"]);
    assert_eq!((device.code, device.stdout.as_str()), (Some(77), ""));
}

#[test]
fn environment_lists_more_roots() {
    let scene = Scene::new();
    let list = std::env::join_paths(["", "gone", "../shared", "."]).unwrap().into_string().unwrap();
    for (path, text) in [("../shared/shared.txt", "shared"), ("shared.txt", "shared"), ("work.txt", "work")] {
        let document = format!("<user><doc src=\"{path}\" local/></user>");
        let ran = scene.convert_with(&document, &[], &[("CHATMD_ROOT", &list)]);
        assert!(ran.code == Some(0) && ran.stdout.contains(text), "{path}: {}", ran.stderr);
        assert_ne!(scene.convert_with(&document, &[], &[("CHATMD_ROOT", "")]).code, Some(0), "{path}");
    }
}

#[test]
fn files_are_searched_next_to_the_document_then_in_the_roots_in_order() {
    let scene = Scene::new();
    for directory in ["shared", "work"] {
        fs::write(scene.at(&format!("inside/{directory}/same.txt")), format!("in {directory}")).unwrap();
    }
    let document = "<user><doc src=\"same.txt\" local/></user>";
    let text = |flags: &[&str], list: &str| scene.convert_with(document, flags, &[("CHATMD_ROOT", list)]).stdout;
    assert!(text(&["--root", ".", "--root", "../shared"], "").contains("in work"));
    assert!(text(&["--root", "../shared", "--root", "."], "").contains("in shared"));
    assert!(text(&["--root", "."], "../shared").contains("in work"));
    fs::write(scene.at("inside/docs/same.txt"), "in docs").unwrap();
    assert!(text(&["--root", "."], "../shared").contains("in docs"));
}

#[test]
fn refusal_names_the_flag_that_allows_the_file() {
    let scene = Scene::new();
    for (path, expected) in [
        ("work.txt", "`--root .`"),
        ("../work/work.txt", "`--root .`"),
        ("to-work.txt", "`--root .`"),
        ("../work/gone.txt", "`--root DIR`"),
        ("../shared/shared.txt", "`--root DIR`"),
        ("sub", "name a regular file"),
    ] {
        let ran = scene.convert(&format!("<user><doc src=\"{path}\" local/></user>"), &[]);
        assert!(ran.stderr.contains(expected) && ran.stderr.contains(path), "{path}: {}", ran.stderr);
    }
}

#[test]
fn root_that_is_not_a_directory_is_an_error() {
    let scene = Scene::new();
    for root in ["nowhere", "work.txt"] {
        let ran = scene.convert("<user>Hello.</user>", &["--root", root]);
        assert!(ran.code == Some(2) && ran.stderr.contains(&format!("--root {root}")), "{root}: {}", ran.stderr);
    }
}

/// The current directory often has private files, such as keys in a home directory.
#[test]
fn current_directory_is_not_a_root_of_other_documents() {
    let scene = Scene::new();
    fs::create_dir(scene.at("inside/work/.ssh")).unwrap();
    fs::write(scene.at("inside/work/.ssh/id_rsa"), SECRET).unwrap();
    let own = "<config model=\"m\"/>\n";
    for (path, code) in [(".ssh/id_rsa", 66), ("../work/.ssh/id_rsa", 77)] {
        for reader in ["<user><doc src=\"PATH\" local/></user>", "<user><import src=\"PATH\"/></user>"] {
            fs::write(scene.at("inside/docs/chat.md"), own.to_owned() + &reader.replace("PATH", path)).unwrap();
            for args in [
                &["to-request", "../docs/chat.md"][..],
                &["check", "../docs/chat.md"],
                &["stats", "../docs/chat.md"],
                &["locate", "../docs/chat.md", "input[0].content[0]"],
                &["batch", "requests", "../docs/chat.md"],
                &["show", "--full", "../docs/chat.md"],
            ] {
                let refused = chatmd(&scene.at("inside/work"), args, &[], "");
                // `locate` reads imports only.
                let is_unread = args[0] == "locate" && reader.contains("<doc");
                let is_listed = ["check", "show"].contains(&args[0]) || is_unread;
                assert!(refused.code == Some(code) || is_listed, "{args:?}: {:?} {}", refused.code, refused.stderr);
                assert!(!(refused.stdout + &refused.stderr).contains(SECRET), "{args:?} of {path}");
                let root: Vec<&str> = args.iter().copied().chain(["--root", "."]).collect();
                let allowed = chatmd(&scene.at("inside/work"), &root, &[], "");
                assert_eq!(allowed.code, Some(0), "{root:?}: {}", allowed.stderr);
            }
        }
    }
}

#[test]
fn stdin_filename_sets_the_root() {
    let scene = Scene::new();
    let run = |name: &str, path: &str| {
        let args = ["to-request", "--input-only", "--stdin-filename", name];
        let ran = chatmd(&scene.at("inside/work"), &args, &[], &format!("<user><doc src=\"{path}\" local/></user>"));
        ran.code
    };
    assert_eq!(run("../docs/chat.md", "note.txt"), Some(0));
    assert_eq!(run("../docs/chat.md", "../work/work.txt"), Some(77));
    assert_eq!(run("chat.md", "work.txt"), Some(0));
    assert_eq!(run("chat.md", "../docs/note.txt"), Some(77));
    assert_eq!(run("../gone/chat.md", "../work/work.txt"), Some(77));
}

#[test]
fn limit_errors_name_their_flag() {
    let scene = Scene::new();
    let write = |name: &str, text: &str| fs::write(scene.at("inside/docs").join(name), text).unwrap();
    write("large.txt", &"x".repeat(1001));
    write("twice.md", "<import src=\"leaf.md\"/><import src=\"leaf.md\"/>");
    write("leaf.md", "<user>leaf</user>");
    for (document, flag, limits) in [
        ("<user><doc src=\"large.txt\" local/></user>", "--max-file-bytes", ["1000", "1001"]),
        (
            "<user><doc src=\"large.txt\" local/><doc src=\"large.txt\" local file/></user>",
            "--max-total-bytes",
            ["2001", "2002"],
        ),
        ("<user><import src=\"large.txt\"/></user>", "--max-import-bytes", ["1000", "1001"]),
        ("<import src=\"twice.md\"/>", "--max-imports", ["2", "3"]),
        ("<import src=\"twice.md\"/>", "--max-import-depth", ["1", "2"]),
    ] {
        let [over, within] = limits.map(|limit| scene.convert(document, &[flag, limit]));
        assert_eq!((over.code, over.stdout.as_str()), (Some(65), ""), "{flag}: {}", over.stderr);
        assert_eq!((within.code, within.stderr.as_str()), (Some(0), ""), "{flag}");
        assert!(over.stderr.contains(flag), "{flag}: {}", over.stderr);
    }
}
