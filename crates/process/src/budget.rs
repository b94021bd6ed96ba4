//! A number of bytes that threads share: each takes what it is about to use, and waits while too little is left.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes of memory that may be taken at once.
#[derive(Debug)]
pub struct MemoryBudget {
    limit: AtomicU64,
    taken: Mutex<Taken>,
    released: Condvar,
}

#[derive(Debug, Default)]
struct Taken {
    bytes: u64,
    peak: u64,
}

impl MemoryBudget {
    /// A budget of a number of bytes.
    pub fn new(limit: u64) -> Arc<Self> {
        let limit = AtomicU64::new(limit);
        Arc::new(Self { limit, taken: Mutex::default(), released: Condvar::new() })
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The number of bytes.
    pub fn limit(&self) -> u64 {
        self.limit.load(Ordering::Relaxed)
    }

    /// Changes the number of bytes. What was taken before stays taken.
    pub fn set_limit(&self, limit: u64) {
        // under the lock, so that no thread looks at the old limit and then waits
        let taken = self.taken();
        self.limit.store(limit, Ordering::Relaxed);
        drop(taken);
        self.released.notify_all();
    }

    /// Waits until this many bytes are left, and takes them. A request larger than the whole budget is granted when nothing else is
    /// taken. A thread that holds a permit must not take another from the same budget: both could wait for ever.
    pub fn take(self: &Arc<Self>, bytes: u64) -> Permit {
        let full = |taken: &mut Taken| taken.bytes > 0 && taken.bytes.saturating_add(bytes) > self.limit();
        let mut taken = self.released.wait_while(self.taken(), full).unwrap_or_else(PoisonError::into_inner);
        taken.bytes += bytes;
        taken.peak = taken.peak.max(taken.bytes);
        Permit { budget: Arc::clone(self), bytes }
    }

    /// Waits while more than the whole budget is taken.
    pub fn wait(&self) {
        let over = |taken: &mut Taken| taken.bytes > self.limit();
        drop(self.released.wait_while(self.taken(), over).unwrap_or_else(PoisonError::into_inner));
    }

    /// The most that was ever taken at once.
    pub fn peak(&self) -> u64 {
        self.taken().peak
    }
}

/// Bytes taken from a budget; given back on drop.
#[derive(Debug)]
pub struct Permit {
    budget: Arc<MemoryBudget>,
    bytes: u64,
}

impl Drop for Permit {
    fn drop(&mut self) {
        self.budget.taken().bytes -= self.bytes;
        self.budget.released.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn no_more_is_taken_than_the_limit() {
        let budget = MemoryBudget::new(100);
        std::thread::scope(|scope| {
            for at in 0..8u64 {
                let budget = &budget;
                scope.spawn(move || {
                    for step in 0..50 {
                        let permit = budget.take(1 + (at * 37 + step * 11) % 60);
                        assert!(budget.taken().bytes <= 100);
                        drop(permit);
                    }
                });
            }
        });
        assert!(budget.peak() <= 100 && budget.taken().bytes == 0);
    }

    #[test]
    fn a_request_over_the_limit_is_granted_alone() {
        let budget = MemoryBudget::new(100);
        let small = budget.take(10);
        let (granted, wait_for_grant) = std::sync::mpsc::channel();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let large = budget.take(500);
                granted.send(()).unwrap();
                drop(large);
            });
            assert!(wait_for_grant.recv_timeout(Duration::from_millis(50)).is_err(), "not beside another");
            drop(small);
            wait_for_grant.recv_timeout(Duration::from_secs(20)).expect("alone");
        });
        budget.wait();
        assert_eq!((budget.peak(), budget.taken().bytes), (500, 0));
    }

    #[test]
    fn a_raised_limit_wakes_the_threads_that_wait() {
        let budget = MemoryBudget::new(10);
        let small = budget.take(8);
        std::thread::scope(|scope| {
            let second = scope.spawn(|| drop(budget.take(8)));
            budget.set_limit(16);
            second.join().unwrap();
        });
        drop(small);
    }
}
