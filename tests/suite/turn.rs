//! A whole turn: `send`, `calls`, `answer` and `new`.

mod again;
mod answer;
mod apis;
mod ask;
mod calls;
mod cut;
mod display;
mod guide;
mod promises;
mod send;
mod send_failures;
mod server;
mod story;
mod tools;
