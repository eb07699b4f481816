//! `chatmd render`.

mod injections;
mod laws;
mod page;
mod pages;
mod secrets;
mod surroundings;
