//! Markdown as styled text: the source with styles instead of the delimiters of emphasis and code.

use std::ops::Range;

use anstyle::{AnsiColor, Style};
use pulldown_cmark::{Event, Options, Parser, Tag};

use super::styled::Styled;

const CODE: AnsiColor = AnsiColor::Yellow;
const BULLET: &str = "•";

/// A text with the styles of its Markdown, on top of `base`.
pub(super) fn render(text: &str, base: Style) -> Styled {
    let mut renderer = Renderer { source: text, at: 0, base, open: Vec::new(), out: Styled::default() };
    for (event, range) in events(text) {
        renderer.event(&event, range);
    }
    renderer.close_before(text.len());
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
    base: Style,
    /// The open elements, innermost last.
    open: Vec<Open>,
    out: Styled,
}

/// An element whose end has not been rendered.
struct Open {
    end: usize,
    /// The length of the delimiters around the element, which are not shown.
    delimiter: usize,
    style: Style,
    /// Whether the lines of the element are not wrapped.
    is_fixed: bool,
}

impl Renderer<'_> {
    fn event(&mut self, event: &Event<'_>, range: Range<usize>) {
        let source = &self.source[range.clone()];
        let outer = self.style_at(range.start);
        let code = outer.fg_color(Some(CODE.into()));
        let (delimiter, style, is_fixed) = match event {
            Event::Start(Tag::Emphasis) => (1, outer.italic(), false),
            Event::Start(Tag::Strong) => (2, outer.bold(), false),
            // `~a~` and `~~a~~` have the same meaning.
            Event::Start(Tag::Strikethrough) => {
                (if source.starts_with("~~") { 2 } else { 1 }, outer.strikethrough(), false)
            }
            Event::Code(_) => (source.bytes().take_while(|b| *b == b'`').count(), code, false),
            Event::Start(Tag::Heading { .. }) => (0, outer.bold(), false),
            Event::Start(Tag::Link { .. } | Tag::Image { .. }) => (0, outer.underline(), false),
            Event::Start(Tag::BlockQuote(_)) => (0, outer.dimmed(), false),
            Event::Start(Tag::CodeBlock(_)) => (0, code, true),
            Event::Start(Tag::Table(_)) => (0, outer, true),
            Event::Start(Tag::Item) => return self.bullet(range),
            _ => return,
        };
        self.advance(range.start);
        if is_fixed {
            self.out.fixed.push(self.out.text.len()..usize::MAX);
        }
        self.open.push(Open { end: range.end, delimiter, style, is_fixed });
        self.skip(delimiter);
    }

    /// The style at a place that is not inside the elements which end before. These are closed.
    fn style_at(&mut self, at: usize) -> Style {
        self.close_before(at);
        self.open.last().map_or(self.base, |open| open.style)
    }

    /// Renders the elements that end before a place, or there.
    fn close_before(&mut self, at: usize) {
        while let Some(&Open { end, delimiter, is_fixed, .. }) = self.open.last().filter(|open| open.end <= at) {
            self.advance(end.saturating_sub(delimiter));
            self.skip(delimiter);
            self.advance(end);
            self.open.pop();
            if let (true, Some(fixed)) = (is_fixed, self.out.fixed.last_mut()) {
                fixed.end = self.out.text.len();
            }
        }
    }

    /// Renders the source up to `to` in the current style.
    fn advance(&mut self, to: usize) {
        let style = self.open.last().map_or(self.base, |open| open.style);
        if let Some(text) = self.source.get(self.at..to) {
            self.out.push(text, style);
            self.at = to;
        }
    }

    /// Skips delimiters, if the source continues with them.
    fn skip(&mut self, length: usize) {
        let here = self.source.as_bytes().get(self.at..self.at + length);
        if here.is_some_and(|here| here.iter().all(|b| b"*_~`".contains(b))) {
            self.at += length;
        }
    }

    fn bullet(&mut self, item: Range<usize>) {
        let written = &self.source[item.clone()];
        let start = item.start + written.len() - written.trim_start_matches(' ').len();
        self.advance(start);
        if self.at == start && self.source[start..item.end].starts_with(['-', '*', '+']) {
            let style = self.style_at(start);
            self.out.push(BULLET, style);
            self.at += 1;
        }
    }
}
