//! What is wrong with a document, what would go wrong with it, and what of that can be mended.
//!
//! Besides the problems of reading and converting, `check` looks for [`Lint`](crate::diagnostic::Lint)s: each
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
pub use rules::{find_rule, nearest_rule};
pub use sarif::sarif;

use std::collections::HashSet;

use crate::convert::{Context, RequestOptions, to_draft};
use crate::diagnostic::{Diagnostic, Diagnostics, ErrorKind, Rule};
use crate::document::{Limits, references};
use crate::json::{Kind, Object};
use crate::source::{SourceId, Span};
use crate::syntax::parse_body;
use crate::syntax::write::Whitespace;

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
    pub diagnostics: Diagnostics,
    /// What of them can be mended, in order.
    pub fixes: Vec<Fix>,
}

/// Checks a document, what it imports and the request it makes.
pub fn check(source: SourceId, context: &Context<'_>, options: &Options) -> Checked {
    let mut diagnostics = Diagnostics::new();
    let document = context.read(source, options.whitespace, options.limits, &mut diagnostics);
    let is_malformed =
        |diagnostics: &Diagnostics| diagnostics.errors().iter().any(|one| one.rule().kind == ErrorKind::Malformed);
    let (is_whole, is_read) = (!diagnostics.has_errors(), !is_malformed(&diagnostics));
    let draft = to_draft(&document, context, &RequestOptions::default(), Span::new(source, 0..0), &mut diagnostics);
    // A turn that could not be read would be missed by the others.
    if is_whole && !is_malformed(&diagnostics) {
        items::pairs(&draft.items, keeps_turns(&draft.fields), &mut diagnostics);
        items::reasoning(&draft.items, &mut diagnostics);
    }
    if is_read {
        items::ids(&draft.items, &mut diagnostics);
        if let (Some(text), Some(place)) = (draft.fields.text("instructions"), draft.instructions_at) {
            text::report_leaks(&text, place, false, context.sources, &mut diagnostics);
        }
        for item in &draft.items {
            values::item(item, &mut diagnostics);
            media::item(item, &mut diagnostics);
            text::item(item, context.sources, &mut diagnostics);
        }
    }
    for reference in references(&document) {
        text::file(&reference, context, &mut diagnostics);
    }
    let mut allowances = allow::Allowances::new(&options.allowed);
    let root = |id| context.sources.import_chain(id).last().map_or(id, |import| import.source);
    for id in context.sources.ids().filter(|id| root(*id) == source) {
        // What is wrong with them is known by now.
        let nodes = parse_body(context.sources, id, &mut Diagnostics::new());
        allowances.collect(&nodes, &mut diagnostics);
        text::source(id, context.sources, &mut diagnostics);
        code::nodes(&nodes, id, options.whitespace, context.sources, &mut diagnostics);
        if options.portable {
            portable::nodes(&nodes, context.sources, &mut diagnostics);
        }
    }
    // A file that is imported twice is wrong once.
    let mut seen = HashSet::new();
    let mut is_new = |one: &Diagnostic| {
        let source = context.sources.get(one.span.source);
        source.path.is_none() || seen.insert((source.path.as_deref(), one.span.range(), one.problem.message().title))
    };
    let mut diagnostics: Diagnostics =
        diagnostics.into_iter().filter(|one| !allowances.cover(one, context.sources) && is_new(one)).collect();
    diagnostics.sort(context.sources);
    let fixes = fix::fixes(source, context.sources, options.whitespace, &diagnostics);
    Checked { diagnostics, fixes }
}

impl Checked {
    /// The problems that cannot be mended.
    #[must_use]
    pub fn left(&self) -> Diagnostics {
        let fixed: HashSet<_> = self.fixes.iter().map(|fix| fix.mends).collect();
        self.diagnostics.iter().filter(|one| !fixed.contains(&fix::key(one))).cloned().collect()
    }
}

/// Whether the server has turns that the document does not.
fn keeps_turns(fields: &Object<'_>) -> bool {
    let is_said =
        |key: &&str| fields.get(key).is_some_and(|value| value.kind() != Kind::Null && value.text() != "\"\"");
    ["previous_response_id", "conversation"].iter().any(is_said)
}
