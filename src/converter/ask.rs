//! Adds a message of the user to the end of a document.

use std::borrow::Cow;

use super::answer::{AnswerPart, are_same, body};
use super::own::{UnexpandedDocument, checked};
use super::{Converter, Error, Input, Output};
use crate::convert::Located;
use crate::document::{Block, DataKind, Document, ItemElement, Part, Role, print, print_with};
use crate::error::RoundTripError;
use crate::responses::Item;
use crate::source::{Span, Spanned};

/// The name of the result in a `RoundTripError`.
const WITH_MESSAGE: &str = "the document with the message";

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
        let (text, element) = self.with_own(input, |own| {
            let asked = self.with_message(own, system, message);
            asked.ok_or_else(|| RoundTripError { what: WITH_MESSAGE.to_owned() }.into())
        })?;
        // The warnings of the document are reported when the document is sent.
        let element = Input { path, ..Input::from(element).with_name("<message>") };
        checked(text, WITH_MESSAGE, element, |sources, source, diagnostics| {
            self.with_items(sources, source, diagnostics, |items| match items {
                [Located { item: Item::Message(sent), .. }] => are_same(message, &sent.content),
                _ => false,
            })
        })
    }

    /// Whether a document, without its imports, has a message or another item. The empty `<user>` at the end does
    /// not count.
    pub fn has_messages(&self, document: impl Into<Input>) -> bool {
        let is_message = |block: &Spanned<Block<'_>>| match &block.value {
            Block::Element(_) => true,
            Block::Data(data) => data.kind != DataKind::Request,
            Block::Declaration(_) | Block::Import(_) | Block::Comment(_) => false,
        };
        self.of_own_blocks(document.into(), |document| {
            let placeholder = document.placeholder();
            let mut blocks = document.blocks.iter().enumerate();
            blocks.any(|(index, block)| Some(index) != placeholder && is_message(block))
        })
    }

    /// The document with the message, and the element of the message. `None` if the document does not read back.
    fn with_message(
        &self,
        own: &UnexpandedDocument<'_>,
        system: Option<&str>,
        parts: &[AnswerPart],
    ) -> Option<(String, String)> {
        let span = Span::NOWHERE;
        let spanned = |role, body| Spanned::new(Block::Element(ItemElement::message(role, body)), span);
        let user = spanned(Role::User, body(parts, span));
        let element = print(&Document { blocks: vec![user.clone()] }, self.whitespace);
        let text_body = |text| vec![Spanned::new(Part::Text(Cow::Borrowed(text)), span)];
        let system = system.map(|text| spanned(Role::System, text_body(text)));
        let added = Document { blocks: system.into_iter().chain([user]).collect() };
        let printed = print_with(&added, self.whitespace, own.line_ending);
        // The message takes the place of the empty `<user>` at the end.
        let (old, blocks, placeholder) = (&own.source.text, &own.document.blocks, own.document.placeholder());
        let (start, rest) = placeholder.map_or((old.len(), old.len()), |at| (own.start_of(at), own.start_of(at + 1)));
        let text = own.join(&[&old[..start], &printed, &old[rest..]]);
        let before = &blocks[..placeholder.unwrap_or(blocks.len())];
        let after = placeholder.map_or(&[][..], |at| &blocks[at + 1..]);
        let expected: Vec<_> = [before, &added.blocks, after].into_iter().flatten().map(|block| &block.value).collect();
        Some((self.verified(text, &expected)?, element))
    }
}
