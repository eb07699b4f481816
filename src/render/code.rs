//! Code, JSON and text that is shown as it is.

use super::Renderer;
use super::highlight::{Token, highlight};
use crate::json::{Json, StringArena, lay_out};

/// How many bytes of code a page colours.
const MAX_HIGHLIGHTED: usize = 256_000;
/// Texts of more lines scroll in a box of their own.
const MAX_UNSCROLLED_LINES: usize = 40;
const MAX_LANGUAGE_LENGTH: usize = 20;

impl Renderer<'_, '_> {
    /// Text of a tool: JSON is laid out, anything else is shown as it is.
    pub(super) fn output_text(&mut self, text: &str) {
        if text.trim_start().starts_with(['{', '[']) && Json::parse(text.trim(), &StringArena::default()).is_ok() {
            return self.json(text.trim());
        }
        self.verbatim(text);
    }

    /// JSON, laid out and coloured. Text that is not JSON is shown as it is.
    pub(super) fn json(&mut self, json: &str) {
        if Json::parse(json, &StringArena::default()).is_err() {
            return self.verbatim(json);
        }
        let json = lay_out(json, 0, 0);
        self.code("json", &json);
    }

    /// Text as it is, byte for byte as far as it can be seen.
    pub(super) fn verbatim(&mut self, text: &str) {
        self.code("", text);
    }

    /// A block of code with the name of its language.
    pub(super) fn code_block(&mut self, language: &str, code: &str) {
        self.html.markup("<div class=\"code\">");
        if !language.is_empty() {
            let language = self.line(language, MAX_LANGUAGE_LENGTH);
            self.html.write("<span class=\"lang\">{}</span>", &[&language]);
        }
        self.code(language, code);
        self.html.markup("</div>\n");
    }

    pub(super) fn code(&mut self, language: &str, code: &str) {
        let code = self.prepared(code).into_owned();
        let code = code.trim_end_matches('\n');
        // A box that scrolls must be reachable with the keyboard.
        let is_long = memchr::memchr_iter(b'\n', code.as_bytes()).nth(MAX_UNSCROLLED_LINES).is_some();
        self.html.markup(if is_long { "<pre class=\"long\" tabindex=\"0\"><code>" } else { "<pre><code>" });
        let is_coloured = self.highlighted + code.len() <= MAX_HIGHLIGHTED;
        if is_coloured && !language.is_empty() {
            self.highlighted += code.len();
        }
        for (token, text) in highlight(if is_coloured { language } else { "" }, code) {
            let (open, close) = markup(token);
            self.html.markup(open);
            self.html.text(text);
            self.html.markup(close);
        }
        self.html.markup("</code></pre>\n");
    }
}

fn markup(token: Token) -> (&'static str, &'static str) {
    match token {
        Token::Plain => ("", ""),
        Token::Comment => ("<span class=\"c\">", "</span>"),
        Token::Keyword => ("<span class=\"k\">", "</span>"),
        Token::String => ("<span class=\"s\">", "</span>"),
        Token::Number => ("<span class=\"n\">", "</span>"),
        Token::Function => ("<span class=\"f\">", "</span>"),
        Token::Type => ("<span class=\"t\">", "</span>"),
        Token::Key => ("<span class=\"y\">", "</span>"),
        Token::Added => ("<ins>", "</ins>"),
        Token::Removed => ("<del>", "</del>"),
    }
}
