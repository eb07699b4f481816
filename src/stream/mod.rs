//! Streams of all APIs: server-sent events, and the texts that their events bring in pieces.
//!
//! A stream of the Responses API becomes items (`responses::read`). A stream of the Messages or the Chat API becomes the body
//! that the API sends without a stream (`messages::read_stream`, `chat::read_stream`), which the import of replies reads.
//! A live display reads the events of all of them ([`LiveEvent`]).
//!
//! [`StreamDecoder`] cuts bytes into events, whatever the chunks are. [`read`] decodes each event once; of an event that
//! the end of the stream cuts, the readable text is left. [`TextPieces`] joins the pieces of one text, and [`with_texts`]
//! puts texts into the JSON of their item. Which event brings which text is a table of each API.

mod body;
mod cut;
mod live;
mod place;
mod reader;
mod sse;
mod text;

pub(crate) use body::StreamedObject;
pub use body::{StreamEnd, Streamed, StreamedBody};
pub(crate) use cut::close;
pub(crate) use live::{ItemName, LiveEvent, LiveKind, LiveText};
pub(crate) use place::{Place, Put, TextStep, find_texts, with_texts};
pub(crate) use reader::{Collect, Event, is_stream, read};
pub use sse::StreamDecoder;
pub(crate) use text::{EventText, TextPieces, without_spaces};
