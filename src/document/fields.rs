//! The attributes of an element that have a meaning, as a list.

use std::borrow::Cow;

use crate::element::{AttributeDefinition, AttributeKind, Tag, Usage};

/// The value of an attribute: `status="completed"` is a text, a bare `status` is null.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Field<'s> {
    /// No such attribute.
    #[default]
    Absent,
    /// The attribute without a value.
    Null,
    /// The attribute's value.
    Text(Cow<'s, str>),
}

impl Field<'_> {
    /// The attribute's value.
    pub fn text(&self) -> Option<&str> {
        match self {
            Field::Text(text) => Some(text),
            Field::Absent | Field::Null => None,
        }
    }
}

/// Attributes in the order of the element's row. Attributes that the element reads by itself are not among them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields<'s>(Vec<(&'static AttributeDefinition, Field<'s>)>);

impl<'s> Fields<'s> {
    /// One attribute of an element. Most images have no other.
    pub fn one(row: &'static AttributeDefinition, field: Field<'s>) -> Self {
        Self(vec![(row, field)])
    }

    /// Adds the attribute that comes after all others in its element's row.
    pub fn push(&mut self, row: &'static AttributeDefinition, field: Field<'s>) {
        if field != Field::Absent {
            self.0.push((row, field));
        }
    }

    /// Adds attributes that come after all others in the row of the element.
    pub fn append(&mut self, mut others: Self) {
        self.0.append(&mut others.0);
    }

    /// Sets an attribute of an element, or removes the attribute.
    pub fn set(&mut self, tag: Tag, name: &str, field: Field<'s>) {
        let rows = tag.definition().attributes;
        let index = |name: &str| rows.iter().position(|row| row.name == name);
        let Some(row) = index(name) else { return };
        self.0.retain(|(own, _)| own.name != name);
        if field != Field::Absent {
            let before = self.0.partition_point(|(own, _)| index(own.name) < Some(row));
            self.0.insert(before, (&rows[row], field));
        }
    }

    /// The same attributes and another one.
    #[must_use]
    pub fn with(mut self, tag: Tag, name: &str, field: Field<'s>) -> Self {
        self.set(tag, name, field);
        self
    }

    /// The value of an attribute.
    pub fn get(&self, name: &str) -> &Field<'s> {
        self.0.iter().find(|(row, _)| row.name == name).map_or(&Field::Absent, |(_, field)| field)
    }

    /// The value of an attribute that has one.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.get(name).text()
    }

    /// Whether an attribute is there, with or without a value.
    pub fn has(&self, name: &str) -> bool {
        *self.get(name) != Field::Absent
    }

    /// Whether an attribute is there and does not say `false`.
    pub fn is_true(&self, name: &str) -> bool {
        self.has(name) && self.text(name) != Some("false")
    }

    /// Every attribute with its row.
    pub fn iter(&self) -> impl Iterator<Item = (&'static AttributeDefinition, &Field<'s>)> {
        self.0.iter().map(|(row, field)| (*row, field))
    }

    /// The values that are shown to people next to the heading of the element.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.iter().filter(|(row, _)| row.usage == Usage::Label).filter_map(|(_, field)| field.text())
    }

    /// The files whose content is the value of an attribute.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        self.iter().filter(|(row, _)| row.kind == AttributeKind::File).filter_map(|(_, field)| field.text())
    }

    /// How many bytes all values have.
    pub fn size(&self) -> usize {
        self.iter().filter_map(|(_, field)| field.text()).map(str::len).sum()
    }

    /// Whether there are no attributes.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}
