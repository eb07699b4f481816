//! The Responses wire: items, content parts, tool outputs, responses and streams.
//!
//! Known kinds are read, everything else is kept as it is spelled. Nothing is decided here.

mod content;
mod follow;
mod item;
mod payload;
mod stream;
mod tool_output;

pub use content::{ImagePart, Part, TextPart, text_key};
pub use follow::{Follower, News};
pub use item::{Item, Message, Reasoning, ToolCall, ToolKind, ToolResponse, text_type};
pub use payload::{ApiError, Completion, Failure, Payload, read};
pub use stream::is_stream;
pub use tool_output::{ToolOutput, size};
