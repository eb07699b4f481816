//! The `<config>` elements after the first one.

use super::{Block, Declaration, Document};
use crate::element::Tag;

/// What a later `<config>` with nothing but settings that can change is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Update {
    /// It changes the settings from its place on.
    Effective,
    /// It has no message between itself and the update before it.
    Repeated,
}

/// Finds the updates among the blocks of a document, which are passed in order.
#[derive(Debug, Clone, Copy, Default)]
pub struct ConfigUpdates {
    /// Whether the last `<config>` is an update, and does not set the fields of the request.
    last_is_update: Option<bool>,
    /// Whether a message follows the last `<config>`.
    has_message: bool,
}

impl ConfigUpdates {
    /// Marks the updates of a document. Returns the state after the document.
    pub fn after(mut self, document: &mut Document<'_>) -> Self {
        document.blocks.iter_mut().for_each(|block| self.mark(&mut block.value));
        self
    }

    /// Whether a `<config>` with these settings would be an update here.
    pub fn allows(self, config: &Declaration<'_>) -> bool {
        self.last_is_update.is_some() && self.has_message && can_update(config)
    }

    /// Marks a block that is an update.
    pub fn mark(&mut self, block: &mut Block<'_>) {
        match block {
            Block::Element(element) => {
                self.has_message |= element.role().is_some() && !element.attributes.has("instructions");
            }
            Block::Declaration(config) if config.tag == Tag::Config => self.mark_config(config),
            Block::Declaration(_) | Block::Import(_) | Block::Data(_) | Block::Comment(_) => {}
        }
    }

    fn mark_config(&mut self, config: &mut Declaration<'_>) {
        config.update = match self.last_is_update {
            Some(_) if self.allows(config) => Some(Update::Effective),
            Some(true) if can_update(config) => Some(Update::Repeated),
            Some(_) => return,
            None => None,
        };
        self.last_is_update = Some(config.update.is_some());
        self.has_message = false;
    }
}

/// Whether a `<config>` has only settings that can change in a conversation: the effort of reasoning and the text format.
fn can_update(config: &Declaration<'_>) -> bool {
    let is_setting =
        |path: &str| path == "reasoning.effort" || path == "text.format" || path.starts_with("text.format.");
    let mut names = config.attributes.0.iter().map(|attribute| Tag::Config.attribute(&attribute.name));
    config.body.is_none()
        && !config.attributes.0.is_empty()
        && names.all(|row| row.and_then(|row| row.key).is_some_and(is_setting))
}
