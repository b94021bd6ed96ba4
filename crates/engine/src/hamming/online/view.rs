//! What a question sees: levels that do not change, and what changed lately.

use super::level::Level;
use super::recent::Recent;
use super::{Found, Hit};
use crate::hamming::Print;
use lookalike_store::Error;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::ops::{ControlFlow, Range};
use std::sync::{Arc, PoisonError, RwLock};

/// Different fingerprints near a query beyond which they are a crowd: not all of them are looked at.
const CROWD: usize = 256;

/// Changes in memory that several threads know.
pub(super) type Shared<F> = Arc<RwLock<Recent<F>>>;

/// Levels and what changed since. A view does not change but for `active`, until that is frozen.
#[derive(Debug)]
pub(super) struct View<F> {
    /// The largest first.
    pub(super) levels: Vec<Arc<Level<F>>>,
    /// Full, and on their way to the disk: the oldest first.
    pub(super) frozen: Vec<Shared<F>>,
    pub(super) active: Shared<F>,
}

/// Looks at what changed lately.
pub(super) fn look<F, T>(recent: &Shared<F>, see: impl FnOnce(&Recent<F>) -> T) -> T {
    see(&recent.read().unwrap_or_else(PoisonError::into_inner))
}

impl<F: Print> View<F> {
    /// Levels, and what changed since, the oldest first: one at least.
    pub(super) fn new(levels: Vec<Arc<Level<F>>>, recents: Vec<Recent<F>>) -> Self {
        let mut frozen: Vec<Shared<F>> = recents.into_iter().map(|recent| Arc::new(RwLock::new(recent))).collect();
        let active = frozen.pop().expect("one at least");
        Self { levels, frozen, active }
    }

    /// Whether an id is there as far as what no longer changes knows: 1, 0, or -1 beside what is still active. And the last
    /// operation on the fingerprint that may not be safe yet.
    pub(super) fn settled(&self, print: F, id: u64) -> Result<(i64, u64), Error> {
        let (mut sum, mut last) = (0, 0);
        for level in &self.levels {
            sum += level.change(print, id)?;
        }
        for recent in &self.frozen {
            let (change, sequence) = look(recent, |recent| recent.change(print, id));
            (sum, last) = (sum + change, sequence.max(last));
        }
        Ok((sum, last))
    }

    /// What is near in what no longer changes. Where very many crowd around the query, only the nearest of them: at least `limit`,
    /// and all of the distances that are looked at.
    pub(super) fn gather(&self, query: F, k: u32, limit: usize) -> Result<Gathered<'_, F>, Error> {
        if let Some(all) = self.gather_few(query, k, CROWD.max(limit))? {
            return Ok(all);
        }
        for nearer in 0..k {
            let all = self.gather_all(query, nearer)?;
            if all.count() >= limit.max(1) as u64 {
                return Ok(Gathered { complete: false, ..all });
            }
        }
        self.gather_all(query, k)
    }

    /// Who is near, the last changes included, and the last operation that the answer rests on.
    pub(super) fn near(&self, query: F, k: u32, limit: usize) -> Result<(Found<F>, u64), Error> {
        let all = self.latest(self.gather(query, k, limit)?, k, limit)?;
        let last = all.last;
        Ok((all.found(limit)?, last))
    }

    /// With the last changes; and with all that is near, if some of the nearest went lately.
    pub(super) fn latest<'v>(
        &'v self,
        mut all: Gathered<'v, F>,
        k: u32,
        limit: usize,
    ) -> Result<Gathered<'v, F>, Error> {
        look(&self.active, |recent| all.recent(recent));
        if !all.complete && all.count() < limit.max(1) as u64 {
            all = self.gather_all(all.query, k)?;
            look(&self.active, |recent| all.recent(recent));
        }
        Ok(all)
    }

    /// All that is near in what no longer changes.
    pub(super) fn gather_all(&self, query: F, k: u32) -> Result<Gathered<'_, F>, Error> {
        Ok(self.gather_few(query, k, usize::MAX)?.expect("there are not so many"))
    }

    /// The same; nothing if more than so many different fingerprints are near.
    fn gather_few(&self, query: F, k: u32, most: usize) -> Result<Option<Gathered<'_, F>>, Error> {
        let mut all = Gathered { query, k, lists: Vec::new(), last: 0, complete: true };
        for level in &self.levels {
            if !all.level(level, most)? {
                return Ok(None);
            }
        }
        for level in &self.levels {
            all.gone(level)?;
        }
        for recent in &self.frozen {
            look(recent, |recent| all.recent(recent));
        }
        Ok(Some(all))
    }

    /// How many there are.
    pub(super) fn balance(&self) -> i64 {
        let levels: i64 = self.levels.iter().map(|level| level.balance()).sum();
        levels + self.recents().map(|recent| look(recent, Recent::balance)).sum::<i64>()
    }

    fn recents(&self) -> impl Iterator<Item = &Shared<F>> {
        self.frozen.iter().chain([&self.active])
    }
}

