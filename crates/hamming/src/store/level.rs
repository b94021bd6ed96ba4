//! A level on disk: what came, and what went of the levels before it. And the manifest, which names the levels.
//!
//! An insert is made only where the id is not there, and a delete only where it is. So the changes to an id, over all levels in whatever
//! order, add up to one if it is there and to none if it is not: levels are merged by adding, and what adds up to none is gone.

use crate::error::Error as HammingError;
use crate::segment::{self, ScratchBudget, Section, TablesMeta};
use lookalike_core::bits::FingerprintBits;
use lookalike_core::hamming::plan::{PlanRequest, candidates};
use lookalike_core::hamming::{Design, Tables};
use lookalike_store::{Error, Segment, SegmentFile, SegmentWriter, Sequence};
use serde::{Deserialize, Serialize};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::path::Path;
use std::sync::Arc;

/// What kind of folder it is.
const FOLDER_KIND: &str = "hamming online 1";

/// What went is never searched for, only looked up: one table is enough.
const LOOKUP_DESIGN: Design = Design::Choose { blocks: 1, lead: 1 };

/// What the manifest says of the folder. What a folder of another kind does not have is empty here, so that the kind can be told.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(super) struct StoreManifest {
    kind: String,
    /// Bits of a fingerprint.
    width: u32,
    /// The greatest distance that is asked for.
    pub(super) k: u32,
    /// The last operation that is in the levels; those after it are in the log.
    pub(super) done: u64,
    pub(super) levels: Vec<LevelFiles>,
}

/// A level: what came and what went.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct LevelFiles {
    pub(super) added: TablesMeta,
    pub(super) removed: Option<TablesMeta>,
}

impl StoreManifest {
    pub(super) fn new(width: u32, k: u32, done: u64, levels: Vec<LevelFiles>) -> Self {
        Self { kind: FOLDER_KIND.into(), width, k, done, levels }
    }

    /// Refuses a folder of another kind, of other fingerprints, or for smaller distances.
    pub(super) fn check(&self, path: &Path, width: u32, distance: u32) -> Result<(), HammingError> {
        let path = path.to_owned();
        if self.kind != FOLDER_KIND {
            return Err(HammingError::NotAStore { path, expected: FOLDER_KIND, found: self.kind.clone() });
        }
        if self.width != width {
            return Err(HammingError::Width { path, found: self.width, expected: width });
        }
        if self.k < distance {
            return Err(HammingError::StoreDistance { path, found: distance, max: self.k });
        }
        Ok(())
    }
}

/// The fastest design for so many fingerprints, within the room of about five times the fingerprints themselves.
pub(super) fn design_for(width: u32, fingerprints: u64, k: u32) -> Design {
    let memory = fingerprints.max(1024) * u64::from(width / 8 * 5 + 8);
    candidates(&PlanRequest { width, fingerprints, k, id_bits: 32, memory })[0].design
}

/// An open level.
#[derive(Debug)]
pub(super) struct Level<F> {
    pub(super) added: Tables<F, Section>,
    pub(super) removed: Option<Tables<F, Section>>,
    pub(super) meta: LevelFiles,
    pub(super) segments: Vec<Arc<Segment>>,
}

