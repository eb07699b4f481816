//! What a document can and cannot reach through the library's readers, and how content is recognized.
//!
//! Every test has a scene of its own on disk; no answer may depend on what lies outside the roots.

mod allowed;
mod media;
mod memory;
mod race;
mod refused;

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use chatmd::resources::{Directory, Loaded, ReadError, Resources};
use tempfile::TempDir;

const CEILING: u64 = 1000;

/// `docs` holds the document, `work` and `extra` are further roots, `plain` is
/// an ordinary directory next to them and `outside` holds the secret.
struct Scene {
    top: TempDir,
}

impl Scene {
    fn new() -> Self {
        let top = TempDir::new().unwrap();
        let at = |name: &str| top.path().join(name);
        for dir in ["docs/sub", "work/sub", "extra", "plain", "outside/folder"] {
            fs::create_dir_all(at(dir)).unwrap();
        }
        for (name, text) in [
            ("docs/doc.md", "document"),
            ("docs/file.txt", "inside"),
            ("docs/sub/deep.txt", "deep"),
            ("docs/both.txt", "from docs"),
            ("docs/line\nbreak.txt", "newline"),
            ("docs/back\\slash.txt", "backslash"),
            ("docs/~", "tilde"),
            ("work/work.txt", "work"),
            ("work/both.txt", "from work"),
            ("extra/extra.txt", "extra"),
            ("outside/secret.txt", "secret"),
        ] {
            fs::write(at(name), text).unwrap();
        }
        fs::write(at("docs/full.bin"), [b'x'; 1000]).unwrap();
        fs::write(at("docs/over.bin"), [b'x'; 1001]).unwrap();
        for (name, target) in [
            ("docs/to-file", "file.txt".into()),
            ("docs/to-sub", "sub".into()),
            ("docs/to-file-absolute", at("docs/file.txt")),
            ("docs/to-extra", at("extra/extra.txt")),
            ("docs/to-extra-relative", "../extra/extra.txt".into()),
            ("docs/to-gone", "gone".into()),
            ("docs/to-directory", "sub".into()),
            ("docs/to-secret", at("outside/secret.txt")),
            ("docs/to-secret-relative", "../outside/secret.txt".into()),
            ("docs/to-nothing-outside", at("outside/nothing")),
            ("docs/to-nothing-deep", at("outside/nothing/deeper")),
            ("docs/to-outside", at("outside")),
            ("docs/to-top", "/".into()),
            ("docs/to-parent", "..".into()),
            ("docs/to-zero", "/dev/zero".into()),
            ("docs/to-outside-loop", at("outside/loop")),
            ("docs/chain-1", "chain-2".into()),
            ("docs/chain-2", "sub/chain-3".into()),
            ("docs/sub/chain-3", at("outside/secret.txt")),
            ("docs/there-and-back", at("outside/back")),
            ("docs/loop-1", "loop-2".into()),
            ("docs/loop-2", "loop-1".into()),
            ("docs/self", "self/x".into()),
            ("docs/over-link", "over.bin".into()),
            ("outside/back", at("docs/file.txt")),
            ("outside/loop", "loop".into()),
            ("outside/up", "../docs".into()),
            ("alias", at("docs")),
        ] {
            symlink(target, at(name)).unwrap();
        }
        Self { top }
    }

    fn at(&self, name: &str) -> PathBuf {
        self.top.path().join(name)
    }

    fn directory(&self) -> Directory {
        Directory::of(self.at("docs")).root(self.at("work")).root(self.at("extra")).ceiling(CEILING)
    }

    /// Reads as if written in `docs/doc.md`; `{top}` is the directory of all.
    fn read(&self, path: &str) -> Result<Loaded, ReadError> {
        let path = path.replace("{top}", self.top.path().to_str().unwrap());
        self.directory().read(&path, Some(&self.at("docs/doc.md")))
    }

    fn text(&self, path: &str) -> Result<String, ReadError> {
        self.read(path).map(|loaded| String::from_utf8(loaded.bytes).unwrap())
    }
}

/// Fails instead of waiting when `action` does not come back.
fn soon<T: Send + 'static>(action: impl FnOnce() -> T + Send + 'static) -> T {
    let (sender, receiver) = mpsc::channel();
    thread::spawn(move || sender.send(action()));
    receiver.recv_timeout(Duration::from_secs(10)).unwrap()
}

macro_rules! cases {
    ($($name:ident: $path:expr => $answer:pat,)*) => {$(
        #[test]
        fn $name() {
            let answer = crate::resources::soon(|| crate::resources::Scene::new().text(&$path));
            assert!(matches!(answer, $answer), "{answer:?}");
        }
    )*};
}

macro_rules! readable {
    ($($name:ident: $path:expr => $text:expr,)*) => {$(
        #[test]
        fn $name() {
            assert_eq!(crate::resources::Scene::new().text($path).as_deref(), Ok($text));
        }
    )*};
}

use {cases, readable};
