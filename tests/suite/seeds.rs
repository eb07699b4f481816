//! What other programs do with tool outputs and requests, where it is not a conversion: the library, `show`, `check`
//! and `--append`. The conversions are in `fixtures/seeds`, and `docs/comparison.md` describes all of them.

mod comparison;
mod kotoba_llm;
mod ochat;
mod ochat_plan;
mod waveterm;

use chatmd::internal::json::Json;
use chatmd::internal::responses::ToolOutput;

use crate::json::normalized;
use crate::run::{Ran, chatmd};
use crate::support::{fixtures, to_input};

const IMAGE: &str = r#"{"type":"input_image","image_url":"https://example.com/a.png"}"#;
const PARTS: &str = r#"[{"type":"input_text","text":"a"},{"type":"input_image","image_url":"https://example.com/a.png"},{"type":"input_image","image_url":"u","detail":"low"}]"#;
const MARKERS: &str = "a\n<image src=\"https://example.com/a.png\"/>\n<image src=\"u\" detail=\"low\"/>";

fn decoded(json: &str) -> ToolOutput<'_> {
    let arena = Box::leak(Box::default());
    ToolOutput::decode(Json::parse(json, arena).unwrap()).unwrap()
}

fn encoded(output: &ToolOutput<'_>) -> String {
    let mut out = String::new();
    output.encode(&mut out);
    out
}

/// The items that have this output.
fn items(output: &str) -> String {
    format!(r#"[{{"type":"function_call_output","call_id":"c1","output":{output}}}]"#)
}

/// Asserts that a tool response with this body has this output.
#[track_caller]
fn assert_output(body: &str, output: &str) {
    let document = format!("<tool_response tool_call_id=\"c1\">\n{body}\n</tool_response>");
    assert_eq!(normalized(&to_input(&document).unwrap()), normalized(&items(output)), "{document}");
}

/// Runs a command on a document or a reply.
fn run(args: &[&str], input: &str) -> Ran {
    chatmd(&fixtures(), args, &[], input)
}
