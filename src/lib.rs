//! Converts ChatMarkdown documents to requests of language-model APIs, and replies back to documents, losing nothing.
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
//! Everything that this documentation lists follows semantic versioning. Options may get more fields. Build them with
//! `..Default::default()`.

// The command uses what the library alone does not.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]
#![allow(rustdoc::private_intra_doc_links)]

pub mod api;
mod chat;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
mod convert;
pub mod converter;
pub mod diagnostic;
mod document;
mod element;
pub mod error;
#[doc(hidden)]
pub mod internal;
mod json;
pub mod ledger;
mod lint;
mod messages;
pub mod options;
pub mod outcome;
#[cfg(feature = "render")]
pub mod render;
mod resolve;
pub mod resources;
mod responses;
mod sanitize;
mod schema;
mod secret;
pub mod sessions;
pub mod show;
mod source;
pub mod stats;
mod stream;
mod syntax;
mod tokens;
mod transcript;
mod wire;

pub use api::Api;
pub use convert::Request;
pub use converter::{
    Answer, AnswerOptions, AnswerPart, Answered, AppendOptions, Appended, Call, Converter, Cut, CutPlace,
    FileReference, Imports, Input, InputKind, Location, Output, Reply, ResponseOptions, SourceMap, SourcePlace, Turn,
};
#[doc(hidden)]
pub use diagnostic::Colors;
pub use diagnostic::{Finding, Fix, Report, Severity};
pub use error::{AnswerError, Error, RoundTripError};
pub use ledger::{Class, Entry, Ledger};
pub use options::{
    ChatOptions, CheckOptions, Envelope, Limits, OutputStyle, ReadOptions, RequestOptions, SystemRole, ToolImages,
    Whitespace,
};
pub use outcome::{ApiError, Completion, Usage};
#[cfg(feature = "render")]
pub use render::{Options as RenderOptions, Page, Redacted, Theme, Unchecked};
pub use sessions::{Format as SessionFormat, SessionOptions, SessionView};
pub use show::Options as ShowOptions;
pub use stats::{Cost, Image, ItemName, Row, Stats, Subject, Total};
