//! Compares a value with the schema.

use super::definition::{Additional, Branch, DISCRIMINATORS, Node, Schema, schema};
use super::pattern::matches;
use super::{Definition, Type, Violation, ViolationKind};
use crate::json::{Json, Kind, Step};

/// After this many violations, the rest of a value is not compared.
const MAX_VIOLATIONS: usize = 32;

/// The places in a value that the API does not accept.
///
/// If the schema allows several branches, the value is compared with the one for its `type`, or for the `role` of a message.
pub(crate) fn violations(definition: Definition, value: Json<'_>) -> Vec<Violation<'_>> {
    let schema = schema();
    let mut evaluation = Evaluation { schema, violations: Vec::new() };
    if let Some(node) = schema.node(definition) {
        evaluation.value(node, value);
    }
    for violation in &mut evaluation.violations {
        violation.path.reverse();
    }
    evaluation.violations
}

/// The API that the schema describes, with its date.
pub(crate) fn described_api() -> &'static str {
    &schema().title
}

struct Evaluation<'j> {
    schema: &'static Schema,
    /// The violations. Their paths are reversed, and start at the value that is being compared.
    violations: Vec<Violation<'j>>,
}

impl<'j> Evaluation<'j> {
    fn add(&mut self, value: Json<'j>, kind: ViolationKind) {
        if self.violations.len() < MAX_VIOLATIONS {
            self.violations.push(Violation { path: Vec::new(), value, kind });
        }
    }

    /// Compares a child of a value. The step to the child is added to its violations.
    fn at_step(&mut self, step: impl Fn() -> Step, compare: impl FnOnce(&mut Self)) {
        let before = self.violations.len();
        compare(self);
        for violation in &mut self.violations[before..] {
            violation.path.push(step());
        }
    }

    fn value(&mut self, node: &'static Node, value: Json<'j>) {
        let all = self.schema.branches(node);
        let fits = |branch: &&'static Branch| branch.kind.is_none_or(|kind| is_of(value, kind));
        if let [branch] = all
            && fits(&branch)
        {
            return self.branch(branch, value);
        }
        let mut branches: Vec<&'static Branch> = all.iter().filter(fits).collect();
        if branches.is_empty() {
            let types = all.iter().filter_map(|branch| branch.kind);
            return self.add(value, ViolationKind::WrongType(distinct(types)));
        }
        let mut siblings = Vec::new();
        if value.kind() == Kind::Object && branches.len() > 1 {
            let Ok(object) = value.object() else { return };
            for (index, key) in DISCRIMINATORS.into_iter().enumerate() {
                siblings.clone_from(&branches);
                let Err(kind) = narrow(&mut branches, object.get(key), index) else { continue };
                match object.get(key) {
                    Some(inner) => self.at_step(|| Step::Key(key.to_owned()), |child| child.add(inner, kind)),
                    None => self.add(value, kind),
                }
                return;
            }
        }
        match branches.as_slice() {
            [branch] => self.branch(branch, value),
            branches => self.best(branches, &siblings, value),
        }
    }

    /// Compares a value with several branches. Reports only the violations of the branch that fits best. A key of a sibling
    /// is not reported as unknown.
    fn best(&mut self, branches: &[&'static Branch], siblings: &[&'static Branch], value: Json<'j>) {
        let mut best: Option<(usize, Vec<Violation<'j>>)> = None;
        for branch in branches {
            let mut attempt = Evaluation { schema: self.schema, violations: Vec::new() };
            attempt.branch(branch, value);
            let cost = attempt.violations.iter().map(|violation| cost(violation, branches)).sum();
            if best.as_ref().is_none_or(|(least, _)| cost < *least) {
                best = Some((cost, attempt.violations));
            }
            if cost == 0 {
                return;
            }
        }
        let is_elsewhere = |violation: &Violation<'_>| match (violation.path.as_slice(), &violation.kind) {
            ([Step::Key(key)], ViolationKind::UnknownKey(_)) => {
                siblings.iter().any(|other| other.node.properties.contains_key(key))
            }
            (_, _) => false,
        };
        let violations = best.map(|(_, violations)| violations).unwrap_or_default();
        let room = MAX_VIOLATIONS.saturating_sub(self.violations.len());
        self.violations.extend(violations.into_iter().filter(|violation| !is_elsewhere(violation)).take(room));
    }

