//! JSON values: comparing, changing and writing them, and the places in errors about malformed ones.

use chatmd::internal::json::{
    Json, JsonError, Kind, Object, StringArena, fits_line, is_same, is_valid, lay_out, pretty, write,
};

fn parsed<'j>(text: &'j str, arena: &'j StringArena) -> Json<'j> {
    Json::parse(text, arena).unwrap_or_else(|error| panic!("{error} in {text}"))
}

fn written(write: impl FnOnce(&mut String)) -> String {
    let mut out = String::new();
    write(&mut out);
    out
}

#[test]
fn every_character_of_a_string_is_written_so_that_it_reads_back() {
    for c in (0..=0x2ff_u32).chain([0x2028, 0xffff, 0x1f600]).filter_map(char::from_u32) {
        for text in [c.to_string(), format!("{c}a"), format!("a{c}"), format!("{}{c}{c}", "a".repeat(40))] {
            let json = written(|out| write::string(out, &text));
            assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
            let arena = StringArena::default();
            assert_eq!(arena.string(&text).as_str().unwrap(), text);
            // The shortest escapes, and nothing escaped that need not be.
            let short = serde_json::to_string(&text).unwrap().replace("\\b", "\\u0008").replace("\\f", "\\u000c");
            assert_eq!(json, short);
        }
    }
}

