//! Counts the tokens of text by the vocabulary of current models.

use tiktoken_rs::o200k_base_singleton;

/// Longer texts are counted in pieces: the tokenizer overflows its stack on megabytes without a word in them.
const PIECE: usize = 16 * 1024;

/// The number of `o200k_base` tokens of a text. A text of more than 16 kB may count one more for each such piece.
///
/// Without the feature `tokens`, this is an estimate: one token for every four bytes.
pub fn text_tokens(text: &str) -> usize {
    // Avoid loading the vocabulary for empty text.
    if text.is_empty() {
        return 0;
    }
    let tokenizer = o200k_base_singleton();
    pieces(text).map(|piece| tokenizer.encode_ordinary(piece).len()).sum()
}

/// Cuts a text before a line if that can be, since no token reaches over the end of a line into a word.
fn pieces(mut text: &str) -> impl Iterator<Item = &str> {
    std::iter::from_fn(move || {
        let end = text.len().min(PIECE);
        let end = if end == text.len() { end } else { cut(text, end) };
        let (piece, rest) = text.split_at(end);
        text = rest;
        (!piece.is_empty()).then_some(piece)
    })
}

fn cut(text: &str, at: usize) -> usize {
    let at = (0..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or_default();
    text[..at].rfind('\n').map_or(at, |line| line + 1)
}
