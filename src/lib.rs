//! Converts ChatMarkdown documents to OpenAI Responses API requests, and responses back to documents, losing nothing.
//!
//! A [`Converter`] does everything that the command does.
//!
//! # Examples
//!
//! ```
//! use chatmd::{AppendOptions, CheckOptions, Completion, Converter, RequestOptions, ResponseOptions};
//!
//! let converter = Converter::new();
//! let document = "<config model=\"gpt-5\"/>\n\n<user>\nHello.\n</user>\n";
//!
//! // A document to the JSON of a request.
//! let output = converter.to_request(document, &RequestOptions::default())?;
//! assert!(output.value.starts_with(r#"{"model":"gpt-5","input":["#));
//! assert!(output.warnings.is_empty());
//!
//! // A response, or a stream of events, to the text of a document.
//! let response = r#"{"object":"response","status":"completed","output":[
//!   {"type":"message","id":"msg_1","role":"assistant","status":"completed",
//!    "content":[{"type":"output_text","text":"Hi!","annotations":[]}]}]}"#;
//! let reply = converter.from_response(response, &ResponseOptions::default())?;
//! assert_eq!(reply.completion, Completion::Complete);
//!
//! // Both together.
//! let appended = converter.append(document, &reply, &AppendOptions::default())?;
//! let text = appended.text.unwrap_or_default();
//! assert!(text.ends_with("<assistant id=\"msg_1\" status=\"completed\">\nHi!\n</assistant>\n"));
//!
//! // What is wrong with a document, and where.
//! let report = converter.check("<user>\nHello.\n</usr>\n", &CheckOptions::default());
//! let finding = report.iter().next().unwrap();
//! assert_eq!((finding.name(), finding.line(), finding.column()), ("unclosed-element", 1, 1));
//! # Ok::<(), chatmd::Error>(())
//! ```
//!
//! # Stability
//!
//! The items at the root of the crate, those of [`resources`], and the types that their signatures name follow semantic
//! versioning. Everything else in the modules is what the command is built from, and may change in any release.
//!
//! Options may get more fields. Build them with `..Default::default()`.
//!
//! # Layers
//!
//! The converter is built from the public modules. Data flows in one direction:
//!
//! ```text
//! text ─▶ syntax ─▶ document ─▶ resolve ─▶ convert ─▶ responses ─▶ JSON
//! JSON ─▶ responses ─▶ convert ─▶ document ─▶ text
//! ```
//!
//! - [`source`] holds texts and places in them, [`element`] is the vocabulary of ChatMarkdown.
//! - [`syntax`] reads and writes the text of a document, [`document`] is its meaning.
//! - [`responses`] is the JSON of the API, built on [`json`].
//! - [`convert`] connects both languages and verifies that nothing is lost.
//! - [`resolve`] reads what a document refers to, through [`resources`], which opens files and starts programs if the
//!   caller allows it.
//! - [`diagnostic`] describes and renders everything that is wrong with a document, [`lint`] finds more of it.
//! - [`sessions`] reads the sessions of Codex and Claude Code.
//! - [`show`] prints a transcript, [`render`] makes a page of it, [`stats`] and [`tokens`] count what a request costs, [`sanitize`] makes text safe to
//!   print.

pub mod convert;
mod converter;
pub mod diagnostic;
pub mod document;
pub mod element;
pub mod json;
pub mod lint;
#[cfg(feature = "render")]
pub mod render;
pub mod resolve;
pub mod resources;
pub mod responses;
pub mod sanitize;
mod schema;
pub mod sessions;
pub mod show;
pub mod source;
pub mod stats;
pub mod syntax;
pub mod tokens;

pub use convert::{OutputStyle, RequestOptions, RoundTripError};
pub use converter::{
    Answer, AnswerError, AnswerOptions, AnswerPart, Answered, AppendOptions, Appended, Call, Converter, Error,
    FileReference, Imports, Input, InputKind, Location, Output, PreparedRequest, Reply, RequestOutput, ResponseOptions,
    SourceMap, SourcePlace,
};
pub use diagnostic::{Finding, Fix, Report, Severity};
pub use document::Limits;
pub use lint::CheckOptions;
pub use responses::{ApiError, Completion};
pub use sessions::{SessionOptions, SessionView};
pub use syntax::write::Whitespace;
