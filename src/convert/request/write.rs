//! Writes a request.

use std::convert::Infallible;
use std::io;

use super::Request;
use super::set::assign;
use crate::convert::Context;
use crate::convert::tools::write_tool;
use crate::json::write::{ObjectWriter, array, string};
use crate::json::{Json, Object, StringArena};
use crate::wire::Api;

/// How many bytes a piece has, at least.
const PIECE: usize = 1 << 16;
/// The key of the items.
pub(super) const INPUT: &str = "input";

impl<'d> Request<'d> {
    /// Writes its JSON, compact, in pieces of some 64 KiB.
    pub fn write_to(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let rest = self.encode(|piece| {
            out.write_all(piece.as_bytes())?;
            piece.clear();
            io::Result::Ok(())
        })?;
        out.write_all(rest.as_bytes())
    }

    /// Its JSON, compact.
    pub fn to_json(&self) -> String {
        whole(self.encode(|_| Ok(())))
    }

    /// Its fields as they are sent, except `input`.
    pub(crate) fn sent_fields<'s>(&self, strings: &'s StringArena) -> Object<'s>
    where
        'd: 's,
    {
        let mut fields = Object::default();
        for (key, value) in self.fields.iter() {
            match self.list(key) {
                Some(INPUT) => {}
                Some(list) => fields.insert(list, strings.json(|out| whole(self.write_list(list, out, |_| Ok(()))))),
                None => fields.insert(key.to_owned(), value),
            }
        }
        fields
    }

    /// Sets a value at a path. The error is the reason why that is impossible.
    pub(super) fn set(&mut self, path: &str, value: Json<'d>, context: &Context<'d>) -> Result<(), String> {
        if let Some(list) = path.split('.').next().and_then(|key| self.list(key)) {
            let json = context.strings.json(|out| whole(self.write_list(list, out, |_| Ok(()))));
            self.fields.replace(list, json);
            self.overridden.push(list);
        }
        assign(&mut self.fields, path, value, context)
    }

    /// The key of a list of this request that is written in the place of a field.
    fn list(&self, key: &str) -> Option<&'static str> {
        let lists = [
            ("instructions", !self.instructions.is_empty()),
            ("tools", !self.tools.is_empty()),
            (INPUT, !self.lacks_input),
        ];
        let list = lists.iter().find(|(list, is_written)| *list == key && *is_written).map(|(list, _)| *list);
        list.filter(|list| !self.overridden.contains(list))
    }

    /// Its JSON, compact, in pieces: `flush` is called whenever enough is written, and may drain the buffer. Returns the
    /// rest.
    fn encode<E>(&self, mut flush: impl FnMut(&mut String) -> Result<(), E>) -> Result<String, E> {
        let mut out = String::new();
        if self.is_input {
            match self.fields.get(self.api.list_field()).filter(|_| self.api != Api::Responses) {
                Some(messages) => out.push_str(&messages.compact()),
                None => self.write_list(INPUT, &mut out, flush)?,
            }
            return Ok(out);
        }
        let mut request = ObjectWriter::new(&mut out);
        for (key, value) in self.fields.iter() {
            match self.list(key) {
                Some(list) => self.write_list(list, request.key(key), &mut flush)?,
                None => request.json(key, value),
            }
        }
        request.end();
        Ok(out)
    }

    fn write_list<E>(
        &self,
        list: &str,
        out: &mut String,
        flush: impl FnMut(&mut String) -> Result<(), E>,
    ) -> Result<(), E> {
        match list {
            INPUT => return self.write_items(out, flush),
            "tools" => array(out, &self.tools, |out, tool| write_tool(out, tool.json)),
            _ => string(out, &self.joined_instructions()),
        }
        Ok(())
    }

    fn write_items<E>(&self, out: &mut String, mut flush: impl FnMut(&mut String) -> Result<(), E>) -> Result<(), E> {
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

fn whole<T>(result: Result<T, Infallible>) -> T {
    let Ok(written) = result;
    written
}
