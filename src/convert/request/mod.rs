//! The request of a conversion: read from a document or a payload, then written, mapped, checked and counted.

mod api;
pub(in crate::convert) mod config;
pub(in crate::convert) mod field_types;
mod fields;
mod instructions;
pub(in crate::convert) mod join;
mod late;
mod payload;
mod places;
mod report;
mod responses;
pub(in crate::convert) mod set;
mod small;
mod stale;
pub(in crate::convert) mod stateless;
mod tools;
mod write;

pub(super) use instructions::is_instruction;
pub use places::{named_call, named_part};

use crate::convert::Context;
use crate::convert::to_items::{Located, to_item};
use crate::diagnostic::{Diagnostics, RequestProblem, sanitize_short};
use crate::document::{Block, Document};
use crate::json::{Json, Object, StringArena};
use crate::options::RequestOptions;
use crate::source::{Sources, Span, Spanned};
use crate::syntax::is_blank;
use crate::wire::{Api, Ledger, LocatedTool, Members};
use config::Config;
use field_types::wrong_fields;
use small::SmallItems;

/// How much of the name of a model is shown.
const MAX_MODEL_CHARS: usize = 80;
/// How much of a path is shown in a message.
const MAX_SHOWN_PATH: usize = 100;

/// The part of a request that a document is converted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wanted {
    /// A request that is sent. It needs a model, and `options.set` is applied.
    Request,
    /// A request that is inspected and not sent.
    Unsent,
    /// The `input` array alone, whose source map is relative to the array.
    Input,
}

/// The items, fields, tools and instructions of a request, and where each is written.
#[derive(Debug)]
pub struct Request<'d> {
    /// The fields in order. The value `write::LIST` stands for the list of that name.
    pub(crate) fields: Object<'d>,
    /// The lists of a request for another API than Responses.
    lists: Members<'d>,
    /// The messages that belong in `instructions`. Their content is text.
    pub(crate) instructions: Vec<Located<'d>>,
    /// The tools that are declared or given.
    pub(crate) tools: Vec<LocatedTool<'d>>,
    /// The items, except those in `small`.
    pub(crate) items: Vec<Located<'d>>,
    /// Items with little text, as JSON.
    small: SmallItems,
    /// The first `<config>`.
    pub(crate) config: Option<Config<'d>>,
    /// The fields in the first `chatmd:request` comment.
    pub(crate) comment: Option<Spanned<Object<'d>>>,
    /// Where a problem of the whole request is reported.
    pub(crate) place: Span,
    /// The sources of all places.
    pub(crate) sources: &'d Sources,
    /// Whether the first items belong to a turn outside of the document.
    pub(crate) is_reply: bool,
    /// Whether `chatmd:request` says that the request has no `input`.
    pub(crate) lacks_input: bool,
    /// No model is set, and there is no earlier error that could be the reason.
    lacks_model: bool,
    /// Whether it has the places of all its items and their parts, for a source map.
    pub(crate) is_mapped: bool,
    /// Whether its items are for all APIs, and not prepared for the Responses API.
    is_for_all_apis: bool,
    /// Whether only its `input` is written.
    is_input: bool,
    /// The API that it is for.
    pub(crate) api: Api,
    /// What differs from the document.
    ledger: Ledger,
    /// Where the values of a request for another API than Responses are written.
    sent_places: Option<Vec<(String, Span)>>,
}

impl<'d> Request<'d> {
    /// An empty request. A problem of the whole request is reported at `place`.
    pub fn new(place: Span, sources: &'d Sources) -> Self {
        Self {
            fields: Object::default(),
            lists: Members::default(),
            instructions: Vec::new(),
            tools: Vec::new(),
            items: Vec::new(),
            small: SmallItems::default(),
            config: None,
            comment: None,
            place,
            sources,
            is_reply: false,
            lacks_input: false,
            lacks_model: false,
            is_mapped: false,
            is_for_all_apis: false,
            is_input: false,
            api: Api::default(),
            ledger: Ledger::default(),
            sent_places: None,
        }
    }

    /// The same request, whose items keep what other APIs than the Responses API get.
    #[must_use]
    pub fn for_all_apis(self) -> Self {
        Self { is_for_all_apis: true, ..self }
    }

    /// Converts a document.
    pub fn of(
        document: &'d Document<'d>,
        context: &Context<'d>,
        options: &RequestOptions,
        wanted: Wanted,
        place: Span,
        diagnostics: &mut Diagnostics,
    ) -> Self {
        let mut request = Self::new(place, context.sources);
        request.convert(document, context, options, wanted, diagnostics);
        request
    }

