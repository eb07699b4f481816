//! Tests of `src/render/html.rs`.

use super::Html;

#[test]
fn text_is_never_markup() {
    let mut html = Html::default();
    html.write("<a title=\"{}\">", &[&"\"><script>'&\u{0}\u{202e}\u{ffff}\u{1fffe}"]);
    html.text("</a><!--\n");
    let expected =
        "<a title=\"&quot;&gt;&lt;script&gt;&#39;&amp;\\u{0}\\u{202e}\\u{ffff}\\u{1fffe}\">&lt;/a&gt;&lt;!--\n";
    assert_eq!(html.into_string(), expected);
}
