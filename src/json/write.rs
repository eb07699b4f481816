//! Writes JSON.

use super::object::Object;
use super::string::{SpecialByteFinder, push_start};
use super::value::Json;

/// What comes after the backslash of a byte's escape; 0 for bytes that are written as `\u0000`.
const ESCAPED: [u8; 256] = {
    let mut table = [0; 256];
    table[b'"' as usize] = b'"';
    table[b'\\' as usize] = b'\\';
    table[b'\n' as usize] = b'n';
    table[b'\r' as usize] = b'r';
    table[b'\t' as usize] = b't';
    table
};

/// Writes one JSON object. Values that are already JSON keep their spelling, without whitespace.
#[derive(Debug)]
pub struct ObjectWriter<'o> {
    out: &'o mut String,
    is_empty: bool,
}

impl<'o> ObjectWriter<'o> {
    /// Opens an object.
    pub fn new(out: &'o mut String) -> Self {
        out.push('{');
        Self { out, is_empty: true }
    }

    /// Closes it.
    pub fn end(self) {
        self.out.push('}');
    }

    /// Writes a key. The caller writes its value.
    pub fn key(&mut self, key: &str) -> &mut String {
        self.separate();
        string(self.out, key);
        self.out.push(':');
        self.out
    }

    /// Writes a key in which nothing needs an escape, such as a name of the API. The caller writes its value.
    pub fn name(&mut self, name: &'static str) -> &mut String {
        debug_assert_eq!(SpecialByteFinder::new(name.as_bytes()).find(0), name.len(), "{name} needs an escape");
        self.separate();
        self.out.push('"');
        self.out.push_str(name);
        self.out.push_str("\":");
        self.out
    }

    fn separate(&mut self) {
        if !self.is_empty {
            self.out.push(',');
        }
        self.is_empty = false;
    }

    /// Writes a member with a name of the API and a string value.
    pub fn text(&mut self, name: &'static str, value: &str) {
        string(self.name(name), value);
    }

    /// Writes a member whose value is already JSON.
    pub fn json(&mut self, key: &str, value: Json<'_>) {
        self.key(key).push_str(&value.compact());
    }

    /// Writes all members of an object.
    pub fn members(&mut self, object: &Object<'_>) {
        for (key, value) in object.iter() {
            self.json(key, value);
        }
    }
}

/// Writes an array, each element by `write`.
pub fn array<T>(out: &mut String, elements: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut String, T)) {
    out.push('[');
    for (index, element) in elements.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(out, element);
    }
    out.push(']');
}

/// Writes an array of objects.
pub fn objects<'o, 'v: 'o>(out: &mut String, objects: impl IntoIterator<Item = &'o Object<'v>>) {
    array(out, objects, |out, object| {
        let mut writer = ObjectWriter::new(out);
        writer.members(object);
        writer.end();
    });
}

/// Writes a string with its quotes.
pub fn string(out: &mut String, text: &str) {
    out.reserve(text.len() + 2);
    out.push('"');
    let mut finder = SpecialByteFinder::new(text.as_bytes());
    let mut start = 0;
    loop {
        let at = finder.find(start);
        push_start(out, &text[start..], at - start);
        let Some(byte) = text.as_bytes().get(at) else { break };
        escape(out, *byte);
        start = at + 1;
    }
    out.push('"');
}

/// Writes the escape of a special byte.
fn escape(out: &mut String, byte: u8) {
    out.push('\\');
    match ESCAPED[usize::from(byte)] {
        0 => {
            let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('0');
            out.push_str("u00");
            out.push(digit(byte >> 4));
            out.push(digit(byte & 0xf));
        }
        letter => out.push(char::from(letter)),
    }
}
