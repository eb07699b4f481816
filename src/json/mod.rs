//! JSON as indexed text: values keep their spelling, objects keep the order of their keys. Knows nothing of any API.
//!
//! A text is scanned once. The scan validates it and notes where each value starts and ends, and values are positions in
//! that index: reading a member or an element never scans the text again.

mod arena;
mod compare;
mod error;
mod index;
mod layout;
mod object;
mod string;
mod surrogates;
mod value;
pub mod write;

pub use arena::StringArena;
pub use compare::is_same;
pub(crate) use compare::is_spelled_as;
pub use error::JsonError;
pub use index::{Index, MAX_DEPTH, begins_like_json, is_valid};
pub use layout::{fits_line, lay_out, pretty};
pub(crate) use object::MAX_LINEAR_SEARCH;
pub use object::Object;
pub use surrogates::{REPLACEMENT, decode_lossy, without_lone_surrogates};
pub use value::{Json, Kind, Step};
