//! ChatMarkdown documents to OpenAI Responses API requests, and responses back to documents, losing nothing.
//!
//! Three doors cover most needs:
//!
//! ```
//! // A document's text to the `input` array of a request.
//! let input = chatmd::items_of_document("<user>\nHello.\n</user>\n", &chatmd::resources::NoFiles)?;
//! assert_eq!(input, r#"[{"type":"message","role":"user","content":[{"type":"input_text","text":"Hello."}]}]"#);
//!
//! // Items back to a document's text.
//! assert_eq!(chatmd::document_of_items(&input)?, "<user>\nHello.\n</user>\n");
//!
//! // A response, or a stream of one, to a document's text.
//! let response = r#"{"object":"response","status":"completed","output":[
//!   {"type":"message","id":"msg_1","role":"assistant","status":"completed",
//!    "content":[{"type":"output_text","text":"Hi!","annotations":[]}]}]}"#;
//! let reply = chatmd::document_of_response(response)?;
//! assert_eq!(reply.text, "<assistant id=\"msg_1\" status=\"completed\">\nHi!\n</assistant>\n");
//! assert!(reply.is_whole);
//! # Ok::<(), chatmd::Error>(())
//! ```
//!
//! Behind them are the rooms of the house. Data flows one way:
//!
//! ```text
//! text ─▶ syntax ─▶ document ─▶ (imports) ─▶ convert ─▶ wire ─▶ JSON
//! JSON ─▶ wire ─▶ convert ─▶ document ─▶ text
//! ```

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
