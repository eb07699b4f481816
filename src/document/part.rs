//! The parts of a body.

use std::borrow::Cow;

use super::{Directive, DirectiveKind, Fields};
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
    /// An image.
    Image(Image<'s>),
    /// A document: its text, or the file itself.
    Doc(Doc<'s>),
    /// The answer of another prompt.
    Agent(Agent<'s>),
    /// The content of another file.
    Import(Import<'s>),
    /// A summary of reasoning.
    Summary(Summary<'s>),
    /// The fields of the part that starts here, as JSON. The text up to the next boundary belongs to that part.
    Metadata(Cow<'s, str>),
}

/// Where an image or a document comes from.
#[derive(Debug, Clone, PartialEq)]
pub enum MediaSource<'s> {
    /// A URL, which may be a `data:` URL.
    Url(Cow<'s, str>),
    /// A file next to the document.
    Local(Cow<'s, str>),
    /// A file that was uploaded to the API.
    FileId(Cow<'s, str>),
}

impl MediaSource<'_> {
    /// The attributes that have no meaning with this source: only a file at an API has an issuer.
    pub fn unused_attributes(&self) -> &'static [&'static str] {
        match self {
            MediaSource::FileId(_) => &[],
            MediaSource::Url(_) | MediaSource::Local(_) => &["issuer"],
        }
    }
}

/// `<img>`
#[derive(Debug, Clone, PartialEq)]
pub struct Image<'s> {
    /// Where it comes from.
    pub source: MediaSource<'s>,
    /// Its other attributes.
    pub attributes: Fields<'s>,
    /// Attributes without a meaning here.
    pub extra: Attributes<'s>,
}

/// How much of a document is sent.
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

/// `<doc>`
#[derive(Debug, Clone, PartialEq)]
pub struct Doc<'s> {
    /// Where it comes from.
    pub source: MediaSource<'s>,
    /// How much of it is sent.
    pub form: DocForm,
    /// The name that a file is sent with, if not its own.
    pub filename: Option<Cow<'s, str>>,
    /// Its other attributes.
    pub attributes: Fields<'s>,
    /// Attributes without a meaning here.
    pub extra: Attributes<'s>,
}

/// `<agent>`
#[derive(Debug, Clone, PartialEq)]
pub struct Agent<'s> {
    /// The other prompt.
    pub source: MediaSource<'s>,
    /// Attributes without a meaning here.
    pub extra: Attributes<'s>,
    /// The question.
    pub body: Body<'s>,
}

/// `<import>`
#[derive(Debug, Clone, PartialEq)]
pub struct Import<'s> {
    /// The other file.
    pub path: Cow<'s, str>,
    /// All other attributes.
    pub extra: Attributes<'s>,
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

impl DocForm {
    /// The form that a `<doc>` asks for by its attributes.
    pub fn from_attributes(doc: &Attributes<'_>) -> Self {
        if doc.value("file_id").is_some() {
            DocForm::File
        } else if doc.has("base64") {
            DocForm::Base64
        } else if doc.has("file") {
            DocForm::File
        } else if doc.has("strip") {
            DocForm::Strip
        } else if doc.has("markdown") {
            DocForm::Markdown
        } else {
            DocForm::Text
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
            Part::Text(_) | Part::Agent(_) => true,
            Part::Doc(doc) => !doc.form.is_file(),
            Part::Image(_) | Part::Import(_) | Part::Summary(_) | Part::Metadata(_) => false,
        }
    }
}
