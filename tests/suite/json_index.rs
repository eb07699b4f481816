//! The index of JSON agrees with `serde_json`: it accepts the same texts and finds the same values.

use chatmd::internal::json::{Json, Kind, MAX_DEPTH, StringArena};
use proptest::prelude::*;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::cases::cases;
use crate::json::Members;

/// Pieces of JSON and of almost JSON.
const PIECES: [&str; 48] = [
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    "\"",
    "\\",
    "\"a\"",
    "\"\\\"\"",
    "\"\\u00e9\"",
    "\"\\ud83d\\ude00\"",
    "\"\\ud800\"",
    "\"\\x\"",
    "\"\\u12\"",
    "\"\u{1}\"",
    "\"é😀\"",
    "0",
    "-0",
    "01",
    "-",
    "1.5",
    "1.",
    ".5",
    "1e5",
    "1E+",
    "1e-07",
    "12345678901234567890",
    "true",
    "false",
    "null",
    "nul",
    "truefalse",
    " ",
    "\t",
    "\r\n",
    "\u{a0}",
    "\u{feff}",
    "{\"a\":1}",
    "[1,2]",
    "{\"a\":1,\"a\":2}",
    "[]",
    "{}",
    "\"key\":",
    ",\"b\":[",
    "]}",
    "// x\n",
    "\"long enough to be more than one word of eight bytes\\n\"",
];

fn text() -> impl Strategy<Value = String> {
    let string = prop_oneof![
        "[a-zé\"\\\\\n\t\u{1}😀 ]{0,20}".prop_map(|text| serde_json::to_string(&text).unwrap()),
        "[ -~]{0,40}".prop_map(|text| serde_json::to_string(&text).unwrap()),
        Just("\"\\/\\b\\f\\u0041\\ud83d\\ude00\"".to_owned()),
    ];
    let scalar = prop_oneof![
        string.clone(),
        "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,5})?([eE][+-]?[0-9]{1,3})?",
        prop_oneof![Just("null"), Just("true"), Just("false")].prop_map(str::to_owned),
    ];
    let space = prop_oneof![6 => Just(""), 1 => Just(" "), 1 => Just("\n\t"), 1 => Just("\r ")];
    scalar.prop_recursive(6, 60, 6, move |inner| {
        let element =
            (space.clone(), inner, space.clone()).prop_map(|(before, json, after)| format!("{before}{json}{after}"));
        let member = (string.clone(), space.clone(), element.clone())
            .prop_map(|(key, space, json)| format!("{key}{space}:{json}"));
        prop_oneof![
            prop::collection::vec(element, 0..6).prop_map(|elements| format!("[{}]", elements.join(","))),
            (space.clone(), prop::collection::vec(member, 0..20))
                .prop_map(|(space, members)| format!("{{{space}{}}}", members.join(","))),
        ]
    })
}

/// A text in which a few characters are removed, doubled or replaced.
fn mangled() -> impl Strategy<Value = String> {
    let change = (any::<prop::sample::Index>(), 0..3_usize, prop::sample::select(&PIECES[..]));
    (text(), prop::collection::vec(change, 1..3)).prop_map(|(text, changes)| {
        let mut chars: Vec<String> = text.chars().map(String::from).collect();
        for (index, kind, piece) in changes {
            let at = index.index(chars.len().max(1)).min(chars.len().saturating_sub(1));
            match kind {
                0 => drop((!chars.is_empty()).then(|| chars.remove(at))),
                1 => chars.insert(at, piece.to_owned()),
                _ => chars.truncate(at),
            }
        }
        chars.concat()
    })
}

fn pieces() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(&PIECES[..]), 0..12).prop_map(|pieces| pieces.concat())
}

/// Compares a value and everything in it with what `serde_json` finds in the same text.
fn compare(json: Json<'_>, raw: &RawValue, text: &str, at: usize) {
    assert_eq!(json.raw(), raw.get());
    assert_eq!(&text[json.offset() - at..][..raw.get().len()], raw.get(), "the offset");
    match json.kind() {
        Kind::Array => {
            let expected: Vec<&RawValue> = serde_json::from_str(raw.get()).unwrap();
            let elements = json.array().unwrap();
            assert_eq!(elements.len(), expected.len());
            assert_eq!(json.is_empty_array(), expected.is_empty());
            elements.into_iter().zip(expected).for_each(|(json, raw)| compare(json, raw, text, at));
        }
        Kind::Object => {
            let Ok(Members(expected)) = serde_json::from_str(raw.get()) else {
                return assert!(json.object().is_err(), "a key is not text");
            };
            let object = json.object().unwrap();
            for (key, value) in object.iter() {
                let (_, last) = expected.iter().rfind(|(known, _)| known == key).unwrap();
                compare(value, last, text, at);
                assert_eq!(object.get(key), Some(value));
            }
            assert_eq!(object.iter().count() + object.repeated().count(), expected.len());
        }
        Kind::String => match serde_json::from_str::<String>(raw.get()) {
            Ok(expected) => assert_eq!(json.as_str().unwrap(), expected),
            Err(_) => assert!(json.as_str().unwrap_err().is_lone_surrogate),
        },
        Kind::Number | Kind::Boolean | Kind::Null => assert!(json.as_str().is_err()),
    }
    if let Ok(value) = serde_json::from_str::<Value>(raw.get()) {
        let compact = json.compact();
        assert_eq!(serde_json::from_str::<Value>(&compact).unwrap(), value);
        assert!(!compact.contains(['\n', '\r', '\t']), "{compact:?}");
    }
}

