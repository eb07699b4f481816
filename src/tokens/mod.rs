//! The number of tokens of texts and images.

mod image;
#[cfg(feature = "tokens")]
mod text;
#[cfg(not(feature = "tokens"))]
#[path = "estimate.rs"]
mod text;

pub use image::{Detail, image_tokens};
pub use text::text_tokens;
