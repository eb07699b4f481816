//! Characters that nobody sees and a model reads.

use std::ops::Range;

use crate::source::is_unseen;

/// Characters that stand together and are not seen.
pub(super) struct Hidden {
    pub(super) range: Range<usize>,
    pub(super) first: char,
    pub(super) count: usize,
}

/// A flag of a region is a black flag, up to five tags and the tag that ends it.
const LONGEST_FLAG: usize = 6;
/// How far the letter may be that a mark of direction belongs to.
const NEAR: usize = 20;

/// The hidden characters of a text that do not do there what they were made for. One that begins the text marks its encoding.
pub(super) fn hidden(text: &str) -> Vec<Hidden> {
    let mut matches = Vec::new();
    let mut rest = text.char_indices().skip_while(|(at, c)| *at == 0 && *c == '\u{feff}').peekable();
    while let Some((start, first)) = rest.next() {
        if !is_hidden(first) {
            continue;
        }
        let (mut end, mut count) = (start + first.len_utf8(), 1);
        while let Some((at, c)) = rest.next_if(|(_, c)| is_hidden(*c)) {
            end = at + c.len_utf8();
            count += 1;
        }
        if !is_at_home(&text[start..end], count, &text[..start], &text[end..]) {
            matches.push(Hidden { range: start..end, first, count });
        }
    }
    matches
}

fn is_hidden(c: char) -> bool {
    // A selector of a variant is never seen itself.
    is_unseen(c) || matches!(c, '\u{fe00}'..='\u{fe0f}')
}

/// Whether hidden characters do what they were made for, given the texts around them.
fn is_at_home(run: &str, count: usize, before: &str, behind: &str) -> bool {
    let (last, next) = (before.chars().next_back().unwrap_or(' '), behind.chars().next().unwrap_or(' '));
    match run.chars().next().unwrap_or(' ') {
        // How an emoji or an ideograph looks, and then perhaps what joins it to the next.
        '\u{fe00}'..='\u{fe0f}' => {
            !last.is_ascii_alphabetic() && (count == 1 || count == 2 && run.ends_with('\u{200d}'))
        }
        '\u{e0100}'..='\u{e01ef}' => count == 1 && is_ideograph(last),
        // Joins emoji and the letters of scripts that need it.
        '\u{200c}' | '\u{200d}' => count == 1 && !last.is_ascii() && !next.is_whitespace(),
        // Words of scripts that write no spaces.
        '\u{200b}' => count == 1 && writes_no_spaces(last) && writes_no_spaces(next),
        '\u{e0000}'..='\u{e007f}' => last == '\u{1f3f4}' && count <= LONGEST_FLAG && run.ends_with('\u{e007f}'),
        first if is_direction(first) => {
            let letter = |c: &char| c.is_alphabetic();
            let near = [before.chars().rev().take(NEAR).find(letter), behind.chars().take(NEAR).find(letter)];
            run.chars().all(is_direction) && near.into_iter().flatten().any(is_right_to_left)
        }
        _ => false,
    }
}

fn is_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{2066}'..='\u{2069}')
}

fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{0590}'..='\u{08ff}' | '\u{fb1d}'..='\u{fdff}' | '\u{fe70}'..='\u{fefc}')
}

fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Thai, Lao, Myanmar and Khmer.
fn writes_no_spaces(c: char) -> bool {
    matches!(c, '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}')
}
