//! What a model does besides answering, on one line each: calls of tools, searches, code, images.

use crate::diagnostic::sanitize_short;
use crate::json::Object;
use crate::transcript::describe;

/// How much of a line is shown.
const MAX_CHARS: usize = 100;

/// The items of hosted tools, with the words before their details. Other items are shown as in a transcript.
const HOSTED: [(&str, &str); 4] = [
    ("web_search_call", "searching"),
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
                let known = HOSTED.iter().find(|(name, _)| *name == kind);
                let title = known.map_or(described.title, |(_, words)| (*words).to_owned());
                (title, if described.detail.is_empty() { described.code } else { described.detail })
            }
        };
        Some(Self { is_complete: kind == "image_generation_call", ..Self::call(&title, &detail) })
    }

    /// A call of a tool.
    pub(crate) fn call(name: &str, arguments: &str) -> Self {
        let detail = arguments.split_whitespace().collect::<Vec<_>>().join(" ");
        let [title, detail] = [name, &detail].map(|text| sanitize_short(text, MAX_CHARS));
        Self { title, detail, is_complete: false }
    }
}
