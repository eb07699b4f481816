//! The meaning of ChatMarkdown: messages, calls, outputs, reasoning and declarations.
//!
//! A [`Document`] does not depend on how it is spelled. [`lower`] makes it from a syntax tree, [`print()`] writes it.

mod attribute_reader;
mod block;
mod canonical;
mod declaration;
mod directive;
mod fields;
mod format;
mod import;
mod inline;
mod json_text;
pub mod layout;
mod line_ending;
mod lower;
mod misplaced;
mod outline;
mod part;
mod print;
mod reader;
mod references;
mod response;
mod role;
mod updates;

use crate::element::Tag;
use crate::source::{Span, Spanned};

pub use crate::element::ToolKind;
pub use attribute_reader::read_attribute;
pub use block::{
    Block, DataComment, DataKind, Declaration, DeclarationBody, FILE_KEY, ItemElement, ItemKind, is_numbering,
};
pub use canonical::{body_kind, canonical_tag};
pub use directive::{Directive, DirectiveKind};
pub use fields::{Field, Fields};
pub use format::{format, is_same, placeholder};
pub use import::{Expansion, Limits, add_text, load_file};
pub use json_text::JsonText;
pub use line_ending::line_ending;
pub use lower::{lower, lower_body};
pub use outline::{Outline, outline};
pub use part::{Body, DocForm, Media, MediaKind, MediaSource, Part, Summary, has_parts};
pub use print::{print, print_with};
pub use reader::Reader;
pub use references::{Reference, Use, declared_file, is_schema_file, references};
pub use response::{OutputHint, ResponseKind};
pub use role::Role;
pub use updates::{ConfigUpdates, Update};

use part::has_part_nodes;

/// A conversation with its declarations.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Document<'s> {
    /// Everything at top level, in order.
    pub blocks: Vec<Spanned<Block<'s>>>,
}

impl<'s> Document<'s> {
    /// The declarations of one kind, each with its place.
    pub fn declarations(&self, tag: Tag) -> impl Iterator<Item = (&Declaration<'s>, Span)> {
        self.blocks.iter().filter_map(move |block| {
            let Block::Declaration(declaration) = &block.value else { return None };
            (declaration.tag == tag).then_some((declaration, block.span))
        })
    }

    /// The index of the block where the next turn will be written: an empty `<user>` that is the last element.
    ///
    /// It is not sent. Comments without metadata, `chatmd:request` and blocks of other APIs may follow it.
    pub fn placeholder(&self) -> Option<usize> {
        let last = self.blocks.iter().rposition(|block| !Self::is_comment(&block.value))?;
        self.blocks[last].value.element().is_some_and(ItemElement::is_placeholder).then_some(last)
    }

    /// Whether a block is a comment that may follow the place of the next turn.
    pub fn is_comment(block: &Block<'_>) -> bool {
        matches!(block, Block::Comment(_)) || block.is_data(DataKind::Request) || block.is_data(DataKind::Foreign)
    }

    /// Removes the block where the next turn would be written.
    pub fn remove_placeholder(&mut self) {
        if let Some(index) = self.placeholder() {
            self.blocks.remove(index);
        }
    }

    /// The JSON of each `chatmd:request`, with its place.
    pub fn request_metadata(&self) -> impl Iterator<Item = (&str, Span)> {
        self.blocks.iter().filter_map(|block| {
            let Block::Data(DataComment { kind: DataKind::Request, json }) = &block.value else { return None };
            Some((&*json.value, block.span))
        })
    }
}
