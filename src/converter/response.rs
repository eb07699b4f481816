//! Responses, streams, requests and items to documents.

use std::collections::BTreeMap;
use std::io::{BufRead, Cursor, Read};

use serde::{Deserialize, Serialize};

use super::{Converter, Error, Input, Output};
use crate::convert::{
    Envelope, OutputStyle, ReadOptions, Usage, WriteOptions, failure_problem, read_payload, write_payload,
};
use crate::diagnostic::{Diagnostics, ReplyProblem, Report};
use crate::document::placeholder;
use crate::json::StringArena;
use crate::resources::MediaStore;
use crate::responses::{
    self, Completion, Failure, UnsupportedInput, UnusedReasoning, foreign_bytes, without_partial_character,
};
use crate::sessions::{self, Format, SessionLimits, SessionOptions};
use crate::source::{Origins, SourceId, Sources, Span};
use crate::syntax::write::LineEnding;
use crate::wire::Api;

/// How a response is written.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ResponseOptions {
    /// The API of the input, and which of several choices is read.
    #[serde(flatten)]
    pub read: ReadOptions,
    /// How the parts of tool outputs are written.
    pub tool_output: OutputStyle,
    /// Which of a response's own fields (id, usage, …) are kept, in a comment for people.
    pub envelope: Envelope,
    /// Whether to add an empty `<user>` for the next turn.
    pub next_turn: bool,
    /// Whether members that are null are left out, which SDKs write for every field that is not set.
    pub drop_nulls: bool,
    /// The directory of the files that images and files become, as the document refers to it. `None` leaves them in the
    /// document as `data:` URLs.
    pub media: Option<String>,
    /// How a session of another program is read.
    pub session: SessionOptions,
}

/// A response as a document.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Reply {
    /// The document.
    pub text: String,
    /// The lines of the input that it comes from.
    pub(crate) origins: Origins,
    /// How the response ended. If it is not complete, the document contains whatever has arrived.
    pub completion: Completion,
    /// The warnings about the input.
    pub warnings: Report,
    /// The files that the document refers to, by their names in the directory of the options.
    pub media: BTreeMap<String, Vec<u8>>,
    /// The API of a reply.
    pub api: Api,
    /// The kind of input.
    pub input_kind: InputKind,
    /// Whether the input has any items.
    pub has_items: bool,
    /// Whether something of a stream is not in the document: an event could not be read, or the end of the stream cuts it.
    pub is_partial: bool,
    /// How many items of each type a response has.
    pub item_types: BTreeMap<String, usize>,
    /// The tokens that the API has counted, if it reports them.
    pub usage: Option<Usage>,
    /// The reasoning of the request that the API did not use.
    pub(crate) unused_reasoning: Vec<UnusedReasoning>,
    /// How many members of the items are null.
    pub(crate) nulls: usize,
    /// Kinds of session lines that were omitted, with counts.
    pub omitted: BTreeMap<String, usize>,
}

/// The kind of input of [`Converter::from_response`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum InputKind {
    /// Items that a model has written, or calls and their outputs.
    #[default]
    Reply,
    /// A request body.
    Request,
    /// A session of another program.
    Session,
    /// A conversation: the item at `index` has another role than `assistant`, whatever its type is.
    Conversation {
        /// The index of the item.
        index: usize,
        /// Its role.
        role: String,
    },
}

