//! Tools that the server of the Messages API runs, and blocks that only one API has.

use super::HostedItem;
use super::fields::{quoted, short_fields, text, texts_in, value, words};
use crate::json::{Kind, Object};
use crate::transcript::media::{file_data, image_url};

/// `web_search "rain in Lisbon"`: the tool, and the input that says the most.
pub(super) fn tool_use(block: &Object<'_>) -> HostedItem {
    let name = text(block, "name");
    let server = text(block, "server_name");
    if !server.is_empty() {
        return HostedItem::new(format!("mcp {server}.{name}"), value(block, "input"));
    }
    let input = block.get_object("input").unwrap_or_default();
    match name.as_str() {
        "bash_code_execution" => HostedItem::new("$", text(&input, "command")),
        "code_execution" => HostedItem::new(name, "").with_code(text(&input, "code")),
        "web_search" => HostedItem::new(name, quoted(&[text(&input, "query")])),
        "web_fetch" => HostedItem::new(name, text(&input, "url")),
        _ => HostedItem::new(name, value(block, "input")),
    }
}

/// `← web_search` with its links, `← bash_code_execution exit 1`: the result of such a tool.
pub(super) fn tool_result(block: &Object<'_>) -> HostedItem {
    let kind = text(block, "type");
    let name = kind.strip_suffix("_tool_result").unwrap_or(&kind);
    let content = block.get_object("content").unwrap_or_default();
    let exit = value(&content, "return_code");
    let error = text(&content, "error_code");
    let has_failed = !error.is_empty() || value(block, "is_error") == "true";
    let detail = words(&[
        &error,
        &if ["", "0"].contains(&exit.as_str()) { String::new() } else { format!("exit {exit}") },
        if has_failed { "(failed)" } else { "" },
    ]);
    let page = content.get_object("content").and_then(|page| page.get_object("source"));
    let page = page.map(|source| text(&source, "data")).unwrap_or_default();
    let is_text = block.get("content").is_some_and(|content| content.kind() == Kind::String);
    let own = if is_text { text(block, "content") } else { text(&content, "url") };
    let entries = block.get_objects("content").map(|entry| words(&[&text(&entry, "url"), &text(&entry, "text")]));
    let texts = entries.chain([own, page, text(&content, "stdout") + &text(&content, "stderr")]);
    let output: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
    HostedItem::new(format!("← {name}"), detail).with_output(output.join("\n"))
}

/// `audio Spoken words`: a message of the Chat Completions API that has only sound.
pub(super) fn message(message: &Object<'_>) -> HostedItem {
    let Some(audio) = message.get_object("audio") else {
        return HostedItem::new(text(message, "role"), short_fields(message));
    };
    let transcript = text(&audio, "transcript");
    HostedItem::new("audio", if transcript.is_empty() { text(&audio, "id") } else { transcript })
}

/// `search_result Title https://example.com`: a source or a document that the author gives.
pub(super) fn source(block: &Object<'_>) -> HostedItem {
    let texts = texts_in(block, "content", "text");
    let detail = words(&[&text(block, "title"), &text(block, "source")]);
    HostedItem::new(text(block, "type"), detail).with_output(texts.join("\n"))
}

/// `audio wav 12.3 kB`
pub(super) fn audio(part: &Object<'_>) -> HostedItem {
    let audio = part.get_object("input_audio").unwrap_or_default();
    HostedItem::new("audio", words(&[&text(&audio, "format"), &file_data(&text(&audio, "data"))]))
}

/// `video https://example.com/a.mp4`
pub(super) fn video(part: &Object<'_>) -> HostedItem {
    let url = part.get_object("video_url").map_or_else(|| text(part, "video_url"), |video| text(&video, "url"));
    HostedItem::new("video", image_url(&url))
}
