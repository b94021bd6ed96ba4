//! A level on disk: what came, and what went of the levels before it.
//!
//! An insert is made only where the id is not there, and a delete only where it is. So the changes to an id, over all levels in whatever
//! order, add up to one if it is there and to none if it is not: levels are merged by adding, and what adds up to none is gone.

use super::meta::{Both, design_for};
use super::recent::Recent;
use crate::hamming::Print;
use crate::hamming::kept::{self, LevelMeta, Room, Section};
use lookalike_core::hamming::{Design, Tables};
use lookalike_store::{Error, Segment, SegmentFile, SegmentWriter, Sequence};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;
use std::sync::Arc;

/// What went is never searched for, only looked up: one table is enough.
const PLAIN: Design = Design::Choose { blocks: 1, lead: 1 };

/// An open level.
#[derive(Debug)]
pub(super) struct Level<F> {
    pub(super) added: Tables<F, Section>,
    pub(super) removed: Option<Tables<F, Section>>,
    pub(super) meta: Both,
    pub(super) segments: Vec<Arc<Segment>>,
}

/// How many times an id is among the rows of a fingerprint: never more than once.
fn times<F: Print>(tables: &Tables<F, Section>, print: F, id: u64) -> Result<i64, Error> {
    let rows = tables.find(print)?;
    let (mut start, mut end) = (rows.start, rows.end);
    while start < end {
        let middle = start + (end - start) / 2;
        match tables.id(middle)?.cmp(&id) {
            std::cmp::Ordering::Equal => return Ok(1),
            std::cmp::Ordering::Less => start = middle + 1,
            std::cmp::Ordering::Greater => end = middle,
        }
    }
    Ok(0)
}

impl<F: Print> Level<F> {
    /// Opens a level that the manifest names.
    pub(super) fn open(folder: &Path, meta: Both, files: &[SegmentFile]) -> Result<Self, Error> {
        Self::opened(folder, meta, files, Segment::advise_random)
    }

    /// Opens it once more, to be read from front to back.
    fn again(&self, folder: &Path) -> Result<Self, Error> {
        let files: Vec<SegmentFile> = self.files().collect();
        Self::opened(folder, self.meta.clone(), &files, Segment::advise_sequential)
    }

    fn opened(folder: &Path, meta: Both, files: &[SegmentFile], advise: fn(&Segment)) -> Result<Self, Error> {
        Self::of(folder, meta, |name| {
            let file = files.iter().find(|file| file.name == name);
            let segment = file.map(|file| Segment::open(folder, file)).transpose()?.map(Arc::new);
            if let Some(segment) = &segment {
                advise(segment);
            }
            Ok(segment)
        })
    }

    /// A level of segments by their names.
    pub(super) fn of(
        folder: &Path,
        meta: Both,
        mut named: impl FnMut(&str) -> Result<Option<Arc<Segment>>, Error>,
    ) -> Result<Self, Error> {
        let mut segments = Vec::new();
        let mut tables = |meta: &LevelMeta| {
            let segment = named(&meta.file)?.ok_or_else(|| Error::Damaged {
                what: folder.join(&meta.file).display().to_string(),
                offset: 0,
                found: "a level of which the manifest does not name the file".into(),
            })?;
            segments.push(Arc::clone(&segment));
            kept::open(&segment, meta)
        };
        let added = tables(&meta.added)?;
        let removed = meta.removed.as_ref().map(&mut tables).transpose()?;
        Ok(Self { added, removed, meta, segments })
    }

    /// Entries, those that went included: what it costs to merge it.
    pub(super) fn rows(&self) -> u64 {
        self.added.len() + self.removed.as_ref().map_or(0, Tables::len)
    }

    /// How many came, without those that went.
    pub(super) fn balance(&self) -> i64 {
        self.added.len().cast_signed() - self.removed.as_ref().map_or(0, |removed| removed.len().cast_signed())
    }

    /// Whether an id of a fingerprint came (1), went (-1), or neither.
    pub(super) fn change(&self, print: F, id: u64) -> Result<i64, Error> {
        let removed = self.removed.as_ref().map_or(Ok(0), |removed| times(removed, print, id))?;
        Ok(times(&self.added, print, id)? - removed)
    }

    /// Its files, as the manifest knows them.
    pub(super) fn files(&self) -> impl Iterator<Item = SegmentFile> + '_ {
        self.segments.iter().map(|segment| segment.file().clone())
    }
}

/// What a writer of a level needs.
pub(super) struct Making<'a> {
    pub(super) folder: &'a Path,
    pub(super) k: u32,
    pub(super) design: Option<Design>,
    pub(super) room: &'a Room,
    /// A new segment under a new name.
    pub(super) segment: &'a dyn Fn() -> Result<SegmentWriter, Error>,
}

