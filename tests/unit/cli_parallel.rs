//! Tests of `src/cli/parallel.rs`.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::{MAX_PENDING, for_each, map};

#[test]
fn results_are_in_the_order_of_the_inputs() {
    let inputs: Vec<u64> = (0..1000).collect();
    let slow_first = |input: &u64| {
        if input.is_multiple_of(100) {
            thread::sleep(std::time::Duration::from_millis(5));
        }
        *input
    };
    assert_eq!(map(&inputs, slow_first), inputs);
    assert!(map(&[], slow_first).is_empty());
}

#[test]
fn only_a_few_inputs_are_worked_on_before_their_results_are_taken() {
    let (started, inputs) = (AtomicUsize::new(0), [(); 1000]);
    let stopped_at = for_each(
        &inputs,
        |()| started.fetch_add(1, Ordering::SeqCst),
        |(), _| ControlFlow::Break(started.load(Ordering::SeqCst)),
    );
    let most = MAX_PENDING * thread::available_parallelism().map_or(1, usize::from);
    assert!(stopped_at.is_some_and(|count| count <= most), "{stopped_at:?} of at most {most}");
    assert!(started.into_inner() <= most);
}