    /// Converts the rest of a document whose small items this request has.
    pub fn convert(
        &mut self,
        document: &'d Document<'d>,
        context: &Context<'d>,
        options: &RequestOptions,
        wanted: Wanted,
        diagnostics: &mut Diagnostics,
    ) {
        self.is_input = wanted == Wanted::Input;
        if self.is_input {
            self.config = fields::config(document, context, &mut Diagnostics::new());
        } else {
            self.convert_fields(document, context, options, diagnostics);
            late::report_late(document, options, diagnostics);
        }
        self.choose_api(options);
        if self.is_input && self.api != Api::Responses {
            // Instructions may be messages.
            self.convert_fields(document, context, options, diagnostics);
        }
        self.convert_items(document, context, options, diagnostics);
        match (self.is_input, self.lacks_input) {
            (true, _) => {}
            (false, false) => self.fields.insert(write::INPUT, write::LIST),
            (false, true) if self.items.is_empty() && self.small.is_empty() => {}
            (false, true) => {
                diagnostics.report(RequestProblem::DuplicateField(write::INPUT.to_owned()), self.place);
            }
        }
        if !self.is_for_all_apis {
            self.prepare_for_api(context, options, diagnostics);
        }
        if wanted == Wanted::Request {
            self.finish(document, context, options, diagnostics);
        }
    }

    /// Reports what a request that is sent needs, and sets the values of the options.
    fn finish(
        &mut self,
        document: &'d Document<'d>,
        context: &Context<'d>,
        options: &RequestOptions,
        diagnostics: &mut Diagnostics,
    ) {
        if self.lacks_model {
            let is_empty = is_blank(&context.sources.get(self.place.source).text);
            let of_session = document.blocks.iter().find_map(|block| model_of_session(&block.value));
            diagnostics.report(RequestProblem::MissingModel { is_empty, of_session }, self.place);
        }
        let config = self.config.as_ref().filter(|config| !config.is_for_other_api());
        if let Some(body) = config.and_then(|config| config.body.as_ref()) {
            for what in wrong_fields(&body.value) {
                diagnostics.report(RequestProblem::WrongField { what }, body.span);
            }
        }
        for (path, value) in &options.set {
            let value = context.strings.keep(value.clone());
            let value = Json::parse(value, context.strings).map_err(|error| format!("the value is not JSON: {error}"));
            if let Err(why) = value.and_then(|value| self.set(path, value, context)) {
                let (path, why) = (sanitize_short(path, MAX_SHOWN_PATH), sanitize_short(&why, 2 * MAX_SHOWN_PATH));
                diagnostics.report(RequestProblem::InvalidSet { path, why }, self.place);
            }
        }
    }

    /// Converts the blocks of a document to items. The empty message where the next turn will be written is not an item.
    fn convert_items(
        &mut self,
        document: &'d Document<'d>,
        context: &Context<'d>,
        options: &RequestOptions,
        diagnostics: &mut Diagnostics,
    ) {
        diagnostics.append(std::mem::take(&mut self.small.diagnostics));
        let placeholder = document.placeholder();
        let mut before = Vec::new();
        for (index, block) in document.blocks.iter().enumerate() {
            before.push(self.items.len());
            if Some(index) != placeholder {
                self.items.extend(checked_item(block, context, options, diagnostics));
            }
        }
        before.push(self.items.len());
        self.small.place(&before);
        if let Some(tool) = &options.collapse_stale {
            let collapsed = stale::collapse(self.items.iter_mut(), tool);
            self.report_collapsed(&collapsed, diagnostics);
        }
    }
}

/// The item of a block, which is checked as the context asks for.
fn checked_item<'d>(
    block: &'d Spanned<Block<'_>>,
    context: &Context<'d>,
    options: &RequestOptions,
    diagnostics: &mut Diagnostics,
) -> Option<Located<'d>> {
    let item = to_item(block, context, options, diagnostics);
    if let (Some(check), Some(item)) = (context.check, &item) {
        check(item, context.sources, diagnostics);
    }
    item
}

/// The model in the comment about a session.
fn model_of_session(block: &Block<'_>) -> Option<String> {
    let Block::Comment(comment) = block else { return None };
    let (words, members) = comment.split_at(comment.find('{')?);
    let strings = StringArena::default();
    let members = Json::parse(members.trim_ascii_end(), &strings).ok()?.object().ok()?;
    let model = members.get_str("model").filter(|_| words.ends_with(" session "))?;
    Some(sanitize_short(&model, MAX_MODEL_CHARS))
}
