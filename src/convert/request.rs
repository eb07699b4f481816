//! The request around the items.

use std::collections::{HashMap, HashSet, VecDeque};

use serde::{Deserialize, Serialize};

use super::instructions::instruction_texts;
use super::metadata::Metadata;
use super::set::set;
use super::suspect::{repeated_names, suspects};
use super::to_items::{Located, for_responses, report_foreign, to_items};
use super::tools::{LocatedTool, Schema, choice, function_name, identity};
use super::write_request::Request;
use super::written_tools::written_tools;
use super::{Condensed, Context, stale};
use crate::diagnostic::{Diagnostics, Problem, sanitize_short};
use crate::document::Document;
use crate::element::Tag;
use crate::json::write::array;
use crate::json::{Json, Object};
use crate::source::Span;
use crate::syntax::is_blank;

/// How much of a path is shown in a message.
const MAX_SHOWN_PATH: usize = 100;

/// Options of a request.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct RequestOptions {
    /// The model. It overrides the document's.
    pub model: Option<String>,
    /// The model if neither the document nor `model` names one.
    pub default_model: Option<String>,
    /// All system and developer messages become instructions.
    pub instructions: bool,
    /// Asks for a stream.
    pub stream: bool,
    /// The API stores nothing: no ids are sent, and only encrypted reasoning.
    pub stateless: bool,
    /// Of several outputs of this tool for the same file, send only the newest.
    pub collapse_stale: Option<String>,
    /// The JSON of an array of tools, added to the declared ones.
    pub tools: Option<String>,
    /// The name of the tools' file in messages.
    pub tools_name: Option<String>,
    /// Fields by their path, and the JSON of their values. They override everything else.
    pub set: Vec<(String, String)>,
    /// Whether to make a source map.
    pub source_map: bool,
}

/// Converts a document to an `input` array.
pub fn to_input<'d>(
    read: &'d Condensed<'d>,
    context: &Context<'d>,
    options: &'d RequestOptions,
    diagnostics: &mut Diagnostics,
) -> Request<'d> {
    Request::input_only(read.pieces(context, options, diagnostics))
}

/// A request that is not written yet.
#[derive(Debug)]
pub struct Draft<'d> {
    /// Its fields in order, except `input`.
    pub fields: Object<'d>,
    /// Its items and where each is written.
    pub items: Vec<Located<'d>>,
    /// Where its instructions start, if elements set them.
    pub instructions_at: Option<Span>,
    /// Its tools and where each is declared.
    pub tools: Vec<LocatedTool<'d>>,
    /// Where a problem of the whole request is reported.
    pub place: Span,
    /// No model is set, and there is no earlier error that could be the reason.
    pub(super) lacks_model: bool,
    /// Whether its items continue turns that are not there.
    pub is_reply: bool,
    /// The document declares that the request has no `input`.
    pub(super) lacks_input: bool,
}

/// Converts a document to a request. A missing model is reported at `place`.
pub fn to_request<'d>(
    read: &'d Condensed<'d>,
    context: &Context<'d>,
    options: &'d RequestOptions,
    place: Span,
    diagnostics: &mut Diagnostics,
) -> Request<'d> {
    let document = &read.document;
    let Draft { fields, lacks_model, lacks_input, .. } = fields_of(document, context, options, place, diagnostics);
    let input = read.pieces(context, options, diagnostics);
    report_input(lacks_input, !input.is_empty(), place, diagnostics);
    if lacks_model {
        let is_empty = is_blank(&context.sources.get(place.source).text);
        diagnostics.report(Problem::MissingModel { is_empty }, place);
    }
    let body = document.declarations(Tag::Config).next().and_then(|(config, _)| config.json());
    if let Some((json, span)) = body {
        let body = Json::parse(json, context.strings).and_then(Json::object).unwrap_or_default();
        for what in suspects(&body) {
            diagnostics.report(Problem::SuspectField { what }, span);
        }
    }
    let mut request = Request::new(fields, input, lacks_input);
    for (path, value) in &options.set {
        let value = Json::parse(value, context.strings).map_err(|error| format!("the value is not JSON: {error}"));
        if let Err(why) = value.and_then(|value| request.set(path, value, context)) {
            let (path, why) = (sanitize_short(path, MAX_SHOWN_PATH), sanitize_short(&why, 2 * MAX_SHOWN_PATH));
            diagnostics.report(Problem::InvalidSet { path, why }, place);
        }
    }
    request
}

/// Converts a document to a request that is not written yet, without `options.set`. A model is not needed.
pub fn to_draft<'d>(
    document: &'d Document<'d>,
    context: &Context<'d>,
    options: &'d RequestOptions,
    place: Span,
    diagnostics: &mut Diagnostics,
) -> Draft<'d> {
    let draft = fields_of(document, context, options, place, diagnostics);
    let items = located_items(document, context, options, diagnostics);
    report_input(draft.lacks_input, !items.is_empty(), place, diagnostics);
    Draft { items, ..draft }
}

