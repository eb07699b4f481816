//! The test suite: one module per subject.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::disallowed_macros, missing_docs)]

mod append;
mod batch;
mod billion_laughs;
#[path = "../common/cases.rs"]
mod cases;
mod chat_laws;
mod check;
mod check_api;
mod check_items;
mod check_json;
mod check_output;
mod check_places;
mod chunks;
mod cli;
mod condense;
mod conversion_laws;
mod depth;
mod docs;
mod envelope;
mod fix;
mod fix_schema;
mod flags;
mod fmt;
mod follow;
mod forgery;
mod fragments;
mod front_matter;
mod generate;
mod html;
mod in_use;
mod independent;
mod independent_requests;
mod items;
#[path = "../common/json.rs"]
mod json;
mod json_index;
mod json_values;
mod laws;
mod layers;
mod layout;
mod library;
mod locate;
mod manual;
mod markup;
mod media;
mod messages;
mod normalized;
mod ochat_lexer;
mod odd_requests;
mod pathological;
mod placeholder;
mod prefix_laws;
mod problems;
#[cfg(unix)]
mod programs;
mod readme;
mod reasoning;
mod references;
mod render;
mod request_laws;
mod requests;
#[cfg(unix)]
mod resources;
mod responses;
mod rules;
#[path = "../common/run.rs"]
mod run;
#[cfg(unix)]
mod sandbox;
mod seeds;
mod session_detection;
mod session_laws;
mod session_requests;
mod sessions;
mod settings;
mod show;
mod show_hosted;
mod show_laws;
mod show_wires;
mod spelling;
mod stats;
mod stream_laws;
mod stream_losses;
#[path = "../common/support.rs"]
mod support;
#[cfg(unix)]
#[path = "../common/terminal.rs"]
mod terminal;
mod tokens;
#[cfg(unix)]
mod turn;
mod usage;
mod vocabulary;
mod wire_laws;
mod wire_streams;
#[cfg(unix)]
mod work;
