//! The Responses API: items, content parts, tool outputs, payloads and streams.
//!
//! Known types are decoded, everything else keeps its spelling.

mod assemble;
mod clean;
mod content;
mod event;
mod extension;
mod foreign;
mod image_url;
mod item;
mod live;
mod nulls;
mod payload;
mod read;
mod settle;
mod stream;
mod streamed_item;
mod terminal;
mod tool_output;
mod unused_reasoning;
mod version;

pub use crate::element::ToolKind;
pub use crate::outcome::{ApiError, Completion};
pub use content::{CLIENT_PART_KEY, ImagePart, Part, TextPart, text_key};
pub use extension::is_extension;
pub(crate) use foreign::ZSTD_START;
pub use foreign::{UnsupportedInput, foreign_bytes};
pub use image_url::ImageUrl;
pub use item::{
    Item, Message, Reasoning, ToolCall, ToolResponse, is_commentary, is_plain_text_type, is_text_type, text_type,
};
pub(crate) use live::live;
pub use nulls::without_nulls;
pub use payload::{Failure, Payload, PayloadItem, Warning};
pub use read::{is_payload, read, read_json, without_partial_character};
pub use tool_output::{ToolOutput, size};
pub use unused_reasoning::UnusedReasoning;