/// Reports items of a request that is declared to have no `input`.
fn report_input(lacks_input: bool, has_items: bool, place: Span, diagnostics: &mut Diagnostics) {
    if lacks_input && has_items {
        diagnostics.report(Problem::DuplicateField("input".to_owned()), place);
    }
}

/// A request without its items.
pub(super) fn fields_of<'d>(
    document: &'d Document<'d>,
    context: &Context<'d>,
    options: &'d RequestOptions,
    place: Span,
    diagnostics: &mut Diagnostics,
) -> Draft<'d> {
    let tools = tools(document, context, options, place, diagnostics);
    let written: Vec<Json<'d>> = tools.iter().map(|tool| tool.json).collect();
    for repeated in repeated_names(&written) {
        let problem = Problem::DuplicateTool { name: repeated.name, first: tools[repeated.first].span };
        diagnostics.report(problem, tools[repeated.again].span);
    }
    let mut fields = config(document, context, &tools, diagnostics);
    let metadata = request_metadata(document, &mut fields, context, diagnostics);
    let default_model = options.default_model.as_deref().filter(|_| fields.get("model").is_none());
    if let Some(model) = options.model.as_deref().or(default_model) {
        set(&mut fields, "model", context.strings.string(model), context);
    }
    let has_model = fields.get("model").is_some() || options.set.iter().any(|(path, _)| path == "model");
    let lacks_model = !has_model && !diagnostics.has_errors();
    let instructions = instructions(document, context, options, diagnostics);
    let instructions_at = instructions.as_ref().map(|(_, span)| *span);
    set_once(&mut fields, "instructions", instructions, context, diagnostics);
    let written = tools.first().map(|first| {
        let mut json = String::new();
        array(&mut json, &tools, |out, tool| tool.write(out));
        (json, first.span)
    });
    if written.is_some() && options.tools.is_some() && written_tools(document, context).is_some() {
        // They are among the tools.
        fields.take("tools");
    }
    set_once(&mut fields, "tools", written, context, diagnostics);
    if options.stream {
        set(&mut fields, "stream", Json::TRUE, context);
    }
    if options.stateless {
        set(&mut fields, "store", Json::FALSE, context);
        include_encrypted_reasoning(&mut fields, context);
    }
    let lacks_input = metadata.is_absent("input");
    Draft { fields, items: Vec::new(), instructions_at, tools, place, lacks_model, is_reply: false, lacks_input }
}

impl<'d> Draft<'d> {
    /// Its fields except `input` and the tools that have declarations.
    pub fn other_fields(&self) -> Object<'d> {
        let mut fields = self.fields.clone();
        if !self.tools.is_empty() {
            fields.take("tools");
        }
        fields
    }
}

/// Adds a field that elements set. It is an error if something else has set it.
fn set_once<'d>(
    fields: &mut Object<'d>,
    key: &'static str,
    value: Option<(String, Span)>,
    context: &Context<'d>,
    diagnostics: &mut Diagnostics,
) {
    let Some((json, span)) = value else { return };
    if fields.get(key).is_some() {
        diagnostics.report(Problem::DuplicateField(key.to_owned()), span);
    } else {
        fields.insert(key, context.alloc_json(json));
    }
}

/// The items of the request and their places, without those that the options omit.
pub fn located_items<'d>(
    document: &'d Document<'d>,
    context: &Context<'d>,
    options: &RequestOptions,
    diagnostics: &mut Diagnostics,
) -> Vec<Located<'d>> {
    report_foreign(document, diagnostics);
    let items = to_items(document, context, options, diagnostics).into_iter();
    let mut items: Vec<_> = items.filter_map(|located| for_responses(located, options, diagnostics)).collect();
    if let Some(tool) = &options.collapse_stale {
        stale::collapse(items.iter_mut(), tool);
    }
    items
}

/// The fields that the first `<config>` sets. Further ones are ignored.
fn config<'d>(
    document: &'d Document<'d>,
    context: &Context<'d>,
    tools: &[LocatedTool<'d>],
    diagnostics: &mut Diagnostics,
) -> Object<'d> {
    let mut configs = document.declarations(Tag::Config);
    let Some((config, span)) = configs.next() else { return Object::default() };
    for (_, second) in configs {
        diagnostics.report(Problem::RepeatedConfig { first: span }, second);
    }
    let choose = |name: &str| tools.iter().find_map(|tool| choice(tool.json, name));
    context.config_fields(config, span, &choose, diagnostics)
}

