//! How kotoba-llm chooses the model and the server of a request.

use crate::json::normalized;
use crate::run::chatmd;
use crate::support::fixtures;

const HELLO: &str = r#"{"type":"message","role":"user","content":[{"type":"input_text","text":"Hello."}]}"#;

#[test]
fn construct_with_a_default_model() {
    let run = |document| chatmd(&fixtures(), &["to-request"], &[("CHATMD_MODEL", "default")], document);
    for (document, model) in [("<user>Hello.</user>", "default"), ("<config model=\"own\"/><user>Hello.</user>", "own")]
    {
        let expected = format!(r#"{{"model":"{model}","input":[{HELLO}]}}"#);
        assert_eq!(normalized(&run(document).stdout), normalized(&expected));
    }
}

#[test]
fn construct_without_a_model_is_an_error() {
    let ran = chatmd(&fixtures(), &["to-request"], &[], "<user>Hello.</user>");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(65), ""));
    assert!(ran.stderr.contains("error[missing-model]: model is required"), "{}", ran.stderr);
}

#[test]
fn construct_with_a_base_url() {
    let server = [("OPENAI_BASE_URL", "https://proxy.example.com/v1")];
    let ran = chatmd(&fixtures(), &["send", "--dry-run", "--model", "m", "examples/weather.md"], &server, "");
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("url = \"https://proxy.example.com/v1/responses\""), "{}", ran.stdout);
}
