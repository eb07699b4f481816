//! `from-response`: streams that are cut or have other line endings.

use std::fs;

use crate::run::{chatmd, directories, name};

#[test]
fn streams_are_independent_of_line_endings_and_chunks() {
    let directory = directories("responses").into_iter().find(|directory| name(directory) == "stream-plain").unwrap();
    let text = fs::read_to_string(directory.join("stream.sse")).unwrap();
    let whole = fs::read_to_string(directory.join("chat.md")).unwrap();
    for ending in ["\n", "\r\n", "\r"] {
        let ran = chatmd(&directory, &["from-response"], &[], &text.replace('\n', ending));
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), whole.as_str()), "{ending:?}");
    }
    let cuts = (1..text.trim_end().len() - 1).filter(|at| text.is_char_boundary(*at)).step_by(37);
    for at in cuts.filter(|at| *at > "event:".len()) {
        let ran = chatmd(&directory, &["from-response"], &[], &text[..at]);
        assert_eq!(ran.code, Some(5), "cut at byte {at}: {}", ran.stderr);
        let beginning = ran.stdout.replace("incomplete", "completed");
        let is_beginning = beginning
            .lines()
            .zip(whole.lines())
            .all(|(got, all)| all.starts_with(got.trim_end_matches("</assistant>")));
        assert!(is_beginning, "cut at byte {at}: {}", ran.stdout);
    }
}
