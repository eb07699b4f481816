//! What texts and images cost, in tokens.

mod image;
mod text;

pub use image::{Detail, image_tokens};
pub use text::text_tokens;
