//! The attributes of an element, read by whoever understands them.

use std::borrow::Cow;
use std::collections::HashSet;

use super::{Field, ToolKind};
use crate::diagnostic::{Diagnostics, Problem};
use crate::element::Tag;
use crate::source::Span;
use crate::syntax::{Attribute, Attributes, Element};

/// The attributes of an element, each taken by whoever understands it.
pub(super) struct AttributeReader<'s> {
    tag: Tag,
    name_span: Span,
    left: Vec<Attribute<'s>>,
}

impl<'s> AttributeReader<'s> {
    pub(super) fn new(element: &Element<'s>, diagnostics: &mut Diagnostics) -> Self {
        let mut left: Vec<Attribute<'s>> = Vec::new();
        let mut seen = HashSet::new();
        for attribute in element.attributes.0.iter().rev() {
            // The last of two counts.
            if seen.insert(attribute.name.as_ref()) {
                left.push(attribute.clone());
            } else {
                diagnostics.report(Problem::RepeatedAttribute(attribute.name.to_string()), attribute.span);
            }
        }
        left.reverse();
        Self { tag: element.tag, name_span: element.name_span(), left }
    }

    pub(super) fn take(&mut self, name: &str) -> Option<Attribute<'s>> {
        let index = self.left.iter().position(|attribute| attribute.name == name)?;
        Some(self.left.remove(index))
    }

    pub(super) fn flag(&mut self, name: &str) -> bool {
        self.take(name).is_some()
    }

    /// The value of an attribute; one without a value is not taken.
    pub(super) fn text(&mut self, name: &str) -> Option<Cow<'s, str>> {
        let index = self.left.iter().position(|attribute| attribute.name == name && attribute.value.is_some())?;
        self.left.remove(index).value
    }

    pub(super) fn required(&mut self, name: &'static str, diagnostics: &mut Diagnostics) -> Cow<'s, str> {
        self.text(name).unwrap_or_else(|| {
            diagnostics.report(Problem::MissingAttribute { tag: self.tag, name }, self.name_span);
            Cow::Borrowed("")
        })
    }

    pub(super) fn field(&mut self, name: &str) -> Field<'s> {
        match self.take(name) {
            None => Field::Absent,
            Some(Attribute { value: None, .. }) => Field::Null,
            Some(Attribute { value: Some(value), .. }) => Field::Text(value),
        }
    }

    /// A field whose only values here are `[]` and null.
    pub(super) fn list(&mut self, name: &'static str, diagnostics: &mut Diagnostics) -> Field<'s> {
        let span = self.left.iter().find(|attribute| attribute.name == name).map(|attribute| attribute.span);
        let field = self.field(name);
        if let (Field::Text(text), Some(span)) = (&field, span)
            && text != "[]"
        {
            diagnostics.report(Problem::NotAnEmptyList(name), span);
        }
        field
    }

    pub(super) fn tool_kind(
        &mut self,
        functions: &[&str],
        customs: &[&str],
        diagnostics: &mut Diagnostics,
    ) -> ToolKind {
        let Some(Attribute { value: Some(kind), span, .. }) = self.take("type") else { return ToolKind::Function };
        if customs.contains(&kind.as_ref()) {
            return ToolKind::Custom;
        }
        if !functions.contains(&kind.as_ref()) {
            diagnostics.report(Problem::UnknownToolType(kind.into_owned()), span);
        }
        ToolKind::Function
    }

    /// What nobody has taken: kept, but without meaning.
    pub(super) fn extra(&mut self, diagnostics: &mut Diagnostics) -> Attributes<'s> {
        self.extra_but(&[], diagnostics)
    }

    /// The same, where some of it is known to be there.
    pub(super) fn extra_but(&mut self, known: &[&str], diagnostics: &mut Diagnostics) -> Attributes<'s> {
        for attribute in &self.left {
            if !attribute.name.starts_with("ochat-") && !known.contains(&attribute.name.as_ref()) {
                diagnostics.report(
                    Problem::UnknownAttribute { tag: self.tag, name: attribute.name.to_string() },
                    attribute.span,
                );
            }
        }
        Attributes(std::mem::take(&mut self.left))
    }
}
