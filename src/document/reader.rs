//! Reads a document block by block.

use super::import::{Expansion, OpenFile};
use super::lower::Lowering;
use super::{Block, ConfigUpdates, Document};
use crate::diagnostic::Diagnostics;
use crate::source::{SourceId, Spanned};
use crate::syntax::Parser;

/// Reads the blocks of a document one after the other, with every `<import>` replaced by what it imports. One that cannot
/// be read is reported and stays.
pub struct Reader<'s, 'r> {
    /// The rest of the document.
    parser: Parser<'s>,
    expansion: Expansion<'s, 'r>,
    /// The files that are being read, and the rest of their blocks.
    files: Vec<OpenFile<Block<'s>>>,
    updates: ConfigUpdates,
}

impl<'s, 'r> Reader<'s, 'r> {
    /// Reads the text of a source.
    pub fn new(source: SourceId, expansion: Expansion<'s, 'r>, diagnostics: &mut Diagnostics) -> Self {
        let parser = Parser::document(expansion.sources, source, diagnostics);
        Self { parser, expansion, files: Vec::new(), updates: ConfigUpdates::default() }
    }

    /// The next block; `None` at the end.
    pub fn next(&mut self, diagnostics: &mut Diagnostics) -> Option<Spanned<Block<'s>>> {
        let mut block = self.next_expanded(diagnostics)?;
        self.updates.mark(&mut block.value);
        Some(block)
    }

    fn next_expanded(&mut self, diagnostics: &mut Diagnostics) -> Option<Spanned<Block<'s>>> {
        loop {
            let Spanned { value, span } = self.next_unexpanded(diagnostics)?;
            match value {
                Block::Import(import) => match self.expansion.blocks_of(&import, span, diagnostics) {
                    Some(file) => self.files.push(file),
                    None => return Some(Spanned::new(Block::Import(import), span)),
                },
                Block::Element(mut element) if element.role().is_some() => {
                    element.body = self.expansion.body(element.body, 1, diagnostics);
                    return Some(Spanned::new(Block::Element(element), span));
                }
                Block::Element(_) | Block::Declaration(_) | Block::Data(_) | Block::Comment(_) => {
                    return Some(Spanned::new(value, span));
                }
            }
        }
    }

    fn next_unexpanded(&mut self, diagnostics: &mut Diagnostics) -> Option<Spanned<Block<'s>>> {
        while let Some((path, blocks)) = self.files.last_mut() {
            if let Some(block) = blocks.next() {
                return Some(block);
            }
            self.expansion.leave(path.take());
            self.files.pop();
        }
        loop {
            let node = self.parser.next(diagnostics)?;
            let block = Lowering { whitespace: self.expansion.whitespace, diagnostics }.node(&node);
            if block.is_some() {
                return block;
            }
        }
    }

    /// All blocks together.
    pub fn document(mut self, diagnostics: &mut Diagnostics) -> Document<'s> {
        Document { blocks: std::iter::from_fn(|| self.next(diagnostics)).collect() }
    }
}