    fn branch(&mut self, branch: &'static Branch, value: Json<'j>) {
        match value.kind() {
            Kind::Object => self.object(branch, value),
            Kind::Array => self.array(branch.node, value),
            Kind::String => self.string(branch.node, value),
            Kind::Number => self.number(branch.node, value),
            Kind::Null | Kind::Boolean => {}
        }
    }

    fn object(&mut self, branch: &'static Branch, value: Json<'j>) {
        let Ok(object) = value.object() else { return };
        let before = self.violations.len();
        let shapes = &branch.shapes;
        for key in shapes.iter().flat_map(|shape| &shape.required) {
            if object.get(key).is_none() {
                self.add(value, ViolationKind::Missing(key));
            }
        }
        for (key, inner) in object.iter() {
            if self.violations.len() >= MAX_VIOLATIONS {
                return;
            }
            // The API treats null like a missing key.
            let is_required = || shapes.iter().any(|shape| shape.required.iter().any(|required| required == key));
            if inner.kind() != Kind::Null || is_required() {
                self.at_step(|| Step::Key(key.to_owned()), |child| child.member(shapes, key, inner));
            }
        }
        self.keep_unknown_type(before);
        if let Some(max) = branch.node.max_properties.filter(|max| object.iter().count() > *max) {
            self.add(value, ViolationKind::TooLong(max));
        }
    }

    /// If the `type` of an object is unknown, its other keys are not checked.
    fn keep_unknown_type(&mut self, before: usize) {
        let is_type = |violation: &Violation<'_>| matches!((violation.path.as_slice(), &violation.kind), ([Step::Key(key)], ViolationKind::UnknownValue(_)) if key == "type");
        if let Some(index) = self.violations[before..].iter().position(is_type) {
            self.violations.swap(before, before + index);
            self.violations.truncate(before + 1);
        }
    }

