//! Parses the pages of `docs/rules`.
//!
//! A page of `docs/rules` has a heading, a paragraph whose first sentence sums it up, and `Bad` and `Good` documents in
//! ```` ```chatmd ```` blocks; `portable`, `changes` and `max-imports=2` after `chatmd` are flags of `check`. A
//! ```` ```file NAME ```` or ```` ```base64 NAME ```` block is a file that the documents after it read. A rule that
//! not only documents break has an indented shell session, `On the command line`: commands that cause it, its message, and
//! commands that do not. A rule that no document breaks has only that.
#![allow(dead_code)] // each test binary uses a part

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chatmd::internal::diagnostic::Rule;
use chatmd::internal::document::Limits;

/// Rules about flags, programs, permissions, the API and JSON. No document breaks them.
pub(crate) const NOT_CAUSED_BY_CHECK: [&str; 14] = [
    "ambiguous-input",
    "several-choices",
    "foreign-input",
    "malformed-item",
    "malformed-event",
    "no-items",
    "missing-model",
    "unreadable-file",
    "program-failed",
    "reasoning-omitted",
    "invalid-option",
    "malformed-json",
    "api-error",
    "unused-reasoning",
];

/// The parts of a page.
pub(crate) struct Page {
    pub(crate) heading: String,
    pub(crate) prose: String,
    /// The titles of its sections.
    pub(crate) sections: Vec<String>,
    pub(crate) bad: Vec<Example>,
    pub(crate) good: Vec<Example>,
    pub(crate) session: Session,
    /// The line about `--fix`.
    pub(crate) fix: Option<String>,
}

/// A document and how it is checked.
#[derive(Clone)]
pub(crate) struct Example {
    pub(crate) document: Vec<u8>,
    pub(crate) files: Files,
    pub(crate) portable: bool,
    pub(crate) changes: bool,
    pub(crate) limits: Limits,
}

/// Shell commands instead of documents.
#[derive(Default)]
pub(crate) struct Session {
    pub(crate) files: Files,
    /// The commands before the first message, the message, and the commands that succeed.
    pub(crate) bad: String,
    pub(crate) message: String,
    pub(crate) good: String,
}

pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// Parses the page of a rule, and panics at anything unexpected.
pub(crate) fn page(rule: &Rule) -> Page {
    let mut lines = rule.page.lines();
    let heading = lines.next().unwrap_or_default().to_owned();
    assert_eq!(lines.next(), Some(""), "{}: no blank line after the heading", rule.name);
    let prose: Vec<&str> = lines.by_ref().take_while(|line| !line.is_empty()).collect();
    let mut page = Page {
        heading,
        prose: prose.join("\n"),
        sections: Vec::new(),
        bad: Vec::new(),
        good: Vec::new(),
        session: Session::default(),
        fix: None,
    };
    let mut files = Files::new();
    while let Some(line) = lines.next() {
        let fence: String = line.chars().take_while(|c| *c == '`').collect();
        if let Some(title) = line.strip_prefix("## ") {
            page.sections.push(title.to_owned());
        } else if fence.len() >= 3 {
            let body: Vec<&str> = lines.by_ref().take_while(|line| *line != fence).collect();
            let body = expand_marks(&(body.join("\n") + "\n"));
            match line[fence.len()..].split_once(' ') {
                Some(("file", name)) => drop(files.insert(name.to_owned(), body)),
                Some(("base64", name)) => {
                    let bytes = STANDARD.decode(body.trim_ascii()).unwrap();
                    files.insert(name.to_owned(), bytes);
                }
                _ => {
                    let examples = match page.sections.last().map(String::as_str) {
                        Some("Bad") => &mut page.bad,
                        Some("Good") => &mut page.good,
                        other => panic!("{}: an example in {other:?}", rule.name),
                    };
                    examples.push(example(&line[fence.len()..], body, files.clone()));
                }
            }
        } else if let Some(line) = line.strip_prefix("    ") {
            page.session.line(line);
        } else if line.starts_with('`') {
            page.fix = Some(line.to_owned());
        } else {
            assert_eq!(line, "", "{}: unexpected line", rule.name);
        }
    }
    page.session.files = files;
    page
}

impl Session {
    fn line(&mut self, line: &str) {
        match line.strip_prefix("$ ") {
            Some(command) if self.message.is_empty() => self.bad = format!("{}{command}\n", self.bad),
            Some(command) => self.good = format!("{}{command}\n", self.good),
            None => line.clone_into(&mut self.message),
        }
    }
}

fn example(info: &str, document: Vec<u8>, files: Files) -> Example {
    let mut example = Example { document, files, portable: false, changes: false, limits: Limits::default() };
    let mut words = info.split(' ');
    assert_eq!(words.next(), Some("chatmd"), "unexpected `{info}`");
    for word in words {
        let number = |value: &str| value.parse().unwrap();
        match word.split_once('=') {
            Some(("max-import-depth", value)) => example.limits.depth = number(value),
            Some(("max-imports", value)) => example.limits.imports = number(value),
            Some(("max-import-bytes", value)) => example.limits.bytes = number(value),
            _ if word == "portable" => example.portable = true,
            _ if word == "changes" => example.changes = true,
            _ => panic!("unexpected `{info}`"),
        }
    }
    example
}

/// Replaces the marks in a block.
///
/// `⟨U+200B⟩` is that character, `⟨0xFF⟩` that byte, `[3 times ab]` is `ababab`, `[7 characters]` is `word wo`, and
/// `[4 base64]` is `AAAA`.
pub(crate) fn expand_marks(block: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(block.len());
    let mut rest = block;
    while let Some(at) = rest.find(['⟨', '[']) {
        let (before, mark) = rest.split_at(at);
        out.extend_from_slice(before.as_bytes());
        let (open, close) = if mark.starts_with('[') { ('[', ']') } else { ('⟨', '⟩') };
        let meant = mark.split_once(close).and_then(|(mark, after)| Some((meaning(&mark[open.len_utf8()..])?, after)));
        let (bytes, after) = meant.unwrap_or_else(|| (open.to_string().into_bytes(), &mark[open.len_utf8()..]));
        out.extend_from_slice(&bytes);
        rest = after;
    }
    out.extend_from_slice(rest.as_bytes());
    out
}

fn meaning(mark: &str) -> Option<Vec<u8>> {
    if let Some(code) = mark.strip_prefix("U+") {
        let character = char::from_u32(u32::from_str_radix(code, 16).ok()?)?;
        return Some(character.to_string().into_bytes());
    }
    if let Some(byte) = mark.strip_prefix("0x") {
        return u8::from_str_radix(byte, 16).ok().map(|byte| vec![byte]);
    }
    let (count, what) = mark.split_once(' ')?;
    let count: usize = count.replace(',', "").parse().ok()?;
    match what.split_once(' ') {
        None if what == "base64" => Some(vec![b'A'; count]),
        None if what == "characters" => Some(b"word ".iter().copied().cycle().take(count).collect()),
        Some(("times", repeated)) => Some(repeated.repeat(count).into_bytes()),
        _ => None,
    }
}

/// Whether the page of a rule has a shell session and no documents.
pub(crate) fn has_only_session(name: &str) -> bool {
    NOT_CAUSED_BY_CHECK.contains(&name)
}
