//! The roles of messages.

use crate::element::Tag;

/// The author of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// The person.
    User,
    /// The model.
    Assistant,
    /// The author of the prompt.
    System,
    /// The author of the prompt: the newer name of `system`.
    Developer,
}

impl Role {
    /// The role of this name.
    pub fn from_name(name: &str) -> Option<Role> {
        [Role::User, Role::Assistant, Role::System, Role::Developer].into_iter().find(|role| role.name() == name)
    }

    /// Its name in the API and as a tag.
    pub fn name(self) -> &'static str {
        self.tag().name()
    }

    /// Its own tag.
    pub fn tag(self) -> Tag {
        match self {
            Role::User => Tag::User,
            Role::Assistant => Tag::Assistant,
            Role::System => Tag::System,
            Role::Developer => Tag::Developer,
        }
    }
}
