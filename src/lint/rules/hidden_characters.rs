//! `hidden-characters`: characters that a model reads and people do not see.

use std::ops::Range;

use crate::diagnostic::{Diagnostics, Message, Rule, rule};
use crate::lint::source::SourceText;
use crate::lint::text::SentText;
use crate::sanitize::is_invisible;
use crate::source::Span;

/// The flag of a region is a black flag followed by up to five tags and the tag that ends it.
const MAX_FLAG_LENGTH: usize = 6;
/// A mark of direction must have a right-to-left letter within this many characters.
const MAX_LETTER_DISTANCE: usize = 20;

/// `<user>a`, U+202E, `b</user>`
pub(super) const HIDDEN_CHARACTERS: Rule = rule!("hidden-characters" Warning Malformed is_allowable);

/// Reports characters that JSON writes as escapes.
pub(super) fn check_text(text: &SentText<'_>, diagnostics: &mut Diagnostics) {
    let Some(json) = text.json() else { return };
    if let Some(run) = hidden_runs(text.text).into_iter().next()
        && !json.contains(&text.text[run.range.clone()])
    {
        diagnostics.add(&HIDDEN_CHARACTERS, run.message(None), text.span);
    }
}

pub(super) fn check_file(path: &str, text: &str, span: Span, diagnostics: &mut Diagnostics) {
    if let Some(run) = hidden_runs(text).into_iter().next() {
        diagnostics.add(&HIDDEN_CHARACTERS, run.message(Some(path)), span);
    }
}

/// Comments and attributes are checked too.
pub(super) fn check_source(source: &SourceText<'_>, diagnostics: &mut Diagnostics) {
    for run in hidden_runs(source.text) {
        diagnostics.add(&HIDDEN_CHARACTERS, run.message(None), Span::new(source.id, run.range));
    }
}

/// Adjacent invisible characters.
struct HiddenRun {
    range: Range<usize>,
    first: char,
    count: usize,
}

impl HiddenRun {
    /// `file` is the file that contains the characters, if that is not the document.
    fn message(&self, file: Option<&str>) -> Message {
        let more = if self.count > 1 { format!(" and {} more", self.count - 1) } else { String::new() };
        let contains = file.map(|file| format!("`{file}` contains ")).unwrap_or_default();
        let title = format!("{contains}the invisible character U+{:04X}{more}", u32::from(self.first));
        Message::new(title, "here", "the model reads what you cannot see: remove it")
    }
}

/// The invisible characters of a text that have no legitimate purpose there. A byte order mark at the start has one.
fn hidden_runs(text: &str) -> Vec<HiddenRun> {
    let mut runs = Vec::new();
    let mut at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    // No character of ASCII is invisible.
    while let Some(ascii) = ascii_length(&text.as_bytes()[at..]) {
        let start = at + ascii;
        let hidden = text[start..].chars().take_while(|c| is_hidden(*c));
        let (length, count) = hidden.fold((0, 0), |(length, count), c| (length + c.len_utf8(), count + 1));
        let Some(first) = text[start..].chars().next() else { break };
        at = start + length.max(first.len_utf8());
        if count > 0 && !is_legitimate(&text[start..at], count, &text[..start], &text[at..]) {
            runs.push(HiddenRun { range: start..at, first, count });
        }
    }
    runs
}

/// How many bytes come before the first that is not ASCII, if there is one. Most texts have none, so whole blocks are
/// looked at first.
fn ascii_length(bytes: &[u8]) -> Option<usize> {
    const BLOCK: usize = 64;
    let (blocks, _) = bytes.as_chunks::<BLOCK>();
    let start = blocks.iter().take_while(|block| block.is_ascii()).count() * BLOCK;
    bytes[start..].iter().position(|byte| !byte.is_ascii()).map(|at| start + at)
}

fn is_hidden(c: char) -> bool {
    // Variation selectors are invisible too.
    is_invisible(c) || matches!(c, '\u{fe00}'..='\u{fe0f}')
}

/// Whether invisible characters have their usual function between these texts.
fn is_legitimate(run: &str, count: usize, before: &str, after: &str) -> bool {
    let (last, next) = (before.chars().next_back().unwrap_or(' '), after.chars().next().unwrap_or(' '));
    match run.chars().next().unwrap_or(' ') {
        // Selects the appearance of an emoji or an ideograph; a joiner may follow.
        '\u{fe00}'..='\u{fe0f}' => {
            !last.is_ascii_alphabetic() && (count == 1 || count == 2 && run.ends_with('\u{200d}'))
        }
        '\u{e0100}'..='\u{e01ef}' => count == 1 && is_ideograph(last),
        // Joins emoji, and letters of scripts that need it.
        '\u{200c}' | '\u{200d}' => count == 1 && !last.is_ascii() && !next.is_whitespace(),
        // Separates words in scripts without spaces.
        '\u{200b}' => count == 1 && is_of_script_without_spaces(last) && is_of_script_without_spaces(next),
        '\u{e0000}'..='\u{e007f}' => last == '\u{1f3f4}' && count <= MAX_FLAG_LENGTH && run.ends_with('\u{e007f}'),
        first if is_direction_mark(first) => {
            let letter = |c: &char| c.is_alphabetic();
            let near = [
                before.chars().rev().take(MAX_LETTER_DISTANCE).find(letter),
                after.chars().take(MAX_LETTER_DISTANCE).find(letter),
            ];
            run.chars().all(is_direction_mark) && near.into_iter().flatten().any(is_right_to_left)
        }
        _ => false,
    }
}

fn is_direction_mark(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{2066}'..='\u{2069}')
}

fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{0590}'..='\u{08ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Thai, Lao, Myanmar and Khmer.
fn is_of_script_without_spaces(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}