/// Ids of a fingerprint in one place, in order.
enum Ids<'a, F> {
    Came(&'a Level<F>, Range<u64>),
    Went(&'a Level<F>, Range<u64>),
    Changed(Vec<(u64, i8)>),
}

impl<F: Print> Ids<'_, F> {
    fn sum(&self) -> i64 {
        match self {
            Self::Came(_, rows) => (rows.end - rows.start).cast_signed(),
            Self::Went(_, rows) => -(rows.end - rows.start).cast_signed(),
            Self::Changed(ids) => ids.iter().map(|(_, change)| i64::from(*change)).sum(),
        }
    }

    fn get(&self, at: u64) -> Result<Option<(u64, i64)>, Error> {
        match self {
            Self::Came(level, rows) if rows.start + at < rows.end => Ok(Some((level.added.id(rows.start + at)?, 1))),
            Self::Went(level, rows) if rows.start + at < rows.end => {
                level.removed.as_ref().map(|removed| Ok((removed.id(rows.start + at)?, -1))).transpose()
            }
            Self::Changed(ids) => Ok(ids.get(at as usize).map(|(id, change)| (*id, i64::from(*change)))),
            _ => Ok(None),
        }
    }
}

/// Ids near a query, in many places.
pub(super) struct Gathered<'a, F> {
    query: F,
    k: u32,
    lists: Vec<(u32, F, Ids<'a, F>)>,
    /// The last operation that the answer rests on.
    pub(super) last: u64,
    /// Whether all that is near was looked at.
    pub(super) complete: bool,
}

impl<'a, F: Print> Gathered<'a, F> {
    /// What is near in a level. False, and not all of it, if that makes more than so many.
    fn level(&mut self, level: &'a Level<F>, most: usize) -> Result<bool, Error> {
        level.added.near(self.query, self.k, |hit| {
            self.lists.push((hit.distance, hit.print, Ids::Came(level, hit.rows)));
            if self.lists.len() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(self.lists.len() <= most)
    }

    /// What went of what was found. It is in some level, for it came before.
    fn gone(&mut self, level: &'a Level<F>) -> Result<(), Error> {
        let Some(removed) = &level.removed else { return Ok(()) };
        let mut prints: Vec<F> = self.lists.iter().map(|(_, print, _)| *print).collect();
        prints.sort_unstable();
        prints.dedup();
        for print in prints {
            let rows = removed.find(print)?;
            if !rows.is_empty() {
                self.lists.push((print.distance(self.query), print, Ids::Went(level, rows)));
            }
        }
        Ok(())
    }

    /// What changed lately.
    pub(super) fn recent(&mut self, recent: &Recent<F>) {
        recent.near(self.query, self.k, |slot, distance| {
            self.last = self.last.max(slot.sequence);
            if !slot.ids.is_empty() {
                self.lists.push((distance, slot.print, Ids::Changed(slot.ids.clone())));
            }
        });
    }

    /// How many there are.
    pub(super) fn count(&self) -> u64 {
        self.lists.iter().map(|(_, _, ids)| ids.sum()).sum::<i64>().max(0) as u64
    }

    /// The nearest, at most so many, and how many there are. No more ids are read than it takes.
    pub(super) fn found(mut self, limit: usize) -> Result<Found<F>, Error> {
        let mut found = Found { hits: Vec::new(), count: self.count(), complete: self.complete };
        let limit = limit.min(usize::try_from(found.count).unwrap_or(usize::MAX));
        self.lists.sort_by_key(|(distance, ..)| *distance);
        for lists in self.lists.chunk_by(|a, b| a.0 == b.0) {
            if found.hits.len() == limit {
                break;
            }
            nearest(lists, limit, &mut found.hits)?;
        }
        Ok(found)
    }
}

/// Adds up lists of the same distance, by id.
fn nearest<F: Print>(lists: &[(u32, F, Ids<'_, F>)], limit: usize, hits: &mut Vec<Hit<F>>) -> Result<(), Error> {
    let mut heads = BinaryHeap::new();
    let mut next = vec![0; lists.len()];
    let mut advance = |heads: &mut BinaryHeap<_>, at: usize| -> Result<(), Error> {
        let (_, print, ids) = &lists[at];
        if let Some((id, change)) = ids.get(next[at])? {
            next[at] += 1;
            heads.push(Reverse((id, *print, change, at)));
        }
        Ok(())
    };
    for at in 0..lists.len() {
        advance(&mut heads, at)?;
    }
    while let Some(Reverse((id, print, ..))) = heads.peek().copied()
        && hits.len() < limit
    {
        let mut sum = 0;
        while let Some(Reverse((other_id, other, change, at))) = heads.peek().copied()
            && (other_id, other) == (id, print)
        {
            heads.pop();
            sum += change;
            advance(&mut heads, at)?;
        }
        if sum > 0 {
            hits.push(Hit { id, print, distance: lists[0].0 });
        }
    }
    Ok(())
}
