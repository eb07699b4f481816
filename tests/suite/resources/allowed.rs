//! Files inside the roots are read, however they are named.

use std::fs;
use std::path::Path;

use chatmd::resources::ReadError::TooLarge;
use chatmd::resources::{Directory, Resources};

use super::{Scene, readable};

readable! {
    beside_the_document: "file.txt" => "inside",
    in_subdirectory: "sub/deep.txt" => "deep",
    with_dot: "./file.txt" => "inside",
    down_and_up: "sub/../file.txt" => "inside",
    out_and_back_by_the_name_of_the_root: "../docs/file.txt" => "inside",
    from_root_to_root: "../extra/extra.txt" => "extra",
    absolute: "{top}/docs/file.txt" => "inside",
    absolute_in_second_root: "{top}/extra/extra.txt" => "extra",
    absolute_through_alias_of_root: "{top}/alias/file.txt" => "inside",
    absolute_through_relative_alias: "{top}/outside/up/file.txt" => "inside",
    link: "to-file" => "inside",
    link_absolute: "to-file-absolute" => "inside",
    link_to_directory: "to-sub/deep.txt" => "deep",
    link_then_physical_parent: "to-sub/../file.txt" => "inside",
    link_to_another_root: "to-extra" => "extra",
    link_to_another_root_relative: "to-extra-relative" => "extra",
    link_out_and_back: "there-and-back" => "inside",
    newline: "line\nbreak.txt" => "newline",
    backslash: "back\\slash.txt" => "backslash",
    tilde: "~" => "tilde",
    in_a_root_when_missing_beside: "work.txt" => "work",
    beside_the_document_first: "both.txt" => "from docs",
}

#[test]
fn as_large_as_the_ceiling() {
    assert_eq!(Scene::new().read("full.bin").unwrap().bytes.len(), 1000);
}

#[test]
fn everything_under_the_top() {
    let scene = Scene::new();
    let directory = scene.directory().root("/");
    let secret = scene.at("outside/secret.txt");
    let loaded = directory.read(secret.to_str().unwrap(), None).unwrap();
    assert_eq!(loaded.bytes, b"secret");
    let base = scene.at("docs/doc.md");
    let loaded = directory.read("to-secret", Some(&base)).unwrap();
    assert_eq!(loaded.path, fs::canonicalize(secret).unwrap());
}

#[test]
#[cfg(target_os = "linux")]
fn file_that_reports_no_length() {
    let loaded = Directory::of("/").read("/proc/self/status", None).unwrap();
    assert!(!loaded.bytes.is_empty());
    let small = Directory::of("/").ceiling(4);
    let answer = small.read("/proc/self/status", None);
    assert_eq!(answer, Err(TooLarge { ceiling: 4 }));
}

#[test]
fn root_that_is_a_link() {
    let scene = Scene::new();
    let directory = Directory::of(scene.at("work")).root(scene.at("alias"));
    for path in ["alias/file.txt", "docs/file.txt"] {
        let loaded = directory.read(scene.at(path).to_str().unwrap(), None).unwrap();
        assert_eq!(loaded.bytes, b"inside");
    }
}

#[test]
fn roots_are_looked_up_in_their_order() {
    let scene = Scene::new();
    fs::write(scene.at("extra/both.txt"), "from extra").unwrap();
    let [docs, work, extra] = ["docs", "work", "extra"].map(|name| scene.at(name));
    let text = |directory: &Directory, base: Option<&Path>| {
        String::from_utf8(directory.read("both.txt", base).unwrap().bytes).unwrap()
    };
    assert_eq!(text(&Directory::of(&docs).root(&work), None), "from docs");
    assert_eq!(text(&Directory::of(scene.at("docs/sub")).root(&work).root(&extra), None), "from work");
    assert_eq!(text(&Directory::of(scene.at("docs/sub")).root(&extra).root(&work), None), "from extra");
    assert_eq!(text(&Directory::of(&docs).root(&extra), Some(&scene.at("extra/part.md"))), "from extra");
}

#[test]
fn a_link_out_of_one_root_hides_no_file_of_the_next() {
    let scene = Scene::new();
    fs::write(scene.at("work/to-secret"), "fine").unwrap();
    assert_eq!(scene.text("to-secret").as_deref(), Ok("fine"));
}

#[test]
fn root_that_does_not_exist_changes_nothing() {
    let scene = Scene::new();
    let directory = scene.directory().root("gone").root(scene.at("docs/file.txt"));
    assert_eq!(directory.read("work.txt", None).unwrap().bytes, b"work");
}

#[test]
fn one_identity_for_all_spellings() {
    let scene = Scene::new();
    let identity = fs::canonicalize(scene.at("docs/file.txt")).unwrap();
    for path in ["file.txt", "sub/../file.txt", "to-file", "{top}/alias/file.txt"] {
        assert_eq!(scene.read(path).unwrap().path, identity, "{path}");
    }
}
