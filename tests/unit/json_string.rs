//! Tests of `src/json/string.rs`.

use super::{SpecialByteFinder, decode, is_special};

#[test]
fn text_between_escapes_has_any_length() {
    for length in 0..=200 {
        let text = "x".repeat(length);
        assert_eq!(decode(&format!("{text}\\n{text}\\t{text}")), Some(format!("{text}\n{text}\t{text}")), "{length}");
    }
}

#[test]
fn every_byte_at_every_place_is_found() {
    for byte in 0..=255_u8 {
        for at in 0..140 {
            let mut bytes = vec![b'a'; 140];
            bytes[at] = byte;
            // What comes after it must not matter.
            for after in [b'a', b'"', b'!', 0x80, 0] {
                if let Some(next) = bytes.get_mut(at + 1) {
                    *next = after;
                }
                let mut finder = SpecialByteFinder::new(&bytes);
                let mut from = 0;
                while from < bytes.len() {
                    let rest = bytes[from..].iter().position(|byte| is_special(*byte));
                    let expected = rest.map_or(bytes.len(), |length| from + length);
                    assert_eq!(finder.find(from), expected, "{byte:#x} at {at}, then {after:#x}, from {from}");
                    from = expected + 1;
                }
            }
        }
    }
}
