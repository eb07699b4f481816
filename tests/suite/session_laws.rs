//! Laws of Claude Code sessions, whatever graph their lines are.

use std::collections::{HashMap, HashSet};

use chatmd::{Converter, ResponseOptions};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::cases::cases;

/// The kind of a line, and its parent line: the index modulo the number of lines, or nothing.
#[derive(Debug, Clone)]
struct Choice {
    kind: u8,
    parent: usize,
}

/// A line of a session with everything that the law needs to know of it.
struct Line {
    json: Value,
    parent: Option<usize>,
    message: String,
    call: Option<usize>,
    /// The line of the call whose result this is.
    result_of: Option<usize>,
}

fn choices() -> impl Strategy<Value = Vec<Choice>> {
    vec((0u8..8, 0usize..40).prop_map(|(kind, parent)| Choice { kind, parent }), 1..25)
}

/// A session: texts, calls, results of earlier calls, and lines that are no messages. A parent is an earlier line, none,
/// or missing.
fn session(choices: &[Choice]) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for (index, Choice { kind, parent }) in choices.iter().enumerate() {
        let above = (*parent < index).then_some(*parent);
        let mut line = Line { json: Value::Null, parent: above, message: String::new(), call: None, result_of: None };
        let open = above.filter(|above| lines[*above].call.is_some());
        let (name, content) = match (kind, open) {
            (0 | 1, Some(call)) => {
                line.result_of = Some(call);
                (
                    "user",
                    json!([{"type": "tool_result", "tool_use_id": format!("t{call}"), "content": format!("#{index}")}]),
                )
            }
            (0..=2, _) => ("user", json!(format!("#{index}"))),
            (3 | 4, _) => ("assistant", json!([{"type": "text", "text": format!("#{index}")}])),
            (5 | 6, _) => {
                line.call = Some(index);
                (
                    "assistant",
                    json!([{"type": "tool_use", "id": format!("t{index}"), "name": "f", "input": {"line": format!("#{index}")}}]),
                )
            }
            (_, _) => ("progress", Value::Null),
        };
        if name == "assistant" {
            // Some lines share the message of the line above them.
            let shared = above.filter(|above| parent % 2 == 0 && !lines[*above].message.is_empty());
            line.message = shared.map_or(format!("m{index}"), |above| lines[above].message.clone());
        }
        let parent_uuid = match above {
            Some(above) => json!(format!("u{above}")),
            None if *parent % 3 == 0 => json!("missing"),
            None => Value::Null,
        };
        line.json = json!({"type": name, "sessionId": "s", "uuid": format!("u{index}"), "parentUuid": parent_uuid});
        if name != "progress" {
            line.json["message"] = json!({"role": name, "id": line.message, "content": content});
        }
        lines.push(line);
    }
    lines
}

fn is_message(line: &Line) -> bool {
    line.json.get("message").is_some()
}

/// The trunk, straight from its definition.
fn trunk(lines: &[Line]) -> HashSet<usize> {
    let root = |mut index: usize| {
        while let Some(parent) = lines[index].parent {
            index = parent;
        }
        index
    };
    let newest: HashMap<usize, usize> =
        (0..lines.len()).filter(|index| is_message(&lines[*index])).map(|index| (root(index), index)).collect();
    let mut trunk: HashSet<usize> = HashSet::new();
    for leaf in newest.into_values() {
        trunk.extend(std::iter::successors(Some(leaf), |index| lines[*index].parent));
    }
    loop {
        let belongs = |index: &usize| {
            let line = &lines[*index];
            let shares = |other: &usize| !line.message.is_empty() && lines[*other].message == line.message;
            line.result_of.is_some_and(|call| trunk.contains(&call)) || trunk.iter().any(shares)
        };
        let more: Vec<usize> = (0..lines.len()).filter(|index| !trunk.contains(index)).filter(belongs).collect();
        if more.is_empty() {
            return trunk;
        }
        trunk.extend(more);
    }
}

fn text(lines: &[Line]) -> String {
    lines.iter().flat_map(|line| [line.json.to_string(), "\n".to_owned()]).collect()
}

/// The numbers of the lines that the items come from, in order.
fn numbers(document: &str) -> Vec<usize> {
    let items = crate::support::to_input(document).unwrap();
    let items: Vec<Value> = serde_json::from_str(&items).unwrap();
    let number = |item: &Value| {
        let text = item.to_string();
        let start = text.find('#').unwrap() + 1;
        text[start..].chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap()
    };
    items.iter().map(number).collect()
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn each_line_of_the_trunk_appears_once_in_file_order(choices in choices()) {
        let lines = session(&choices);
        let trunk = trunk(&lines);
        let expected: Vec<usize> =
            (0..lines.len()).filter(|index| is_message(&lines[*index]) && trunk.contains(index)).collect();
        prop_assume!(!expected.is_empty());
        let reply = Converter::new().from_response(text(&lines), &ResponseOptions::default()).unwrap();
        prop_assert_eq!(numbers(&reply.text), expected);
    }

    #[test]
    fn with_branches_every_message_line_appears_once(choices in choices()) {
        let lines = session(&choices);
        let mut options = ResponseOptions::default();
        options.session.branches = true;
        let reply = Converter::new().from_response(text(&lines), &options).unwrap();
        let mut shown = numbers(&reply.text);
        for (place, number) in shown.iter().enumerate() {
            let mut calls = lines[*number].result_of.into_iter();
            prop_assert!(calls.all(|call| shown[..place].contains(&call)), "no output before its call");
        }
        shown.sort_unstable();
        let messages: Vec<usize> = (0..lines.len()).filter(|index| is_message(&lines[*index])).collect();
        prop_assert_eq!(shown, messages);
    }
}
