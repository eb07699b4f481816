//! How kotoba-llm chooses the model of a request.

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
