//! A document to text, in the canonical layout.

use std::borrow::Cow;

use crate::document::{
    Block, Body, Declaration, DeclarationBody, Directive, DirectiveKind, Document, Fields, JsonText, Media, MediaKind,
    Part, Summary, has_parts,
};
use crate::element::{BodyKind, Tag};
use crate::json::{fits_line, is_valid, lay_out};
use crate::source::Spanned;
use crate::syntax::Attributes;
use crate::syntax::write::{self, LineEnding, Opening, Whitespace};

/// Longer fields are written after the body.
const MAX_LEADING_LENGTH: usize = 100;

/// Writes a document so that it reads back as the same document.
pub fn print(document: &Document<'_>, whitespace: Whitespace) -> String {
    print_with(document, whitespace, LineEnding::Lf)
}

/// Like [`print()`], with this line break wherever one is layout.
pub fn print_with(document: &Document<'_>, whitespace: Whitespace, line_ending: LineEnding) -> String {
    let mut printer = Printer { out: String::new(), whitespace, line_ending };
    for (index, block) in document.blocks.iter().enumerate() {
        if index > 0 {
            printer.out.push_str(line_ending.as_str());
        }
        printer.block(&block.value);
        printer.out.push_str(line_ending.as_str());
    }
    printer.out
}

struct Printer {
    out: String,
    whitespace: Whitespace,
    line_ending: LineEnding,
}

impl Printer {
    fn block(&mut self, block: &Block<'_>) {
        match block {
            Block::Element(element) => {
                let tag = element.kind.tag();
                self.open(tag, |opening| {
                    type_attribute(opening, element.kind.type_attribute());
                    attributes(opening, &element.attributes, &element.extra);
                });
                self.body(tag, element.fields.as_ref(), &element.body);
            }
            Block::Declaration(declaration) => self.declaration(declaration),
            Block::Import(import) => self.media(import),
            Block::Data(data) => self.directive(data.directive()),
            Block::Comment(text) => write::comment(&mut self.out, text),
        }
    }

    fn declaration(&mut self, declaration: &Declaration<'_>) {
        let attributes = |tag: &mut Opening<'_>| tag.attributes(&declaration.attributes);
        match &declaration.body {
            None => self.void(declaration.tag, attributes),
            Some(body) => {
                self.open(declaration.tag, attributes);
                match body {
                    DeclarationBody::Json(_) => self.json_body(&body.text()),
                    DeclarationBody::Source(text) => self.out.push_str(text),
                }
                write::close(&mut self.out, declaration.tag);
            }
        }
    }

    /// Writes JSON on lines of its own. Whitespace around it means nothing, also in verbatim mode.
    fn json_body(&mut self, json: &str) {
        write::end_line(&mut self.out, self.line_ending);
        let json = with_line_ending(json, self.line_ending);
        write::text(&mut self.out, &json, self.whitespace, self.line_ending);
        write::end_line(&mut self.out, self.line_ending);
    }

