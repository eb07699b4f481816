use super::front_matter;

#[test]
fn front_matter_ends_with_the_next_fence() {
    for (head, rest) in [
        ("", "<user>\n"),
        ("---\ntitle: x\n---\n", "<user>\n"),
        ("---\r\ntitle: x\r\n--- \r\n", "---\r\n"),
        ("---\n---\n", ""),
        ("---\na\n---", ""),
        ("#!/usr/bin/env -S chatmd send\n", "<user>\n"),
        ("#!/bin/x\n---\na: |\n  <user>\n---\n", "text"),
        ("#!/bin/x\n", "\n---\na\n---\n"),
        ("", "---\ntitle: x\n"),
        ("", "---"),
        ("", "----\na\n----\n"),
        ("", " ---\na\n---\n"),
        ("", "---\n<user>\nHello.\n</user>\n---\n"),
        ("", "\n---\na\n---\n"),
    ] {
        assert_eq!(front_matter(&format!("{head}{rest}")), head, "{head}{rest}");
    }
}
