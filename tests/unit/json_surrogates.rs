//! Tests of `src/json/surrogates.rs`.

use super::{LossyText, decode_lossy};
use crate::json::Json;

#[test]
fn only_half_a_pair_at_the_end_may_be_continued() {
    let decoded = |inside| {
        let LossyText { text, replaced, half } = decode_lossy(inside);
        (text, replaced, half.map(str::to_owned))
    };
    let half = Some("\\ud83d".to_owned());
    assert_eq!(decoded("a\\ud83d"), ("a".to_owned(), 0, half.clone()));
    assert_eq!(decoded("\\\\\\ud83d"), ("\\".to_owned(), 0, half.clone()));
    assert_eq!(decoded("\\\\ud83d"), ("\\ud83d".to_owned(), 0, None));
    assert_eq!(decoded("\\ude00"), ("\u{fffd}".to_owned(), 1, None));
    assert_eq!(decoded("\\ud83d\\ude00"), ("😀".to_owned(), 0, None));
    assert_eq!(decoded("\\ud83d\\ud83d"), ("\u{fffd}".to_owned(), 1, half));
    assert_eq!(decoded("éééé"), ("éééé".to_owned(), 0, None));
}

#[test]
fn a_string_is_read_with_replacements() {
    assert_eq!(Json::scalar(r#""a\ud83d\n""#).as_str_lossy().as_deref(), Some("a\u{fffd}\n"));
    assert_eq!(Json::scalar(r#""a\n""#).as_str_lossy().as_deref(), Some("a\n"));
    assert_eq!(Json::scalar("1").as_str_lossy(), None);
}
