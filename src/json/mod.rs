//! JSON as indexed text: values keep their spelling, objects keep the order of their keys. Knows nothing of any API.
//!
//! A text is scanned once. The scan validates it and notes where each value starts and ends, and values are positions in
//! that index: reading a member or an element never scans the text again.

mod arena;
mod error;
mod index;
mod object;
mod scanner;
mod string;
mod value;
pub mod write;

pub use arena::StringArena;
pub use error::JsonError;
pub use index::{MAX_DEPTH, is_valid};
pub use object::Object;
pub use value::{Json, Kind};
