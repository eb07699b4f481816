//! Markdown as HTML. Raw HTML is shown as text, and only links to the web and to mail addresses are links.

use std::collections::{HashMap, HashSet};
use std::iter::Peekable;

use pulldown_cmark::{Alignment, CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use super::Renderer;
use crate::document::Role;
use crate::resources::media::{has_scheme, is_data_url, is_web_url};
use crate::source::Span;

/// Elements nested deeper than this are left out, and their content is kept: browsers have such a limit, too.
const MAX_DEPTH: usize = 24;
/// The level of the first heading in a message. The page and its turns have the levels above.
const FIRST_HEADING: usize = 3;
const LAST_HEADING: usize = 6;

const OPTIONS: Options = Options::ENABLE_TABLES
    .union(Options::ENABLE_STRIKETHROUGH)
    .union(Options::ENABLE_TASKLISTS)
    .union(Options::ENABLE_FOOTNOTES);

type Events<'t> = Peekable<Parser<'t>>;

struct Markdown<'m, 'r, 'd> {
    renderer: &'m mut Renderer<'r, 'd>,
    breaks_lines: bool,
    /// For each open element, the markup that ends the element, if the element was written.
    open: Vec<Option<&'static str>>,
    /// How many of them were written.
    depth: usize,
    /// The levels of the headings around this place, in Markdown and in HTML.
    headings: Vec<(HeadingLevel, usize)>,
    alignments: Vec<Alignment>,
    cell: usize,
    is_head: bool,
    is_in_link: bool,
    /// Where the link that is open would lead, if it must not be a link.
    refused_link: Option<String>,
    footnotes: HashMap<String, usize>,
    /// The numbers of the footnotes that have a definition already. A label may be defined again.
    defined_footnotes: HashSet<usize>,
    /// Distinguishes the footnotes of this text from the footnotes of other texts.
    prefix: usize,
    /// Where the text is.
    span: Span,
}

impl Renderer<'_, '_> {
    /// Writes the Markdown of a message. The line breaks of a person are kept.
    pub(super) fn markdown(&mut self, text: &str, role: Role, span: Span) {
        let text = self.prepared(text);
        self.texts += 1;
        let prefix = self.texts;
        let mut markdown = Markdown {
            renderer: self,
            breaks_lines: role != Role::Assistant,
            open: Vec::new(),
            depth: 0,
            headings: Vec::new(),
            alignments: Vec::new(),
            cell: 0,
            is_head: false,
            is_in_link: false,
            refused_link: None,
            footnotes: HashMap::new(),
            defined_footnotes: HashSet::new(),
            prefix,
            span,
        };
        let mut events = Parser::new_ext(&text, OPTIONS).peekable();
        while let Some(event) = events.next() {
            markdown.event(event, &mut events);
        }
    }
}

impl Renderer<'_, '_> {
    /// The start of a Markdown text without its markup, on one line.
    pub(super) fn plain_line(&mut self, text: &str, longest: usize) -> String {
        // A secret that is cut would not be recognized.
        let text = if self.options.redacts { self.prepared(text) } else { text.into() };
        // The rest would be cut.
        let end = text.char_indices().nth(longest * 8).map_or(text.len(), |(end, _)| end);
        let mut plain = String::new();
        for event in Parser::new_ext(&text[..end], OPTIONS) {
            match event {
                Event::Text(text) | Event::Code(text) | Event::Html(text) | Event::InlineHtml(text) => {
                    plain.push_str(&text);
                }
                Event::SoftBreak | Event::HardBreak | Event::Rule | Event::Start(Tag::Item) => plain.push(' '),
                Event::End(TagEnd::Paragraph | TagEnd::Heading(_) | TagEnd::TableCell | TagEnd::Item) => {
                    plain.push(' ');
                }
                _ => {}
            }
        }
        self.line(&plain, longest)
    }
}

