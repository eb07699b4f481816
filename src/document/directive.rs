//! `<!-- chatmd:KIND DATA -->`: comments for this program.

use std::fmt;

use crate::syntax::is_whitespace;

/// A comment that begins with `chatmd:`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Directive<'s> {
    /// `<!-- chatmd:item {…} -->`: a whole item, as JSON.
    Item(&'s str),
    /// `<!-- chatmd:item-files {…} -->`: a whole item, as JSON that refers to files.
    ItemFiles(&'s str),
    /// `<!-- chatmd:request {…} -->`: fields of the request, as JSON.
    Request(&'s str),
    /// `<!-- chatmd:foreign {…} -->`: a block of another API, as JSON, which is never sent.
    Foreign(&'s str),
    /// `<!-- chatmd:fields {…} -->`: more fields of the item that the element around it is, as JSON.
    Fields(&'s str),
    /// `<!-- chatmd:part {…} -->`: fields of the part that starts here, as JSON.
    Part(&'s str),
    /// `<!-- chatmd:allow RULE -->`: rules that `check` does not report here.
    Allow(&'s str),
    /// Any other kind, which is an error.
    Unknown {
        /// The word after `chatmd:`.
        kind: &'s str,
        /// The rest of the comment.
        data: &'s str,
    },
}

impl<'s> Directive<'s> {
    /// The directive in a comment, given the text between `<!--` and `-->`.
    pub fn parse(comment: &'s str) -> Option<Self> {
        let text = comment.trim_start_matches(is_whitespace).strip_prefix("chatmd:")?;
        let kind = text.split(is_whitespace).next().unwrap_or_default();
        let data = text[kind.len()..].trim_matches(is_whitespace);
        Some(match kind {
            "item" => Directive::Item(data),
            "item-files" => Directive::ItemFiles(data),
            "request" => Directive::Request(data),
            "foreign" => Directive::Foreign(data),
            "fields" => Directive::Fields(data),
            "part" => Directive::Part(data),
            "allow" => Directive::Allow(data),
            _ => Directive::Unknown { kind, data },
        })
    }

    /// The directive in a comment; `None` for ordinary comments and for `chatmd:allow`.
    pub fn metadata(comment: &'s str) -> Option<Self> {
        Directive::parse(comment).filter(|directive| !matches!(directive, Directive::Allow(_)))
    }

    /// The word after `chatmd:`.
    pub fn kind(self) -> &'s str {
        self.kind_and_data().0
    }

    /// What stands after that word: JSON, or the names of rules.
    pub fn data(self) -> &'s str {
        self.kind_and_data().1
    }

    fn kind_and_data(self) -> (&'s str, &'s str) {
        match self {
            Directive::Item(data) => ("item", data),
            Directive::ItemFiles(data) => ("item-files", data),
            Directive::Request(data) => ("request", data),
            Directive::Foreign(data) => ("foreign", data),
            Directive::Fields(data) => ("fields", data),
            Directive::Part(data) => ("part", data),
            Directive::Allow(data) => ("allow", data),
            Directive::Unknown { kind, data } => (kind, data),
        }
    }
}

/// The whole comment. The data must not hold `-->`.
impl fmt::Display for Directive<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, data) = self.kind_and_data();
        write!(f, "<!-- chatmd:{kind} {data} -->")
    }
}
