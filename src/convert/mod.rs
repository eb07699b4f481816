//! The correspondence of the two languages, both ways: the only room that speaks both.

mod agent;
mod carry;
mod config;
mod files;
mod from_items;
mod from_output;
mod from_parts;
mod from_response;
mod html;
mod locate;
mod look;
mod proof;
mod request;
mod stale;
mod stateless;
mod to_items;
mod to_output;
mod to_parts;
mod tools;

pub use from_items::{FromOptions, OutputStyle, from_items};
pub use from_response::{NotProven, from_response, reply_problems};
pub use locate::{Place, locate, places};
pub use look::spelled_output;
pub use request::{Draft, RequestOptions, to_draft, to_input, to_request};
pub use to_items::Placed;

use crate::diagnostic::Diagnostics;
use crate::document::{Document, Limits, expand, lower};
use crate::resources::{Nothing, Programs, Resources};
use crate::source::{SourceId, Sources};
use crate::syntax::parse;
use crate::syntax::write::Whitespace;
use crate::wire::Texts;

/// What a conversion stands on.
#[derive(Clone, Copy)]
pub struct World<'d> {
    /// The texts that the document was read from.
    pub sources: &'d Sources,
    /// The texts that are made on the way.
    pub texts: &'d Texts,
    /// The only reader of files.
    pub resources: &'d dyn Resources,
    /// The only runner of programs.
    pub programs: &'d dyn Programs,
    /// The model of an agent whose prompt names none.
    pub model: Option<&'d str>,
    /// How the prompts of agents are read.
    whitespace: Whitespace,
    limits: Limits,
    /// How many agents are being asked around this conversion.
    agents: usize,
}

impl<'d> World<'d> {
    /// A world where no program is run.
    pub fn new(sources: &'d Sources, texts: &'d Texts, resources: &'d dyn Resources) -> Self {
        Self {
            sources,
            texts,
            resources,
            programs: &Nothing,
            model: None,
            whitespace: Whitespace::Layout,
            limits: Limits::default(),
            agents: 0,
        }
    }

    /// The same world, with programs.
    #[must_use]
    pub fn with_programs(self, programs: &'d dyn Programs) -> Self {
        Self { programs, ..self }
    }

    /// The same world, with a model for agents whose prompts name none.
    #[must_use]
    pub fn with_model(self, model: Option<&'d str>) -> Self {
        Self { model, ..self }
    }

    /// The same world, where the prompts of agents are read like this.
    #[must_use]
    pub fn with_reading(self, whitespace: Whitespace, limits: Limits) -> Self {
        Self { whitespace, limits, ..self }
    }

    /// Reads a document and what it imports.
    pub fn read(
        &self,
        source: SourceId,
        whitespace: Whitespace,
        limits: Limits,
        found: &mut Diagnostics,
    ) -> Document<'d> {
        let document = lower(&parse(self.sources, source, found), whitespace, found);
        expand(document, whitespace, self.sources, self.resources, limits, found)
    }
}