impl Making<'_> {
    /// Writes what changed in memory.
    pub(super) fn of_recent<F: Print>(&self, recent: &Recent<F>) -> Result<Option<Level<F>>, Error> {
        let slots = recent.sorted();
        let changes =
            slots.iter().flat_map(|slot| slot.ids.iter().map(|(id, change)| Ok((slot.print, *id, i64::from(*change)))));
        self.write(changes, slots.iter().map(|slot| slot.ids.len() as u64).sum())
    }

    /// Writes several levels as one.
    pub(super) fn of_levels<F: Print>(&self, levels: &[Arc<Level<F>>]) -> Result<Option<Level<F>>, Error> {
        let levels =
            levels.iter().map(|level| level.again(self.folder).map(Arc::new)).collect::<Result<Vec<_>, _>>()?;
        self.write(Changes::new(&levels)?, levels.iter().map(|level| level.added.len()).sum())
    }

    /// None if nothing is left to write.
    pub(super) fn write<F: Print>(
        &self,
        changes: impl Iterator<Item = Result<(F, u64, i64), Error>>,
        most: u64,
    ) -> Result<Option<Level<F>>, Error> {
        let mut removed: Sequence<[u64; 3]> = Sequence::new(&self.room.space, "removed", self.room.memory / 8);
        let design = self.design.unwrap_or_else(|| design_for(F::WIDTH, most, self.k));
        let mut failed = None;
        let added = changes.filter_map(|change| match change {
            Ok((print, id, 1)) => Some(Ok((print, id))),
            Ok((print, id, _)) => {
                let high = if F::WIDTH > 64 { (print >> (F::WIDTH - 64)).low() } else { 0 };
                failed = removed.push([high, print.low(), id]).err().or_else(|| failed.take());
                None
            }
            Err(error) => Some(Err(error)),
        });
        let (file, meta) = kept::write((self.segment)()?, design, most, added, self.room)?;
        let (mut files, mut both) = (vec![file], Both { added: meta, removed: None });
        if let Some(error) = failed {
            return Err(error);
        }
        let removed = removed.finish()?;
        if !removed.is_empty() {
            let print = |high: u64, low: u64| {
                if F::WIDTH > 64 { F::from_low(high) << (F::WIDTH - 64) | F::from_low(low) } else { F::from_low(low) }
            };
            let entries = removed.iter().map(|entry| entry.map(|[high, low, id]| (print(high, low), id)));
            let (file, meta) = kept::write((self.segment)()?, PLAIN, removed.len(), entries, self.room)?;
            files.push(file);
            both.removed = Some(meta);
        }
        if both.added.rows() == 0 && both.removed.is_none() {
            return Ok(None);
        }
        Level::open(self.folder, both, &files).map(Some)
    }
}

/// A sorted list of changes of one kind.
type Changed<'a, F> = Box<dyn Iterator<Item = Result<(F, u64), Error>> + 'a>;

/// The changes of several levels, added up and in order; what adds up to none is left out.
pub(super) struct Changes<'a, F> {
    lists: Vec<(Changed<'a, F>, i64)>,
    heads: BinaryHeap<Reverse<(F, u64, usize)>>,
}

impl<'a, F: Print> Changes<'a, F> {
    pub(super) fn new(levels: &'a [Arc<Level<F>>]) -> Result<Self, Error> {
        let mut lists: Vec<(Changed<'a, F>, i64)> = Vec::new();
        for level in levels {
            lists.push((Box::new(level.added.entries()), 1));
            lists.extend(level.removed.as_ref().map(|removed| (Box::new(removed.entries()) as Changed<'a, F>, -1)));
        }
        let mut all = Self { lists, heads: BinaryHeap::new() };
        for at in 0..all.lists.len() {
            all.advance(at)?;
        }
        Ok(all)
    }

    fn advance(&mut self, at: usize) -> Result<(), Error> {
        if let Some(entry) = self.lists[at].0.next() {
            let (print, id) = entry?;
            self.heads.push(Reverse((print, id, at)));
        }
        Ok(())
    }
}

impl<F: Print> Iterator for Changes<'_, F> {
    type Item = Result<(F, u64, i64), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Reverse((print, id, _)) = *self.heads.peek()?;
            let mut sum = 0;
            while let Some(Reverse((other, other_id, at))) = self.heads.peek().copied()
                && (other, other_id) == (print, id)
            {
                self.heads.pop();
                sum += self.lists[at].1;
                if let Err(error) = self.advance(at) {
                    return Some(Err(error));
                }
            }
            match sum {
                0 => {}
                1 | -1 => return Some(Ok((print, id, sum))),
                _ => {
                    let found = format!("the changes to {print:x} {id} add up to {sum}");
                    return Some(Err(Error::Damaged { what: "the levels".into(), offset: 0, found }));
                }
            }
        }
    }
}
