//! Code, shell commands, patches and actions on a computer.

use super::HostedItem;
use super::fields::{quoted, text, texts, value, words};
use crate::diagnostic::counted;
use crate::json::{Json, Object, StringArena};
use crate::transcript::media::image_url;

/// `code_interpreter`, with its code and its logs.
pub(super) fn code_interpreter(item: &Object<'_>) -> HostedItem {
    let arguments = text(item, "arguments");
    let strings = StringArena::default();
    let inner = Json::parse(&arguments, &strings).and_then(Json::object).map(|arguments| text(&arguments, "code"));
    let code = item.get_str("code").map_or_else(|| inner.unwrap_or_default(), String::from);
    let outputs = item.get_objects("outputs").map(|output| match text(&output, "type").as_str() {
        "image" => format!("[image {}]", image_url(&text(&output, "url"))),
        _ => text(&output, "logs"),
    });
    let output = outputs.collect::<Vec<_>>().join("\n");
    HostedItem::new("code_interpreter", "").with_code(code).with_output(output)
}

/// `$ ls -l`
pub(super) fn shell(item: &Object<'_>) -> HostedItem {
    let commands = item.get_object("action").map(|action| texts(&action, "commands")).unwrap_or_default();
    HostedItem::new("$", commands.join("; "))
}

/// The output of each command, and how it ended if not well.
pub(super) fn shell_output(item: &Object<'_>) -> HostedItem {
    let (mut ends, mut output) = (Vec::new(), String::new());
    for chunk in item.get_objects("output") {
        output += &text(&chunk, "stdout");
        output += &text(&chunk, "stderr");
        let Some(outcome) = chunk.get_object("outcome") else { continue };
        match (text(&outcome, "type").as_str(), value(&outcome, "exit_code").as_str()) {
            ("exit", "0") => {}
            ("exit", code) => ends.push(format!("exit {code}")),
            (other, _) => ends.push(other.to_owned()),
        }
    }
    HostedItem::new("← $", ends.join(" ")).with_output(output)
}

/// `$ ls -l`; of `bash -lc SCRIPT` only the script.
pub(super) fn local_shell(item: &Object<'_>) -> HostedItem {
    let command = item.get_object("action").map(|action| texts(&action, "command")).unwrap_or_default();
    let detail = match command.as_slice() {
        [shell, flag, script] if shell.ends_with("sh") && flag.starts_with('-') && flag.ends_with('c') => {
            script.clone()
        }
        words => words.join(" "),
    };
    HostedItem::new("$", detail)
}

pub(super) fn local_shell_output(item: &Object<'_>) -> HostedItem {
    HostedItem::new("← $", "").with_output(value(item, "output"))
}

/// `apply_patch update src/a.rs`
pub(super) fn apply_patch(item: &Object<'_>) -> HostedItem {
    let Some(operation) = item.get_object("operation") else { return HostedItem::new("apply_patch", "") };
    let kind = text(&operation, "type");
    let detail = words(&[kind.strip_suffix("_file").unwrap_or(&kind), &text(&operation, "path")]);
    HostedItem::new("apply_patch", detail).with_code(text(&operation, "diff"))
}

pub(super) fn apply_patch_output(item: &Object<'_>) -> HostedItem {
    HostedItem::new("← apply_patch", text(item, "status")).with_output(value(item, "output"))
}

/// `computer click 10,20`
pub(super) fn computer(item: &Object<'_>) -> HostedItem {
    let single = item.get_object("action").into_iter();
    let actions: Vec<String> =
        single.chain(item.get_objects("actions")).map(|action| computer_action(&action)).collect();
    let checks = item.get_list("pending_safety_checks").len();
    let warning = if checks == 0 { String::new() } else { format!("({})", counted(checks, "safety check")) };
    HostedItem::new("computer", words(&[&actions.join("; "), &warning]))
}

fn computer_action(action: &Object<'_>) -> String {
    let point = |x: &str, y: &str| {
        let (x, y) = (value(action, x), value(action, y));
        if x.is_empty() && y.is_empty() { String::new() } else { format!("{x},{y}") }
    };
    let typed = action.get_str("text").map(|text| quoted(&[text.into_owned()])).unwrap_or_default();
    let path: Vec<String> =
        action.get_objects("path").map(|point| format!("{},{}", value(&point, "x"), value(&point, "y"))).collect();
    let button = text(action, "button");
    let button = if button == "left" { "" } else { &button };
    let scroll = point("scroll_x", "scroll_y");
    let by = if scroll.is_empty() { "" } else { "by" };
    let (keys, at) = (texts(action, "keys").join("+"), point("x", "y"));
    words(&[&text(action, "type"), button, &at, by, &scroll, &path.join(" → "), &keys, &typed])
}

pub(super) fn computer_output(item: &Object<'_>) -> HostedItem {
    let Some(output) = item.get_object("output") else { return HostedItem::new("← computer", "") };
    let url = text(&output, "image_url");
    let source = if url.is_empty() { text(&output, "file_id") } else { image_url(&url) };
    HostedItem::new("← computer", format!("[image {source}]"))
}