/// Adds the fields of `chatmd:request`.
fn request_metadata<'d>(
    document: &'d Document<'d>,
    fields: &mut Object<'d>,
    context: &Context<'d>,
    diagnostics: &mut Diagnostics,
) -> Metadata<'d> {
    let mut requests = document.request_metadata();
    let Some((json, span)) = requests.next() else { return Metadata::default() };
    let metadata = Metadata::read(json, span, context.strings, diagnostics);
    for (_, span) in requests {
        diagnostics.report(Problem::RepeatedRequest, span);
    }
    let known: HashSet<String> = fields.iter().map(|(key, _)| key.to_owned()).collect();
    for (key, value) in metadata.members.iter() {
        if key == "input" || known.contains(key) {
            diagnostics.report(Problem::DuplicateField(key.to_owned()), span);
        } else {
            fields.insert(key.to_owned(), value);
        }
    }
    metadata
}

/// The declared tools and those of the options, whose place is `place`. A tool of the options replaces a declared one
/// of the same name, and no other one of the options.
pub(super) fn tools<'d>(
    document: &'d Document<'d>,
    context: &Context<'d>,
    options: &'d RequestOptions,
    place: Span,
    diagnostics: &mut Diagnostics,
) -> Vec<LocatedTool<'d>> {
    let joining = given_tools(options, context, diagnostics);
    let mut given: HashMap<String, Json<'d>> = HashMap::new();
    for tool in &joining {
        given.entry(identity(*tool)).or_insert(*tool);
    }
    let given_tool = |json: Json<'d>, span: Span| LocatedTool { json, span, schema: Schema::Given };
    let mut tools: Vec<LocatedTool<'d>> = Vec::new();
    for (tool, span) in document.declarations(Tag::Tool) {
        // A bare `<tool name>` is defined by the given tool of that name.
        let replaced = function_name(tool).and_then(|name| given.get(&format!("name={name}")));
        let replaced = replaced.map(|json| given_tool(*json, span));
        tools.extend(replaced.or_else(|| context.tool(tool, span, diagnostics)));
    }
    if let Some((written, span)) = options.tools.as_ref().and_then(|_| written_tools(document, context)) {
        tools.extend(written.into_iter().map(|json| given_tool(json, span)));
    }
    let mut declared: HashMap<String, VecDeque<usize>> = HashMap::new();
    for (index, tool) in tools.iter().enumerate() {
        declared.entry(identity(tool.json)).or_default().push_back(index);
    }
    for json in joining {
        let index = declared.get_mut(&identity(json)).and_then(VecDeque::pop_front);
        match index.and_then(|index| tools.get_mut(index)) {
            Some(known) => *known = given_tool(json, known.span),
            None => tools.push(given_tool(json, place)),
        }
    }
    tools
}

/// The tools of the options.
fn given_tools<'d>(options: &'d RequestOptions, context: &Context<'d>, diagnostics: &mut Diagnostics) -> Vec<Json<'d>> {
    let Some(text) = &options.tools else { return Vec::new() };
    let tools = Json::parse(text, context.strings).and_then(Json::array).and_then(|tools| {
        for (index, tool) in tools.iter().enumerate() {
            tool.object().map_err(|error| error.within_index(index))?;
        }
        Ok(tools)
    });
    tools.unwrap_or_else(|error| {
        let name = options.tools_name.as_deref().unwrap_or("<tools>");
        let source = context.sources.add_file(name, None, text.clone(), None);
        let place = Span { source, start: error.offset, end: error.offset };
        diagnostics.report(Problem::InvalidTools(error.to_string()), place);
        Vec::new()
    })
}

fn include_encrypted_reasoning<'d>(fields: &mut Object<'d>, context: &Context<'d>) {
    const ENCRYPTED_REASONING: &str = "reasoning.encrypted_content";
    let mut names: Vec<Json<'d>> = fields.take("include").and_then(|include| include.array().ok()).unwrap_or_default();
    if !names.iter().any(|name| name.as_str().is_ok_and(|name| name == ENCRYPTED_REASONING)) {
        names.push(context.strings.string(ENCRYPTED_REASONING));
    }
    let mut json = String::new();
    array(&mut json, names, |out, name| out.push_str(name.raw()));
    fields.insert("include", context.alloc_json(json));
}

/// The texts of the messages that belong in `instructions` as a JSON string, and the place of the first.
fn instructions<'d>(
    document: &'d Document<'d>,
    context: &Context<'d>,
    options: &'d RequestOptions,
    diagnostics: &mut Diagnostics,
) -> Option<(String, Span)> {
    let (texts, places): (Vec<String>, Vec<Span>) =
        instruction_texts(document, context, options, diagnostics).into_iter().unzip();
    places.first().map(|place| (context.strings.string(&texts.join("\n\n")).raw().to_owned(), *place))
}
