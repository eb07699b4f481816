//! What is wrong with a document, what would go wrong with it, and what of that can be mended.
//!
//! Besides the problems of reading and converting, `check` looks for [`Concern`](crate::diagnostic::Concern)s: each
//! is a rule with a name, a page that explains it, and a way to allow it.

mod allow;
mod base64;
mod code;
mod fix;
mod formats;
mod hidden;
mod items;
mod media;
mod portable;
mod rules;
mod sarif;
mod text;
mod values;

pub use fix::{Fix, apply};
pub use formats::{Findings, github, json, short};
pub use rules::{RULES, Rule, find_rule, nearest_rule};
pub use sarif::sarif;

use std::collections::HashSet;

use crate::convert::{RequestOptions, World, to_draft};
use crate::diagnostic::{Class, Diagnostic, Diagnostics};
use crate::document::{Limits, references};
use crate::source::{SourceId, Span};
use crate::syntax::parse_body;
use crate::syntax::write::Whitespace;
use crate::wire::{Kind, Object};

/// How a document is checked.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Which whitespace of a body is content.
    pub whitespace: Whitespace,
    /// How much imports may bring.
    pub limits: Limits,
    /// Whether it must mean the same to ochat.
    pub portable: bool,
    /// The rules whose findings are left out, wherever they are.
    pub allowed: Vec<&'static Rule>,
}

/// What a check has found.
pub struct Checked {
    /// The problems, in document order, less those that are allowed.
    pub found: Diagnostics,
    /// What of them can be mended, in order.
    pub fixes: Vec<Fix>,
}

/// Checks a document, what it imports and the request it makes.
pub fn check(source: SourceId, world: &World<'_>, options: &Options) -> Checked {
    let mut found = Diagnostics::new();
    let document = world.read(source, options.whitespace, options.limits, &mut found);
    let is_malformed = |found: &Diagnostics| found.errors().iter().any(|one| one.problem.class() == Class::Malformed);
    let (is_whole, is_read) = (!found.has_errors(), !is_malformed(&found));
    let draft = to_draft(&document, world, &RequestOptions::default(), Span::new(source, 0..0), &mut found);
    // A turn that could not be read would be missed by the others.
    if is_whole && !is_malformed(&found) {
        items::pairs(&draft.items, keeps_turns(&draft.fields), &mut found);
        items::reasoning(&draft.items, &mut found);
    }
    if is_read {
        items::ids(&draft.items, &mut found);
        if let (Some(text), Some(place)) = (draft.fields.text("instructions"), draft.instructions_at) {
            text::report_leaks(&text, place, false, world.sources, &mut found);
        }
        for item in &draft.items {
            values::item(item, &mut found);
            media::item(item, &mut found);
            text::item(item, world.sources, &mut found);
        }
    }
    for reference in references(&document) {
        text::file(&reference, world, &mut found);
    }
    let mut allowances = allow::Allowances::new(&options.allowed);
    let root = |id| world.sources.import_chain(id).last().map_or(id, |import| import.source);
    for id in world.sources.ids().filter(|id| root(*id) == source) {
        // What is wrong with them is known by now.
        let nodes = parse_body(world.sources, id, &mut Diagnostics::new());
        allowances.collect(&nodes, &mut found);
        text::source(id, world.sources, &mut found);
        code::nodes(&nodes, id, options.whitespace, world.sources, &mut found);
        if options.portable {
            portable::nodes(&nodes, world.sources, &mut found);
        }
    }
    // A file that is imported twice is wrong once.
    let mut seen = HashSet::new();
    let mut is_new = |one: &Diagnostic| {
        let source = world.sources.get(one.span.source);
        source.path.is_none() || seen.insert((source.path.as_deref(), one.span.range(), one.problem.title()))
    };
    let mut found: Diagnostics =
        found.into_iter().filter(|one| !allowances.cover(one, world.sources) && is_new(one)).collect();
    found.sort(world.sources);
    let fixes = fix::fixes(source, world.sources, options.whitespace, &found);
    Checked { found, fixes }
}

impl Checked {
    /// The problems that cannot be mended.
    #[must_use]
    pub fn left(&self) -> Diagnostics {
        let mended: HashSet<_> = self.fixes.iter().map(|fix| fix.mends).collect();
        self.found.iter().filter(|one| !mended.contains(&fix::key(one))).cloned().collect()
    }
}

/// Whether the server has turns that the document does not.
fn keeps_turns(fields: &Object<'_>) -> bool {
    let is_said =
        |key: &&str| fields.get(key).is_some_and(|value| value.kind() != Kind::Null && value.text() != "\"\"");
    ["previous_response_id", "conversation"].iter().any(is_said)
}
