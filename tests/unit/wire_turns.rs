//! Elements to messages, and marks that keep the messages of a request.

use super::{Mark, Unit, UnitKind, arrange, marks};
use crate::wire::Api;
use UnitKind::{Call, Foreign, Output, Reasoning, System, Text, User, Whole};

fn plain(kinds: &[UnitKind<'static>]) -> Vec<Unit<'static>> {
    kinds.iter().map(|kind| Unit { kind: *kind, mark: None }).collect()
}

#[test]
fn texts_go_before_calls_and_outputs_to_their_calls() {
    let units = plain(&[User, Call("a"), Text, Call("b"), Output("b"), User, Output("a")]);
    let plan = arrange(Api::Messages, &units);
    assert_eq!(plan.messages, [vec![0], vec![2, 1, 3], vec![4, 6, 5]]);
    let rules: Vec<_> = plan.moved.iter().map(|moved| (moved.unit, moved.rule.name())).collect();
    assert_eq!(rules, [(6, "moved-output"), (2, "moved-text")]);
    let plan = arrange(Api::Chat, &units);
    assert_eq!(plan.messages, [vec![0], vec![2, 1, 3], vec![4], vec![6], vec![5]]);
}

#[test]
fn leading_system_messages_have_a_field_of_their_own() {
    let plan = arrange(Api::Messages, &plain(&[System, System, User, System, User]));
    assert_eq!((plan.system, plan.messages), (vec![0, 1], vec![vec![2], vec![3], vec![4]]));
    assert_eq!(arrange(Api::Chat, &plain(&[System, User])).messages, [vec![0], vec![1]]);
}

#[test]
fn a_signed_turn_is_not_reordered() {
    let units = plain(&[Reasoning { is_sealed: true }, Call("a"), Text, Output("a")]);
    let plan = arrange(Api::Messages, &units);
    assert_eq!((plan.messages, plan.signed), (vec![vec![0, 1, 2], vec![3]], vec![2]));
}

#[test]
fn a_late_output_before_sealed_reasoning_breaks_prefixes() {
    let sealed = Reasoning { is_sealed: true };
    let plan = arrange(Api::Messages, &plain(&[Call("a"), User, Output("a"), sealed, Text]));
    assert!(plan.moved[0].prefix);
    let plan = arrange(Api::Messages, &plain(&[sealed, Call("a"), User, Output("a"), Text]));
    assert!(!plan.moved[0].prefix);
}

/// The kinds that a role's messages are made of.
fn kinds(api: Api, seed: &mut u64) -> Vec<UnitKind<'static>> {
    let mut next = |count: usize| {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(*seed >> 33).unwrap_or(0) % count
    };
    let ids = ["a", "b", "c"];
    let role = next(8);
    let count = if role < 6 && api == Api::Messages { 1 + next(4) } else { 1 };
    let one = |next: &mut dyn FnMut(usize) -> usize| match role {
        0..3 if api == Api::Messages && next(2) == 0 => Output(ids[next(3)]),
        0..3 if api == Api::Chat && next(2) == 0 => Output("a"),
        0..3 => User,
        6 => System,
        7 => Whole,
        _ => match next(5) {
            0 | 1 => Text,
            2 => Reasoning { is_sealed: next(2) == 0 },
            3 => Call(ids[next(3)]),
            _ => Foreign,
        },
    };
    (0..count).map(|_| one(&mut next)).collect()
}

#[test]
fn marks_keep_the_messages_of_any_request() {
    let mut seed = 7;
    for case in 0..20_000 {
        for api in [Api::Messages, Api::Chat] {
            let messages: Vec<Vec<UnitKind<'_>>> = (0..=case % 7).map(|_| kinds(api, &mut seed)).collect();
            let input: Vec<Vec<_>> =
                messages.iter().map(|message| message.iter().map(|kind| (*kind, false)).collect()).collect();
            let marks = marks(api, &input);
            let units: Vec<Unit<'_>> = messages
                .iter()
                .zip(&marks)
                .flat_map(|(message, marks)| message.iter().zip(marks))
                .map(|(kind, mark)| Unit { kind: *kind, mark: *mark })
                .collect();
            let plan = arrange(api, &units);
            let mut next = 0..units.len();
            let wanted: Vec<Vec<usize>> =
                messages.iter().map(|message| next.by_ref().take(message.len()).collect()).collect();
            assert_eq!(plan.messages, wanted, "{api:?} {units:?}");
            assert!(plan.moved.is_empty() && plan.system.is_empty(), "{units:?}");
        }
    }
}

#[test]
fn an_empty_text_is_marked() {
    assert_eq!(marks(Api::Messages, &[vec![(User, true)]]), [[Some(Mark::Here)]]);
}
