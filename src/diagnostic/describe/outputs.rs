//! Messages about tool responses.

use crate::diagnostic::message::Message;
use crate::diagnostic::problem::ResponseBody;

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
