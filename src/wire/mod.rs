//! The Responses wire: items, content parts, tool outputs, responses and streams.
//!
//! Known kinds are read, everything else is kept as it is spelled. Nothing is decided here.

mod content;
mod follow;
mod item;
mod json;
mod lexical;
mod object;
mod reply;
mod stream;
mod tool_output;
pub mod write;

pub use content::{ImagePart, Part, TextPart, text_key};
pub use follow::{Follower, News};
pub use item::{Item, Message, Reasoning, ToolCall, ToolKind, ToolResponse, text_type};
pub use json::{Json, Kind, MAX_DEPTH, Malformed, Texts};
pub use object::Object;
pub use reply::{ApiError, Ending, Failure, Reply, read};
pub use stream::is_stream;
pub use tool_output::{ToolOutput, size};
