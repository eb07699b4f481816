//! The arena that values borrow from.

use std::fmt;

use elsa::FrozenVec;

use super::index::{Index, Node, scan};
use super::object::Object;
use super::value::Json;
use super::write;

/// An arena of generated strings, and of the indexes of JSON texts. It only grows.
#[derive(Default)]
pub struct StringArena {
    strings: FrozenVec<String>,
    indexes: FrozenVec<Box<[Node]>>,
}

impl fmt::Debug for StringArena {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.strings.iter()).finish()
    }
}

impl StringArena {
    /// Keeps a text as long as the arena lives.
    pub fn keep(&self, text: String) -> &str {
        self.strings.push_get(text)
    }

    /// Keeps a string as JSON.
    pub fn string(&self, text: &str) -> Json<'_> {
        let mut json = String::with_capacity(text.len() + 2);
        write::string(&mut json, text);
        Json::scalar(self.keep(json))
    }

    /// Keeps an object.
    pub fn object(&self, object: &Object<'_>) -> Json<'_> {
        self.write_object(|writer| writer.members(object))
    }

    /// Keeps a list of objects.
    pub(crate) fn objects<'o, 'v: 'o>(&self, objects: impl IntoIterator<Item = &'o Object<'v>>) -> Json<'_> {
        self.json(|out| write::objects(out, objects))
    }

    /// Keeps the object whose members `write` writes.
    pub(crate) fn write_object(&self, write: impl FnOnce(&mut write::ObjectWriter<'_>)) -> Json<'_> {
        self.json(|out| {
            let mut writer = write::ObjectWriter::new(out);
            write(&mut writer);
            writer.end();
        })
    }

    /// Keeps the JSON that `write` writes, which must be valid. Its depth is not checked.
    pub(crate) fn json(&self, write: impl FnOnce(&mut String)) -> Json<'_> {
        let mut json = String::new();
        write(&mut json);
        self.written(self.keep(json))
    }

    /// Indexes JSON that this crate wrote itself, so it is valid. Its depth is not checked.
    pub(crate) fn written<'j>(&'j self, json: &'j str) -> Json<'j> {
        scan(json, 0, Index::default()).map_or(Json::NULL, |index| Json::root(json, self.index(index.nodes), 0))
    }

    /// Keeps the index of a text.
    pub(super) fn index(&self, nodes: impl Into<Box<[Node]>>) -> &[Node] {
        self.indexes.push_get(nodes.into())
    }
}
