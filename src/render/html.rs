//! Writes HTML. Markup is always a constant of this program; everything else is escaped.

use std::fmt::Display;

use crate::resources::media::base64;
use crate::sanitize::sanitize;

/// HTML that is being written.
#[derive(Default)]
pub(super) struct Html {
    out: String,
}

impl Html {
    /// Adds markup of the program itself. Only constants are accepted, so that no text of a document can be markup.
    pub(super) fn markup(&mut self, markup: &'static str) {
        self.out.push_str(markup);
    }

    /// Adds text. Control characters, invisible characters and characters that HTML forbids are shown as escapes.
    pub(super) fn text(&mut self, text: &str) {
        for c in sanitize(text).chars() {
            match c {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                '\'' => self.out.push_str("&#39;"),
                c if is_noncharacter(c) => self.out.extend(c.escape_unicode()),
                c => self.out.push(c),
            }
        }
    }

    /// Adds markup of the program itself with a text in place of each `{}`.
    pub(super) fn write(&mut self, template: &'static str, texts: &[&dyn Display]) {
        let mut texts = texts.iter();
        for (index, markup) in template.split("{}").enumerate() {
            if index > 0 {
                let text = texts.next().map(ToString::to_string);
                self.text(&text.unwrap_or_default());
            }
            self.markup(markup);
        }
    }

    /// Adds bytes in base64, which has no character that HTML knows.
    pub(super) fn base64(&mut self, bytes: &[u8]) {
        self.out.push_str(&base64(bytes));
    }

    /// Adds HTML that was written before.
    pub(super) fn append(&mut self, html: &Html) {
        self.out.push_str(&html.out);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.out.is_empty()
    }

    pub(super) fn into_string(self) -> String {
        self.out
    }
}

/// Whether Unicode reserves a code point as never a character. HTML forbids them.
fn is_noncharacter(c: char) -> bool {
    matches!(c, '\u{fdd0}'..='\u{fdef}') || u32::from(c) & 0xfffe == 0xfffe
}

#[cfg(test)]
#[path = "../../tests/unit/render_html.rs"]
mod tests;
