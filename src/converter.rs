//! The simplest functions: text in, text out.

use std::fmt;

use crate::convert::{
    Context, RequestOptions, ResponseOptions, RoundTripError, from_response, payload_problems, to_input, to_request,
};
use crate::diagnostic::{Colors, Diagnostics, NoHints, render, sanitize_line};
use crate::document::Limits;
use crate::json::StringArena;
use crate::resolve::Resolver;
use crate::resources::Resources;
use crate::responses::{self, Completion, Failure};
use crate::source::{Sources, Span};
use crate::syntax::write::Whitespace;

/// Why a conversion failed.
#[derive(Debug, Clone, PartialEq)]
pub enum Error {
    /// The input has problems. The text describes them with their places.
    Problems(Diagnostics, String),
    /// The input is an API error or a failed response, with its message.
    Api(String),
    /// The result did not read back as the input, and where: a bug of this crate.
    RoundTripError(String),
}

/// A response as a document's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyText {
    /// The document.
    pub text: String,
    /// Whether the response is complete. If not, `text` holds what has arrived.
    pub is_whole: bool,
}

/// Converts a document to the JSON of an `input` array. `resources` reads the files that it names.
pub fn items_of_document(text: &str, resources: &dyn Resources) -> Result<String, Error> {
    let (sources, strings) = (Sources::new(), StringArena::default());
    let resolver = Resolver::new(&sources, resources);
    let context = Context::new(&resolver, &strings);
    let mut diagnostics = Diagnostics::new();
    let source = sources.add("<document>", text.to_owned(), None);
    let document = context.read(source, Whitespace::Layout, Limits::default(), &mut diagnostics);
    let input = to_input(&document, &context, &RequestOptions::default(), &mut diagnostics);
    if diagnostics.has_errors() { Err(Error::problems(diagnostics, &sources)) } else { Ok(input.to_json()) }
}

/// Converts a document to the JSON of a request. `resources` reads the files that it names.
///
/// ```
/// use chatmd::convert::RequestOptions;
///
/// let document = "<config model=\"gpt-5\"/>\n\n<user>\nHello.\n</user>\n";
/// let request = chatmd::request_of_document(document, &chatmd::resources::NoFiles, &RequestOptions::default())?;
/// assert!(request.starts_with(r#"{"model":"gpt-5","input":["#));
/// # Ok::<(), chatmd::Error>(())
/// ```
pub fn request_of_document(
    text: &str,
    resources: &dyn Resources,
    options: &RequestOptions<'_>,
) -> Result<String, Error> {
    let (sources, strings) = (Sources::new(), StringArena::default());
    let resolver = Resolver::new(&sources, resources);
    let context = Context::new(&resolver, &strings);
    let mut diagnostics = Diagnostics::new();
    let source = sources.add("<document>", text.to_owned(), None);
    let document = context.read(source, Whitespace::Layout, Limits::default(), &mut diagnostics);
    let request = to_request(&document, &context, options, Span::new(source, 0..0), &mut diagnostics);
    if diagnostics.has_errors() { Err(Error::problems(diagnostics, &sources)) } else { Ok(request.to_json()) }
}

/// Converts the JSON of an `input` array to a document.
pub fn document_of_items(json: &str) -> Result<String, Error> {
    document_of_response(json).map(|reply| reply.text)
}

/// Converts a response, a stream, a request, a list or items to a document.
pub fn document_of_response(text: &str) -> Result<ReplyText, Error> {
    let (sources, strings) = (Sources::new(), StringArena::default());
    let source = sources.add("<response>", text.to_owned(), None);
    let reply = responses::read(&sources.get(source).text, &strings);
    let diagnostics = payload_problems(&reply, &sources, source);
    let reply = match reply {
        Ok(reply) => reply,
        Err(Failure::Api(error)) => return Err(Error::Api(sanitize_line(&error.to_string()))),
        Err(Failure::Malformed(_) | Failure::Foreign(_)) => return Err(Error::problems(diagnostics, &sources)),
    };
    let text = from_response(&reply, ResponseOptions::default(), source)?;
    Ok(ReplyText { text, is_whole: reply.completion == Completion::Complete })
}

impl Error {
    fn problems(mut diagnostics: Diagnostics, sources: &Sources) -> Self {
        diagnostics.sort(sources);
        let message = render(&diagnostics, sources, Colors::None, &NoHints);
        Error::Problems(diagnostics, message)
    }
}

impl From<RoundTripError> for Error {
    fn from(RoundTripError { what }: RoundTripError) -> Self {
        Error::RoundTripError(what)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Problems(_, message) => f.write_str(message.trim_end()),
            Error::Api(message) => f.write_str(message),
            Error::RoundTripError(what) => write!(f, "{what} does not read back as the input"),
        }
    }
}

impl std::error::Error for Error {}
