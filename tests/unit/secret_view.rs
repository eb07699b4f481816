//! Tests of `src/secret/view.rs`.

use super::View;

#[test]
fn every_range_has_its_place() {
    for (source, text, part, place) in [
        ("a\\u0062c", "abc", "b", "\\u0062"),
        ("a\\u0062c", "abc", "abc", "a\\u0062c"),
        ("\u{1b}[32mab\u{1b}[0mc", "abc", "ab", "ab"),
        ("\u{1b}[32mab\u{1b}[0mc", "abc", "bc", "b\u{1b}[0mc"),
        ("a\\_b&amp;lt;%2520c", "a_b< c", "_b<", "_b&amp;lt;"),
        ("é\u{200b}a\u{ad}b", "éab", "ab", "a\u{ad}b"),
    ] {
        let view = View::of(source);
        assert_eq!(view.as_ref().map(|view| view.text.as_str()), Some(text));
        let range = text.find(part).map(|start| start..start + part.len());
        let found = view.zip(range).map(|(view, range)| &source[view.place(range)]);
        assert_eq!(found, Some(place), "{source:?}");
    }
    assert!(View::of("no escape, é and 5 % of C:").is_none());
}
