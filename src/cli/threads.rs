//! Work spread over the machine's cores, its results in the order of the work.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use super::outside;

/// The room of a thread: as much as the first one usually has, so that what can be read there can be read here.
const STACK_BYTES: usize = 8 * 1024 * 1024;

/// Does `work` for 0 to `n`, `share` of them at a time by one thread.
pub(super) fn in_order<T: Send>(n: usize, share: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let share = share.max(1);
    let n_threads = outside::n_cores().min(n.div_ceil(share));
    let next = AtomicUsize::new(0);
    let take = || {
        let mut done: Vec<(usize, Vec<T>)> = Vec::new();
        loop {
            let start = next.fetch_add(share, Ordering::Relaxed);
            if start >= n {
                return done;
            }
            done.push((start, (start..n.min(start + share)).map(&work).collect()));
        }
    };
    let mut done = thread::scope(|scope| {
        let start = |_| thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, take);
        // Where the machine gives no more threads, those that there are do the work, this one among them.
        let others: Vec<_> = (1..n_threads).map_while(|i| start(i).ok()).collect();
        let mut done = take();
        for other in others {
            match other.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|(start, _)| *start);
    done.into_iter().flat_map(|(_, results)| results).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn results_stand_in_the_order_of_the_work() {
        for (n, share) in [(0, 1), (1, 4), (7, 2), (1_000, 3), (10, 0)] {
            assert_eq!(super::in_order(n, share, |i| i * 2), (0..n).map(|i| i * 2).collect::<Vec<_>>());
        }
    }
}
