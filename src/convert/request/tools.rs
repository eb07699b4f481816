//! The tools of a request: declared, given by the options, or written as JSON.

use std::collections::{HashMap, VecDeque};

use super::Request;
use crate::convert::Context;
use crate::convert::tools::{function_name, identity};
use crate::diagnostic::{Diagnostics, RequestProblem};
use crate::document::Document;
use crate::element::Tag;
use crate::json::{Json, Kind};
use crate::options::RequestOptions;
use crate::source::Span;
use crate::wire::LocatedTool;

impl<'d> Request<'d> {
    /// Collects the declared tools and those of the options, whose place is that of the request. A tool of the options
    /// replaces a declared tool of its name, never another tool of the options.
    ///
    /// Returns whether tools that are written as JSON are among them.
    pub(super) fn convert_tools(
        &mut self,
        document: &'d Document<'d>,
        context: &Context<'d>,
        options: &RequestOptions,
        diagnostics: &mut Diagnostics,
    ) -> bool {
        let joining = given_tools(options, context, diagnostics);
        let mut given: HashMap<String, Json<'d>> = HashMap::new();
        for tool in &joining {
            given.entry(identity(*tool)).or_insert(*tool);
        }
        let mut tools: Vec<LocatedTool<'d>> = Vec::new();
        let mut has_elements = false;
        for (tool, span) in document.declarations(Tag::Tool) {
            has_elements = true;
            // A bare `<tool name>` is defined by the given tool of that name.
            let replaced = function_name(tool).and_then(|name| given.get(&format!("name={name}")));
            let replaced = replaced.map(|json| LocatedTool::given(*json, span));
            tools.extend(replaced.or_else(|| context.tool(tool, span, diagnostics)));
        }
        let written = if has_elements || options.tools.is_none() { None } else { self.written_tools() };
        let is_written = written.is_some();
        tools.extend(written.unwrap_or_default());
        let mut declared: HashMap<String, VecDeque<usize>> = HashMap::new();
        for (index, tool) in tools.iter().enumerate() {
            declared.entry(identity(tool.json)).or_default().push_back(index);
        }
        for json in joining {
            let index = declared.get_mut(&identity(json)).and_then(VecDeque::pop_front);
            match index.and_then(|index| tools.get_mut(index)) {
                Some(known) => *known = LocatedTool::given(json, known.span),
                None => tools.push(LocatedTool::given(json, self.place)),
            }
        }
        self.tools = tools;
        is_written && !self.tools.is_empty()
    }

    /// The tools in the body of `<config>` or in `chatmd:request`, to which those of the options are added; null is an
    /// empty list. `None` if there are none, or if they are not a list of objects.
    fn written_tools(&self) -> Option<Vec<LocatedTool<'d>>> {
        let body = self.config.as_ref().and_then(|config| config.body.as_ref());
        let mut objects = body.into_iter().chain(&self.comment);
        let (tools, span) = objects.find_map(|object| Some((object.value.get("tools")?, object.span)))?;
        let list = if tools.kind() == Kind::Null { Vec::new() } else { tools.array().ok()? };
        let are_objects = list.iter().all(|tool| tool.kind() == Kind::Object);
        are_objects.then(|| list.into_iter().map(|json| LocatedTool::given(json, span)).collect())
    }
}

/// The tools of the options.
fn given_tools<'d>(options: &RequestOptions, context: &Context<'d>, diagnostics: &mut Diagnostics) -> Vec<Json<'d>> {
    let Some(text) = &options.tools else { return Vec::new() };
    let text = context.strings.keep(text.clone());
    let tools = Json::parse(text, context.strings).and_then(Json::array).and_then(|tools| {
        for (index, tool) in tools.iter().enumerate() {
            tool.object().map_err(|error| error.within_index(index))?;
        }
        Ok(tools)
    });
    tools.unwrap_or_else(|error| {
        let name = options.tools_name.as_deref().unwrap_or("<tools>");
        let source = context.sources.add_file(name, None, text.to_owned(), None);
        let place = Span::new(source, error.offset..error.offset);
        diagnostics.report(RequestProblem::InvalidTools(error.to_string()), place);
        Vec::new()
    })
}
