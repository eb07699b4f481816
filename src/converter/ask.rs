//! Adds a message of the user to the end of a document.

use std::borrow::Cow;

use super::answer::{AnswerPart, are_same, body};
use super::{Converter, Error, Input, Output};
use crate::convert::Located;
use crate::document::{Block, DataKind, Document, ItemElement, Part, Role, print};
use crate::responses::Item;
use crate::source::{Sources, Span, Spanned};

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
        let spanned = |role, body| Spanned::new(Block::Element(ItemElement::message(role, body)), Span::NOWHERE);
        let user = spanned(Role::User, body(message, Span::NOWHERE));
        let element = print(&Document { blocks: vec![user.clone()] }, self.whitespace);
        let system_body = |text| vec![Spanned::new(Part::Text(Cow::Borrowed(text)), Span::NOWHERE)];
        let system = system.map(|text| spanned(Role::System, system_body(text)));
        let added = Document { blocks: system.into_iter().chain([user]).collect() };
        let ((), text) = self.edit(Sources::new(), input, |own, _, _| {
            // The message takes the place of the empty `<user>` at the end.
            let end = own.end();
            let placeholder = usize::from(own.document.placeholder().is_some());
            Ok(((), Some(own.replaced(end..end + placeholder, &added, false, WITH_MESSAGE)?)))
        })?;
        // The warnings of the document are reported when the document is sent.
        let element = Input { path, ..Input::from(element).with_name("<message>") };
        let is_exact = |items: &[Located<'_>]| match items {
            [Located { item: Item::Message(sent), .. }] => are_same(message, &sent.content),
            _ => false,
        };
        self.checked(text, WITH_MESSAGE, element, Vec::new(), Some(&is_exact))
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
}
