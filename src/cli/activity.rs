//! What a model does besides answering, on one line each: calls of tools, searches, code, images.

use crate::diagnostic::sanitize_short;
use crate::json::{Json, Object, StringArena};
use crate::transcript::describe;

/// How much of a line is shown.
const MAX_CHARS: usize = 100;

/// The items of hosted tools, and the tools of another server, with the words before their details. Others are shown as in
/// a transcript.
const HOSTED: [(&str, &str); 6] = [
    ("web_search_call", "searching"),
    ("web_search", "searching"),
    ("code_execution", "running code"),
    ("file_search_call", "searching files for"),
    ("tool_search_call", "searching tools for"),
    ("code_interpreter_call", "running code"),
];

/// What a model does.
pub(crate) struct Activity {
    /// What it is: `searching`, or the name of a tool.
    pub(crate) title: String,
    /// The query, the code or the arguments, on one line.
    pub(crate) detail: String,
    /// Whether the title says everything, so that nothing is waited for.
    pub(crate) is_complete: bool,
}

impl Activity {
    /// The activity of an item; `None` for messages and reasoning, which are shown by their texts.
    pub(crate) fn of(item: &Object<'_>) -> Option<Self> {
        let text = |key| item.get_str(key).unwrap_or_default();
        let kind = text("type");
        let (title, detail) = match kind.as_ref() {
            "" | "message" | "reasoning" => return None,
            "function_call" => (text("name").into_owned(), text("arguments").into_owned()),
            "custom_tool_call" => (text("name").into_owned(), text("input").into_owned()),
            "image_generation_call" => ("generating an image".to_owned(), String::new()),
            _ => {
                let described = describe(item);
                let tool = if kind == "server_tool_use" { text("name") } else { kind.clone() };
                let known = HOSTED.iter().find(|(name, _)| *name == tool);
                let title = known.map_or(described.title, |(_, words)| (*words).to_owned());
                (title, if described.detail.is_empty() { described.code } else { described.detail })
            }
        };
        let detail = detail.split_whitespace().collect::<Vec<_>>().join(" ");
        let [title, detail] = [&title, &detail].map(|text| sanitize_short(text, MAX_CHARS));
        Some(Self { title, detail, is_complete: kind == "image_generation_call" })
    }

    /// The activity of a call, whose members are JSON and whose arguments came in pieces.
    pub(crate) fn of_call(call: &str, arguments: &str) -> Option<Self> {
        let strings = StringArena::default();
        let mut call = Json::parse(call, &strings).and_then(Json::object).ok()?;
        match Json::parse(arguments, &strings) {
            Ok(input) if call.get_str("type").is_some_and(|kind| kind != "function_call") => {
                call.insert("input", input);
            }
            // Arguments that are cut are not JSON.
            Ok(_) | Err(_) => {
                call.replace("type", Json::scalar("\"function_call\""));
                call.replace("arguments", strings.string(arguments));
            }
        }
        Self::of(&call)
    }
}
