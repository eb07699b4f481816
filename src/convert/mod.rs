//! Converts documents to requests and payloads to documents. The only module that knows both languages.

mod attributes;
mod calls;
mod from_items;
mod item_files;
mod metadata;
mod outputs;
mod reply;
mod request;
mod to_items;
mod tools;

pub use crate::options::{Envelope, OutputStyle, ReadOptions, RequestOptions};
pub use crate::outcome::Usage;
pub use calls::find::{Call, find_calls};
pub use calls::last_answer::last_answer;
pub use calls::pairs::{CallKey, Pairs, Side};
pub use from_items::WriteOptions;
use from_items::from_items;
pub(crate) use metadata::escape_comment;
pub use outputs::detect::{OutputParts, output_parts, spelled_output};
pub use outputs::refused::{audio_or_video_file, is_refused_type};
pub use reply::chunk::ItemWriter;
pub use reply::envelope::{describe_usage, ended_early, is_envelope, usage_of_document};
pub use reply::read::read_payload;
pub use reply::write::{decode_items, failure_problem, payload_problems, write_payload};
pub(crate) use request::config::API_MEMBER;
pub use request::config::field_path;
pub use request::{Request, Wanted, named_call, named_part};
pub use to_items::Located;
pub(crate) use to_items::write_shell_output;
pub(crate) use tools::write_tool;
pub use tools::{StrictViolation, make_strict, repeated_names, strict_violation};

use crate::diagnostic::Diagnostics;
use crate::document::{Block, Document, Expansion, ItemElement, Limits, Reader, Role, lower_body};
use crate::json::StringArena;
use crate::resolve::Resolver;
use crate::source::{SourceId, Sources, Span, Spanned};
use crate::syntax::parse_body_inside;
use crate::syntax::write::Whitespace;

/// The inputs and options of a conversion.
#[derive(Debug, Clone, Copy)]
pub struct Context<'d> {
    /// The sources of the document.
    pub sources: &'d Sources,
    /// Strings made during the conversion.
    pub strings: &'d StringArena,
    /// The content that the document refers to.
    pub resolver: &'d Resolver<'d>,
    /// The model of an agent whose prompt does not name one.
    pub model: Option<&'d str>,
    /// Which whitespace of a body is content.
    pub whitespace: Whitespace,
    /// How many files, and how many bytes, may be imported.
    pub limits: Limits,
    /// The nesting depth of agents.
    pub(crate) agents: usize,
    /// Whether the places of parts are recorded.
    pub(crate) locates_parts: bool,
    /// The check that each item goes through.
    pub(crate) check: Option<ItemCheck>,
}

/// A check of an item. Items with little text are not kept after their conversion, so `check` gets each one while it is
/// converted. It is a function pointer because `convert` must not depend on `lint`.
pub type ItemCheck = fn(&Located<'_>, &Sources, &mut Diagnostics);

impl<'d> Context<'d> {
    /// A context that reads documents, and the prompts of agents, with these settings.
    pub fn new(resolver: &'d Resolver<'d>, strings: &'d StringArena, whitespace: Whitespace, limits: Limits) -> Self {
        Self {
            sources: resolver.sources,
            strings,
            resolver,
            model: None,
            whitespace,
            limits,
            agents: 0,
            locates_parts: false,
            check: None,
        }
    }

    /// Reads a document and its imports.
    pub fn read(&self, source: SourceId, diagnostics: &mut Diagnostics) -> Document<'d> {
        self.reader(source, diagnostics).document(diagnostics)
    }

    /// The same block by block.
    pub(crate) fn reader(&self, source: SourceId, diagnostics: &mut Diagnostics) -> Reader<'d, 'd> {
        Reader::new(source, self.expansion(source), diagnostics)
    }

    /// Reads a file that is imported into bodies, as the body of a message.
    pub fn read_fragment(&self, source: SourceId, diagnostics: &mut Diagnostics) -> Document<'d> {
        let nodes = parse_body_inside(1, self.sources, source, diagnostics);
        let body = lower_body(nodes, self.whitespace, diagnostics);
        let body = self.expansion(source).body(body, 1, diagnostics);
        let message = Block::Element(ItemElement::message(Role::User, body));
        Document { blocks: vec![Spanned::new(message, Span::new(source, 0..0))] }
    }

    /// The items of a document, which is not sent.
    pub fn items(&self, document: &'d Document<'d>, diagnostics: &mut Diagnostics) -> Vec<Located<'d>> {
        let options = RequestOptions::default();
        Request::of(document, self, &options, Wanted::Input, Span::NOWHERE, diagnostics).items
    }

    fn expansion(&self, source: SourceId) -> Expansion<'d, 'd> {
        Expansion::new(source, self.whitespace, self.sources, self.resolver.resources, self.limits)
    }
}
