//! The request of a document, before and after it is exported to one API.

use std::collections::HashSet;

use super::{Api, Ledger, Members};
use crate::json::{Json, Object};
use crate::responses::Item;
use crate::source::Span;

/// An item and its places.
#[derive(Debug, Clone, Copy)]
pub struct Placed<'a, 'd> {
    /// The item.
    pub item: &'a Item<'d>,
    /// Where it is written.
    pub span: Span,
    /// Where its parts are written, if that is known.
    pub parts: &'a [Span],
    /// Whether an option has moved it among the instructions.
    pub is_moved: bool,
}

impl Placed<'_, '_> {
    /// Whether the Responses API gets the item, so that paths of that request count the item.
    pub fn is_in_responses_request(&self) -> bool {
        match self.item {
            Item::Foreign(_) => false,
            Item::Reasoning(reasoning) => reasoning.rest.get("@issuer").is_none(),
            Item::Message(_) | Item::ToolCall(_) | Item::ToolResponse(_) | Item::Other(_) => true,
        }
    }

    /// Whether the item is an asynchronous call without an output.
    pub fn is_open_call(&self, answered: &HashSet<&str>) -> bool {
        match self.item {
            Item::ToolCall(call) => {
                let is_async = call.rest.get("async").is_some_and(|value| value.raw() == "true");
                is_async && !answered.contains(call.call_id.as_ref())
            }
            Item::Message(_) | Item::ToolResponse(_) | Item::Reasoning(_) | Item::Other(_) | Item::Foreign(_) => false,
        }
    }
}

/// A tool and where it is declared.
#[derive(Debug, Clone, Copy)]
pub struct LocatedTool<'d> {
    /// The tool as the Responses API gets it, and its members for other APIs.
    pub json: Json<'d>,
    /// Its declaration.
    pub span: Span,
    /// Whether `strict` is derived from the parameters, and nobody wrote it.
    pub is_strict_derived: bool,
    /// Whether the author of the document wrote the parameters. Otherwise they are built in, given by the caller, or absent.
    pub is_authored: bool,
}

impl<'d> LocatedTool<'d> {
    /// A tool that is given as JSON.
    pub fn given(json: Json<'d>, span: Span) -> Self {
        Self { json, span, is_strict_derived: false, is_authored: false }
    }
}

/// The request of a document, before it is exported to one API.
#[derive(Debug, Clone)]
pub struct SourceRequest<'a, 'd> {
    /// The API that the document names.
    pub declared: Option<Api>,
    /// The request fields by the names of the Responses API, without `input`, `instructions` and `tools`, and the fields of
    /// the declared API.
    pub fields: &'a Object<'d>,
    /// The messages that are instructions, in order.
    pub instructions: Vec<Placed<'a, 'd>>,
    /// The items in order.
    pub items: Vec<Placed<'a, 'd>>,
    /// The tools in order.
    pub tools: Vec<LocatedTool<'d>>,
    /// Where the fields are declared.
    pub place: Span,
}

impl<'a> SourceRequest<'a, '_> {
    /// The ids of all calls that have an output.
    pub fn answered(&self) -> HashSet<&'a str> {
        let call_id = |placed: &Placed<'a, '_>| match placed.item {
            Item::ToolResponse(output) => Some(output.call_id.as_ref()),
            Item::Message(_) | Item::ToolCall(_) | Item::Reasoning(_) | Item::Other(_) | Item::Foreign(_) => None,
        };
        self.items.iter().filter_map(call_id).collect()
    }
}

/// The request that one API gets.
#[derive(Debug)]
pub struct ExportedRequest<'d> {
    /// All fields in order.
    pub fields: Members<'d>,
    /// Every value that has a place of its own: a JSON pointer into the request, and where it is written.
    pub places: Vec<(String, Span)>,
    /// What differs from the document.
    pub ledger: Ledger,
}
