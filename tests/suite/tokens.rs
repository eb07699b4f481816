//! Tokens: of texts by the real vocabulary, of images by the published rules.

use chatmd::internal::media::{DataUrl, dimensions};
use chatmd::internal::tokens::{Detail, image_tokens, text_tokens};
use proptest::prelude::*;

use crate::cases::{cases, large};

#[test]
fn texts_count_as_the_vocabulary_has_it() {
    for (text, tokens) in [
        ("", 0),
        ("hello world", 2),
        ("The quick brown fox jumps over the lazy dog.", 10),
        ("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ", 21),
        ("汉字", 2),
    ] {
        assert_eq!(text_tokens(text), tokens, "{text}");
    }
}

#[test]
fn a_long_text_counts_like_its_lines() {
    let line = "A line that is counted again and again, with a number 12345 in it.\n";
    assert_eq!(text_tokens(&line.repeat(2000)), 2000 * text_tokens(line));
}

#[test]
fn megabytes_without_a_word_are_counted() {
    for (one, times, most) in
        [(" ", 4_000_000, 100_000), ("a", 200_000, 30_000), ("\n", 200_000, 20_000), ("Aa", 100_000, 110_000)]
    {
        let tokens = text_tokens(&one.repeat(large(times)));
        assert!(tokens > 0 && tokens < most, "{one:?}: {tokens}");
    }
}

/// The examples that OpenAI's guide to images works out, and the corners of the rules.
#[test]
fn images_count_by_the_published_rules() {
    for (model, size, detail, tokens) in [
        ("gpt-4o", (1024, 1024), Detail::High, 765),
        ("gpt-4o", (2048, 4096), Detail::High, 1105),
        ("gpt-4o", (4096, 8192), Detail::Low, 85),
        ("gpt-5", (1024, 1024), Detail::High, 630),
        ("gpt-5.1", (100, 100), Detail::High, 210),
        ("gpt-4o-mini", (512, 512), Detail::High, 8500),
        ("gpt-4.1-mini", (1024, 1024), Detail::High, 1659),
        ("gpt-4.1-mini", (1800, 2400), Detail::High, 2353),
        ("o4-mini", (1, 1), Detail::Low, 2),
        ("o3", (512, 513), Detail::High, 375),
        ("something-else", (512, 512), Detail::High, 255),
        ("o4-mini", (1_000_000, 1), Detail::High, 2642),
        ("o4-mini", (0, 0), Detail::High, 0),
    ] {
        assert_eq!(image_tokens(model, size, detail), tokens, "{model} {size:?} {detail:?}");
    }
}

#[test]
fn an_image_tells_its_size() {
    let png = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
    let gif = "data:image/gif;base64,R0lGODlhAgADAIAAAAUEBAAAACwAAAAAAgADAAACAkQBADs=";
    let size = |url| dimensions(&DataUrl::parse(url).unwrap().bytes().unwrap());
    assert_eq!(size(png), Some((1, 1)));
    assert_eq!(size(gif), Some((2, 3)));
    assert_eq!(dimensions(b"not an image"), None);
    assert_eq!(dimensions(b"\x89PNG\r\n\x1a\n"), None);
    assert_eq!(DataUrl::parse("https://example.com/a.png"), None);
    assert_eq!(DataUrl::parse("data:text/plain,hello"), None);
}

proptest! {
    #![proptest_config(cases())]

    /// Bytes that only begin like an image are read as far as they go.
    #[test]
    fn mangled_images_tell_what_they_can(kind in 0..4_usize, rest in proptest::collection::vec(any::<u8>(), 0..200)) {
        let heads: [&[u8]; 4] =
            [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"\xff\xd8\xff\xc0", b"GIF89a", b"RIFF\x10\0\0\0WEBPVP8X"];
        let bytes = [heads[kind], &rest].concat();
        let size = dimensions(&bytes);
        if let (0, [a, b, c, d, e, f, g, h, ..]) = (kind, rest.as_slice()) {
            let number = |bytes: [u8; 4]| u32::from_be_bytes(bytes) as usize;
            prop_assert_eq!(size, Some((number([*a, *b, *c, *d]), number([*e, *f, *g, *h]))));
        }
    }
}
