//! Searches: on the web, in files, for tools.

use super::HostedItem;
use super::fields::{quoted, text, texts, texts_in, value, words};
use crate::diagnostic::counted;
use crate::json::Object;

/// `web_search "positive news stories"`
pub(super) fn web(item: &Object<'_>) -> HostedItem {
    let Some(action) = item.get_object("action") else { return HostedItem::new("web_search", "") };
    let url = text(&action, "url");
    let detail = match text(&action, "type").as_str() {
        "open_page" => words(&["open", &url]),
        "find" | "find_in_page" => {
            let pattern = quoted(&[text(&action, "pattern")]);
            words(&["find", &pattern, if url.is_empty() { "" } else { "in" }, &url])
        }
        _ => queries(&action),
    };
    let sources = texts_in(&action, "sources", "url");
    HostedItem::new("web_search", detail).with_output(sources.join("\n"))
}

/// `file_search "refunds" 3 results`
pub(super) fn file(item: &Object<'_>) -> HostedItem {
    let results: Vec<Object<'_>> = item.get_objects("results").collect();
    let found = if results.is_empty() { String::new() } else { counted(results.len(), "result") };
    let shown = results.iter().map(|result| {
        let name = words(&[&text(result, "filename"), &value(result, "score")]);
        format!("{name}\n{}", text(result, "text"))
    });
    let output = shown.collect::<Vec<_>>().join("\n\n");
    HostedItem::new("file_search", words(&[&queries(item), &found])).with_output(output)
}

/// `tool_search "exchange rates"`
pub(super) fn tool(item: &Object<'_>) -> HostedItem {
    let searched = item.get_object("arguments").map(|arguments| queries(&arguments)).unwrap_or_default();
    let detail = if searched.is_empty() { value(item, "arguments") } else { searched };
    HostedItem::new("tool_search", detail)
}

/// `← tool_search 2 tools`
pub(super) fn tool_output(item: &Object<'_>) -> HostedItem {
    let names = texts_in(item, "tools", "name");
    HostedItem::new("← tool_search", counted(item.get_list("tools").len(), "tool")).with_output(names.join("\n"))
}

/// All queries, or the only one.
fn queries(object: &Object<'_>) -> String {
    let (one, all) = (text(object, "query"), texts(object, "queries"));
    let has_one = !one.is_empty() && !all.contains(&one);
    quoted(&if has_one { [vec![one], all].concat() } else { all })
}