    fn member(&mut self, shapes: &[&'static Node], key: &str, value: Json<'j>) {
        let before = self.violations.len();
        let mut is_known = false;
        for node in shapes.iter().filter_map(|shape| shape.properties.get(key)) {
            is_known = true;
            // Two shapes may have the same rule for a key.
            if self.violations.len() == before {
                self.value(node, value);
            }
        }
        if is_known {
            return;
        }
        match shapes.iter().find_map(|shape| shape.additional_properties.as_ref()) {
            Some(Additional::Of(node)) => self.value(node, value),
            Some(Additional::Any(true)) => {}
            Some(Additional::Any(false)) | None => {
                let known: Vec<&str> =
                    shapes.iter().flat_map(|shape| shape.properties.keys()).map(String::as_str).collect();
                // An object without properties may have any.
                if !known.is_empty() {
                    self.add(value, ViolationKind::UnknownKey(known));
                }
            }
        }
    }

    fn array(&mut self, node: &'static Node, value: Json<'j>) {
        let elements = value.array().unwrap_or_default();
        self.length(node.min_items, node.max_items, elements.len(), value);
        let Some(items) = &node.items else { return };
        for (index, element) in elements.into_iter().enumerate() {
            if self.violations.len() >= MAX_VIOLATIONS {
                return;
            }
            self.at_step(|| Step::Index(index), |child| child.value(items, element));
        }
    }

    fn string(&mut self, node: &'static Node, value: Json<'j>) {
        // Invalid strings have been reported where they were read.
        let Ok(text) = value.as_str() else { return };
        if !node.known.is_empty() && !node.known.iter().any(|known| known == text.as_ref()) {
            self.add(value, ViolationKind::UnknownValue(node.known.iter().map(String::as_str).collect()));
        }
        if node.min_length.is_some() || node.max_length.is_some() {
            self.length(node.min_length, node.max_length, text.chars().count(), value);
        }
        if let Some(pattern) = node.pattern.as_deref().filter(|pattern| !matches(pattern, &text)) {
            self.add(value, ViolationKind::NoMatch(pattern));
        }
    }

    fn length(&mut self, min: Option<usize>, max: Option<usize>, length: usize, value: Json<'j>) {
        if let Some(min) = min.filter(|min| length < *min) {
            self.add(value, ViolationKind::TooShort(min));
        }
        if let Some(max) = max.filter(|max| length > *max) {
            self.add(value, ViolationKind::TooLong(max));
        }
    }

    fn number(&mut self, node: &'static Node, value: Json<'j>) {
        let Ok(number) = value.raw().parse::<f64>() else { return };
        if let Some(min) = node.minimum.filter(|min| number < *min) {
            self.add(value, ViolationKind::TooSmall(min));
        }
        if let Some(max) = node.maximum.filter(|max| number > *max) {
            self.add(value, ViolationKind::TooLarge(max));
        }
    }
}

/// Keeps the branches that allow the discriminator of an object. Returns an error if none does.
fn narrow(
    branches: &mut Vec<&'static Branch>,
    value: Option<Json<'_>>,
    discriminator: usize,
) -> Result<(), ViolationKind> {
    let known = |branch: &&'static Branch| branch.known[discriminator].as_deref();
    if branches.len() == 1 || branches.iter().all(|branch| known(branch).is_none()) {
        return Ok(());
    }
    let key = DISCRIMINATORS[discriminator];
    let value = value.filter(|value| value.kind() != Kind::Null).map(Json::as_str);
    let may_be = |branch: &&'static Branch| match &value {
        None => !branch.node.required.iter().any(|required| required == key),
        Some(Ok(text)) => known(branch).is_none_or(|known| known.contains(&text.as_ref())),
        Some(Err(_)) => false,
    };
    if branches.iter().any(may_be) {
        branches.retain(may_be);
        return Ok(());
    }
    Err(match value {
        None => ViolationKind::Missing(key),
        Some(Ok(_)) => ViolationKind::UnknownValue(distinct(branches.iter().filter_map(known).flatten().copied())),
        Some(Err(_)) => ViolationKind::WrongType(vec![Type::String]),
    })
}

/// Weight of a violation when choosing the branch that was probably meant.
fn cost(violation: &Violation<'_>, branches: &[&'static Branch]) -> usize {
    let is_elsewhere = |key: &str| branches.iter().any(|other| other.node.properties.contains_key(key));
    match (violation.path.as_slice(), &violation.kind) {
        // Another branch has the key, or there is a branch for this type.
        ([Step::Key(key)], ViolationKind::UnknownKey(_)) if is_elsewhere(key) => 2 * MAX_VIOLATIONS,
        ([Step::Key(key), ..], ViolationKind::UnknownValue(_)) if DISCRIMINATORS.contains(&key.as_str()) => {
            2 * MAX_VIOLATIONS
        }
        (_, ViolationKind::UnknownKey(_) | ViolationKind::UnknownValue(_)) => 1,
        (_, _) => MAX_VIOLATIONS,
    }
}

/// Whether a value has a type.
fn is_of(value: Json<'_>, kind: Type) -> bool {
    let wanted = match kind {
        Type::Null => Kind::Null,
        Type::Boolean => Kind::Boolean,
        Type::Integer | Type::Number => Kind::Number,
        Type::String => Kind::String,
        Type::Array => Kind::Array,
        Type::Object => Kind::Object,
    };
    let is_whole = || value.raw().parse::<f64>().is_ok_and(|number| number.fract() == 0.0);
    value.kind() == wanted && (kind != Type::Integer || is_whole())
}

/// The values without repetitions.
fn distinct<T: PartialEq>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    let mut kept = Vec::new();
    for value in values {
        if !kept.contains(&value) {
            kept.push(value);
        }
    }
    kept
}