    fn open(&mut self, tag: Tag, attributes: impl Fn(&mut Opening<'_>)) {
        let mut opening = Opening::new(&mut self.out, tag);
        attributes(&mut opening);
        opening.end();
    }

    fn void(&mut self, tag: Tag, attributes: impl Fn(&mut Opening<'_>)) {
        let mut opening = Opening::new(&mut self.out, tag);
        attributes(&mut opening);
        opening.end_void();
    }

    /// Writes a body and the closing tag. In layout mode every part is on lines of its own, unless it joins the
    /// text next to it. Long fields are written after the body, so that people read the text first.
    fn body(&mut self, tag: Tag, fields: Option<&Spanned<JsonText<'_>>>, body: &Body<'_>) {
        let fields = fields.map(|fields| laid_out(Directive { kind: DirectiveKind::Fields, data: &fields.value }));
        let is_last = |fields: &Cow<'_, str>| fields.len() > MAX_LEADING_LENGTH && !body.is_empty();
        let (first, last) = if fields.as_ref().is_some_and(is_last) { (None, fields) } else { (fields, None) };
        if let Some(fields) = first {
            self.directive(Directive { kind: DirectiveKind::Fields, data: &fields });
        }
        let has_parts = match tag.definition().body {
            BodyKind::Message => true,
            BodyKind::Response => has_parts(body),
            BodyKind::Text | BodyKind::Reasoning | BodyKind::Declaration | BodyKind::Void => false,
        };
        let joins = |part: &Part<'_>| matches!(part, Part::Text(_)) || part.is_text() && !has_parts;
        let mut previous_joins = false;
        for (index, part) in body.iter().enumerate() {
            if !(previous_joins && joins(&part.value)) {
                self.end_line();
            }
            previous_joins = joins(&part.value);
            match (&part.value, body.get(index + 1)) {
                (Part::Text(text), Some(next)) if joins(&next.value) => {
                    write::text_before_tag(&mut self.out, text, self.whitespace, self.line_ending);
                }
                (part, _) => self.part(part),
            }
        }
        if !body.is_empty() {
            self.end_line();
        }
        if let Some(fields) = last {
            self.directive(Directive { kind: DirectiveKind::Fields, data: &fields });
            self.end_line();
        }
        write::close(&mut self.out, tag);
    }

    fn part(&mut self, part: &Part<'_>) {
        match part {
            Part::Text(text) => write::text(&mut self.out, text, self.whitespace, self.line_ending),
            Part::Media(media) => self.media(media),
            Part::Summary(summary) => self.summary(summary),
            Part::Metadata(json) => self.directive(Directive { kind: DirectiveKind::Part, data: json }),
        }
    }

    fn media(&mut self, media: &Media<'_>) {
        let attributes = |tag: &mut Opening<'_>| attributes(tag, &media.attributes, &media.extra);
        if media.kind == MediaKind::Agent {
            self.open(Tag::Agent, attributes);
            self.body(Tag::Agent, None, &media.body);
        } else {
            self.void(media.kind.tag(), attributes);
        }
    }

    fn summary(&mut self, summary: &Summary<'_>) {
        self.open(Tag::Summary, |tag| {
            type_attribute(tag, summary.kind.as_deref());
            tag.attributes(&summary.extra);
        });
        if !summary.text.is_empty() {
            self.end_line();
            write::text(&mut self.out, &summary.text, self.whitespace, self.line_ending);
            self.end_line();
        }
        write::close(&mut self.out, Tag::Summary);
    }

    fn directive(&mut self, directive: Directive<'_>) {
        let json = laid_out(directive);
        let data = with_line_ending(&json, self.line_ending);
        self.out.push_str(&Directive { data: &data, ..directive }.to_string());
    }

    fn end_line(&mut self) {
        if self.whitespace == Whitespace::Layout {
            write::end_line(&mut self.out, self.line_ending);
        }
    }
}

/// The JSON of a comment, laid out if it does not fit on its line. JSON that is malformed stays as it is.
fn laid_out(directive: Directive<'_>) -> Cow<'_, str> {
    let (after, around) = (" -->".len(), Directive { data: "", ..directive }.to_string().len());
    let column = around - after;
    if fits_line(directive.data, column, after) || !is_valid(directive.data) {
        return Cow::Borrowed(directive.data);
    }
    Cow::Owned(lay_out(directive.data, column, after))
}

fn type_attribute(tag: &mut Opening<'_>, kind: Option<&str>) {
    if let Some(kind) = kind {
        tag.attribute("type", Some(kind));
    }
}

/// The attributes of an element that have a meaning, and the others after them.
fn attributes(tag: &mut Opening<'_>, fields: &Fields<'_>, extra: &Attributes<'_>) {
    for (row, field) in fields.iter() {
        tag.attribute(row.name, field.text());
    }
    tag.attributes(extra);
}

/// JSON with this line break. Line breaks in JSON are layout. JSON that is malformed stays as it is.
fn with_line_ending(json: &str, line_ending: LineEnding) -> Cow<'_, str> {
    match line_ending {
        LineEnding::CrLf if json.contains('\n') && is_valid(json) => {
            Cow::Owned(json.replace("\r\n", "\n").replace('\n', "\r\n"))
        }
        LineEnding::CrLf | LineEnding::Lf => Cow::Borrowed(json),
    }
}
