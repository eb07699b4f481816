//! The API of a request, and the ledger of differences.

use super::config::API_MEMBER;
use super::fields::config;
use super::{Request, write};
use crate::chat;
use crate::convert::Context;
use crate::convert::to_items::Located;
use crate::diagnostic::Diagnostics;
use crate::document::Document;
use crate::json::Object;
use crate::messages;
use crate::options::RequestOptions;
use crate::source::Span;
use crate::wire::{Api, ExportedRequest, Ledger, LocatedTool, Placed, SourceRequest, Value, rules};

impl<'d> Request<'d> {
    /// The ledger of differences between the document and the request.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }

    /// The API that a document is for.
    pub fn api_of(document: &'d Document<'d>, context: &Context<'d>, options: &RequestOptions) -> Api {
        let declared = config(document, context, &mut Diagnostics::new()).and_then(|config| config.api);
        chosen(declared, options)
    }

    /// The API that the document names.
    fn declared_api(&self) -> Option<Api> {
        self.config.as_ref()?.api
    }

    /// Where the fields are declared.
    pub(super) fn fields_place(&self) -> Span {
        self.config.as_ref().map_or(self.place, |config| config.span)
    }

    /// Chooses the API.
    pub(super) fn choose_api(&mut self, options: &RequestOptions) {
        self.api = chosen(self.declared_api(), options);
        self.ledger = Ledger::new(self.api);
    }

    /// Prepares items, tools and fields for the API, and records the differences.
    pub(super) fn prepare_for_api(
        &mut self,
        context: &Context<'d>,
        options: &RequestOptions,
        diagnostics: &mut Diagnostics,
    ) {
        let declared = self.declared_api();
        if declared.is_some() {
            self.fields.take(API_MEMBER);
        }
        if self.api != Api::Responses {
            self.remove_list_fields();
        }
        let exported = match self.api {
            Api::Responses => {
                self.prepare_for_responses(declared, context, options, diagnostics);
                None
            }
            Api::Messages => Some(messages::export(&self.source_request(declared, options), context.strings)),
            Api::Chat => Some(chat::export(&self.source_request(declared, options), &options.chat, context.strings)),
        };
        if let Some(exported) = exported {
            self.set_exported(exported);
        }
        let is_set = self.is_input || options.set.iter().any(|(path, _)| path == self.api.max_tokens_field());
        self.ledger.retain(|entry| !is_set || entry.rule != rules::MISSING_MAX_TOKENS);
    }

    /// Removes the fields that stand for lists. Instructions that are a field become a message.
    fn remove_list_fields(&mut self) {
        self.fields.take(write::INPUT);
        if !self.tools.is_empty() {
            self.fields.take("tools");
        }
        let instructions = self.fields.take("instructions").and_then(|text| text.as_str().ok());
        if let Some(text) = instructions.filter(|_| self.instructions.is_empty()) {
            let span = self.fields_place();
            self.instructions.push(Located::system(text, span));
        }
    }

    /// The request of the document, before it is exported to one API.
    fn source_request(&self, declared: Option<Api>, options: &RequestOptions) -> SourceRequest<'_, 'd> {
        SourceRequest {
            declared,
            fields: &self.fields,
            instructions: self
                .instructions
                .iter()
                .map(|located| Placed { is_moved: options.instructions, ..placed(located) })
                .collect(),
            items: self.items.iter().map(placed).collect(),
            tools: self.all_tools(),
            place: self.fields_place(),
        }
    }

    /// The tools that are declared, given, or fields.
    fn all_tools(&self) -> Vec<LocatedTool<'d>> {
        let written = self.fields.get_list("tools");
        let span = self.fields_place();
        let written = written.into_iter().map(|json| LocatedTool::given(json, span));
        self.tools.iter().copied().chain(written).collect()
    }

    /// Replaces the fields, the ledger and the places by those of the export.
    fn set_exported(&mut self, exported: ExportedRequest<'d>) {
        self.fields = Object::default();
        for (key, value) in exported.fields {
            match value {
                Value::Json(json) => self.fields.insert(key, json),
                Value::Text(_) | Value::Url(_) | Value::File(_) | Value::Array(_) | Value::Object(_) => {
                    self.fields.insert(key.clone(), write::LIST);
                    self.lists.insert(key, value);
                }
            }
        }
        self.ledger = exported.ledger;
        self.sent_places = Some(exported.places);
    }
}

/// The API of the options, of the document, or the default.
fn chosen(declared: Option<Api>, options: &RequestOptions) -> Api {
    options.api.or(declared).or(options.default_api).unwrap_or_default()
}

/// An item and its places.
fn placed<'a, 'd>(located: &'a Located<'d>) -> Placed<'a, 'd> {
    let parts = located.lists.iter().find(|(name, _)| ["content", "output"].contains(name));
    let parts = parts.map_or(&[][..], |(_, spans)| spans.as_slice());
    Placed { item: &located.item, span: located.span, parts, is_moved: false }
}
