//! Joins the fields that attributes, bodies and comments set. A field that is set twice is an error.

use std::collections::HashSet;

use crate::convert::Context;
use crate::diagnostic::{Diagnostics, RequestProblem};
use crate::json::{Json, Kind, Object};
use crate::source::Span;

/// Adds members to fields. Those that are set already are reported at `span`.
pub(in crate::convert) fn add_members<'d>(
    fields: &mut Object<'d>,
    members: &Object<'d>,
    span: Span,
    diagnostics: &mut Diagnostics,
) {
    let known: HashSet<String> = fields.iter().map(|(key, _)| key.to_owned()).collect();
    for (key, value) in members.iter() {
        if known.contains(key) {
            diagnostics.report(RequestProblem::DuplicateField(key.to_owned()), span);
        } else {
            fields.insert(key.to_owned(), value);
        }
    }
}

impl<'d> Context<'d> {
    /// Adds members to fields. Two objects under the same key are joined key by key. Fields that are set already are reported
    /// at `span`.
    pub(in crate::convert) fn join(
        &self,
        fields: &mut Object<'d>,
        members: &Object<'d>,
        span: Span,
        diagnostics: &mut Diagnostics,
    ) {
        self.join_at("", fields, members, &mut |path| {
            diagnostics.report(RequestProblem::DuplicateField(path), span);
        });
    }

    fn join_at(&self, prefix: &str, fields: &mut Object<'d>, members: &Object<'d>, report: &mut dyn FnMut(String)) {
        let known: HashSet<String> = fields.iter().map(|(key, _)| key.to_owned()).collect();
        for (key, value) in members.iter() {
            if !known.contains(key) {
                fields.insert(key.to_owned(), value);
                continue;
            }
            let path = format!("{prefix}{key}");
            let objects = |known: Json<'d>| Some((known.object().ok()?, value.object().ok()?));
            let both = fields.get(key).filter(|known| known.kind() == Kind::Object);
            let Some((mut inner, added)) = both.and_then(objects) else {
                report(path);
                continue;
            };
            self.join_at(&format!("{path}."), &mut inner, &added, report);
            fields.take(key);
            fields.insert(key.to_owned(), self.strings.object(&inner));
        }
    }

    /// An object with one value at a path of keys, as the members of a request.
    pub(in crate::convert) fn at_path(&self, path: &str, value: Json<'d>) -> Object<'d> {
        let mut object = Object::default();
        match path.split_once('.') {
            None => object.insert(path.to_owned(), value),
            Some((first, rest)) => {
                object.insert(first.to_owned(), self.strings.object(&self.at_path(rest, value)));
            }
        }
        object
    }
}
