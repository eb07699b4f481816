//! Services: MCP servers, generated images, compaction.

use super::HostedItem;
use super::fields::{text, texts_in, value, words};
use crate::diagnostic::counted;
use crate::json::Object;
use crate::resources::media::DataUrl;
use crate::responses::size;
use crate::transcript::media::image_bytes;

/// `mcp wiki.ask_question {"question":"…"}`
pub(super) fn mcp_call(item: &Object<'_>) -> HostedItem {
    let error = value(item, "error");
    let output = if error.is_empty() { value(item, "output") } else { error };
    let failed = if value(item, "error").is_empty() { "" } else { "(failed)" };
    HostedItem::new(tool(item), words(&[&value(item, "arguments"), failed])).with_output(output)
}

/// `mcp wiki 3 tools`
pub(super) fn mcp_list_tools(item: &Object<'_>) -> HostedItem {
    let names = texts_in(item, "tools", "name");
    let detail = words(&[&counted(item.get_list("tools").len(), "tool"), &value(item, "error")]);
    HostedItem::new(tool(item), detail).with_output(names.join("\n"))
}

/// `mcp wiki.ask_question needs approval {…}`
pub(super) fn mcp_approval_request(item: &Object<'_>) -> HostedItem {
    HostedItem::new(tool(item), words(&["needs approval", &value(item, "arguments")]))
}

/// `mcp approved`
pub(super) fn mcp_approval_response(item: &Object<'_>) -> HostedItem {
    let answer = if value(item, "approve") == "true" { "approved" } else { "denied" };
    HostedItem::new("mcp", words(&[answer, &value(item, "reason")]))
}

/// `image_generation 1536×1024 png 1.2 MB`
pub(super) fn image_generation(item: &Object<'_>) -> HostedItem {
    let result = text(item, "result");
    let base64 = result.split_once(',').map_or(result.as_str(), |(_, base64)| base64);
    let bytes = DataUrl { media_type: "", base64 }.bytes();
    let detail = match bytes {
        _ if result.is_empty() => String::new(),
        Some(bytes) => image_bytes(&bytes, &text(item, "output_format")),
        None => format!("broken base64, {}", size(result.len())),
    };
    let revised = text(item, "revised_prompt");
    let prompt = if revised.is_empty() { text(item, "prompt") } else { revised };
    HostedItem::new("image_generation", detail).with_code(prompt)
}

/// `compaction 12.3 kB encrypted`
pub(super) fn compaction(item: &Object<'_>) -> HostedItem {
    let sealed = text(item, "encrypted_content");
    let detail = if sealed.is_empty() { String::new() } else { format!("{} encrypted", size(sealed.len())) };
    HostedItem::new("compaction", detail)
}

/// The server and, for a call, the tool.
fn tool(item: &Object<'_>) -> String {
    let (server, name) = (text(item, "server_label"), text(item, "name"));
    let dot = if server.is_empty() || name.is_empty() { "" } else { "." };
    words(&["mcp", &format!("{server}{dot}{name}")])
}
