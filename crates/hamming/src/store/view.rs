//! What a question sees: levels that do not change, and what changed lately.

use super::level::Level;
use super::memtable::Memtable;
use lookalike_core::bits::FingerprintBits;
use lookalike_store::Error;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::{ControlFlow, Range};
use std::sync::{Arc, PoisonError, RwLock};

/// Different fingerprints near a query beyond which its neighbourhood is dense: not all of them are looked at.
const MAX_DISTINCT_NEIGHBOURS: usize = 256;

/// An entry near a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Match<F> {
    /// Its id.
    pub id: u64,
    /// Its fingerprint.
    pub fingerprint: F,
    /// In how many bits it differs from the query.
    pub distance: u32,
}

/// The entries near a query.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Matches<F> {
    /// The nearest first, then by id; no more than were asked for.
    pub matches: Vec<Match<F>>,
    /// How many there are; or, in a dense neighbourhood, how many were looked at, at least as many as were asked for.
    pub count: u64,
    /// Whether all were counted.
    pub complete: bool,
}

/// Changes in memory that several threads know.
pub(super) type SharedMemtable<F> = Arc<RwLock<Memtable<F>>>;

/// Levels and what changed since. A view does not change but for `active`, until that is frozen.
#[derive(Debug)]
pub(super) struct StoreView<F> {
    /// The oldest first.
    pub(super) levels: Vec<Arc<Level<F>>>,
    /// Full, and on their way to the disk: the oldest first.
    pub(super) frozen: Vec<SharedMemtable<F>>,
    pub(super) active: SharedMemtable<F>,
}

/// Looks at what changed lately.
pub(super) fn with_memtable<F, T>(memtable: &SharedMemtable<F>, see: impl FnOnce(&Memtable<F>) -> T) -> T {
    see(&memtable.read().unwrap_or_else(PoisonError::into_inner))
}

impl<F: FingerprintBits> StoreView<F> {
    /// Levels, and what changed since, the oldest first: one at least.
    pub(super) fn new(levels: Vec<Arc<Level<F>>>, memtables: Vec<Memtable<F>>) -> Self {
        let mut frozen: Vec<SharedMemtable<F>> =
            memtables.into_iter().map(|memtable| Arc::new(RwLock::new(memtable))).collect();
        let active = frozen.pop().expect("one at least");
        Self { levels, frozen, active }
    }

    /// Whether an id is there as far as what no longer changes knows: 1, 0, or -1 beside what is still active. And the last
    /// operation on the fingerprint that may not be safe yet.
    pub(super) fn settled(&self, fingerprint: F, id: u64) -> Result<(i64, u64), Error> {
        let (mut sum, mut last) = (0, 0);
        for level in &self.levels {
            sum += level.change(fingerprint, id)?;
        }
        for memtable in &self.frozen {
            let (change, sequence) = with_memtable(memtable, |memtable| memtable.change(fingerprint, id));
            (sum, last) = (sum + change, sequence.max(last));
        }
        Ok((sum, last))
    }

    /// What is near in what no longer changes. In a dense neighbourhood, only the nearest of them: at least `limit`,
    /// and all of the distances that are looked at.
    pub(super) fn gather(&self, query: F, k: u32, limit: usize) -> Result<Neighbours<'_, F>, Error> {
        if let Some(all) = self.gather_few(query, k, MAX_DISTINCT_NEIGHBOURS.max(limit))? {
            return Ok(all);
        }
        for nearer in 0..k {
            let all = self.gather_all(query, nearer)?;
            if all.count() >= limit.max(1) as u64 {
                return Ok(Neighbours { complete: false, ..all });
            }
        }
        self.gather_all(query, k)
    }

    /// What is near, the last changes included, and the last operation that the answer rests on.
    pub(super) fn near(&self, query: F, k: u32, limit: usize) -> Result<(Matches<F>, u64), Error> {
        let all = self.latest(self.gather(query, k, limit)?, k, limit)?;
        let last = all.last;
        Ok((all.found(limit)?, last))
    }

    /// With the last changes; and with all that is near, if some of the nearest went lately.
    pub(super) fn latest<'v>(
        &'v self,
        mut all: Neighbours<'v, F>,
        k: u32,
        limit: usize,
    ) -> Result<Neighbours<'v, F>, Error> {
        with_memtable(&self.active, |memtable| all.memtable(memtable));
        if !all.complete && all.count() < limit.max(1) as u64 {
            all = self.gather_all(all.query, k)?;
            with_memtable(&self.active, |memtable| all.memtable(memtable));
        }
        Ok(all)
    }

    /// All that is near in what no longer changes.
    pub(super) fn gather_all(&self, query: F, k: u32) -> Result<Neighbours<'_, F>, Error> {
        Ok(self.gather_few(query, k, usize::MAX)?.expect("there are not so many"))
    }

    /// The same; nothing if more than so many different fingerprints are near.
    fn gather_few(&self, query: F, k: u32, most: usize) -> Result<Option<Neighbours<'_, F>>, Error> {
        let mut all = Neighbours { query, k, lists: Vec::new(), last: 0, complete: true };
        for level in &self.levels {
            if !all.level(level, most)? {
                return Ok(None);
            }
        }
        for level in &self.levels {
            all.removals(level)?;
        }
        for memtable in &self.frozen {
            with_memtable(memtable, |memtable| all.memtable(memtable));
        }
        Ok(Some(all))
    }

    /// How many there are.
    pub(super) fn balance(&self) -> i64 {
        let levels: i64 = self.levels.iter().map(|level| level.balance()).sum();
        levels + self.memtables().map(|memtable| with_memtable(memtable, Memtable::balance)).sum::<i64>()
    }

    fn memtables(&self) -> impl Iterator<Item = &SharedMemtable<F>> {
        self.frozen.iter().chain([&self.active])
    }
}

