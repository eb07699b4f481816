//! Tests of `src/responses/version.rs`.

use crate::json::{Json, StringArena};
use crate::responses::version::{Version, choose};

#[test]
fn the_whole_version_with_the_most_text_is_chosen_though_a_cut_version_is_equal() {
    let strings = StringArena::default();
    let message = |text: &str| {
        let content = format!(r#"[{{"type":"output_text","text":"{text}","annotations":[]}}]"#);
        let json = format!(r#"{{"type":"message","role":"assistant","content":{content}}}"#);
        Json::parse(strings.keep(json), &strings).unwrap_or(Json::NULL)
    };
    let cut = Version::new(message("all of the text"), true, true);
    let short = Version::new(message("all"), false, false);
    let long = Version::new(message("all of the text"), false, false);
    let versions = [cut, short, long];
    let chosen = choose(&versions).map(|chosen| (chosen.is_cut, chosen.json));
    assert_eq!(chosen, Some((false, versions[2].json)));
    assert_eq!(versions[0].json, versions[2].json);
    assert_ne!(versions[1].json, versions[2].json);
}