/// How many times an id is among the rows of a fingerprint: never more than once.
fn times<F: FingerprintBits>(tables: &Tables<F, Section>, fingerprint: F, id: u64) -> Result<i64, Error> {
    let rows = tables.find(fingerprint)?;
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

impl<F: FingerprintBits> Level<F> {
    /// Opens a level that the manifest names.
    pub(super) fn open(folder: &Path, meta: LevelFiles, files: &[SegmentFile]) -> Result<Self, Error> {
        Self::opened(folder, meta, files, Segment::advise_random)
    }

    /// Opens it once more, to be read from front to back.
    fn reopen(&self, folder: &Path) -> Result<Self, Error> {
        let files: Vec<SegmentFile> = self.files().collect();
        Self::opened(folder, self.meta.clone(), &files, Segment::advise_sequential)
    }

    fn opened(folder: &Path, meta: LevelFiles, files: &[SegmentFile], advise: fn(&Segment)) -> Result<Self, Error> {
        Self::from_segments(folder, meta, |name| {
            let file = files.iter().find(|file| file.name == name);
            let segment = file.map(|file| Segment::open(folder, file)).transpose()?.map(Arc::new);
            if let Some(segment) = &segment {
                advise(segment);
            }
            Ok(segment)
        })
    }

    /// A level of segments by their names.
    pub(super) fn from_segments(
        folder: &Path,
        meta: LevelFiles,
        mut named: impl FnMut(&str) -> Result<Option<Arc<Segment>>, Error>,
    ) -> Result<Self, Error> {
        let mut segments = Vec::new();
        let mut tables = |meta: &TablesMeta| {
            let segment = named(&meta.file)?.ok_or_else(|| Error::Damaged {
                what: folder.join(&meta.file).display().to_string(),
                offset: 0,
                found: "a level of which the manifest does not name the file".into(),
            })?;
            segments.push(Arc::clone(&segment));
            segment::open(&segment, meta)
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
    pub(super) fn change(&self, fingerprint: F, id: u64) -> Result<i64, Error> {
        let removed = self.removed.as_ref().map_or(Ok(0), |removed| times(removed, fingerprint, id))?;
        Ok(times(&self.added, fingerprint, id)? - removed)
    }

    /// Its files, as the manifest knows them.
    pub(super) fn files(&self) -> impl Iterator<Item = SegmentFile> + '_ {
        self.segments.iter().map(|segment| segment.file().clone())
    }
}

/// What a writer of a level needs.
pub(super) struct LevelWriter<'a> {
    pub(super) folder: &'a Path,
    pub(super) k: u32,
    pub(super) design: Option<Design>,
    pub(super) scratch: &'a ScratchBudget,
    /// A new segment under a new name.
    pub(super) segment: &'a dyn Fn() -> Result<SegmentWriter, Error>,
}

impl LevelWriter<'_> {
    /// Writes several levels as one.
    pub(super) fn merge_levels<F: FingerprintBits>(&self, levels: &[Arc<Level<F>>]) -> Result<Option<Level<F>>, Error> {
        let levels =
            levels.iter().map(|level| level.reopen(self.folder).map(Arc::new)).collect::<Result<Vec<_>, _>>()?;
        self.write(MergedChanges::new(&levels)?, levels.iter().map(|level| level.added.len()).sum())
    }

    /// None if nothing is left to write.
    pub(super) fn write<F: FingerprintBits>(
        &self,
        changes: impl Iterator<Item = Result<(F, u64, i64), Error>>,
        most: u64,
    ) -> Result<Option<Level<F>>, Error> {
        let mut removed: Sequence<[u64; 3]> = Sequence::new(&self.scratch.space, "removed", self.scratch.memory / 8);
        let design = self.design.unwrap_or_else(|| design_for(F::WIDTH, most, self.k));
        let mut failed = None;
        let added = changes.filter_map(|change| match change {
            Ok((fingerprint, id, 1)) => Some(Ok((fingerprint, id))),
            Ok((fingerprint, id, _)) => {
                let [high, low] = fingerprint.halves();
                failed = removed.push([high, low, id]).err().or_else(|| failed.take());
                None
            }
            Err(error) => Some(Err(error)),
        });
        let (file, meta) = segment::write((self.segment)()?, design, most, added, self.scratch)?;
        let (mut files, mut level_files) = (vec![file], LevelFiles { added: meta, removed: None });
        if let Some(error) = failed {
            return Err(error);
        }
        let removed = removed.finish()?;
        if !removed.is_empty() {
            let entries = removed.iter().map(|entry| entry.map(|[high, low, id]| (F::from_halves([high, low]), id)));
            let (file, meta) = segment::write((self.segment)()?, LOOKUP_DESIGN, removed.len(), entries, self.scratch)?;
            files.push(file);
            level_files.removed = Some(meta);
        }
        if level_files.added.rows() == 0 && level_files.removed.is_none() {
            return Ok(None);
        }
        Level::open(self.folder, level_files, &files).map(Some)
    }
}

/// A sorted list of changes of one kind.
type ChangeList<'a, F> = Box<dyn Iterator<Item = Result<(F, u64), Error>> + 'a>;

/// The changes of several levels, added up and in order; what adds up to none is left out.
pub(super) struct MergedChanges<'a, F> {
    lists: Vec<(ChangeList<'a, F>, i64)>,
    heads: BinaryHeap<Reverse<(F, u64, usize)>>,
}

impl<'a, F: FingerprintBits> MergedChanges<'a, F> {
    pub(super) fn new(levels: &'a [Arc<Level<F>>]) -> Result<Self, Error> {
        let mut lists: Vec<(ChangeList<'a, F>, i64)> = Vec::new();
        for level in levels {
            lists.push((Box::new(level.added.entries()), 1));
            lists.extend(level.removed.as_ref().map(|removed| (Box::new(removed.entries()) as ChangeList<'a, F>, -1)));
        }
        let mut all = Self { lists, heads: BinaryHeap::new() };
        for at in 0..all.lists.len() {
            all.advance(at)?;
        }
        Ok(all)
    }

    fn advance(&mut self, at: usize) -> Result<(), Error> {
        if let Some(entry) = self.lists[at].0.next() {
            let (fingerprint, id) = entry?;
            self.heads.push(Reverse((fingerprint, id, at)));
        }
        Ok(())
    }
}

impl<F: FingerprintBits> Iterator for MergedChanges<'_, F> {
    type Item = Result<(F, u64, i64), Error>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let Reverse((fingerprint, id, _)) = *self.heads.peek()?;
            let mut sum = 0;
            while let Some(Reverse((other, other_id, at))) = self.heads.peek().copied()
                && (other, other_id) == (fingerprint, id)
            {
                self.heads.pop();
                sum += self.lists[at].1;
                if let Err(error) = self.advance(at) {
                    return Some(Err(error));
                }
            }
            match sum {
                0 => {}
                1 | -1 => return Some(Ok((fingerprint, id, sum))),
                _ => {
                    let found = format!("the changes to {fingerprint:x} {id} add up to {sum}");
                    return Some(Err(Error::Damaged { what: "the levels".into(), offset: 0, found }));
                }
            }
        }
    }
}