#[test]
fn objects_and_arrays_are_written_without_whitespace() {
    let arena = StringArena::default();
    let object = parsed("{ \"a\" : [1, 2 ],\n\"b\": { \"c\" :\t\"x y\" } }", &arena).object().unwrap();
    let json = written(|out| {
        let mut writer = write::ObjectWriter::new(out);
        writer.text("first", "a\"b");
        writer.members(&object);
        writer.json("last", parsed("[ null ]", &arena));
        writer.end();
    });
    assert_eq!(json, r#"{"first":"a\"b","a":[1,2],"b":{"c":"x y"},"last":[null]}"#);
    assert_eq!(arena.object(&object).raw(), r#"{"a":[1,2],"b":{"c":"x y"}}"#);
    assert_eq!(written(|out| write::ObjectWriter::new(out).end()), "{}");
    let numbers =
        |elements: &[u8]| written(|out| write::array(out, elements, |out, element| out.push_str(&element.to_string())));
    assert_eq!([&[][..], &[1], &[1, 2, 3]].map(numbers), ["[]", "[1]", "[1,2,3]"]);
}

#[test]
fn pretty_json_has_a_line_for_each_value() {
    let compact = r#"{"a":[],"b":{},"c":[1.50,"x,{:[\"]"],"d":{"e":true}}"#;
    let expected = r#"{
  "a": [],
  "b": {},
  "c": [
    1.50,
    "x,{:[\"]"
  ],
  "d": {
    "e": true
  }
}"#;
    assert_eq!(pretty(compact), expected);
    for same in ["[]", "{}", "1", "\"a\"", "null", "-1.5e+3"] {
        assert_eq!(pretty(same), same);
    }
    assert_eq!(pretty("[[],[[]],{}]"), "[\n  [],\n  [\n    []\n  ],\n  {}\n]");
}

#[test]
fn values_are_the_same_whatever_their_spelling() {
    let many = |first: usize| {
        let members: Vec<String> =
            (0..20).map(|at| format!("\"k{}\":{}", (at + first) % 20, (at + first) % 20)).collect();
        format!("{{{}}}", members.join(","))
    };
    let same = [
        ("1", " 1 "),
        ("\"a\\u0062\"", "\"ab\""),
        ("\"\\n\\r\\t\\b\\f\\/\"", "\"\\u000a\\u000d\\u0009\\u0008\\u000c/\""),
        ("[1, 2]", "[1,2]"),
        ("{\"a\":1,\"b\":[\"x\"]}", "{ \"b\" : [\"\\u0078\"], \"a\" : 1 }"),
        ("\"\\ud800\"", "\"\\uD800\""),
        (
            "\"\\ud800\\n\\r\\t\\b\\f\\\"é😀\"",
            "\"\\uD800\\u000a\\u000d\\u0009\\u0008\\u000c\\u0022\\u00e9\\ud83d\\ude00\"",
        ),
        ("{\"\\ud800\":1}", "{ \"\\uD800\" : 1 }"),
        (&many(0), &many(7)),
    ];
    let different = [
        ("1", "1.0"),
        ("1", "\"1\""),
        ("null", "[]"),
        ("\"a\"", "\"b\""),
        ("\"a\"", "\"\\ud800\""),
        ("\"\\ud800\"", "\"\\ud801\""),
        ("\"\\ud800n\"", "\"\\ud800\\n\""),
        ("\"\\ud800\\n\"", "\"\\ud800\\r\""),
        ("\"\\ud800\\t\"", "\"\\ud800\\b\""),
        ("\"\\ud800\\f\"", "\"\\ud800\\b\""),
        ("[1]", "[1,2]"),
        ("[1]", "[2]"),
        ("[]", "{}"),
        ("{\"a\":1}", "{\"a\":2}"),
        ("{\"a\":1}", "{\"b\":1}"),
        ("{\"a\":1}", "{\"a\":1,\"b\":2}"),
        ("{\"\\ud800\":1}", "{\"\\ud800\":2}"),
        ("{\"\\ud800\":1}", "{\"\\ud801\":1}"),
        ("{\"\\ud800\":1}", "{\"\\uD800\":1,\"\\ud801\":2}"),
        ("{\"\\ud800\":1}", "{\"a\":1}"),
        (&many(0), &many(0).replace(":19", ":20")),
        (&many(0), &many(0).replace("k19", "k20")),
    ];
    let cases = same.iter().map(|case| (case, true)).chain(different.iter().map(|case| (case, false)));
    for ((one, other), expected) in cases {
        let arena = StringArena::default();
        let (one, other) = (parsed(one, &arena), parsed(other, &arena));
        assert_eq!(is_same(one, other), expected, "{} and {}", one.raw(), other.raw());
        assert_eq!(is_same(other, one), expected, "{} and {}", other.raw(), one.raw());
    }
}

#[test]
fn an_object_is_changed_in_place() {
    let arena = StringArena::default();
    let whole = parsed(r#"{"a":1,"b":"x\n","c":true,"a":2}"#, &arena);
    let mut object = whole.object().unwrap();
    let members = |object: &Object<'_>| -> Vec<String> {
        object.iter().map(|(key, value)| format!("{key}={}", value.raw())).collect()
    };
    assert_eq!(members(&object), ["b=\"x\\n\"", "c=true", "a=2"]);
    assert_eq!(object.repeated().map(|(key, value)| (key, value.raw())).collect::<Vec<_>>(), [("a", "1")]);
    assert_eq!((object.get_str("b").as_deref(), object.get_str("c"), object.get_str("z")), (Some("x\n"), None, None));
    object.replace("b", Json::NULL);
    object.replace("d", Json::FALSE);
    object.insert("e", Json::EMPTY_ARRAY);
    assert_eq!(members(&object), ["b=null", "c=true", "a=2", "d=false", "e=[]"]);
    assert_eq!(object.take("c"), Some(Json::TRUE));
    assert_eq!(object.take("c"), None);
    assert_eq!(members(&object), ["b=null", "a=2", "d=false", "e=[]"]);
    assert!(!object.is_empty());
    for key in ["a", "b", "d", "e"] {
        assert!(object.take(key).is_some());
    }
    assert!(object.is_empty() && Object::default().is_empty());
    assert_eq!(object.take("e"), None);
}

#[test]
fn a_key_that_comes_twice_is_found_among_few_and_many() {
    for count in [1, 2, 15, 16, 17, 18, 40] {
        let members: Vec<String> = (0..count).map(|at| format!("\"k{at}\":{at}")).collect();
        let arena = StringArena::default();
        let text = format!("{{{}}}", members.join(","));
        assert_eq!(parsed(&text, &arena).object().unwrap().repeated().count(), 0, "{count}");
        let text = format!("{{{},\"k0\":-1}}", members.join(","));
        let object = parsed(&text, &arena).object().unwrap();
        assert_eq!((object.iter().count(), object.repeated().count()), (count, 1), "{count}");
        assert_eq!(object.get("k0").unwrap().raw(), "-1");
    }
}

#[test]
fn a_value_knows_its_type_and_its_place() {
    let text = r#" {"a": ["x", 1, null], "b": {"c": false}} "#;
    let arena = StringArena::default();
    let json = Json::parse_at(text, 100, &arena).unwrap();
    assert_eq!((json.offset(), json.kind()), (101, Kind::Object));
    let a = json.object().unwrap().get("a").unwrap();
    let kinds: Vec<(usize, String)> =
        a.array().unwrap().iter().map(|one| (one.offset(), one.kind().to_string())).collect();
    let kind = |at: &str, name: &str| (100 + text.find(at).unwrap(), name.to_owned());
    assert_eq!(kinds, [kind("\"x\"", "a string"), kind("1", "a number"), kind("null", "null")]);
    assert!(!a.is_empty_array() && !json.is_empty_array() && !Json::NULL.is_empty_array());
    assert!(Json::EMPTY_ARRAY.is_empty_array() && parsed(" [ ] ", &arena).is_empty_array());
    assert!(!parsed("{}", &arena).is_empty_array());
    let message = |error: JsonError| (error.offset, error.to_string());
    assert_eq!(message(a.as_str().unwrap_err()), (a.offset(), "expected a string, found an array".to_owned()));
    assert_eq!(message(json.array().unwrap_err()), (101, "expected an array, found an object".to_owned()));
    assert_eq!(message(a.object().unwrap_err()).1, "expected an object, found an array");
    assert_eq!(message(parsed("true", &arena).object().unwrap_err()).1, "expected an object, found a boolean");
}

#[test]
fn only_whitespace_is_left_out_of_compact_json() {
    for (text, compact) in [
        ("[1,2]", "[1,2]"),
        ("[ 1\t,\r\n2 ]", "[1,2]"),
        ("{ }", "{}"),
        ("{\"a b\" : \" \" }", "{\"a b\":\" \"}"),
        ("[1 ,[2, 3]]", "[1,[2,3]]"),
        (" 1 ", "1"),
        ("[\n]", "[]"),
        ("{\"a\":1, \"b\":2}", "{\"a\":1,\"b\":2}"),
    ] {
        let arena = StringArena::default();
        let json = parsed(text, &arena);
        assert_eq!(json.compact(), compact);
        let is_borrowed = matches!(json.compact(), std::borrow::Cow::Borrowed(_));
        assert_eq!(is_borrowed, json.raw() == compact, "{text}");
    }
}

#[test]
fn the_path_of_an_error_leads_to_its_value() {
    let error = || JsonError::new("is missing", 7);
    assert_eq!(error().to_string(), "is missing");
    let nested = error().within("image_url").within_index(0).within("output").within_index(3).within("input");
    assert_eq!(nested.to_string(), "`input[3].output[0].image_url`: is missing");
    assert_eq!((nested.offset, nested.is_lone_surrogate), (7, false));
    let arena = StringArena::default();
    let whole = parsed(r#" {"a":1}"#, &arena);
    let mut object = whole.object().unwrap();
    let missing = object.take_string("b", whole).unwrap_err();
    assert_eq!((missing.to_string().as_str(), missing.offset), ("`b`: is missing", 1));
    let wrong = object.take_string("a", whole).unwrap_err();
    assert_eq!((wrong.to_string().as_str(), wrong.offset), ("`a`: expected a string, found a number", 6));
}

#[test]
fn malformed_json_is_reported_in_plain_words_at_its_place() {
    for (text, message, offset) in [
        ("", "the JSON ends where a value should be", 0),
        ("{\"a\":1", "an object is not closed with `}`", 5),
        ("[1", "an array is not closed with `]`", 1),
        ("\"abc", "a string is not closed with `\"`", 3),
        ("nul", "the JSON ends where a value should be", 2),
        ("nux", "expected a value", 2),
        ("[,]", "expected a value", 1),
        ("{1:2}", "a key must be a string in quotes", 1),
        ("[1,]", "trailing comma", 3),
        ("{\"a\":1,}", "trailing comma", 7),
        ("1 2", "there is more text after the JSON", 2),
        ("\"\\x\"", "invalid escape sequence in a string", 2),
        ("\"\u{1}\"", "a control character in a string must be written as an escape", 0),
        ("[\n1,\n 2 3]", "expected `,` or `]`", 8),
        ("[\"é\", é]", "expected a value", 7),
    ] {
        let arena = StringArena::default();
        let error = Json::parse_at(text, 10, &arena).unwrap_err();
        assert_eq!((error.message.as_str(), error.offset), (message, 10 + offset), "{text:?}");
        assert!(!is_valid(text));
    }
    assert!(is_valid(" {\"a\":[]} "));
}

#[test]
fn the_first_value_of_a_text_ends_where_another_token_may_start() {
    for (text, first) in [
        ("1 x", "1"),
        ("1\tx", "1"),
        ("1\nx", "1"),
        ("1\rx", "1"),
        ("1[", "1"),
        ("1]", "1"),
        ("1{", "1"),
        ("1}", "1"),
        ("1,", "1"),
        ("1:", "1"),
        ("1\"", "1"),
        ("null", "null"),
        ("\"a\"x", "\"a\""),
        ("[1]x", "[1]"),
        (" {} x", "{}"),
    ] {
        let arena = StringArena::default();
        let (json, end) = Json::parse_first(text, 5, &arena).unwrap();
        assert_eq!((json.raw(), &text[..end]), (first, &text[..text.find(first).unwrap() + first.len()]), "{text}");
    }
    for (text, message, offset) in [
        ("1x", "there is more text after the JSON", 1),
        ("truex", "there is more text after the JSON", 4),
        ("[1,]", "trailing comma", 3),
        ("  ", "expected a value", 0),
    ] {
        let arena = StringArena::default();
        let error = Json::parse_first(text, 5, &arena).unwrap_err();
        assert_eq!((error.message.as_str(), error.offset), (message, 5 + offset), "{text:?}");
    }
}

#[test]
fn half_a_surrogate_pair_is_not_text() {
    let arena = StringArena::default();
    for (text, offset) in [("\"ab\\ud800\"", 9), ("\"\\ude00\"", 6), ("\"\\ud83d\\n\"", 8), ("\"\\ud83d\\ud83d\"", 12)]
    {
        let error = Json::parse_at(text, 10, &arena).unwrap().as_str().unwrap_err();
        assert_eq!((error.message.as_str(), error.offset), ("half a surrogate pair is not a character", 10 + offset));
        assert!(error.is_lone_surrogate);
    }
    let key = parsed("[ {\"\\ud800\":1}]", &arena).array().unwrap()[0].object().unwrap_err();
    assert_eq!((key.offset, key.is_lone_surrogate), (2, false));
}

#[test]
fn a_line_fits_with_what_is_around_it() {
    let (json, column) = (format!("\"{}\"", "é".repeat(88)), 5);
    assert!(fits_line(&json, column, 5));
    assert!(!fits_line(&json, column, 6) && !fits_line(&json, column + 1, 5));
    assert!(!fits_line("[\n]", 0, 0));
    assert!(fits_line(&"1".repeat(100), 0, 0) && !fits_line(&"1".repeat(101), 0, 0));
}

#[test]
fn an_inner_array_leaves_room_for_its_comma() {
    let inner = |length: usize| format!("[[\"{}\"],1]", "x".repeat(length));
    // Two spaces, `["` and `"]`, and a comma.
    let one_line = |length: usize| lay_out(&inner(length), 0, 0).lines().nth(1).unwrap().ends_with("],");
    assert!(one_line(93) && !one_line(94));
    let wide = "x".repeat(110);
    assert_eq!(lay_out(&format!("[[],{{}},\"{wide}\"]"), 0, 0), format!("[\n  [],\n  {{}},\n  \"{wide}\"\n]"));
    assert_eq!(lay_out("[]", 200, 0), "[]");
}

#[test]
fn an_array_after_a_long_key_stays_on_its_line_if_it_fits() {
    let (key, long) = ("k".repeat(30), "x".repeat(100));
    let text = lay_out(&format!(r#"{{"{key}":[1,2,3],"long":"{long}"}}"#), 0, 0);
    assert_eq!(text.lines().count(), 4, "{text}");
}

#[test]
fn some_keys_of_an_object_are_picked() {
    let arena = StringArena::default();
    let json = parsed(r#"{"a":1,"b":[2],"a":3,"\u0063":4}"#, &arena);
    let raw = |value: Option<Json<'_>>| value.map(|value| value.raw().to_owned());
    assert_eq!(json.pick(["c", "a", "x"]).unwrap().map(raw), [Some("4".to_owned()), Some("3".to_owned()), None]);
    assert!(parsed("[1]", &arena).pick(["a"]).is_err());
}

#[test]
fn values_are_equal_if_they_are_spelled_alike() {
    let arena = StringArena::default();
    assert!(parsed("[1]", &arena) == parsed("[1]", &arena));
    assert!(parsed("[1]", &arena) != parsed("[2]", &arena));
}

#[test]
fn strings_have_the_key_around_them() {
    let arena = StringArena::default();
    let json = parsed(r#"{"a":["b",{"c":"d"},"e"],"f":"g"}"#, &arena);
    let strings: Vec<(&str, &str)> = json.strings().map(|(key, value)| (key.trim_matches('"'), value.raw())).collect();
    assert_eq!(strings, [("a", "\"b\""), ("c", "\"d\""), ("a", "\"e\""), ("f", "\"g\"")]);
}
