//! The doors of the crate: text in, text out.

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

/// Why nothing came out.
#[derive(Debug, Clone, PartialEq)]
pub enum Error {
    /// The input is wrong: the problems, and the same in words with their places.
    Problems(Diagnostics, String),
    /// The input is an API error or a failed response: what the API says.
    Api(String),
    /// What was written did not read back as what came, and where: a bug of this crate.
    RoundTripError(String),
}

/// A response as a document's text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReplyText {
    /// The document.
    pub text: String,
    /// Whether the response is complete; if not, `text` holds what there is of it.
    pub is_whole: bool,
}

/// The `input` array, as JSON, that a document's text stands for. `resources` reads the files it names.
pub fn items_of_document(text: &str, resources: &dyn Resources) -> Result<String, Error> {
    let (sources, strings) = (Sources::new(), StringArena::default());
    let resolver = Resolver::new(&sources, resources);
    let context = Context::new(&resolver, &strings);
    let mut diagnostics = Diagnostics::new();
    let source = sources.add("<document>", text.to_owned(), None);
    let document = context.read(source, Whitespace::Layout, Limits::default(), &mut diagnostics);
    let input = to_input(&document, &context, &RequestOptions::default(), &mut diagnostics);
    if diagnostics.has_errors() { Err(Error::problems(diagnostics, &sources)) } else { Ok(input) }
}

/// The request, as JSON, that a document's text stands for. `resources` reads the files it names.
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
    if diagnostics.has_errors() { Err(Error::problems(diagnostics, &sources)) } else { Ok(request) }
}

/// The document's text that says the items of an `input` array, given as JSON.
pub fn document_of_items(json: &str) -> Result<String, Error> {
    document_of_response(json).map(|reply| reply.text)
}

/// The document's text that says a response, a stream, a request, a list or items.
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
            Error::RoundTripError(what) => write!(f, "{what} does not read back as it came"),
        }
    }
}

impl std::error::Error for Error {}