/// The ids of a fingerprint in one place, in order.
enum IdList<'a, F> {
    Added(&'a Level<F>, Range<u64>),
    Removed(&'a Level<F>, Range<u64>),
    Recent(Vec<(u64, i8)>),
}

impl<F: FingerprintBits> IdList<'_, F> {
    fn sum(&self) -> i64 {
        match self {
            Self::Added(_, rows) => (rows.end - rows.start).cast_signed(),
            Self::Removed(_, rows) => -(rows.end - rows.start).cast_signed(),
            Self::Recent(ids) => ids.iter().map(|(_, change)| i64::from(*change)).sum(),
        }
    }

    fn get(&self, at: u64) -> Result<Option<(u64, i64)>, Error> {
        match self {
            Self::Added(level, rows) if rows.start + at < rows.end => Ok(Some((level.added.id(rows.start + at)?, 1))),
            Self::Removed(level, rows) if rows.start + at < rows.end => {
                level.removed.as_ref().map(|removed| Ok((removed.id(rows.start + at)?, -1))).transpose()
            }
            Self::Recent(ids) => Ok(ids.get(at as usize).map(|(id, change)| (*id, i64::from(*change)))),
            _ => Ok(None),
        }
    }
}

/// The ids near a query, in many places.
pub(super) struct Neighbours<'a, F> {
    query: F,
    k: u32,
    lists: Vec<(u32, F, IdList<'a, F>)>,
    /// The last operation that the answer rests on.
    pub(super) last: u64,
    /// Whether all that is near was looked at.
    pub(super) complete: bool,
}

impl<'a, F: FingerprintBits> Neighbours<'a, F> {
    /// What is near in a level. False, and not all of it, if that makes more than so many.
    fn level(&mut self, level: &'a Level<F>, most: usize) -> Result<bool, Error> {
        level.added.near(self.query, self.k, |hit| {
            self.lists.push((hit.distance, hit.fingerprint, IdList::Added(level, hit.rows)));
            if self.lists.len() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(self.lists.len() <= most)
    }

    /// What went of what was found. It is in some level, for it came before.
    fn removals(&mut self, level: &'a Level<F>) -> Result<(), Error> {
        let Some(removed) = &level.removed else { return Ok(()) };
        let mut fingerprints: Vec<F> = self.lists.iter().map(|(_, fingerprint, _)| *fingerprint).collect();
        fingerprints.sort_unstable();
        fingerprints.dedup();
        for fingerprint in fingerprints {
            let rows = removed.find(fingerprint)?;
            if !rows.is_empty() {
                self.lists.push((fingerprint.distance(self.query), fingerprint, IdList::Removed(level, rows)));
            }
        }
        Ok(())
    }

    /// What changed lately.
    pub(super) fn memtable(&mut self, memtable: &Memtable<F>) {
        memtable.near(self.query, self.k, |slot, distance| {
            self.last = self.last.max(slot.sequence);
            if !slot.ids.is_empty() {
                self.lists.push((distance, slot.fingerprint, IdList::Recent(slot.ids.clone())));
            }
        });
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        self.lists.iter().map(|(_, _, ids)| ids.sum()).sum::<i64>().max(0) as u64
    }

    /// The nearest, at most so many, and how many there are. No more ids are read than it takes.
    pub(super) fn found(mut self, limit: usize) -> Result<Matches<F>, Error> {
        let mut found = Matches { matches: Vec::new(), count: self.count(), complete: self.complete };
        let limit = limit.min(usize::try_from(found.count).unwrap_or(usize::MAX));
        self.lists.sort_by_key(|(distance, ..)| *distance);
        for lists in self.lists.chunk_by(|a, b| a.0 == b.0) {
            if found.matches.len() == limit {
                break;
            }
            nearest(lists, limit, &mut found.matches)?;
        }
        Ok(found)
    }
}

/// Adds up lists of the same distance, by id.
fn nearest<F: FingerprintBits>(
    lists: &[(u32, F, IdList<'_, F>)],
    limit: usize,
    matches: &mut Vec<Match<F>>,
) -> Result<(), Error> {
    let mut heads = BinaryHeap::new();
    let mut next = vec![0; lists.len()];
    let mut advance = |heads: &mut BinaryHeap<_>, at: usize| -> Result<(), Error> {
        let (_, fingerprint, ids) = &lists[at];
        if let Some((id, change)) = ids.get(next[at])? {
            next[at] += 1;
            heads.push(Reverse((id, *fingerprint, change, at)));
        }
        Ok(())
    };
    for at in 0..lists.len() {
        advance(&mut heads, at)?;
    }
    while let Some(Reverse((id, fingerprint, ..))) = heads.peek().copied()
        && matches.len() < limit
    {
        let mut sum = 0;
        while let Some(Reverse((other_id, other, change, at))) = heads.peek().copied()
            && (other_id, other) == (id, fingerprint)
        {
            heads.pop();
            sum += change;
            advance(&mut heads, at)?;
        }
        if sum > 0 {
            matches.push(Match { id, fingerprint, distance: lists[0].0 });
        }
    }
    Ok(())
}
