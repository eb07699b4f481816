//! Refused and missing files: the answer for a place outside of the roots does not depend on what is there.

use std::fs;
use std::os::unix::net::UnixListener;
use std::process::Command;

use chatmd::resources::ReadError::{InvalidName, LinkLoop, Missing, NotAFile, Outside, TooLarge};
use chatmd::resources::{Directory, FileKind, NoFiles, Resources};

use super::{CEILING, Scene, cases, soon};

cases! {
    parent_of_root: ".." => Err(Outside),
    parent_chain: "../outside/secret.txt" => Err(Outside),
    parent_chain_to_nothing: "../outside/nothing" => Err(Outside),
    parent_chain_past_the_top: "../".repeat(64) + "etc/passwd" => Err(Outside),
    down_and_up: "sub/../../outside/secret.txt" => Err(Outside),
    down_and_up_through_nothing: "gone/../../outside/secret.txt" => Err(Outside),
    down_and_up_to_nothing: "gone/../../outside/nothing" => Err(Outside),
    sibling_with_the_same_beginning: "../docs-private/x" => Err(Outside),
    absolute: "{top}/outside/secret.txt" => Err(Outside),
    absolute_to_nothing: "{top}/outside/nothing" => Err(Outside),
    absolute_to_directory: "{top}/outside/folder/" => Err(Outside),
    absolute_below_a_file: "{top}/outside/secret.txt/x" => Err(Outside),
    absolute_too_long: format!("{{top}}/outside/{}", "x".repeat(300)) => Err(Outside),
    absolute_leaving_root: "{top}/docs/../outside/secret.txt" => Err(Outside),
    double_slash: "//etc/hostname" => Err(Outside),
    the_top: "/" => Err(Outside),
    dot_slashes: "./.././/./outside/./secret.txt" => Err(Outside),
    back_through_directory_outside: "../plain/../docs/file.txt" => Err(Outside),
    back_through_nothing_outside: "../nothing/../docs/file.txt" => Err(Outside),
    back_through_file_outside: "../outside/secret.txt/../../docs/file.txt" => Err(Outside),
    link: "to-secret" => Err(Outside),
    link_relative: "to-secret-relative" => Err(Outside),
    link_chain: "chain-1" => Err(Outside),
    link_to_directory: "to-outside/secret.txt" => Err(Outside),
    link_to_directory_then_nothing: "to-outside/nothing" => Err(Outside),
    link_to_directory_then_up: "to-outside/../outside/secret.txt" => Err(Outside),
    link_to_top: "to-top/etc/passwd" => Err(Outside),
    link_to_parent: "to-parent/outside/secret.txt" => Err(Outside),
    link_then_physical_parent: "to-parent/../etc" => Err(Outside),
    link_dangling_outside: "to-nothing-outside" => Err(Outside),
    link_dangling_deep_outside: "to-nothing-deep" => Err(Outside),
    link_to_loop_outside: "to-outside-loop" => Err(Outside),
    link_to_device: "to-zero" => Err(Outside),
    device: "/dev/zero" => Err(Outside),
    standard_input: "/dev/stdin" => Err(Outside),
    process_environment: "/proc/self/environ" => Err(Outside),
    process_root: "/proc/self/root/etc/passwd" => Err(Outside),
    process_current_dir: "/proc/self/cwd/Cargo.toml" => Err(Outside),
    empty: "" => Err(InvalidName(_)),
    nul: "file.txt\0.png" => Err(InvalidName(_)),
    nul_in_outside_path: "{top}/outside/secret.txt\0" => Err(InvalidName(_)),
    name_too_long: "x".repeat(300) => Err(InvalidName(_)),
    path_too_long: "x/".repeat(100_000) => Err(InvalidName(_)),
    link_loop: "loop-1" => Err(LinkLoop),
    link_loop_growing: "self" => Err(LinkLoop),
    link_loop_as_directory: "loop-1/file.txt" => Err(LinkLoop),
    directory: "sub" => Err(NotAFile(FileKind::Directory)),
    directory_with_slash: "sub/" => Err(NotAFile(FileKind::Directory)),
    directory_through_link: "to-directory" => Err(NotAFile(FileKind::Directory)),
    dot: "." => Err(NotAFile(FileKind::Directory)),
    root_by_its_name: "../docs" => Err(NotAFile(FileKind::Directory)),
    over_the_ceiling: "over.bin" => Err(TooLarge { ceiling: CEILING }),
    over_the_ceiling_through_link: "over-link" => Err(TooLarge { ceiling: CEILING }),
}

