//! Reads the attributes of an element and reports those without a meaning.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};

use super::{Field, Fields, ResponseKind, ToolKind, canonical_tag};
use crate::diagnostic::{Diagnostics, ElementProblem, OutputProblem, RequestProblem};
use crate::element::{AttributeDefinition, AttributeKind, Tag, is_of_ochat};
use crate::json::MAX_LINEAR_SEARCH;
use crate::source::Span;
use crate::syntax::{Attribute, Attributes, Element};

/// The attributes of an element that have not been read yet.
///
/// Only the attributes in the element's row of the vocabulary can be read.
pub(super) struct AttributeReader<'e, 's> {
    tag: Tag,
    canonical: Tag,
    name_span: Span,
    all: &'e [Attribute<'s>],
    /// The attributes that are read or repeated, by their indexes.
    read: Indexes,
}

impl<'e, 's> AttributeReader<'e, 's> {
    /// Starts with all attributes. If a name is repeated, the last attribute is used and the others are reported.
    pub(super) fn new(element: &'e Element<'s>, diagnostics: &mut Diagnostics) -> Self {
        let all = element.attributes.0.as_slice();
        let (mut read, mut seen) = (Indexes::default(), HashSet::new());
        for (index, attribute) in all.iter().enumerate().rev() {
            // A set for the few attributes of most elements would cost more than they do.
            let is_last = if all.len() > MAX_LINEAR_SEARCH {
                seen.insert(attribute.name.as_ref())
            } else {
                !all[index + 1..].iter().any(|later| later.name == attribute.name)
            };
            if !is_last {
                read.insert(index);
                diagnostics.report(ElementProblem::RepeatedAttribute(attribute.name.to_string()), attribute.span);
            }
        }
        let canonical = canonical_tag(element.tag, &element.attributes);
        Self { tag: element.tag, canonical, name_span: element.name_span(), all, read }
    }

    /// The unread attributes with their indexes.
    fn unread(&self) -> impl Iterator<Item = (usize, &'e Attribute<'s>)> {
        self.all.iter().enumerate().filter(|(index, _)| !self.read.contains(*index))
    }

