//! Tests of `src/wire/ids.rs`.

use super::sent_call_id;
use crate::wire::Api;

#[test]
fn accepted_ids_stay() {
    for id in ["call_1", "a-b", &"x".repeat(40)] {
        for api in Api::all() {
            assert_eq!(sent_call_id(api, id), id);
        }
    }
}

#[test]
fn other_ids_are_replaced_and_stay_distinct() {
    assert_eq!(sent_call_id(Api::Messages, "call.1"), "call_1_e8b7b7b3");
    assert_ne!(sent_call_id(Api::Messages, "call:1"), sent_call_id(Api::Messages, "call.1"));
    assert_eq!(sent_call_id(Api::Messages, &"é".repeat(70)).len(), 64);
    assert_eq!(sent_call_id(Api::Chat, &"x".repeat(41)).len(), 40);
    assert_eq!(sent_call_id(Api::Chat, "call.1"), "call.1");
    assert_eq!(sent_call_id(Api::Messages, ""), "_e3b0c442");
}
