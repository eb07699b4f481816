//! Tests of `src/responses/version.rs`.

use crate::json::{Json, StringArena};
use crate::responses::version::{Source, Version};

#[test]
fn the_whole_version_with_the_most_text_is_used_though_a_cut_version_is_equal() {
    let strings = StringArena::default();
    let message = |text: &str| {
        let content = format!(r#"[{{"type":"output_text","text":"{text}","annotations":[]}}]"#);
        let json = format!(r#"{{"type":"message","role":"assistant","content":{content}}}"#);
        Json::parse(strings.keep(json), &strings).unwrap_or(Json::NULL)
    };
    let cut = Version::new(message("all of the text"), Source::Cut);
    let short = Version::new(message("all"), Source::Terminal);
    let long = Version::new(message("all of the text"), Source::Terminal);
    let versions = [cut, short, long];
    let best = versions.iter().reduce(|best, version| if version.is_better_than(best) { version } else { best });
    let best = best.map(|best| (best.source, best.json));
    assert_eq!(best, Some((Source::Terminal, versions[2].json)));
    assert_eq!(versions[0].json, versions[2].json);
    assert_ne!(versions[1].json, versions[2].json);
}
