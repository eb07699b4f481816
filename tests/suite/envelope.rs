//! A response's own fields are left out, or kept where only people look.

use std::path::Path;

use crate::run::chatmd;

const RESPONSE: &str = r#"{"id":"resp_1","object":"response","status":"completed","output":[{"role":"user","content":"x"}],"usage":{"total_tokens":1.0},"note":"--> end"}"#;

#[test]
fn the_envelope_is_left_out_unless_it_is_asked_for() {
    let plain = chatmd(Path::new("."), &["from-response"], &[], RESPONSE);
    assert_eq!((plain.code, plain.stdout.as_str()), (Some(0), "<user>\nx\n</user>\n"));
    let kept = chatmd(Path::new("."), &["from-response", "--envelope"], &[], RESPONSE);
    let comment = r#"<!-- response {"id":"resp_1","object":"response","status":"completed","usage":{"total_tokens":1.0},"note":"-\u002d\u003e end"} -->"#;
    assert_eq!((kept.code, kept.stdout), (Some(0), format!("{comment}\n\n{}", plain.stdout)));
}
