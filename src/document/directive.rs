//! `<!-- chatmd:KIND DATA -->`: comments for this program.

use std::fmt;

use super::DataKind;
use crate::syntax::is_whitespace;

/// A comment that begins with `chatmd:`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Directive<'s> {
    /// The meaning of the data.
    pub kind: DirectiveKind<'s>,
    /// The text after the kind: JSON, or the names of rules.
    pub data: &'s str,
}

/// The word after `chatmd:`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DirectiveKind<'s> {
    /// `<!-- chatmd:item {…} -->` and others that stand at top level.
    Data(DataKind),
    /// `<!-- chatmd:fields {…} -->`: more fields of the item that the element around it is, as JSON.
    Fields,
    /// `<!-- chatmd:part {…} -->`: fields of the part that starts here, as JSON.
    Part,
    /// `<!-- chatmd:allow RULE -->`: rules that `check` does not report here.
    Allow,
    /// Any other kind, which is an error.
    Unknown(&'s str),
}

/// Every known kind with its name.
const KINDS: [(&str, DirectiveKind<'static>); 7] = [
    ("item", DirectiveKind::Data(DataKind::Item)),
    ("item-files", DirectiveKind::Data(DataKind::ItemFiles)),
    ("request", DirectiveKind::Data(DataKind::Request)),
    ("foreign", DirectiveKind::Data(DataKind::Foreign)),
    ("fields", DirectiveKind::Fields),
    ("part", DirectiveKind::Part),
    ("allow", DirectiveKind::Allow),
];

impl<'s> Directive<'s> {
    /// The directive in a comment, given the text between `<!--` and `-->`.
    pub fn parse(comment: &'s str) -> Option<Self> {
        let text = comment.trim_start_matches(is_whitespace).strip_prefix("chatmd:")?;
        let name = text.split(is_whitespace).next().unwrap_or_default();
        let data = text[name.len()..].trim_matches(is_whitespace);
        let known = KINDS.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind);
        Some(Directive { kind: known.unwrap_or(DirectiveKind::Unknown(name)), data })
    }

    /// The directive in a comment; `None` for ordinary comments and for `chatmd:allow`.
    pub fn metadata(comment: &'s str) -> Option<Self> {
        Directive::parse(comment).filter(|directive| directive.kind != DirectiveKind::Allow)
    }

    /// The JSON of a directive of this kind.
    pub fn data_of(comment: &'s str, kind: DirectiveKind<'_>) -> Option<&'s str> {
        Directive::parse(comment).filter(|directive| directive.kind == kind).map(|directive| directive.data)
    }
}

impl<'s> DirectiveKind<'s> {
    /// The word after `chatmd:`.
    pub fn name(self) -> &'s str {
        if let DirectiveKind::Unknown(name) = self {
            return name;
        }
        KINDS.iter().find(|(_, kind)| *kind == self).map(|(name, _)| *name).unwrap_or_default()
    }
}

/// The whole comment. The data must not hold `-->`.
impl fmt::Display for Directive<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "<!-- chatmd:{} {} -->", self.kind.name(), self.data)
    }
}
