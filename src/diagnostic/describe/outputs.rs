//! Messages about tool responses.

use crate::diagnostic::message::Message;
use crate::diagnostic::problem::ResponseBody;
use crate::diagnostic::redact::sanitize_short;

/// How many keys a message names, and how much of each.
const MAX_SHOWN_KEYS: usize = 5;
const MAX_SHOWN_KEY_LENGTH: usize = 40;

pub(super) fn unknown_type(kind: &str) -> Message {
    Message::new(
        format!("unknown type of tool response `{kind}`"),
        "unknown value",
        "remove `type` for a function; the others are `custom_tool_call`, `computer_call`, `shell_call`, \
         `apply_patch_call` and `mcp_approval_request`",
    )
}

pub(super) fn wrong_body(wanted: ResponseBody) -> Message {
    match wanted {
        ResponseBody::OneImage => Message::new(
            "the output of a `computer_call` must be one image",
            "not one image",
            "write one `<img …/>` and nothing else: the screenshot",
        ),
        ResponseBody::Approval => Message::new(
            "the answer to an `mcp_approval_request` must be `approve` or `deny`",
            "neither of them",
            "write `approve` or `deny` on the first line; a reason may follow on the next line",
        ),
    }
}

pub(super) fn unsupported_media(index: usize, kind: &str) -> Message {
    Message::new(
        format!("part {index} of this output is `{kind}`, which the API does not accept"),
        "in this output",
        "remove it or describe it in words; `output=\"content\"` sends it as it is",
    )
}

pub(super) fn unsent_keys(keys: &[String]) -> Message {
    let mut named: Vec<String> = Vec::new();
    for key in keys {
        let key = format!("`{}`", sanitize_short(key, MAX_SHOWN_KEY_LENGTH));
        if named.contains(&key) {
            continue;
        }
        if named.len() == MAX_SHOWN_KEYS {
            named.push("other keys".to_owned());
            break;
        }
        named.push(key);
    }
    Message::new(
        format!("this output is sent as parts, which cannot express {}", named.join(", ")),
        "sent as parts",
        "put what the model needs in a text part; `output=\"text\"` sends the JSON as text",
    )
}

pub(super) fn foreign_blocks(count: usize) -> Message {
    let title = if count == 1 {
        "a block of another API is not sent".to_owned()
    } else {
        format!("{count} blocks of another API are not sent")
    };
    let label = if count == 1 { "not sent" } else { "the first of them" };
    Message::new(title, label, "only their issuer can read them; they stay in the document for people")
}

pub(super) fn broken_line(why: &str) -> Message {
    Message::new(
        format!("a line of the session cannot be read: {why}"),
        "left out",
        "the other lines are converted; the program that wrote the session may have been stopped here",
    )
}

pub(super) fn empty_session() -> Message {
    Message::new(
        "the session has no messages",
        "nothing to write",
        "check that this is the file of the session itself, not of a sub-agent",
    )
}

pub(super) fn malformed_json(path: &str, message: &str, is_cut: bool) -> Message {
    if is_cut && path.is_empty() {
        return Message::new(message, "the input ends here", "the input ends too early: was the download interrupted?");
    }
    if path.is_empty() {
        let help = "responses, streams, requests, items and lists of them can be converted";
        return Message::new(message, "here", help);
    }
    let help = "this is not what the API sends or accepts: fix it where it comes from";
    Message::new(format!("`{path}`: {message}"), "here", help)
}
