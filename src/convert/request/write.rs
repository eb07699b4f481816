//! Writes a request.

use std::io;

use super::Request;
use super::set::assign;
use crate::convert::Context;
use crate::convert::tools::write_tool;
use crate::json::write::{ObjectWriter, array, string};
use crate::json::{Json, Object, StringArena};
use crate::wire::Value;

/// How many bytes a piece has, at least.
const PIECE: usize = 1 << 16;
/// The key of the items.
pub(super) const INPUT: &str = "input";
/// Called whenever enough is written; may drain the text.
type Flush<'f> = dyn FnMut(&mut String) -> io::Result<()> + 'f;
/// The value of a field in whose place a list of the request is written.
pub(super) const LIST: Json<'static> = Json::scalar("");

impl<'d> Request<'d> {
    /// Writes its JSON, compact, in pieces of some 64 KiB.
    pub fn write_to(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let rest = self.encode(&mut |piece| {
            out.write_all(piece.as_bytes())?;
            piece.clear();
            Ok(())
        })?;
        out.write_all(rest.as_bytes())
    }

    /// Its JSON, compact.
    pub fn to_json(&self) -> String {
        // Writing to memory cannot fail.
        self.encode(&mut |_| Ok(())).unwrap_or_default()
    }

    /// Its fields as they are sent, except `input`.
    pub(crate) fn sent_fields<'s>(&self, strings: &'s StringArena) -> Object<'s>
    where
        'd: 's,
    {
        let mut fields = Object::default();
        for (key, value) in self.fields.iter().filter(|(key, value)| *key != INPUT || *value != LIST) {
            fields.insert(key.to_owned(), if value == LIST { self.kept_list(key, strings) } else { value });
        }
        fields
    }

    /// The last item as JSON. `None` if the request has no items.
    pub(crate) fn last_item(&self) -> Option<String> {
        let strings = StringArena::default();
        let last_of = |list: Json<'_>| list.array().ok()?.last().map(|item| item.compact().into_owned());
        if let Some(set) = self.fields.get(INPUT).filter(|input| *input != LIST) {
            return last_of(set);
        }
        match self.small.at(self.items.len()).last() {
            Some(piece) => last_of(strings.json(|out| out.extend(["[", &piece.json, "]"]))),
            None => self.items.last().map(|last| strings.json(|out| last.item.encode(out)).raw().to_owned()),
        }
    }

    /// Whether an empty list of items is sent.
    pub(crate) fn has_empty_input(&self) -> bool {
        let is_list = |input: Json<'_>| input == LIST || input.is_empty_array();
        self.last_item().is_none() && self.fields.get(INPUT).is_some_and(is_list)
    }

    /// Sets a value at a path. The error is the reason why that is impossible.
    pub(super) fn set(&mut self, path: &str, value: Json<'d>, context: &Context<'d>) -> Result<(), String> {
        let key = path.split('.').next().unwrap_or_default();
        if self.fields.get(key) == Some(LIST) {
            let json = self.kept_list(key, context.strings);
            self.fields.replace(key.to_owned(), json);
        }
        assign(&mut self.fields, path, value, context.strings)
    }

    /// A list as JSON.
    fn kept_list<'s>(&self, key: &str, strings: &'s StringArena) -> Json<'s> {
        strings.json(|out| drop(self.write_list(key, out, &mut |_| Ok(()))))
    }

    /// Its JSON, compact, in pieces: `flush` is called whenever enough is written, and may drain the buffer. Returns the
    /// rest.
    fn encode(&self, flush: &mut Flush<'_>) -> io::Result<String> {
        let mut out = String::new();
        if self.is_input {
            match self.fields.get(self.api.list_field()).filter(|list| *list != LIST) {
                Some(set) => out.push_str(&set.compact()),
                None => self.write_list(self.api.list_field(), &mut out, flush)?,
            }
            return Ok(out);
        }
        let mut request = ObjectWriter::new(&mut out);
        for (key, value) in self.fields.iter() {
            if value == LIST {
                self.write_list(key, request.key(key), flush)?;
            } else {
                request.json(key, value);
            }
        }
        request.end();
        Ok(out)
    }

    fn write_list(&self, list: &str, out: &mut String, flush: &mut Flush<'_>) -> io::Result<()> {
        match (list, self.lists.get(list)) {
            (_, Some(Value::Array(values))) => {
                out.push('[');
                for (index, value) in values.iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    value.encode(out);
                    if out.len() >= PIECE {
                        flush(out)?;
                    }
                }
                out.push(']');
            }
            (_, Some(value)) => value.encode(out),
            (INPUT, None) => return self.write_items(out, flush),
            ("tools", None) => array(out, &self.tools, |out, tool| write_tool(out, tool.json)),
            (_, None) => string(out, &self.joined_instructions()),
        }
        Ok(())
    }

    fn write_items(&self, out: &mut String, flush: &mut Flush<'_>) -> io::Result<()> {
        out.push('[');
        let mut separator = "";
        for index in 0..=self.items.len() {
            for piece in self.small.at(index) {
                out.push_str(std::mem::replace(&mut separator, ","));
                out.push_str(&piece.json);
                if out.len() >= PIECE {
                    flush(out)?;
                }
            }
            if let Some(located) = self.items.get(index) {
                out.push_str(std::mem::replace(&mut separator, ","));
                located.item.encode(out);
                if out.len() >= PIECE {
                    flush(out)?;
                }
            }
        }
        out.push(']');
        Ok(())
    }
}
