//! Files in memory follow the rules of those on disk.

use std::path::Path;

use chatmd::resources::{FileKind, Memory, ReadError, Resources};

use ReadError::{InvalidName, Missing, NotAFile, Outside};

#[test]
fn memory_keeps_the_same_discipline() {
    let files = Memory::new()
        .with("top.md", "top")
        .with("./parts/x/../part.md", "part")
        .with("../above.md", "above")
        .with("/absolute.md", "absolute");
    let base = Path::new("parts/main.md");
    let text = |path| files.read(path, Some(base)).map(|loaded| loaded.bytes);
    for (path, content) in
        [("part.md", "part"), ("./part.md", "part"), ("../top.md", "top"), ("top.md", "top"), ("parts/part.md", "part")]
    {
        assert_eq!(text(path), Ok(content.into()), "{path}");
    }
    for (path, error) in [
        ("../../top.md", Outside),
        ("../../above.md", Outside),
        ("/absolute.md", Outside),
        ("/top.md", Outside),
        ("absolute.md", Missing),
        ("above.md", Missing),
        ("part.md/", Missing),
        ("part.md/x", Missing),
        ("..", NotAFile(FileKind::Directory)),
        ("../parts", NotAFile(FileKind::Directory)),
        ("", InvalidName("it is empty")),
        ("a\0b", InvalidName("it holds a NUL character")),
    ] {
        assert_eq!(text(path), Err(error), "{path}");
    }
    let loaded = files.read("../parts/part.md", Some(base)).unwrap();
    assert_eq!(loaded.path, Path::new("parts/part.md"));
}
