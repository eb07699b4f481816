//! Writes a request.

use std::convert::Infallible;

use super::Context;
use super::set::assign;
use super::to_items::Located;
use crate::json::write::ObjectWriter;
use crate::json::{Json, Object};

/// How many bytes a piece has, at least.
const PIECE: usize = 1 << 16;
/// The field whose value is the items.
const INPUT: &str = "input";

/// Some of the items of a request.
#[derive(Debug)]
pub(super) enum InputChunk<'d> {
    /// The JSON of items, separated by commas.
    Json(&'d str),
    /// One item.
    Item(Located<'d>),
}

/// A request that is complete, but not written yet.
#[derive(Debug)]
pub struct Request<'d> {
    /// Its fields in order, with null in place of the items; `None` for the `input` array alone.
    fields: Option<Object<'d>>,
    /// Its items.
    input: Vec<InputChunk<'d>>,
    /// Whether `fields` has another `input` than the items.
    has_other_input: bool,
}

impl<'d> InputChunk<'d> {
    pub(super) fn item_mut(&mut self) -> Option<&mut Located<'d>> {
        match self {
            InputChunk::Item(located) => Some(located),
            InputChunk::Json(_) => None,
        }
    }
}

impl<'d> Request<'d> {
    /// The `input` array alone.
    pub(super) fn input_only(input: Vec<InputChunk<'d>>) -> Self {
        Self { fields: None, input, has_other_input: false }
    }

    /// A request with these fields, and with `input` unless it lacks it.
    pub(super) fn new(mut fields: Object<'d>, input: Vec<InputChunk<'d>>, lacks_input: bool) -> Self {
        if !lacks_input {
            fields.insert(INPUT, Json::NULL);
        }
        Self { fields: Some(fields), input, has_other_input: lacks_input }
    }

    /// The items that were not written when the document was read. All, if the options ask for a source map.
    pub fn items(&self) -> impl Iterator<Item = &Located<'d>> {
        self.input.iter().filter_map(|piece| match piece {
            InputChunk::Item(located) => Some(located),
            InputChunk::Json(_) => None,
        })
    }

    /// Sets a value at a path. The error is the reason why that is impossible.
    pub(super) fn set(&mut self, path: &str, value: Json<'d>, context: &Context<'d>) -> Result<(), String> {
        let Some(fields) = &mut self.fields else { return Ok(()) };
        if path.split('.').next() == Some(INPUT) && !self.has_other_input {
            fields.replace(INPUT, context.strings.json(|out| whole(write_items(out, &self.input, |_| Ok(())))));
            self.has_other_input = true;
        }
        assign(fields, path, value, context)
    }

    /// Its JSON, compact, in pieces: `flush` is called whenever enough is written, and may drain the buffer. Returns the
    /// rest.
    pub fn encode<E>(&self, flush: impl FnMut(&mut String) -> Result<(), E>) -> Result<String, E> {
        let mut out = String::new();
        let Some(fields) = &self.fields else {
            write_items(&mut out, &self.input, flush)?;
            return Ok(out);
        };
        let mut flush = Some(flush);
        let mut request = ObjectWriter::new(&mut out);
        for (key, value) in fields.iter() {
            match flush.take_if(|_| key == INPUT && !self.has_other_input) {
                Some(flush) => write_items(request.key(key), &self.input, flush)?,
                None => request.json(key, value),
            }
        }
        request.end();
        Ok(out)
    }

    /// Its JSON, compact.
    pub fn to_json(&self) -> String {
        whole(self.encode(|_| Ok(())))
    }
}

fn write_items<E>(
    out: &mut String,
    pieces: &[InputChunk<'_>],
    mut flush: impl FnMut(&mut String) -> Result<(), E>,
) -> Result<(), E> {
    out.push('[');
    for (index, piece) in pieces.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        match piece {
            InputChunk::Json(json) => out.push_str(json),
            InputChunk::Item(located) => located.item.encode(out),
        }
        if out.len() >= PIECE {
            flush(out)?;
        }
    }
    out.push(']');
    Ok(())
}

fn whole<T>(result: Result<T, Infallible>) -> T {
    let Ok(written) = result;
    written
}