impl Markdown<'_, '_, '_> {
    fn event(&mut self, event: Event<'_>, events: &mut Events<'_>) {
        match event {
            Event::Start(Tag::CodeBlock(kind)) => self.code_block(&kind, events),
            Event::Start(Tag::Image { dest_url, .. }) => self.image(&dest_url, events),
            Event::Start(tag) => self.start(tag, events),
            Event::End(tag) => self.end(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.renderer.html.text(&text),
            Event::Code(code) => self.renderer.html.write("<code>{}</code>", &[&code]),
            Event::SoftBreak if self.breaks_lines => self.markup("<br>\n"),
            Event::SoftBreak => self.markup("\n"),
            Event::HardBreak => self.markup("<br>\n"),
            Event::Rule => self.markup("<hr>\n"),
            Event::FootnoteReference(label) => self.footnote_reference(&label),
            Event::TaskListMarker(true) => {
                self.markup("<span class=\"task\" role=\"img\" aria-label=\"done\">☑</span> ");
            }
            Event::TaskListMarker(false) => {
                self.markup("<span class=\"task\" role=\"img\" aria-label=\"open\">☐</span> ");
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: Tag<'_>, events: &mut Events<'_>) {
        let is_container = matches!(
            tag,
            Tag::BlockQuote(_) | Tag::List(_) | Tag::Item | Tag::Emphasis | Tag::Strong | Tag::Strikethrough
        );
        let is_in_other_link = self.is_in_link || self.refused_link.is_some();
        let is_written = match tag {
            Tag::Link { .. } => !is_in_other_link,
            _ => !is_container || self.depth < MAX_DEPTH,
        };
        if !is_written {
            self.open.push(None);
            return;
        }
        self.depth += 1;
        let (open, close) = match tag {
            Tag::Paragraph => ("<p>", "</p>\n"),
            Tag::HtmlBlock => ("<p class=\"html\">", "</p>\n"),
            Tag::Heading { level, .. } => HEADINGS[self.heading_level(level) - FIRST_HEADING],
            Tag::BlockQuote(_) => ("<blockquote>\n", "</blockquote>\n"),
            Tag::List(None) => ("<ul>\n", "</ul>\n"),
            Tag::List(Some(1)) => ("<ol>\n", "</ol>\n"),
            Tag::List(Some(start)) => {
                self.renderer.html.write("<ol start=\"{}\">\n", &[&start]);
                ("", "</ol>\n")
            }
            Tag::Item => ("<li>", "</li>\n"),
            Tag::Emphasis => ("<em>", "</em>"),
            Tag::Strong => ("<strong>", "</strong>"),
            Tag::Strikethrough => ("<del>", "</del>"),
            Tag::Link { dest_url, .. } => ("", self.start_link(&dest_url)),
            Tag::Table(alignments) => {
                self.alignments = alignments;
                let open = "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\"><table>\n";
                (open, "</tbody></table></div>\n")
            }
            Tag::TableHead => {
                (self.is_head, self.cell) = (true, 0);
                ("<thead><tr>", "</tr></thead><tbody>\n")
            }
            Tag::TableRow => {
                (self.is_head, self.cell) = (false, 0);
                ("<tr>", "</tr>\n")
            }
            Tag::TableCell => self.cell(events),
            Tag::FootnoteDefinition(label) => {
                self.start_footnote(&label);
                ("", "</div>\n")
            }
            _ => ("", ""),
        };
        self.markup(open);
        self.open.push(Some(close));
    }

    fn end(&mut self, tag: TagEnd) {
        let Some(close) = self.open.pop().flatten() else { return };
        self.depth -= 1;
        self.markup(close);
        if tag == TagEnd::Link {
            self.end_link();
        }
    }

    fn markup(&mut self, markup: &'static str) {
        self.renderer.html.markup(markup);
    }

    /// The level in HTML: no level is skipped, wherever the headings of the text start.
    fn heading_level(&mut self, level: HeadingLevel) -> usize {
        self.headings.retain(|(outer, _)| *outer < level);
        let html = self.headings.last().map_or(FIRST_HEADING, |(_, outer)| (outer + 1).min(LAST_HEADING));
        self.headings.push((level, html));
        html
    }

    /// Starts a link if it leads to the web or to a mail address. Returns the markup that ends the link.
    fn start_link(&mut self, url: &str) -> &'static str {
        if is_safe_link(url) {
            self.is_in_link = true;
            self.renderer.open_link(url);
            "</a>"
        } else {
            self.refused_link = Some(url.to_owned());
            ""
        }
    }

    /// After the text of a refused link, the reader sees its target.
    fn end_link(&mut self) {
        self.is_in_link = false;
        if let Some(url) = self.refused_link.take() {
            self.renderer.html.write(" <span class=\"url\">({})</span>", &[&url]);
        }
    }

    /// An image in the text itself. Nothing is loaded from the web.
    fn image(&mut self, url: &str, events: &mut Events<'_>) {
        let (mut alt, mut depth) = (String::new(), 1);
        for event in events {
            match event {
                Event::Start(_) => depth += 1,
                Event::End(_) => depth -= 1,
                Event::Text(text) | Event::Code(text) => alt.push_str(&text),
                _ => {}
            }
            if depth == 0 {
                break;
            }
        }
        let alt = if alt.trim().is_empty() { "image" } else { &alt };
        let image = if is_data_url(url) { self.renderer.image_of_url(url).ok() } else { None };
        match image {
            Some(bytes) => {
                self.renderer.cannot_check_markdown(self.span);
                self.renderer.image_element(&bytes, alt);
            }
            None if !self.is_in_link => self.renderer.link_or_text(url, alt),
            None => self.renderer.html.text(alt),
        }
    }

    fn code_block(&mut self, kind: &CodeBlockKind<'_>, events: &mut Events<'_>) {
        let mut code = String::new();
        for event in events {
            match event {
                Event::Text(text) => code.push_str(&text),
                Event::End(_) => break,
                _ => {}
            }
        }
        let language = match kind {
            CodeBlockKind::Indented => "",
            CodeBlockKind::Fenced(info) => info.split([' ', ',', '{']).next().unwrap_or_default(),
        };
        self.renderer.code_block(language, code.strip_suffix('\n').unwrap_or(&code));
    }

    fn cell(&mut self, events: &mut Events<'_>) -> (&'static str, &'static str) {
        // A header without text would be announced as one.
        let is_empty = matches!(events.peek(), Some(Event::End(TagEnd::TableCell)));
        let is_header = self.is_head && !is_empty;
        let alignment = self.alignments.get(self.cell).copied().unwrap_or(Alignment::None);
        self.cell += 1;
        let open = match (is_header, alignment) {
            (true, Alignment::Right) => "<th scope=\"col\" class=\"right\">",
            (true, Alignment::Center) => "<th scope=\"col\" class=\"center\">",
            (true, Alignment::None | Alignment::Left) => "<th scope=\"col\">",
            (false, Alignment::Right) => "<td class=\"right\">",
            (false, Alignment::Center) => "<td class=\"center\">",
            (false, Alignment::None | Alignment::Left) => "<td>",
        };
        (open, if is_header { "</th>" } else { "</td>" })
    }

    fn start_footnote(&mut self, label: &str) {
        let number = self.footnote(label);
        let id = self.footnote_id(number);
        if self.defined_footnotes.insert(number) {
            self.renderer.html.write("<div class=\"footnote\" id=\"{}\"><sup>{}</sup> ", &[&id, &number]);
        } else {
            self.renderer.html.write("<div class=\"footnote\"><sup>{}</sup> ", &[&number]);
        }
    }

    fn footnote_reference(&mut self, label: &str) {
        let number = self.footnote(label);
        let id = self.footnote_id(number);
        if self.is_in_link {
            self.renderer.html.write("<sup>{}</sup>", &[&number]);
        } else {
            self.renderer.html.write("<sup><a href=\"#{}\">{}</a></sup>", &[&id, &number]);
        }
    }

    fn footnote(&mut self, label: &str) -> usize {
        let next = self.footnotes.len() + 1;
        *self.footnotes.entry(label.to_owned()).or_insert(next)
    }

    fn footnote_id(&self, number: usize) -> String {
        format!("note-{}-{number}", self.prefix)
    }
}

/// The tags of headings, from the first level on.
const HEADINGS: [(&str, &str); LAST_HEADING - FIRST_HEADING + 1] =
    [("<h3>", "</h3>\n"), ("<h4>", "</h4>\n"), ("<h5>", "</h5>\n"), ("<h6>", "</h6>\n")];

/// Whether a page may link to a URL: to the web, or to a mail address.
pub(super) fn is_safe_link(url: &str) -> bool {
    is_web_url(url) || has_scheme(url, "mailto:")
}