impl Converter<'_> {
    /// Converts a response, a stream, a request, a list, items or a session to a document, which is read back and compared.
    ///
    /// ```
    /// use chatmd::{Completion, Converter, ResponseOptions};
    ///
    /// let response = r#"{"object":"response","status":"completed","output":[
    ///   {"type":"message","id":"msg_1","role":"assistant","status":"completed",
    ///    "content":[{"type":"output_text","text":"Hi!","annotations":[]}]}]}"#;
    /// let reply = Converter::new().from_response(response, &ResponseOptions::default())?;
    /// assert_eq!(reply.text, "<assistant id=\"msg_1\" status=\"completed\">\nHi!\n</assistant>\n");
    /// assert_eq!(reply.completion, Completion::Complete);
    /// # Ok::<(), chatmd::Error>(())
    /// ```
    #[allow(clippy::wrong_self_convention)] // the counterpart of `to_request`
    pub fn from_response(&self, response: impl Into<Input>, options: &ResponseOptions) -> Result<Reply, Error> {
        let response: Input = response.into();
        if let Some(format) = sessions::detect(&response.bytes) {
            return self.from_session(&mut response.bytes.as_slice(), format, &response.name, options);
        }
        if let Some((format, mut session)) = compressed_session(&response.bytes) {
            return self.from_session(&mut session, format, &response.name, options);
        }
        let (sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let source = add_payload(response, options.drop_nulls, &sources, &mut diagnostics);
        if diagnostics.has_errors() {
            return Err(Error::Problems(Report::new(diagnostics, Vec::new(), sources)));
        }
        let written = self.convert_payload(&sources, source, options, &mut diagnostics)?;
        let written = Output::new(written, diagnostics, sources)?;
        // Without a payload there is an error.
        Ok(Reply { warnings: written.warnings, ..written.value.unwrap_or_default() })
    }

    /// Where the media of a reply are kept, if not in the document.
    pub(super) fn media_store(&self, options: &ResponseOptions) -> Option<MediaStore<'_>> {
        options.media.as_ref().map(|directory| MediaStore::new(directory).among(self.resources))
    }

    /// How the items of a reply are written.
    pub(super) fn write_options<'o>(
        &self,
        options: &ResponseOptions,
        media: Option<&'o MediaStore<'o>>,
    ) -> WriteOptions<'o> {
        WriteOptions { style: options.tool_output, whitespace: self.whitespace, envelope: options.envelope, media }
    }

    /// A reply with a text, and with the files that the text refers to.
    pub(super) fn reply(
        &self,
        mut text: String,
        origins: Origins,
        options: &ResponseOptions,
        store: Option<MediaStore<'_>>,
    ) -> Reply {
        if options.next_turn {
            let gap = if text.is_empty() { "" } else { "\n" };
            text.extend([gap, &placeholder(self.whitespace, LineEnding::Lf), "\n"]);
        }
        let media = store.map(|store| store.into_used_files(&text)).unwrap_or_default();
        Reply { text, origins, media, ..Reply::default() }
    }

    /// Converts the text of a source, without the warnings. Returns `None` if an error was reported.
    fn convert_payload(
        &self,
        sources: &Sources,
        source: SourceId,
        options: &ResponseOptions,
        diagnostics: &mut Diagnostics,
    ) -> Result<Option<Reply>, Error> {
        let (strings, store) = (StringArena::default(), self.media_store(options));
        let payload = match read_payload(&sources.get(source).text, options.read, &strings) {
            Ok(payload) => payload,
            Err(Failure::Api(error)) => return Err(Error::Api(error)),
            Err(failure) => {
                diagnostics.append(failure_problem(&failure, sources, source));
                return Ok(None);
            }
        };
        let written =
            write_payload(&payload, self.write_options(options, store.as_ref()), sources, source, diagnostics)?;
        let Some(written) = written else { return Ok(None) };
        let input_kind = match (&payload.request, written.findings.other_role) {
            (Some(_), _) => InputKind::Request,
            (None, Some((index, role))) => InputKind::Conversation { index, role },
            (None, None) => InputKind::Reply,
        };
        Ok(Some(Reply {
            completion: payload.completion.clone(),
            api: payload.api,
            input_kind,
            has_items: !payload.items.is_empty(),
            is_partial: payload.is_partial,
            item_types: written.findings.types,
            nulls: written.findings.nulls,
            usage: payload.envelopes.iter().filter_map(Usage::of_response).reduce(Usage::plus),
            unused_reasoning: payload.envelopes.iter().flat_map(UnusedReasoning::of_response).collect(),
            ..self.reply(written.text, written.origins, options, store)
        }))
    }
}

/// A session that is compressed. Other compressed data is reported as such.
fn compressed_session(bytes: &[u8]) -> Option<(Format, impl BufRead)> {
    let opened = Some(bytes)
        .filter(|bytes| sessions::is_compressed(bytes))
        .and_then(|bytes| sessions::open(bytes, SessionLimits::default()).ok())?;
    Some((opened.format?, Cursor::new(opened.head).chain(opened.rest)))
}

impl AsRef<str> for Reply {
    fn as_ref(&self) -> &str {
        &self.text
    }
}

/// Adds the input to the sources. An incomplete character at the end is removed, because a stream may be cut anywhere; other
/// bytes that are not UTF-8 are reported, with the name of their format if it is known.
fn add_payload(mut input: Input, drop_nulls: bool, sources: &Sources, diagnostics: &mut Diagnostics) -> SourceId {
    let foreign = foreign_bytes(&input.bytes);
    without_partial_character(&mut input.bytes);
    if drop_nulls && let Ok(text) = std::str::from_utf8(&input.bytes) {
        input.bytes = responses::without_nulls(text).into_bytes();
    }
    let source = input.add_to(sources, diagnostics);
    if let Some(UnsupportedInput { what, help }) = foreign.filter(|_| diagnostics.has_errors()) {
        *diagnostics = Diagnostics::new();
        diagnostics.report(ReplyProblem::ForeignInput { what, help }, Span::new(source, 0..0));
    }
    source
}
