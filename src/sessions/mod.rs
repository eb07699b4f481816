//! Reads the sessions that Codex and Claude Code keep as JSON lines, and writes them as documents.
//!
//! A session is read line by line. At any time only one line, the text of the document, and a small index of the lines
//! are in memory.

mod claude;
mod codex;
pub mod detect;
mod lines;
mod text;
mod writer;
#[cfg_attr(not(feature = "zstd"), path = "no_zstd.rs")]
mod zstd;

use std::collections::BTreeMap;
use std::io::BufRead;

use serde::{Deserialize, Serialize};

use crate::convert::WriteOptions;
use crate::error::Error;
use crate::json::Json;
use crate::source::Origins;
use claude::Claude;
use codex::Codex;
pub use detect::Format;
#[doc(hidden)]
pub use detect::{OpenedSession, SessionLimits, detect, is_compressed, open};
use lines::Lines;
use text::Texts;
use writer::Writer;

/// Which part of a session is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum SessionView {
    /// Everything that happened, in order.
    #[default]
    All,
    /// The context that the model would get if the session continued.
    Model,
}

/// How a session is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct SessionOptions {
    /// Which part of it is written.
    pub view: SessionView,
    /// Whether the branches that were abandoned by a rewind are written too.
    pub branches: bool,
}

/// A session as a document.
#[derive(Debug, Default)]
#[doc(hidden)]
pub struct Session {
    /// The document.
    pub text: String,
    /// The lines of the session that it comes from.
    pub origins: Origins,
    /// Whether it has any items.
    pub has_items: bool,
    /// Kinds of lines that were omitted, with counts.
    pub omitted: BTreeMap<String, usize>,
    /// The first line that is not blank: its number, from 1, and how it begins.
    pub first_line: Option<(usize, String)>,
    /// The lines that could not be read.
    pub broken: Vec<BrokenLine>,
    /// Whether the last line is cut.
    pub is_cut: bool,
}

/// A line that could not be read.
#[derive(Debug)]
#[doc(hidden)]
pub struct BrokenLine {
    /// Its number, from 1.
    pub number: usize,
    /// How it begins.
    pub start: String,
    /// What is wrong with it.
    pub why: String,
}

/// A reader for the lines of one format.
enum Reader {
    Codex(Codex),
    Claude(Claude),
}

/// Reads a session to its end.
#[doc(hidden)]
pub fn read(
    input: &mut dyn BufRead,
    format: Format,
    options: SessionOptions,
    write: WriteOptions<'_>,
) -> Result<Session, Error> {
    let mut reader = match format {
        Format::Codex => Reader::Codex(Codex::new(options.view)),
        Format::Claude => Reader::Claude(Claude::new(options)),
    };
    let mut writer = Writer::new(write);
    let (mut lines, mut broken, mut is_cut) = (Lines::new(input), Vec::new(), false);
    let mut first_line = None;
    while let Some((number, line)) = lines.next()? {
        first_line.get_or_insert_with(|| (number, lines::start(line)));
        let texts = Texts::default();
        let object = lines::text(line).and_then(|text| {
            let json = Json::parse(text, &texts.strings).map_err(|error| error.message)?;
            Ok((json.object().map_err(|error| error.message)?, json))
        });
        is_cut = object.is_err();
        writer.line = number;
        match (object, &mut reader) {
            (Ok((object, json)), Reader::Codex(codex)) => codex.line(&object, json, &texts, &mut writer)?,
            (Ok((object, json)), Reader::Claude(claude)) => claude.line(&object, json, &texts, &mut writer)?,
            (Err(why), _) => broken.push(BrokenLine { number, start: lines::start(line), why }),
        }
        writer.leave_out_many("lone surrogate", texts.replaced.get());
    }
    if is_cut {
        broken.pop();
    }
    if let Some(why) = lines.damage {
        is_cut = true;
        broken.push(BrokenLine { number: lines.number + 1, start: String::new(), why });
    }
    match reader {
        Reader::Codex(codex) => codex.finish(&mut writer)?,
        Reader::Claude(claude) => claude.finish(&mut writer),
    }
    Ok(Session { first_line, broken, is_cut, ..writer.into_session() })
}
