//! Streams of all APIs: server-sent events, and the texts that their events bring in pieces.
//!
//! [`StreamDecoder`] cuts bytes into events, whatever the chunks are. [`read`] decodes each event once; of an event that
//! the end of the stream cuts, the readable text is left. [`TextPieces`] joins the pieces of one text, and [`with_texts`]
//! puts texts into the JSON of their item. Which event brings which text is a table of each API.

mod cut;
mod live;
mod place;
mod reader;
mod sse;
mod text;

pub(crate) use live::{ItemName, LiveEvent, LiveKind, LiveText};
pub(crate) use place::{Place, Put, Step, find_texts, with_texts};
pub(crate) use reader::{Collect, Event, is_stream, read};
pub use sse::StreamDecoder;
pub(crate) use text::{EventText, TextPieces, without_spaces};
