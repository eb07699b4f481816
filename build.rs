//! Sets `CHATMD_VERSION`: the version of the package, and in release builds the commit that was built.

#![allow(clippy::disallowed_macros, reason = "Cargo reads the output of a build script")]

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    println!("cargo::rerun-if-changed=build.rs");
    // Debug builds do not name a commit: the crate would be compiled again after each one.
    let release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = if release { packaged_commit(&root).or_else(|| checked_out_commit(&root)) } else { None };
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    match commit {
        Some(commit) => println!("cargo::rustc-env=CHATMD_VERSION={version} ({commit})"),
        None => println!("cargo::rustc-env=CHATMD_VERSION={version}"),
    }
}

/// The commit that `cargo package` wrote into an archive of the package.
fn packaged_commit(root: &Path) -> Option<String> {
    let text = fs::read_to_string(root.join(".cargo_vcs_info.json")).ok()?;
    let (_, after) = text.split_once("\"sha1\"")?;
    short(after.split('"').nth(1)?)
}

/// The commit of a checkout of this repository. A copy of the package inside another repository has none.
fn checked_out_commit(root: &Path) -> Option<String> {
    if !root.join(".git").exists() {
        return None;
    }
    // Every commit and every checkout adds a line to the log.
    for name in ["HEAD", "logs/HEAD"] {
        let path = root.join(git(root, &["rev-parse", "--git-path", name])?);
        if path.exists() {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
    short(&git(root, &["rev-parse", "HEAD"])?)
}

/// The output of a git command without its line break.
fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim_end().to_owned())
}

/// The first nine digits of a commit.
fn short(commit: &str) -> Option<String> {
    let digits = commit.get(..9)?;
    digits.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| digits.to_owned())
}
