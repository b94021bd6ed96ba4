//! What reading one archive may cost, with everything inside it: a few kilobytes can stand for petabytes.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::skipped::Reason;

/// What is unpacked may be so many times as large as the archive on the disk. Code and prose shrink to a tenth, and a
/// class that shares most of it to a hundredth; bombs begin at a thousand.
const MAX_RATIO: u64 = 200;
/// And so many bytes more, so that small archives may be odd.
const FREE_BYTES: u64 = 64 << 20;
/// So many members are listed, and so many bytes of their names, for a list is held in memory.
const MAX_MEMBERS: u64 = 1_000_000;
const MAX_NAME_BYTES: u64 = 128 << 20;

/// What is left of the means of an archive on the disk. Only the one thread that cuts the work spends, so what is left
/// out does not depend on threads.
#[derive(Debug)]
pub(crate) struct Meter {
    limit: u64,
    bytes: AtomicU64,
    members: AtomicU64,
    names: AtomicU64,
    over_bytes: LimitFlag,
    over_members: LimitFlag,
}

impl Meter {
    /// For an archive of so many bytes.
    pub(crate) fn new(bytes: u64) -> Meter {
        let limit = bytes.saturating_mul(MAX_RATIO).saturating_add(FREE_BYTES);
        let (members, names) = (MAX_MEMBERS.into(), MAX_NAME_BYTES.into());
        Meter {
            limit,
            bytes: limit.into(),
            members,
            names,
            over_bytes: LimitFlag::default(),
            over_members: LimitFlag::default(),
        }
    }

    /// Pays for unpacking so many bytes. False if that is too much; then nothing is left for what comes after it.
    pub(crate) fn spend(&self, bytes: u64) -> bool {
        take(&self.bytes, bytes) || self.over_bytes.stop(&self.bytes)
    }

    /// Pays for listing a member whose name has so many bytes.
    pub(crate) fn list(&self, name: usize) -> bool {
        (take(&self.names, name as u64) && take(&self.members, 1)) || self.over_members.stop(&self.members)
    }

    /// Why something was not paid for; each reason is told once.
    pub(crate) fn limit_reached(&self) -> Option<Reason> {
        let what = if self.over_bytes.tell() {
            format!("it unpacks to more than {} bytes, over {MAX_RATIO} times its size, as bombs do", self.limit)
        } else if self.over_members.tell() {
            format!("it has more than {MAX_MEMBERS} members, or {MAX_NAME_BYTES} bytes of names")
        } else {
            return None;
        };
        Some(Reason::Packed(format!("{what}; the rest is left out; unpack it and name the folder if you trust it")))
    }
}

/// Whether a limit was passed, and told.
#[derive(Debug, Default)]
struct LimitFlag {
    passed: AtomicBool,
    told: AtomicBool,
}

impl LimitFlag {
    fn stop(&self, means: &AtomicU64) -> bool {
        means.store(0, Ordering::Relaxed);
        self.passed.store(true, Ordering::Relaxed);
        false
    }

    fn tell(&self) -> bool {
        self.passed.load(Ordering::Relaxed) && !self.told.swap(true, Ordering::Relaxed)
    }
}

fn take(from: &AtomicU64, amount: u64) -> bool {
    from.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(amount)).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_limit_is_told_once() {
        let meter = Meter::new(10);
        assert!(meter.spend(FREE_BYTES + 10 * MAX_RATIO) && meter.list(5));
        assert_eq!(meter.limit_reached(), None);
        assert!(!meter.spend(1));
        assert!(meter.limit_reached().unwrap().to_string().contains("67110864 bytes"));
        assert!(!meter.spend(1) && meter.limit_reached().is_none());
        assert!(!meter.list(MAX_NAME_BYTES as usize));
        assert!(meter.limit_reached().unwrap().to_string().contains("1000000 members"));
        assert!(!meter.list(1) && meter.limit_reached().is_none());
    }

    #[test]
    fn a_large_thing_leaves_nothing_for_small_ones() {
        let meter = Meter::new(0);
        assert!(!meter.spend(FREE_BYTES + 1) && !meter.spend(1) && meter.spend(0));
    }
}
