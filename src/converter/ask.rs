//! Adds a message of the user to the end of a document.

use std::borrow::Cow;

use super::answer::{AnswerPart, are_same, body, read};
use super::{Converter, Error, Input, Output};
use crate::convert::Located;
use crate::diagnostic::{Diagnostics, Report};
use crate::document::{
    Block, DataKind, Document, ItemElement, Part, Role, line_ending, lower, print, print_with, set_line_ending,
};
use crate::error::RoundTripError;
use crate::responses::Item;
use crate::source::{SourceId, Sources, Span, Spanned};
use crate::syntax::write::LineEnding;
use crate::syntax::{self, is_whitespace};

impl Converter<'_> {
    /// Adds a message of the user at the end of a document, after a system message if one is given. An empty `<user>`
    /// at the end is filled. The result is read back and compared.
    ///
    /// ```
    /// use chatmd::{AnswerPart, Converter};
    ///
    /// let message = [AnswerPart::Text("What is </user>?".to_owned())];
    /// let asked = Converter::new().ask("", Some("Be brief."), &message)?;
    /// let system = "<system>\nBe brief.\n</system>\n";
    /// assert_eq!(asked.value, format!("{system}\n<user>\nRAW|\nWhat is </user>?\n|RAW\n</user>\n"));
    /// # Ok::<(), chatmd::Error>(())
    /// ```
    pub fn ask(
        &self,
        document: impl Into<Input>,
        system: Option<&str>,
        message: &[AnswerPart],
    ) -> Result<Output<String>, Error> {
        let input: Input = document.into();
        let path = input.path.clone();
        let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let source = input.add_to(&sources, &mut diagnostics);
        let asked = if diagnostics.has_errors() {
            None
        } else {
            self.with_message(&sources, source, system, message, &mut diagnostics)
        };
        if diagnostics.has_errors() {
            return Err(Error::Problems(Report::new(diagnostics.errors(), Vec::new(), sources)));
        }
        let wrong = || RoundTripError { what: "the document with the message".to_owned() };
        let (text, element) = asked.ok_or_else(wrong)?;
        // The message is checked alone. The warnings of the document are reported when the document is sent.
        let (own, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let source = own.add_file("<message>", path, element, None);
        let is_exact = self.is_sent(&own, source, message, &mut diagnostics);
        if !is_exact && !diagnostics.has_errors() {
            return Err(wrong().into());
        }
        let (value, warnings) = Error::unless_errors(text, diagnostics, own)?;
        Ok(Output { value, warnings })
    }

    /// Whether a document, without its imports, has a message or another item. The empty `<user>` at the end is none.
    pub fn has_messages(&self, document: impl Into<Input>) -> bool {
        let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let source = document.into().add_to(&sources, &mut diagnostics);
        let mut document = read(&sources, source, self.whitespace, &mut diagnostics);
        document.remove_placeholder();
        let is_message = |block: &Spanned<Block<'_>>| match &block.value {
            Block::Element(_) => true,
            Block::Data(data) => data.kind != DataKind::Request,
            Block::Declaration(_) | Block::Import(_) | Block::Comment(_) => false,
        };
        document.blocks.iter().any(is_message)
    }

    /// The document with the message, and the element of the message. `None` if the document does not read back.
    fn with_message(
        &self,
        sources: &Sources,
        source: SourceId,
        system: Option<&str>,
        parts: &[AnswerPart],
        diagnostics: &mut Diagnostics,
    ) -> Option<(String, String)> {
        let nodes = syntax::parse(sources, source, diagnostics);
        let mut document = lower(&nodes, self.whitespace, diagnostics);
        if diagnostics.has_errors() {
            return None;
        }
        let line_ending = line_ending(&nodes, self.whitespace);
        let span = Span::new(source, 0..0);
        let spanned = |role, body| Spanned::new(Block::Element(ItemElement::message(role, body)), span);
        let user = spanned(Role::User, body(parts, span));
        let element = print(&Document { blocks: vec![user.clone()] }, self.whitespace);
        let text_body = |text| vec![Spanned::new(Part::Text(Cow::Borrowed(text)), span)];
        let system = system.map(|text| spanned(Role::System, text_body(text)));
        let mut added = Document { blocks: system.into_iter().chain([user]).collect() };
        let text = insert(
            &sources.get(source).text,
            &document,
            &print_with(&added, self.whitespace, line_ending),
            line_ending,
        );
        set_line_ending(&mut added, line_ending);
        let index = document.placeholder();
        let at = index.unwrap_or(document.blocks.len());
        document.blocks.splice(at..at + usize::from(index.is_some()), added.blocks);
        let (again, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let read = read(&again, again.add("", text.clone(), None), self.whitespace, &mut diagnostics);
        let is_exact = !diagnostics.has_errors()
            && read.blocks.iter().map(|block| &block.value).eq(document.blocks.iter().map(|block| &block.value));
        is_exact.then_some((text, element))
    }

    /// Whether the element is one message, whose texts are those of the parts.
    fn is_sent(
        &self,
        sources: &Sources,
        element: SourceId,
        parts: &[AnswerPart],
        diagnostics: &mut Diagnostics,
    ) -> bool {
        self.with_items(sources, element, diagnostics, |items| {
            let [Located { item: Item::Message(message), .. }] = items else { return false };
            are_same(parts, &message.content)
        })
    }
}

/// A document with the element in place of the empty `<user>` at the end, or after everything else.
fn insert(old: &str, document: &Document<'_>, added: &str, line_ending: LineEnding) -> String {
    let start_of = |index: usize| document.blocks.get(index).map_or(old.len(), |block| block.span.start);
    let (head, rest) = match document.placeholder() {
        Some(index) => (&old[..start_of(index)], &old[start_of(index + 1)..]),
        None => (old, ""),
    };
    let parts = [head, added, rest].map(|part| part.trim_end_matches(is_whitespace));
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    let line_break = line_ending.as_str();
    parts.join(&line_break.repeat(2)) + line_break
}
