//! What texts and images cost, in tokens.

mod image;
#[cfg(feature = "tokens")]
mod text;
#[cfg(not(feature = "tokens"))]
#[path = "estimate.rs"]
mod text;

pub use image::{Detail, image_tokens};
pub use text::text_tokens;
