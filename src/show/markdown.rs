//! Markdown as styled text: the source with styles instead of the delimiters of emphasis and code.

use std::ops::Range;

use anstyle::{AnsiColor, Effects, Style};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use super::styled::Styled;

const CODE: AnsiColor = AnsiColor::Yellow;
const BULLET: &str = "•";

/// A text with the styles of its Markdown, on top of `base`.
pub(super) fn render(text: &str, base: Style) -> Styled {
    let mut renderer = Renderer { source: text, at: 0, styles: vec![base], out: Styled::default() };
    for (event, range) in events(text) {
        renderer.event(&event, range);
    }
    renderer.advance(text.len());
    renderer.out
}

/// A text as it is written, with code blocks and tables marked as not to be wrapped.
pub(super) fn keep(text: &str, base: Style) -> Styled {
    let is_fixed = |event: &Event<'_>| matches!(event, Event::Start(Tag::CodeBlock(_) | Tag::Table(_)));
    let fixed = events(text).filter(|(event, _)| is_fixed(event)).map(|(_, range)| range).collect();
    Styled { fixed, ..Styled::new(text, base) }
}

fn events(text: &str) -> impl Iterator<Item = (Event<'_>, Range<usize>)> {
    Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH).into_offset_iter()
}

struct Renderer<'t> {
    source: &'t str,
    /// The length of the source that has been rendered.
    at: usize,
    /// The styles of the open elements, innermost last.
    styles: Vec<Style>,
    out: Styled,
}

impl Renderer<'_> {
    fn event(&mut self, event: &Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.start(tag, range),
            Event::End(tag) => self.end(*tag, range),
            Event::Code(_) => {
                let quotes = self.source[range.clone()].bytes().take_while(|b| *b == b'`').count();
                self.open(range.start, |style| style.fg_color(Some(CODE.into())));
                self.skip(quotes, "`");
                self.advance(range.end.saturating_sub(quotes));
                self.skip(quotes, "`");
                self.close(range.end);
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        match tag {
            Tag::Emphasis => self.delimited(range.start, 1, Effects::ITALIC),
            Tag::Strong => self.delimited(range.start, 2, Effects::BOLD),
            Tag::Strikethrough => {
                let length = self.strike_length(&range);
                self.delimited(range.start, length, Effects::STRIKETHROUGH);
            }
            Tag::Heading { .. } => self.open(range.start, Style::bold),
            Tag::Link { .. } | Tag::Image { .. } => self.open(range.start, Style::underline),
            Tag::BlockQuote(_) => self.open(range.start, Style::dimmed),
            Tag::CodeBlock(_) => {
                self.open(range.start, |style| style.fg_color(Some(CODE.into())));
                self.out.fixed.push(self.out.text.len()..usize::MAX);
            }
            Tag::Table(_) => {
                self.advance(range.start);
                self.out.fixed.push(self.out.text.len()..usize::MAX);
            }
            Tag::Item => self.bullet(range),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::Emphasis => self.undelimited(range.end, 1),
            TagEnd::Strong => self.undelimited(range.end, 2),
            TagEnd::Strikethrough => self.undelimited(range.end, self.strike_length(&range)),
            TagEnd::Heading(_) | TagEnd::Link | TagEnd::Image | TagEnd::BlockQuote(_) => self.close(range.end),
            TagEnd::CodeBlock => {
                self.close(range.end);
                self.end_fixed();
            }
            TagEnd::Table => {
                self.advance(range.end);
                self.end_fixed();
            }
            _ => {}
        }
    }

    /// Renders the source up to `to` in the current style.
    fn advance(&mut self, to: usize) {
        let style = self.styles.last().copied().unwrap_or_default();
        if let Some(text) = self.source.get(self.at..to) {
            self.out.push(text, style);
            self.at = to;
        }
    }

    /// Skips delimiters, if the source continues with them.
    fn skip(&mut self, length: usize, delimiters: &str) {
        let is_delimiter = |b: u8| delimiters.as_bytes().contains(&b);
        let here = self.source.as_bytes().get(self.at..self.at + length);
        if here.is_some_and(|here| here.iter().copied().all(is_delimiter)) {
            self.at += length;
        }
    }

    fn open(&mut self, at: usize, change: impl Fn(Style) -> Style) {
        self.advance(at);
        self.styles.push(change(self.styles.last().copied().unwrap_or_default()));
    }

    fn close(&mut self, at: usize) {
        self.advance(at);
        self.styles.pop();
    }

    fn delimited(&mut self, at: usize, length: usize, effect: Effects) {
        self.open(at, |style| style | effect);
        self.skip(length, "*_~");
    }

    fn undelimited(&mut self, at: usize, length: usize) {
        self.advance(at.saturating_sub(length));
        self.skip(length, "*_~");
        self.close(at);
    }

    /// The length of the delimiter: `~a~` and `~~a~~` have the same meaning.
    fn strike_length(&self, range: &Range<usize>) -> usize {
        if self.source[range.clone()].starts_with("~~") { 2 } else { 1 }
    }

    fn bullet(&mut self, item: Range<usize>) {
        let written = &self.source[item.clone()];
        let start = item.start + written.len() - written.trim_start_matches(' ').len();
        self.advance(start);
        if self.at == start && self.source[start..item.end].starts_with(['-', '*', '+']) {
            self.out.push(BULLET, self.styles.last().copied().unwrap_or_default());
            self.at += 1;
        }
    }

    fn end_fixed(&mut self) {
        if let Some(open) = self.out.fixed.last_mut() {
            open.end = self.out.text.len();
        }
    }
}
