//! A file or directory that is exchanged for a link while it is read never leaks what is outside.

use std::fs;
use std::os::unix::fs::symlink;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use chatmd::resources::Resources;

use super::Scene;

/// Runs `exchange` over and over while reading `name`, and returns how many of
/// the reads gave the content from inside.
fn race(scene: &Scene, name: &str, exchange: impl Fn() + Sync) -> usize {
    let directory = scene.directory();
    let base = scene.at("docs/doc.md");
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                exchange();
            }
        });
        let end = Instant::now() + Duration::from_secs(2);
        let mut inside = 0;
        let mut leaked = false;
        while !leaked && Instant::now() < end {
            if let Ok(loaded) = directory.read(name, Some(&base)) {
                leaked = loaded.bytes != b"inside";
                inside += usize::from(!leaked);
            }
        }
        done.store(true, Ordering::Relaxed);
        assert!(!leaked, "content from outside was returned");
        inside
    })
}

#[test]
fn file_exchanged_for_a_link_never_leaks() {
    let scene = Scene::new();
    let target = scene.at("docs/target");
    let [file, link] = ["docs/new-file", "docs/new-link"].map(|name| scene.at(name));
    fs::write(&target, "inside").unwrap();
    let inside = race(&scene, "target", || {
        symlink(scene.at("outside/secret.txt"), &link).unwrap();
        fs::rename(&link, &target).unwrap();
        fs::write(&file, "inside").unwrap();
        fs::rename(&file, &target).unwrap();
    });
    assert!(inside > 0);
}

#[test]
fn directory_exchanged_for_a_link_never_leaks() {
    let scene = Scene::new();
    let [target, real, link] = ["target", "real", "link"].map(|name| scene.at("docs").join(name));
    fs::create_dir(&target).unwrap();
    fs::write(target.join("secret.txt"), "inside").unwrap();
    symlink(scene.at("outside"), &link).unwrap();
    let inside = race(&scene, "target/secret.txt", || {
        fs::rename(&target, &real).unwrap();
        fs::rename(&link, &target).unwrap();
        fs::rename(&target, &link).unwrap();
        fs::rename(&real, &target).unwrap();
    });
    assert!(inside > 0);
}
