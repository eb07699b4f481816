//! The content blocks of Anthropic messages as blocks of a document.

use std::borrow::Cow;

use super::{Claude, Line, is_true};
use crate::convert::escape_comment;
use crate::document::{Block, DataComment, DataKind};
use crate::error::Error;
use crate::json::write::ObjectWriter;
use crate::json::{Json, Kind, Object, StringArena};
use crate::messages::import_part;
use crate::responses::{Item, Message, Part, Reasoning, ToolCall, ToolKind, ToolOutput, ToolResponse};
use crate::sessions::text::Texts;
use crate::sessions::writer::Writer;
use crate::source::{Span, Spanned};
use crate::wire::Overlay;

const ISSUER: &str = "anthropic";

impl Claude {
    /// Writes the content of a message, in order. Adjacent texts, images and documents of a person are one message.
    pub(super) fn message<'j>(
        &mut self,
        message: &Object<'j>,
        role: &str,
        line: &mut Line,
        texts: &'j Texts,
        writer: &mut Writer<'_>,
    ) -> Result<(), Error> {
        let Some(content) = message.get("content") else { return Ok(()) };
        if let Some(text) = texts.text(content) {
            return write_message(role, vec![Part::text(text_type(role), text)], writer);
        }
        let mut parts: Vec<Part<'j>> = Vec::new();
        // A block that is not in an array is still content.
        let blocks = if content.kind() == Kind::Object { vec![content] } else { content.array().unwrap_or_default() };
        for json in blocks {
            let block = json.object().unwrap_or_default();
            let kind = block.get_str("type").unwrap_or_default();
            let part = match (role, kind.as_ref()) {
                (_, "text") => part(json, text_type(role), texts),
                ("user", "image" | "document") if has_content(&block) => part(json, text_type(role), texts),
                (_, _) => None,
            };
            let is_new_message = part.is_none() || role == "assistant";
            if is_new_message && !parts.is_empty() {
                write_message(role, std::mem::take(&mut parts), writer)?;
            }
            match part {
                Some(part) => parts.push(part),
                None => self.block(&block, json, &kind, line, texts, writer)?,
            }
        }
        if parts.is_empty() { Ok(()) } else { write_message(role, parts, writer) }
    }

    /// Writes a block that is not part of a message.
    fn block<'j>(
        &mut self,
        block: &Object<'j>,
        json: Json<'j>,
        kind: &str,
        line: &mut Line,
        texts: &'j Texts,
        writer: &mut Writer<'_>,
    ) -> Result<(), Error> {
        let text = |key: &str| texts.member(block, key);
        match kind {
            "tool_use" => {
                let (Some(call_id), Some(name), Some(input)) = (text("id"), text("name"), block.get("input")) else {
                    write_foreign(json, writer);
                    return Ok(());
                };
                line.calls.push(self.id(&call_id));
                let (kind, rest, input) = (ToolKind::Function, Object::default(), Cow::Borrowed(input.raw()));
                writer.new_item(Item::ToolCall(ToolCall { kind, call_id, name, input, rest }))?;
            }
            "tool_result" => {
                let Some(call_id) = text("tool_use_id") else {
                    write_foreign(json, writer);
                    return Ok(());
                };
                line.results.push(self.id(&call_id));
                let (output, foreign) = tool_output(block.get("content"), texts);
                let mut rest = Object::default();
                if is_true(block, "is_error") {
                    rest.insert("@error", Json::TRUE);
                }
                writer.new_item(Item::ToolResponse(ToolResponse {
                    kind: ToolKind::Function,
                    call_id,
                    output,
                    rest,
                }))?;
                for block in foreign {
                    write_foreign(block, writer);
                }
            }
            "thinking" => {
                let thinking = text("thinking").unwrap_or_default();
                write_reasoning(thinking, "@signature", text("signature"), writer)?;
            }
            "redacted_thinking" => write_reasoning(Cow::Borrowed(""), "@redacted", text("data"), writer)?,
            _ => write_foreign(json, writer),
        }
        Ok(())
    }
}

/// Whether an image or a document does not only name a file of its API, which other APIs refuse.
fn has_content(block: &Object<'_>) -> bool {
    let source = block.get("source").and_then(|source| source.object().ok());
    source.is_some_and(|source| source.get_str("type").is_some_and(|kind| kind != "file"))
}

fn text_type(role: &str) -> &'static str {
    if role == "assistant" { "output_text" } else { "input_text" }
}

/// A block of a message or a result as a part; `None` if no part can say it.
fn part<'j>(json: Json<'j>, text_type: &'static str, texts: &'j Texts) -> Option<Part<'j>> {
    let has_surrogates = |half: &str| memchr::memmem::find(json.raw().as_bytes(), half.as_bytes()).is_some();
    let json = if has_surrogates("\\ud") || has_surrogates("\\uD") { texts.repaired(json)? } else { json };
    let block = json.object().ok().filter(Overlay::can_hold)?;
    let kind = block.get_str("type")?;
    if kind == "text" && block.get_str("text").is_none() {
        return None;
    }
    Some(import_part(&block, text_type, &texts.strings))
}

fn write_message(role: &str, content: Vec<Part<'_>>, writer: &mut Writer<'_>) -> Result<(), Error> {
    let item = Item::Message(Message { role: role.into(), content, rest: Object::default() });
    Ok(writer.new_item(item)?)
}

/// Converts a result to an output. Also returns the blocks that no part can express.
fn tool_output<'j>(content: Option<Json<'j>>, texts: &'j Texts) -> (ToolOutput<'j>, Vec<Json<'j>>) {
    let Some(content) = content.filter(|content| content.kind() != Kind::Null) else {
        return (ToolOutput::Text(Cow::Borrowed("")), Vec::new());
    };
    if let Some(text) = texts.text(content) {
        return (ToolOutput::Text(text), Vec::new());
    }
    let Ok(blocks) = content.array() else {
        return (ToolOutput::Text(Cow::Borrowed(content.raw())), Vec::new());
    };
    let (mut parts, mut foreign) = (Vec::new(), Vec::new());
    for json in blocks {
        match part(json, "input_text", texts) {
            Some(part) => parts.push(part),
            None => foreign.push(json),
        }
    }
    (ToolOutput::Content(parts), foreign)
}

/// Writes reasoning, and the value that its issuer needs to read it again.
fn write_reasoning(
    text: Cow<'_, str>,
    key: &'static str,
    value: Option<Cow<'_, str>>,
    writer: &mut Writer<'_>,
) -> Result<(), Error> {
    let strings = StringArena::default();
    let mut rest = Object::default();
    rest.insert("@issuer", strings.string(ISSUER));
    if let Some(value) = value {
        rest.insert(key, strings.string(&value));
    }
    let summary = if text.is_empty() { Vec::new() } else { vec![Part::text("summary_text", text)] };
    Ok(writer.new_item(Item::Reasoning(Reasoning { summary, content: None, rest }))?)
}

/// Keeps a block that this API does not have.
fn write_foreign(block: Json<'_>, writer: &mut Writer<'_>) {
    let mut json = String::new();
    let mut object = ObjectWriter::new(&mut json);
    object.text("issuer", ISSUER);
    object.json("block", block);
    object.end();
    let json = Spanned::new(escape_comment(json).into(), Span::NOWHERE);
    writer.block(Block::Data(DataComment { kind: DataKind::Foreign, json }));
}