    /// The row of an attribute of this element; `None` if the vocabulary has no such row.
    fn row(&self, name: &str) -> Option<&'static AttributeDefinition> {
        [self.tag, self.canonical].iter().find_map(|tag| tag.attribute(name))
    }

    fn take_if(
        &mut self,
        name: &str,
        accepts: impl Fn(&Attribute<'s>) -> bool,
    ) -> Option<(&'static AttributeDefinition, &'e Attribute<'s>)> {
        let (index, attribute) = self.unread().find(|(_, attribute)| attribute.name == name && accepts(attribute))?;
        let row = self.row(name)?;
        self.read.insert(index);
        Some((row, attribute))
    }

    /// The attribute of this name, with or without a value.
    pub(super) fn take(&mut self, name: &str) -> Option<Attribute<'s>> {
        self.take_if(name, |_| true).map(|(_, attribute)| attribute.clone())
    }

    /// Whether the attribute is there, whatever its value.
    pub(super) fn flag(&mut self, name: &str) -> bool {
        self.take_if(name, |_| true).is_some()
    }

    /// The value of an attribute. One without a value is left unread.
    pub(super) fn text(&mut self, name: &str) -> Option<Cow<'s, str>> {
        self.take_if(name, |attribute| attribute.value.is_some())?.1.value.clone()
    }

    /// A list of this attribute alone. One without a value is left unread.
    pub(super) fn only(&mut self, name: &str) -> Option<Fields<'s>> {
        let (row, attribute) = self.take_if(name, |attribute| attribute.value.is_some())?;
        Some(Fields::one(row, Field::Text(attribute.value.clone()?)))
    }

    /// The value of an attribute. An error if there is none.
    pub(super) fn required(&mut self, name: &'static str, diagnostics: &mut Diagnostics) -> Cow<'s, str> {
        self.text(name).unwrap_or_else(|| {
            diagnostics
                .report(ElementProblem::MissingAttribute { tag: self.tag, name, is_in_code: false }, self.name_span);
            Cow::Borrowed("")
        })
    }

    /// Every attribute that the element does not read by itself, except those whose names are in `unread`.
    pub(super) fn fields(&mut self, unread: &[&str], diagnostics: &mut Diagnostics) -> Fields<'s> {
        let mut fields = Fields::default();
        let rows = if self.unread().next().is_none() { &[] } else { self.canonical.definition().attributes };
        for row in rows.iter().filter(|row| row.kind != AttributeKind::Own && !unread.contains(&row.name)) {
            let needs_value = matches!(row.kind, AttributeKind::Text | AttributeKind::File);
            let attribute = self.take_if(row.name, |attribute| attribute.value.is_some() || !needs_value);
            fields.push(
                row,
                attribute
                    .map_or(Field::Absent, |(_, attribute)| read_attribute(row.kind, attribute.clone(), diagnostics)),
            );
        }
        fields
    }

    /// The protocol of a call that `type` names.
    pub(super) fn tool_kind(&mut self, diagnostics: &mut Diagnostics) -> ToolKind {
        let Some(Attribute { value: Some(kind), span, .. }) = self.take("type") else { return ToolKind::Function };
        if let Some(ResponseKind::Tool(kind)) = ResponseKind::from_call_type(&kind) {
            return kind;
        }
        diagnostics.report(ElementProblem::UnknownToolType(kind.into_owned()), span);
        ToolKind::Function
    }

    /// The kind of a tool response that `type` names.
    pub(super) fn response_kind(&mut self, diagnostics: &mut Diagnostics) -> ResponseKind {
        const DEFAULT: ResponseKind = ResponseKind::Tool(ToolKind::Function);
        let Some(Attribute { value: Some(kind), span, .. }) = self.take("type") else { return DEFAULT };
        ResponseKind::from_attribute(&kind).unwrap_or_else(|| {
            diagnostics.report(OutputProblem::UnknownResponseType(kind.into_owned()), span);
            DEFAULT
        })
    }

    /// The unread attributes. They are kept and reported.
    pub(super) fn extra(self, diagnostics: &mut Diagnostics) -> Attributes<'s> {
        self.extra_accepting(&[], diagnostics)
    }

    /// The unread attributes. Those that are `accepted` have no meaning, but are not reported.
    pub(super) fn extra_accepting(self, accepted: &[&str], diagnostics: &mut Diagnostics) -> Attributes<'s> {
        let unread: Vec<&Attribute<'s>> = self.unread().map(|(_, attribute)| attribute).collect();
        for attribute in &unread {
            let name = attribute.name.as_ref();
            let is_accepted = accepted.contains(&name) && self.row(name).is_some();
            if !is_accepted && !is_of_ochat(name) {
                let problem = ElementProblem::UnknownAttribute { tag: self.tag, name: name.to_owned() };
                diagnostics.report(problem, attribute.span);
            }
        }
        Attributes(unread.into_iter().cloned().collect())
    }
}

/// A set of indexes. Those of the first attributes need no memory of their own.
#[derive(Default)]
struct Indexes {
    first: u64,
    others: BTreeSet<usize>,
}

impl Indexes {
    fn contains(&self, index: usize) -> bool {
        if index < 64 { self.first & (1 << index) != 0 } else { self.others.contains(&index) }
    }

    fn insert(&mut self, index: usize) {
        if index < 64 {
            self.first |= 1 << index;
        } else {
            self.others.insert(index);
        }
    }
}

/// The value of an attribute. A wrong value is reported.
pub fn read_attribute<'s>(kind: AttributeKind, attribute: Attribute<'s>, diagnostics: &mut Diagnostics) -> Field<'s> {
    let field = attribute.value.map_or(Field::Null, Field::Text);
    match (kind, field.text()) {
        (AttributeKind::EmptyList, Some(value)) if value != "[]" => {
            diagnostics.report(ElementProblem::NotAnEmptyList(attribute.name.into_owned()), attribute.span);
        }
        (AttributeKind::CacheControl, Some(value)) if !["5m", "1h", "null"].contains(&value) => {
            let (name, wanted) = (attribute.name.into_owned(), "`5m`, `1h` or without a value");
            diagnostics
                .report(RequestProblem::InvalidConfig { name, wanted, found: Some(value.to_owned()) }, attribute.span);
        }
        (AttributeKind::Flag, _) => return Field::Null,
        (AttributeKind::FlagOrFalse, value) if value != Some("false") => return Field::Null,
        (_, _) => {}
    }
    field
}
