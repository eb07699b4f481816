//! The parts of a body.

use std::borrow::Cow;

use super::{Directive, DirectiveKind, Field, Fields, JsonText};
use crate::element::Tag;
use crate::source::Spanned;
use crate::syntax::{Attributes, Node};

/// The parts of a body, in order. Two texts are adjacent only if metadata stands between them.
pub type Body<'s> = Vec<Spanned<Part<'s>>>;

/// Whether a tool response is a list of parts: it holds an image, a file or `chatmd:part`. Otherwise it is one text.
pub fn has_parts(body: &Body<'_>) -> bool {
    body.iter().any(|part| !part.value.is_text())
}

/// Like [`has_parts`], for syntax nodes.
pub(super) fn has_part_nodes(nodes: &[Node<'_>]) -> bool {
    nodes.iter().any(|node| match node {
        Node::Element(element) => match element.tag {
            Tag::Doc => DocForm::from_attributes(&element.attributes).is_file(),
            tag => tag == Tag::Img,
        },
        Node::Comment(comment) => Directive::data_of(comment.value, DirectiveKind::Part).is_some(),
        Node::Text(_) | Node::Raw(_) => false,
    })
}

/// A part of a body.
#[derive(Debug, Clone, PartialEq)]
pub enum Part<'s> {
    /// Text, byte for byte.
    Text(Cow<'s, str>),
    /// An image, a document, an agent or an import.
    Media(Media<'s>),
    /// A summary of reasoning.
    Summary(Summary<'s>),
    /// The fields of the part that starts here, as JSON. The text up to the next boundary belongs to that part.
    Metadata(JsonText<'s>),
}

/// `<img>`, `<doc>`, `<agent>` or `<import>`
#[derive(Debug, Clone, PartialEq)]
pub struct Media<'s> {
    /// The element.
    pub kind: MediaKind,
    /// The attributes that have a meaning: the source, the form and others.
    pub attributes: Fields<'s>,
    /// Attributes without a meaning here.
    pub extra: Attributes<'s>,
    /// The question to an agent.
    pub body: Body<'s>,
}

/// An element whose content comes from elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaKind {
    /// An image.
    Image,
    /// A document: its text, or the file itself.
    Doc,
    /// The answer of another prompt.
    Agent,
    /// The content of another file.
    Import,
}

/// Where an image, a document or a prompt comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MediaSource<'a> {
    /// A URL, which may be a `data:` URL.
    Url(&'a str),
    /// A file next to the document.
    Local(&'a str),
    /// A file that was uploaded to the API.
    FileId(&'a str),
}

/// The form in which a document is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DocForm {
    /// Its text.
    Text,
    /// The plain text of its HTML.
    Strip,
    /// Its HTML as Markdown.
    Markdown,
    /// The file itself, as a `data:` URL or by its address.
    File,
    /// The file itself, as plain base64. A source that is not a file is the base64.
    Base64,
}

/// `<summary>`
#[derive(Debug, Clone, PartialEq)]
pub struct Summary<'s> {
    /// The part's type, if it is not the usual one.
    pub kind: Option<Cow<'s, str>>,
    /// Attributes without a meaning here.
    pub extra: Attributes<'s>,
    /// Its text.
    pub text: Cow<'s, str>,
}

impl MediaKind {
    /// Its tag.
    pub fn tag(self) -> Tag {
        match self {
            MediaKind::Image => Tag::Img,
            MediaKind::Doc => Tag::Doc,
            MediaKind::Agent => Tag::Agent,
            MediaKind::Import => Tag::Import,
        }
    }
}

impl<'s> Media<'s> {
    /// An element with a source and nothing else.
    pub fn new(kind: MediaKind, is_local: bool, source: Cow<'s, str>) -> Self {
        let media = Self::of(kind, Fields::default()).with("src", Field::Text(source));
        if is_local { media.with("local", Field::Null) } else { media }
    }

    /// An element with attributes and nothing else.
    pub fn of(kind: MediaKind, attributes: Fields<'s>) -> Self {
        Media { kind, attributes, extra: Attributes::default(), body: Body::new() }
    }

    /// The same element with an attribute.
    #[must_use]
    pub fn with(mut self, name: &str, field: Field<'s>) -> Self {
        self.attributes.set(self.kind.tag(), name, field);
        self
    }

    /// Where the content comes from.
    pub fn source(&self) -> MediaSource<'_> {
        let (mut source, mut id, mut is_local) = (None, None, false);
        for (row, field) in self.attributes.iter() {
            match row.name {
                "src" => source = field.text(),
                "file_id" => id = field.text(),
                "local" => is_local = true,
                _ => {}
            }
        }
        match (source, id) {
            (None, Some(id)) => MediaSource::FileId(id),
            (source, _) if is_local => MediaSource::Local(source.unwrap_or_default()),
            (source, _) => MediaSource::Url(source.unwrap_or_default()),
        }
    }

    /// In which form a document is sent.
    pub fn form(&self) -> DocForm {
        DocForm::of(|name| self.attributes.has(name))
    }
}

impl<'a> MediaSource<'a> {
    /// The URL, the path or the id.
    pub fn target(self) -> &'a str {
        let (MediaSource::Url(target) | MediaSource::Local(target) | MediaSource::FileId(target)) = self;
        target
    }
}

impl DocForm {
    /// The form that a `<doc>` asks for by its attributes.
    pub fn from_attributes(doc: &Attributes<'_>) -> Self {
        Self::of(|name| doc.get(name).is_some_and(|own| name != "file_id" || own.value.is_some()))
    }

    fn of(has: impl Fn(&str) -> bool) -> Self {
        if has("file_id") {
            DocForm::File
        } else if has("base64") {
            DocForm::Base64
        } else if has("file") {
            DocForm::File
        } else if has("strip") {
            DocForm::Strip
        } else if has("markdown") {
            DocForm::Markdown
        } else {
            DocForm::Text
        }
    }

    /// The attribute that asks for the form.
    pub fn name(self) -> Option<&'static str> {
        match self {
            DocForm::Text => None,
            DocForm::Strip => Some("strip"),
            DocForm::Markdown => Some("markdown"),
            DocForm::File => Some("file"),
            DocForm::Base64 => Some("base64"),
        }
    }

    /// Whether the file itself is sent, and not its text.
    pub fn is_file(self) -> bool {
        match self {
            DocForm::File | DocForm::Base64 => true,
            DocForm::Text | DocForm::Strip | DocForm::Markdown => false,
        }
    }
}

impl Part<'_> {
    /// Whether it joins the text next to it in a body that is one text.
    pub fn is_text(&self) -> bool {
        match self {
            Part::Text(_) => true,
            Part::Media(media) => match media.kind {
                MediaKind::Agent => true,
                MediaKind::Doc => !media.form().is_file(),
                MediaKind::Image | MediaKind::Import => false,
            },
            Part::Summary(_) | Part::Metadata(_) => false,
        }
    }

    /// Whether it is an `<import>`.
    pub fn is_import(&self) -> bool {
        matches!(self, Part::Media(media) if media.kind == MediaKind::Import)
    }
}
