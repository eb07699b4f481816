//! The fields of a request.

use super::Request;
use super::config::{Config, ToolChoice};
use super::join::add_members;
use super::write::{INPUT, LIST};
use crate::convert::Context;
use crate::convert::metadata::Metadata;
use crate::convert::tools::{choice, repeated_names};
use crate::diagnostic::{Diagnostics, DirectiveProblem, RequestProblem};
use crate::document::Document;
use crate::element::Tag;
use crate::json::write::array;
use crate::json::{Json, Kind, Object};
use crate::options::RequestOptions;
use crate::source::{Span, Spanned};
use crate::wire::LocatedTool;

impl<'d> Request<'d> {
    /// Converts the declarations and the instructions of a document.
    pub(super) fn convert_fields(
        &mut self,
        document: &'d Document<'d>,
        context: &Context<'d>,
        options: &RequestOptions,
        diagnostics: &mut Diagnostics,
    ) {
        self.config = config(document, context, diagnostics);
        self.read_comment(document, context, diagnostics);
        let written = self.convert_tools(document, context, options, diagnostics);
        report_repeated(&self.tools, diagnostics);
        if let Some(config) = &self.config {
            self.fields = context.config_fields(config, diagnostics);
            // A tool that is declared is chosen by its type.
            let chosen = config.declaration.attributes.value("tool_choice");
            let chosen = chosen.map(|chosen| ToolChoice::read(chosen, context.strings));
            let tool = |name: &str| self.tools.iter().find_map(|tool| choice(tool.json, name, context.strings));
            if self.fields.get("tool_choice").is_some_and(|choice| choice.kind() == Kind::Object)
                && let Some(ToolChoice::Tool(name)) = chosen
                && let Some(choice) = tool(&name)
            {
                self.fields.replace("tool_choice", choice);
            }
        }
        self.add_comment(diagnostics);
        let default_model = options.default_model.as_deref().filter(|_| self.fields.get("model").is_none());
        if let Some(model) = options.model.as_deref().or(default_model) {
            self.fields.put("model", context.strings.string(model));
        }
        let prompt = self.fields.get_object("prompt").unwrap_or_default();
        // A stored prompt may name the model.
        let has_model = self.fields.get("model").is_some()
            || prompt.get_str("id").is_some()
            || options.set.iter().any(|(path, _)| path == "model");
        self.lacks_model = !has_model && !diagnostics.has_errors();
        self.convert_instructions(document, context, options, diagnostics);
        self.add_list("instructions", self.instructions.first().map(|first| first.span), diagnostics);
        if written {
            // They are among the tools.
            self.fields.take("tools");
        }
        self.add_list("tools", self.tools.first().map(|first| first.span), diagnostics);
        if options.stream {
            self.fields.put("stream", Json::TRUE);
        }
        if options.stateless {
            self.fields.put("store", Json::FALSE);
            include_encrypted_reasoning(&mut self.fields, context);
        }
    }

    /// Reads the first `chatmd:request`.
    fn read_comment(&mut self, document: &'d Document<'d>, context: &Context<'d>, diagnostics: &mut Diagnostics) {
        let mut comments = document.request_metadata();
        let Some((json, span)) = comments.next() else { return };
        for (_, span) in comments {
            diagnostics.report(DirectiveProblem::RepeatedRequest, span);
        }
        let metadata = Metadata::read(json, span, context.strings, diagnostics);
        self.lacks_input = metadata.is_absent(INPUT);
        self.comment = Some(Spanned::new(metadata.members, span));
    }

    /// Adds the fields of `chatmd:request`.
    fn add_comment(&mut self, diagnostics: &mut Diagnostics) {
        let Some(Spanned { value: members, span }) = &self.comment else { return };
        let mut members = members.clone();
        let input = members.take(INPUT);
        add_members(&mut self.fields, &members, *span, diagnostics);
        if input.is_some() {
            diagnostics.report(RequestProblem::DuplicateField(INPUT.to_owned()), *span);
        }
    }

    /// Adds the key of a list whose first element is at `first`. It is an error if something else has set the key.
    fn add_list(&mut self, key: &'static str, first: Option<Span>, diagnostics: &mut Diagnostics) {
        let Some(span) = first else { return };
        if self.fields.get(key).is_some() {
            diagnostics.report(RequestProblem::DuplicateField(key.to_owned()), span);
        } else {
            self.fields.insert(key, LIST);
        }
    }
}

/// The first `<config>`. Later ones are items or ignored.
pub(super) fn config<'d>(
    document: &'d Document<'d>,
    context: &Context<'d>,
    diagnostics: &mut Diagnostics,
) -> Option<Config<'d>> {
    let mut configs = document.declarations(Tag::Config);
    let (config, span) = configs.next()?;
    for (_, place) in configs.filter(|(later, _)| later.update.is_none()) {
        diagnostics.report(RequestProblem::RepeatedConfig { first: span }, place);
    }
    Some(Config::read(config, span, context.strings))
}

/// Reports tools of the same name.
fn report_repeated(tools: &[LocatedTool<'_>], diagnostics: &mut Diagnostics) {
    let written: Vec<Json<'_>> = tools.iter().map(|tool| tool.json).collect();
    for repeated in repeated_names(&written) {
        let problem = RequestProblem::DuplicateTool { name: repeated.name, first: tools[repeated.first].span };
        diagnostics.report(problem, tools[repeated.again].span);
    }
}

fn include_encrypted_reasoning<'d>(fields: &mut Object<'d>, context: &Context<'d>) {
    const ENCRYPTED_REASONING: &str = "reasoning.encrypted_content";
    let mut names: Vec<Json<'d>> = fields.take("include").and_then(|include| include.array().ok()).unwrap_or_default();
    if !names.iter().any(|name| name.as_str().is_ok_and(|name| name == ENCRYPTED_REASONING)) {
        names.push(context.strings.string(ENCRYPTED_REASONING));
    }
    let list = context.strings.json(|out| array(out, names, |out, name| out.push_str(name.raw())));
    fields.insert("include", list);
}
