//! A whole turn: `send`, `calls`, `answer` and `new`.

mod calls;