fn agrees(text: &str) {
    let arena = StringArena::default();
    match (Json::parse_at(text, 7, &arena), serde_json::from_str::<&RawValue>(text)) {
        (Ok(json), Ok(raw)) => compare(json, raw, text, 7),
        (Err(error), Err(expected)) => {
            // The words are our own, and the place is the same.
            if !text.contains('\n') {
                let column = expected.column().saturating_sub(1);
                let offset = (0..=column).rev().find(|at| text.is_char_boundary(*at)).unwrap();
                assert_eq!(error.offset, 7 + offset, "{error}: {expected}");
            }
            assert!(!error.message.is_empty() && !error.message.contains("EOF"), "{error}: {expected}");
        }
        (ours, theirs) => panic!("{ours:?} is not {theirs:?} in {text:?}"),
    }
    let mut values = serde_json::Deserializer::from_str(text).into_iter::<&RawValue>();
    match (Json::parse_first(text, 7, &arena), values.next()) {
        (Ok((json, end)), Some(Ok(raw))) => {
            assert_eq!((json.raw(), end), (raw.get(), values.byte_offset()));
        }
        (Err(_), Some(Err(_)) | None) => {}
        (ours, theirs) => panic!("{ours:?} is not {theirs:?} in {text:?}"),
    }
}

proptest! {
    #![proptest_config(cases())]

    #[test]
    fn valid_json_is_indexed(text in text()) {
        agrees(&text);
    }

    #[test]
    fn mangled_json_is_refused_where_it_must_be(text in mangled()) {
        agrees(&text);
    }

    #[test]
    fn any_sequence_of_tokens_is_judged_alike(text in pieces()) {
        agrees(&text);
    }

    #[test]
    fn strings_are_found_with_their_keys(text in text()) {
        let arena = StringArena::default();
        let json = Json::parse(&text, &arena).unwrap();
        let mut expected = Vec::new();
        strings(json, "", &mut expected);
        let found: Vec<_> = json.strings().map(|(key, value)| (key.to_owned(), value.raw(), value.offset())).collect();
        if let Some(expected) = expected.into_iter().collect::<Option<Vec<_>>>() {
            prop_assert_eq!(found, expected);
        }
    }
}

/// The strings in a value, each with its key, raw text and offset; `None` for an object whose keys are repeated.
fn strings<'j>(json: Json<'j>, key: &str, all: &mut Vec<Option<(String, &'j str, usize)>>) {
    match json.kind() {
        Kind::String => all.push(Some((key.to_owned(), json.raw(), json.offset()))),
        Kind::Array => json.array().unwrap().into_iter().for_each(|element| strings(element, key, all)),
        Kind::Object => {
            let object = json.object().unwrap();
            all.extend(object.repeated().map(|_| None));
            for (key, value) in object.iter() {
                let spelled = serde_json::to_string(key).unwrap();
                let is_plain = json.raw().contains(&spelled) && !key.contains(['A', '/']);
                all.extend((!is_plain).then_some(None));
                strings(value, &spelled[1..spelled.len() - 1], all);
            }
        }
        Kind::Number | Kind::Boolean | Kind::Null => {}
    }
}

#[test]
fn depth_is_counted_and_cannot_overflow_the_stack() {
    let nested = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
    let arena = StringArena::default();
    assert!(Json::parse(&nested(MAX_DEPTH), &arena).is_ok());
    let error = Json::parse(&nested(MAX_DEPTH + 1), &arena).unwrap_err();
    assert_eq!((error.message.as_str(), error.offset), ("JSON nests more than 127 deep", MAX_DEPTH));
    assert!(Json::parse(&nested(1_000_000), &arena).is_err());
    // A text that is also malformed is reported as malformed.
    let error = Json::parse(&"[".repeat(1_000_000), &arena).unwrap_err();
    assert_eq!(error.message, "an array is not closed with `]`");
}

#[test]
fn of_many_repeated_keys_the_last_counts() {
    let members: Vec<String> = (0..100).map(|at| format!("\"k{}\":{at}", at % 60)).collect();
    let text = format!("{{{}}}", members.join(","));
    let arena = StringArena::default();
    let object = Json::parse(&text, &arena).unwrap().object().unwrap();
    assert_eq!(object.get("k3").unwrap().raw(), "63");
    assert_eq!(object.get("k50").unwrap().raw(), "50");
    assert_eq!((object.iter().count(), object.repeated().count()), (60, 40));
}
