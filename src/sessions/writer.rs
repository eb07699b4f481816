//! Writes the blocks of a session as the text of a document.

use std::collections::BTreeMap;
use std::ops::Range;

use super::Session;
use crate::convert::{ItemWriter, WriteOptions, escape_comment};
use crate::document::{Block, Document, print};
use crate::error::RoundTripError;
use crate::json::write::ObjectWriter;
use crate::json::{Json, Object, StringArena};
use crate::responses::{Item, Payload};
use crate::source::{Origins, Span, Spanned};

/// How many different things are counted by their own name.
const MAX_NAMES: usize = 50;
/// How much of a name is kept.
const MAX_NAME: usize = 60;

/// The text of a document, written block by block. A blank line follows each block.
pub(super) struct Writer<'o> {
    pub(super) text: String,
    /// The line of the session that is being written, from 1.
    pub(super) line: usize,
    /// The lines that the text comes from.
    pub(super) origins: Origins,
    /// How many items are in the text.
    pub(super) items: usize,
    options: WriteOptions<'o>,
    omitted: BTreeMap<String, usize>,
}

impl<'o> Writer<'o> {
    pub(super) fn new(options: WriteOptions<'o>) -> Self {
        let (text, origins) = (String::new(), Origins::default());
        Self { text, line: 1, origins, items: 0, options, omitted: BTreeMap::new() }
    }

    /// Counts something that is left out: `progress line`.
    pub(super) fn leave_out(&mut self, what: &str) {
        self.leave_out_many(what, 1);
    }

    pub(super) fn leave_out_many(&mut self, what: &str, count: usize) {
        if count == 0 {
            return;
        }
        let what: String = what.chars().take(MAX_NAME).collect();
        let is_known = self.omitted.contains_key(&what) || self.omitted.len() < MAX_NAMES;
        *self.omitted.entry(if is_known { what } else { "other line".to_owned() }).or_default() += count;
    }

    /// Writes a block that is not an item.
    pub(super) fn block(&mut self, block: Block<'_>) {
        let document = Document { blocks: vec![Spanned::new(block, Span::NOWHERE)] };
        self.push(&print(&document, self.options.whitespace));
    }

    /// Writes a comment for people: some words and an object.
    pub(super) fn comment(&mut self, words: &str, members: impl FnOnce(&mut ObjectWriter<'_>)) {
        let mut json = String::new();
        let mut object = ObjectWriter::new(&mut json);
        members(&mut object);
        object.end();
        self.block(Block::Comment(format!(" {words} {} ", escape_comment(json)).into()));
    }

    /// Writes the comment about the session.
    pub(super) fn about(&mut self, words: &str, members: &[(&'static str, String)]) {
        self.comment(words, |object| members.iter().for_each(|(key, value)| object.text(key, value)));
    }

    /// Writes an item. It is read back and compared with the original.
    pub(super) fn item(&mut self, item: Item<'_>, original: Json<'_>) -> Result<(), RoundTripError> {
        let (text, _) = ItemWriter::new(self.options).write(None, &[item], &[Some(original)])?;
        self.push(&text);
        self.items += 1;
        Ok(())
    }

    /// Writes an item that was built here, not read from the session.
    pub(super) fn new_item(&mut self, item: Item<'_>) -> Result<(), RoundTripError> {
        let strings = StringArena::default();
        let original = strings.json(|out| item.encode(out));
        self.item(item, original)
    }

    /// Writes the fields of a request.
    pub(super) fn request(&mut self, fields: Object<'_>) -> Result<(), RoundTripError> {
        let payload = Payload { request: Some(fields), ..Payload::default() };
        let (text, _) = ItemWriter::new(self.options).write(Some(&payload), &[], &[])?;
        self.push(&text);
        Ok(())
    }

    fn push(&mut self, blocks: &str) {
        self.origins.add(self.text.len(), self.line);
        self.text.push_str(blocks);
        self.text.push('\n');
    }

    /// Removes everything from `end` on.
    pub(super) fn truncate(&mut self, end: usize) {
        self.text.truncate(end);
        self.origins.truncate(end);
    }

    /// Keeps only these ranges of the text, each from a line of the session.
    pub(super) fn keep(&mut self, ranges: impl Iterator<Item = (Range<usize>, usize)>) {
        let mut bytes = std::mem::take(&mut self.text).into_bytes();
        let mut end = 0;
        self.origins.truncate(0);
        for (range, line) in ranges {
            self.origins.add(end, line);
            bytes.copy_within(range.clone(), end);
            end += range.len();
        }
        bytes.truncate(end);
        // Each range is a whole text.
        self.text = String::from_utf8(bytes).unwrap_or_default();
    }

    /// Moves everything from `start` on to the beginning of the text.
    pub(super) fn move_to_front(&mut self, start: usize) {
        self.origins.move_to_front(start, self.text.len());
        let header = self.text.split_off(start);
        self.text.insert_str(0, &header);
    }

    pub(super) fn into_session(mut self) -> Session {
        // A blank line follows the last block too.
        self.text.pop();
        let (has_items, omitted) = (self.items > 0, self.omitted);
        Session { text: self.text, origins: self.origins, has_items, omitted, ..Session::default() }
    }
}
