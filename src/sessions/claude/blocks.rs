//! The content blocks of Anthropic messages as blocks of a document.

use std::borrow::Cow;

use super::{Claude, Line, is_true};
use crate::convert::{escape_comment, foreign_part};
use crate::document::Block;
use crate::error::Error;
use crate::json::write::ObjectWriter;
use crate::json::{Json, Kind, Object, StringArena};
use crate::responses::{Item, Message, Part, Reasoning, ToolCall, ToolKind, ToolOutput, ToolResponse};
use crate::sessions::text::Texts;
use crate::sessions::writer::Writer;

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
            return write_message(role, vec![text_part(role, text)], writer);
        }
        let mut parts: Vec<Part<'j>> = Vec::new();
        // A block that is not in an array is still content.
        let blocks = if content.kind() == Kind::Object { vec![content] } else { content.array().unwrap_or_default() };
        for json in blocks {
            let block = json.object().unwrap_or_default();
            let kind = block.get_str("type").unwrap_or_default();
            let citations = block.get("citations").and_then(|citations| citations.array().ok());
            writer.leave_out_many("citation", citations.map_or(0, |citations| citations.len()));
            let part = match (role, kind.as_ref()) {
                (_, "text") => texts.member(&block, "text").map(|text| text_part(role, text)),
                ("user", "image" | "document") => {
                    foreign_part(json, &texts.strings).or_else(|| text_document(&block, texts))
                }
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

fn text_part<'j>(role: &str, text: Cow<'j, str>) -> Part<'j> {
    Part::text(if role == "assistant" { "output_text" } else { "input_text" }, text)
}

/// The text of a document whose source is plain text.
fn text_document<'j>(block: &Object<'j>, texts: &'j Texts) -> Option<Part<'j>> {
    let source = block.get("source")?.object().ok()?;
    let is_text = source.get_str("type").is_some_and(|kind| kind == "text");
    texts.member(&source, "data").filter(|_| is_text).map(|text| Part::text("input_text", text))
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
        let block = json.object().unwrap_or_default();
        let text = texts.member(&block, "text").filter(|_| block.get_str("type").is_some_and(|kind| kind == "text"));
        let part = text.map(|text| Part::text("input_text", text)).or_else(|| foreign_part(json, &texts.strings));
        match part.or_else(|| text_document(&block, texts)) {
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
    writer.block(Block::Foreign(escape_comment(json).into()));
}
