//! The spelling of ChatMarkdown: text to a tree of tags, RAW blocks, comments and text, and back.
//!
//! Reading cannot fail: it reports problems and continues. Nothing here depends on what an element means.

mod attributes;
mod candidates;
mod frame;
mod front_matter;
mod nested;
mod ochat;
mod opening;
mod parser;
mod scan;
mod tree;
pub mod write;

use std::borrow::Cow;
use std::collections::HashMap;

use crate::element::Tag;
use crate::source::{Span, Spanned};

pub use candidates::{ends_with_markup, is_blank, is_whitespace};
pub use front_matter::front_matter;
pub use nested::nested_elements;
pub use ochat::unreadable_tag;
pub use opening::{is_document, opens_document};
pub use parser::{Parser, parse, parse_body, parse_body_inside, parse_imported};
pub use tree::MAX_DEPTH;

/// A node of the syntax tree. Siblings follow each other without gap or overlap.
#[derive(Debug, Clone, PartialEq)]
pub enum Node<'s> {
    /// `<tag …>…</tag>` or `<tag …/>`
    Element(Element<'s>),
    /// Literal text.
    Text(Spanned<&'s str>),
    /// The text between `RAW|` and `|RAW`. The span includes the delimiters.
    Raw(Spanned<&'s str>),
    /// The text between `<!--` and `-->`. The span includes the delimiters.
    Comment(Spanned<&'s str>),
}

/// An element of the vocabulary.
#[derive(Debug, Clone)]
pub struct Element<'s> {
    /// Its name.
    pub tag: Tag,
    /// All attributes in order, repeated ones too.
    pub attributes: Attributes<'s>,
    /// The nodes between its tags.
    pub children: Vec<Node<'s>>,
    /// From its first to its last character.
    pub span: Span,
    /// Its opening tag.
    pub opening: Span,
    /// Its source text.
    pub written: &'s str,
}

/// One attribute of a tag.
#[derive(Debug, Clone)]
pub struct Attribute<'s> {
    /// The name as written.
    pub name: Cow<'s, str>,
    /// The value with its entities decoded. `None` for a flag.
    pub value: Option<Cow<'s, str>>,
    /// Name, `=` and value.
    pub span: Span,
}

/// The attributes of a tag, in order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Attributes<'s>(pub Vec<Attribute<'s>>);

impl<'s> Attributes<'s> {
    /// The attribute of this name. If it is repeated, this is the last one.
    pub fn get(&self, name: &str) -> Option<&Attribute<'s>> {
        self.0.iter().rev().find(|attribute| attribute.name == name)
    }

    /// The attributes in order. The flag is true for the last attribute of each name, whose value counts.
    pub fn with_last(&self) -> impl Iterator<Item = (&Attribute<'s>, bool)> {
        let last: HashMap<&str, usize> = self.0.iter().enumerate().map(|(at, one)| (one.name.as_ref(), at)).collect();
        self.0.iter().enumerate().map(move |(at, one)| (one, last.get(one.name.as_ref()) == Some(&at)))
    }

    /// The value of this attribute, if it is there and has one.
    pub fn value(&self, name: &str) -> Option<&str> {
        self.get(name)?.value.as_deref()
    }

    /// Whether the attribute is there, whatever its value.
    pub fn has(&self, name: &str) -> bool {
        self.get(name).is_some()
    }
}

impl Element<'_> {
    /// `<name` of its opening tag, or the whole tag if it has no attributes.
    pub fn name_span(&self) -> Span {
        let is_whole = self.attributes.0.is_empty();
        if is_whole { self.opening } else { self.opening.head(1 + self.tag.name().len()) }
    }

    /// Whether it is an `<img …>`, `<doc …>` or `<import …>` without `/` and without a closing tag.
    pub fn is_unclosed(&self) -> bool {
        self.tag.is_void() && self.span == self.opening && !self.written.ends_with("/>")
    }
}

impl Node<'_> {
    /// From its first to its last character.
    pub fn span(&self) -> Span {
        match self {
            Node::Element(element) => element.span,
            Node::Text(spanned) | Node::Raw(spanned) | Node::Comment(spanned) => spanned.span,
        }
    }
}

impl PartialEq for Attribute<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.value == other.value
    }
}

impl PartialEq for Element<'_> {
    fn eq(&self, other: &Self) -> bool {
        (self.tag, &self.attributes, &self.children) == (other.tag, &other.attributes, &other.children)
    }
}
