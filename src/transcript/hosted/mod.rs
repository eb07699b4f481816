//! Hosted items in a few words: searches, code, shell commands, patches, generated images.
//!
//! A new item type is a function and a row in [`TYPES`]. Texts are neither sanitized nor shortened here; the caller
//! does that. Base64 is never part of them.

mod fields;
mod run;
mod search;
mod server;
mod service;

use crate::json::Object;
use fields::{short_fields, text, words};

/// The parts of an item that people need to see.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostedItem {
    /// What it is: `web_search`, `mcp wiki.ask`, `$`.
    pub title: String,
    /// The rest of its line: `"positive news"`, `ls -l`.
    pub detail: String,
    /// The code, the patch or the prompt of the item, often several lines.
    pub code: String,
    /// Its result.
    pub output: String,
}

impl HostedItem {
    fn new(title: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { title: title.into(), detail: detail.into(), ..Self::default() }
    }

    fn with_code(self, code: impl Into<String>) -> Self {
        Self { code: code.into(), ..self }
    }

    fn with_output(self, output: impl Into<String>) -> Self {
        Self { output: output.into(), ..self }
    }
}

type Describe = fn(&Object<'_>) -> HostedItem;

/// How the items of each type are described.
const TYPES: &[(&str, Describe)] = &[
    ("web_search_call", search::web),
    ("file_search_call", search::file),
    ("tool_search_call", search::tool),
    ("tool_search_output", search::tool_output),
    ("code_interpreter_call", run::code_interpreter),
    ("shell_call", run::shell),
    ("shell_call_output", run::shell_output),
    ("local_shell_call", run::local_shell),
    ("local_shell_call_output", run::local_shell_output),
    ("apply_patch_call", run::apply_patch),
    ("apply_patch_call_output", run::apply_patch_output),
    ("computer_call", run::computer),
    ("computer_call_output", run::computer_output),
    ("mcp_call", service::mcp_call),
    ("mcp_list_tools", service::mcp_list_tools),
    ("mcp_approval_request", service::mcp_approval_request),
    ("mcp_approval_response", service::mcp_approval_response),
    ("image_generation_call", service::image_generation),
    ("compaction", service::compaction),
    ("compaction_summary", service::compaction),
    ("server_tool_use", server::tool_use),
    ("mcp_tool_use", server::tool_use),
    ("search_result", server::source),
    ("document", server::source),
    ("input_audio", server::audio),
    ("video_url", server::video),
];

/// Describes an item, a part, or a block of another API. An unknown type is described by its name and its short fields.
///
/// ```
/// use chatmd::internal::json::{Json, StringArena};
/// use chatmd::internal::show::describe;
///
/// let json = r#"{"type": "web_search_call", "action": {"type": "search", "query": "news"}}"#;
/// let strings = StringArena::default();
/// let item = describe(&Json::parse(json, &strings).unwrap().object().unwrap());
/// assert_eq!((item.title.as_str(), item.detail.as_str()), ("web_search", "\"news\""));
/// ```
pub fn describe(item: &Object<'_>) -> HostedItem {
    // `{"issuer", "block"}` and `{"api", "message"}`.
    if let (true, Some(block)) = (item.get("issuer").is_some(), item.get_object("block")) {
        return describe(&block);
    }
    if let (true, Some(message)) = (item.get("api").is_some(), item.get_object("message")) {
        return server::message(&message);
    }
    let kind = text(item, "type");
    let known = TYPES.iter().find(|(name, _)| *name == kind);
    let Some((_, describe)) = known else {
        if kind.ends_with("_tool_result") {
            return server::tool_result(item);
        }
        let title = if kind.is_empty() { "item".to_owned() } else { kind };
        return HostedItem::new(title, short_fields(item));
    };
    let mut described = describe(item);
    let status = text(item, "status");
    if !status.is_empty() && status != "completed" && described.detail != status {
        described.detail = words(&[&described.detail, &format!("({status})")]);
    }
    described
}