#[test]
fn the_answer_outside_does_not_tell_what_is_there() {
    let scene = Scene::new();
    let answers = [
        "secret.txt",
        "nothing",
        "folder",
        "folder/",
        "loop",
        "loop/x",
        "secret.txt/x",
        "nothing/x",
        "nothing/../secret.txt",
        "folder/../secret.txt",
        ".",
        "..",
        "folder/../../docs/file.txt",
        "nothing/../../docs/file.txt",
    ]
    .map(|place| ["{top}/outside/", "../outside/", "to-outside/"].map(|way| scene.read(&format!("{way}{place}"))));
    for answer in answers.as_flattened() {
        assert_eq!(answer, &Err(Outside));
    }
}

#[test]
fn no_path_tells_a_full_outside_from_an_empty_one() {
    let [full, empty] = [Scene::new(), Scene::new()];
    fs::remove_dir_all(empty.at("outside")).unwrap();
    fs::remove_dir(empty.at("plain")).unwrap();
    let steps = [
        "..",
        "docs",
        "sub",
        "file.txt",
        "gone",
        "outside",
        "plain",
        "folder",
        "secret.txt",
        "to-outside",
        "to-secret",
        "to-parent",
        "{top}",
    ];
    let mut paths: Vec<String> = steps.map(String::from).into();
    for _ in 0..3 {
        for path in &paths {
            assert_eq!(full.text(path), empty.text(path), "{path}");
        }
        paths = paths.iter().flat_map(|path| steps.map(|step| format!("{path}/{step}"))).collect();
    }
}

#[test]
fn named_pipe_without_waiting() {
    let scene = Scene::new();
    let made = Command::new("mkfifo").arg(scene.at("docs/pipe")).status();
    assert!(made.unwrap().success());
    let answer = soon(move || scene.read("pipe"));
    assert_eq!(answer, Err(NotAFile(FileKind::Fifo)));
}

#[test]
fn socket() {
    let scene = Scene::new();
    let _listener = UnixListener::bind(scene.at("docs/socket")).unwrap();
    assert_eq!(scene.read("socket"), Err(NotAFile(FileKind::Socket)));
}

#[test]
fn device_even_where_everything_is_allowed() {
    for device in ["/dev/zero", "/dev/tty", "/dev/null"] {
        let answer = soon(|| Directory::of("/").read(device, None));
        assert_eq!(answer, Err(NotAFile(FileKind::Device)), "{device}");
    }
}

#[test]
fn everything_by_nothing() {
    assert_eq!(NoFiles.read("file.txt", None), Err(Outside));
}

#[test]
fn everything_without_a_root() {
    let scene = Scene::new();
    let directory = Directory::of(scene.at("nowhere"));
    let file = scene.at("docs/file.txt");
    assert_eq!(directory.read(file.to_str().unwrap(), None), Err(Outside));
    assert_eq!(directory.read("file.txt", Some(&file)), Err(Outside));
}

#[test]
fn the_current_directory_is_a_hint_and_no_root() {
    let scene = Scene::new();
    let directory = Directory::of(scene.at("docs")).current_dir(scene.at("work"));
    let base = scene.at("docs/doc.md");
    for (path, answer, is_there) in [
        ("work.txt", Missing, true),
        ("../work/work.txt", Outside, true),
        ("../work/gone.txt", Outside, false),
        ("../work", Outside, false),
        ("../outside/secret.txt", Outside, false),
        ("gone.txt", Missing, false),
    ] {
        assert_eq!(directory.read(path, Some(&base)), Err(answer), "{path}");
        assert_eq!(directory.is_in_current_dir(path, Some(&base)), is_there, "{path}");
    }
    assert!(!Directory::of(scene.at("docs")).is_in_current_dir("work.txt", Some(&base)));
}

mod missing {
    use super::{Missing, cases};

    cases! {
        plain: "gone.txt" => Err(Missing),
        in_missing_directory: "gone/file.txt" => Err(Missing),
        back_from_missing_directory: "gone/../file.txt" => Err(Missing),
        below_a_file: "file.txt/x" => Err(Missing),
        file_with_slash: "file.txt/" => Err(Missing),
        file_with_slash_dot: "file.txt/." => Err(Missing),
        link_dangling_inside: "to-gone" => Err(Missing),
        newline: "no\nsuch.txt" => Err(Missing),
        tilde_is_a_name: "~/x" => Err(Missing),
        url_is_a_name: "file:///etc/hostname" => Err(Missing),
        variable_is_a_name: "$HOME/x" => Err(Missing),
        percent_is_a_name: "%2e%2e/outside/secret.txt" => Err(Missing),
        backslashes_are_a_name: "..\\outside\\secret.txt" => Err(Missing),
        dots_are_a_name: ".../outside" => Err(Missing),
        space_after: "file.txt " => Err(Missing),
        absolute_in_root: "{top}/docs/gone.txt" => Err(Missing),
    }
}
