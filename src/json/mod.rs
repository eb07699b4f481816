//! JSON as text: values keep their spelling, objects keep the order of their keys. Knows nothing of any API.

mod layout;
mod object;
mod scanner;
mod value;
pub mod write;

pub use layout::{fits_line, lay_out};
pub use object::Object;
pub use value::{Json, JsonError, Kind, MAX_DEPTH, StringArena};
