//! Converts ChatMarkdown documents to OpenAI Responses API requests, and responses back to documents, losing nothing.
//!
//! Four functions cover most uses: [`items_of_document`], [`request_of_document`], [`document_of_items`] and
//! [`document_of_response`].
//!
//! # Examples
//!
//! ```
//! // The text of a document to the `input` array of a request.
//! let input = chatmd::items_of_document("<user>\nHello.\n</user>\n", &chatmd::resources::NoFiles)?;
//! assert_eq!(input, r#"[{"type":"message","role":"user","content":[{"type":"input_text","text":"Hello."}]}]"#);
//!
//! // Items back to the text of a document.
//! assert_eq!(chatmd::document_of_items(&input)?, "<user>\nHello.\n</user>\n");
//!
//! // A response, or a stream of events, to the text of a document.
//! let response = r#"{"object":"response","status":"completed","output":[
//!   {"type":"message","id":"msg_1","role":"assistant","status":"completed",
//!    "content":[{"type":"output_text","text":"Hi!","annotations":[]}]}]}"#;
//! let reply = chatmd::document_of_response(response)?;
//! assert_eq!(reply.text, "<assistant id=\"msg_1\" status=\"completed\">\nHi!\n</assistant>\n");
//! assert!(reply.is_whole);
//! # Ok::<(), chatmd::Error>(())
//! ```
//!
//! # Layers
//!
//! These functions are built from the public modules. Data flows in one direction:
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
//! - [`show`] prints a transcript, [`stats`] and [`tokens`] count what a request costs, [`sanitize`] makes text safe to
//!   print.

pub mod convert;
mod converter;
pub mod diagnostic;
pub mod document;
pub mod element;
pub mod json;
pub mod lint;
pub mod resolve;
pub mod resources;
pub mod responses;
pub mod sanitize;
pub mod show;
pub mod source;
pub mod stats;
pub mod syntax;
pub mod tokens;

pub use converter::{
    Error, ReplyText, document_of_items, document_of_response, items_of_document, request_of_document,
};
pub use syntax::write::Whitespace;
