//! Tests of `src/wire/overlay.rs`.

use super::{Members, Overlay};
use crate::json::{Json, Object, StringArena, is_same};

fn object<'j>(text: &'j str, strings: &'j StringArena) -> Object<'j> {
    Json::parse(text, strings).and_then(Json::object).unwrap_or_default()
}

#[test]
fn the_members_between_two_objects_turn_one_into_the_other() {
    let strings = StringArena::default();
    let texts = [r#"{"a":1,"b":null}"#, r#"{"a":1.0}"#, "{}", r#"{"b":{"c":[]},"a":1}"#];
    for derived in texts {
        for wanted in texts {
            let (mut one, other) = (Members::from(object(derived, &strings)), object(wanted, &strings));
            Overlay::between(&one, &other, &strings).apply(&mut one);
            assert!(is_same(one.to_json(&strings), strings.object(&other)), "{derived} {wanted}");
        }
    }
}

#[test]
fn many_members_are_set_in_their_places() {
    let strings = StringArena::default();
    let many = |value: &str| {
        let members: Vec<String> = (0..100).map(|index| format!("\"key_{index}\":{value}")).collect();
        format!("{{{}}}", members.join(","))
    };
    let (derived, wanted) = (many("1"), many("2").replace("key_99", "last"));
    let (mut one, other) = (Members::from(object(&derived, &strings)), object(&wanted, &strings));
    Overlay::between(&one, &other, &strings).apply(&mut one);
    assert_eq!(one.to_json(&strings).raw(), wanted);
}
