//! Markdown to roff, for the pages of the manual.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A page in Markdown as the sections of a manual page. Its title becomes a section.
pub(super) fn sections(markdown: &str) -> String {
    let mut writer = Writer::default();
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES) {
        writer.event(event);
    }
    writer.out
}

#[derive(Default)]
struct Writer {
    out: String,
    /// The paragraph, heading or cell that is being written.
    line: String,
    /// Whether the next paragraph starts right after the mark of its list item.
    is_item_open: bool,
    /// Whether the next cell is the first of its row.
    is_first_cell: bool,
    is_code: bool,
}

impl Writer {
    fn event(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(end) => self.end(end),
            Event::Text(text) if self.is_code => self.code(&text),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.line += &escaped_text(&text),
            Event::Code(code) => self.line.extend(["\\fB", &escaped_text(&code), "\\fR"]),
            Event::SoftBreak | Event::HardBreak => self.line.push('\n'),
            _ => {}
        }
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::CodeBlock(kind) => {
                self.flush(".PP");
                if let pulldown_cmark::CodeBlockKind::Fenced(info) = kind
                    && !info.is_empty()
                {
                    self.out.extend([".PP\n\\fI", &escaped_text(info), "\\fR\n"]);
                }
                self.out += ".RS 4\n.nf\n";
                self.is_code = true;
            }
            Tag::Item => {
                self.out += ".IP \\(bu 2\n";
                self.is_item_open = true;
            }
            Tag::TableHead | Tag::TableRow => self.is_first_cell = true,
            Tag::Emphasis => self.line += "\\fI",
            Tag::Strong => self.line += "\\fB",
            _ => {}
        }
    }

    fn end(&mut self, end: TagEnd) {
        match end {
            TagEnd::Heading(level) => {
                let macro_name = if level == pulldown_cmark::HeadingLevel::H1 { "SH" } else { "SS" };
                let title = std::mem::take(&mut self.line).replace('"', "\\(dq");
                let title = if macro_name == "SH" { title.to_uppercase() } else { title };
                self.out.extend([".", macro_name, " \"", &title, "\"\n"]);
            }
            TagEnd::Paragraph | TagEnd::Item => self.flush(".PP"),
            TagEnd::CodeBlock => {
                self.out += ".fi\n.RE\n";
                self.is_code = false;
            }
            // A row is its first cell, and the others below it.
            TagEnd::TableCell => {
                let mark = if std::mem::take(&mut self.is_first_cell) { ".TP" } else { "" };
                self.flush(mark);
            }
            TagEnd::Emphasis | TagEnd::Strong => self.line += "\\fR",
            _ => {}
        }
    }

    fn code(&mut self, text: &str) {
        for line in text.lines() {
            self.out += &super::escaped(line);
            self.out.push('\n');
        }
    }

    /// Writes the paragraph after its macro.
    fn flush(&mut self, macro_line: &str) {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            return;
        }
        if !macro_line.is_empty() && !std::mem::take(&mut self.is_item_open) {
            self.out.push_str(macro_line);
            self.out.push('\n');
        }
        for line in line.lines() {
            // A line that starts with a dot would be a macro.
            self.out += if line.starts_with(['.', '\'']) { "\\&" } else { "" };
            self.out += line.trim_start();
            self.out.push('\n');
        }
    }
}

/// Text inside of a line.
fn escaped_text(text: &str) -> String {
    text.replace('\\', "\\e").replace('-', "\\-")
}
