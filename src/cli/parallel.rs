//! Runs work on all cores and returns the results in order.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

/// How many inputs are worked on or have results that wait, for each core.
const MAX_PENDING: usize = 8;

/// Calls `work` for every input on all cores. The results are in the order of the inputs.
pub(crate) fn map<I: Sync, T: Send>(inputs: &[I], work: impl Fn(&I) -> T + Sync) -> Vec<T> {
    let mut results = Vec::with_capacity(inputs.len());
    for_each(inputs, work, |_, result| {
        results.push(result);
        ControlFlow::<()>::Continue(())
    });
    results
}

/// Calls `work` for every input on all cores, and meanwhile `take` for every result, in the order of the inputs.
///
/// Only a few results are in memory at once. Returns what `take` stops with, if it does.
pub(crate) fn for_each<I: Sync, T: Send, B>(
    inputs: &[I],
    work: impl Fn(&I) -> T + Sync,
    mut take: impl FnMut(&I, T) -> ControlFlow<B>,
) -> Option<B> {
    let workers = thread::available_parallelism().map_or(1, usize::from).min(inputs.len());
    let (to_workers, jobs) = mpsc::channel::<(&I, mpsc::Sender<T>)>();
    let jobs = Mutex::new(jobs);
    let next_job = || jobs.lock().unwrap_or_else(PoisonError::into_inner).recv();
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let Ok((input, to_taker)) = next_job() {
                    // It is not wanted any more if `take` has stopped.
                    let _ = to_taker.send(work(input));
                }
            });
        }
        // Dropped at the end, so that the workers end.
        let to_workers = to_workers;
        let mut unsent = inputs.iter();
        let mut results = VecDeque::new();
        for input in inputs {
            for job in unsent.by_ref().take(workers * MAX_PENDING - results.len()) {
                let (to_taker, result) = mpsc::channel();
                to_workers.send((job, to_taker)).ok()?;
                results.push_back(result);
            }
            let result = results.pop_front()?.recv().ok()?;
            if let ControlFlow::Break(value) = take(input, result) {
                return Some(value);
            }
        }
        None
    })
}

#[cfg(test)]
#[path = "../../tests/unit/cli_parallel.rs"]
mod tests;
