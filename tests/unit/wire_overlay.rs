//! Tests of `src/wire/overlay.rs`.

use super::Overlay;
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
            let (mut one, other) = (object(derived, &strings), object(wanted, &strings));
            Overlay::between(&one, &other, &strings).apply(&mut one);
            assert!(is_same(strings.object(&one), strings.object(&other)), "{derived} {wanted}");
        }
    }
}
