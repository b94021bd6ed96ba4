//! How documents stand to each other in a snapshot: which are there, who represents whom, what is common. One file, new with each commit.

use crate::segment::shelf::{Shelf, Spot};
use lookalike_core::members::Members;
use lookalike_store::{Error, Segment, SegmentFile, SegmentWriter};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// The representative of each document: u32, [`GONE`] for what is not there.
const LEADERS: u32 = 101;
/// Documents of the crowd: u32, sorted.
const CROWD: u32 = 102;
/// Observations that count no more: u64, sorted; the segment in the high half.
const DEAD: u32 = 103;
/// Features that are common, and how many documents have each: pairs of u64, sorted.
const COMMON: u32 = 104;
/// Pairs of u32, representative and member, sorted.
const MEMBERS: u32 = 105;

/// Stands for the representative of a document that is not there, or of a reference.
pub(crate) const GONE: u32 = u32::MAX;

/// What a query needs to know beyond the segments.
pub(crate) trait Standing: Sync {
    /// The representative of a document, or [`GONE`].
    fn leader(&self, document: u32) -> Result<u32, Error>;
    /// Whether a document is common text nearly throughout.
    fn is_crowd(&self, document: u32) -> Result<bool, Error>;
    /// The features that are common.
    fn common(&self) -> Result<&Members, Error>;
}

/// The standing of a committed snapshot.
pub(crate) struct Stored {
    segment: Segment,
    common: OnceLock<Members>,
}

impl Stored {
    pub(crate) fn new(segment: Segment, documents: u32) -> Result<Self, Error> {
        if segment.len_of(LEADERS) != u64::from(documents) * 4 {
            return Err(Error::Damaged {
                what: segment.path().display().to_string(),
                offset: 0,
                found: format!("{} bytes of representatives for {documents} documents", segment.len_of(LEADERS)),
            });
        }
        Ok(Self { segment, common: OnceLock::new() })
    }

    pub(crate) fn segment(&self) -> &Segment {
        &self.segment
    }

    fn all<T: bytemuck::Pod>(&self, kind: u32) -> Result<&[T], Error> {
        self.segment.slice(kind, 0..self.segment.len_of(kind) / size_of::<T>() as u64)
    }

    /// The documents of the crowd, sorted.
    pub(crate) fn crowd(&self) -> Result<&[u32], Error> {
        self.all(CROWD)
    }

    pub(crate) fn leaders(&self) -> Result<&[u32], Error> {
        self.all(LEADERS)
    }

    /// All members but the representatives, as (representative, member), sorted.
    pub(crate) fn pairs(&self) -> Result<&[[u32; 2]], Error> {
        self.all(MEMBERS)
    }

    /// The members of a representative, without itself.
    pub(crate) fn members(&self, leader: u32) -> Result<Vec<u32>, Error> {
        Ok(members_in(self.pairs()?, leader).map(|pair| pair[1]).collect())
    }

    pub(crate) fn is_dead(&self, spot: Spot) -> Result<bool, Error> {
        Ok(self.all::<u64>(DEAD)?.binary_search(&(spot_key(spot))).is_ok())
    }

    pub(crate) fn dead(&self) -> Result<&[u64], Error> {
        self.all(DEAD)
    }

    /// The features that are common, and how many documents have each.
    pub(crate) fn counts(&self) -> Result<&[[u64; 2]], Error> {
        self.all(COMMON)
    }
}

fn members_in(pairs: &[[u32; 2]], leader: u32) -> impl Iterator<Item = &[u32; 2]> {
    let from = pairs.partition_point(|pair| pair[0] < leader);
    pairs[from..].iter().take_while(move |pair| pair[0] == leader)
}

/// An observation as one number.
pub(crate) fn spot_key(spot: Spot) -> u64 {
    (spot.0 as u64) << 32 | u64::from(spot.1)
}

impl Standing for Stored {
    fn leader(&self, document: u32) -> Result<u32, Error> {
        let at = u64::from(document);
        Ok(self.segment.slice::<u32>(LEADERS, at..at + 1)?[0])
    }

    fn is_crowd(&self, document: u32) -> Result<bool, Error> {
        Ok(self.crowd()?.binary_search(&document).is_ok())
    }

    fn common(&self) -> Result<&Members, Error> {
        if let Some(common) = self.common.get() {
            return Ok(common);
        }
        let common = Members::new(self.counts()?.iter().map(|pair| pair[0]).collect());
        Ok(self.common.get_or_init(|| common))
    }
}

/// The standing while an index changes.
#[derive(Default)]
pub(crate) struct Working {
    pub(crate) leaders: Vec<u32>,
    pub(crate) crowd: BTreeSet<u32>,
    pub(crate) dead: FxHashSet<u64>,
    /// The features that are common.
    pub(crate) common: Members,
    /// How many documents have each of them.
    pub(crate) counts: FxHashMap<u64, u32>,
    /// Who stood under whom before the change, sorted.
    pub(crate) before: Vec<[u32; 2]>,
}

impl Working {
    /// The standing to begin a change with. All numbers in it are checked: a file may have been forged.
    pub(crate) fn of(stored: &Stored, shelf: &Shelf) -> Result<Self, Error> {
        let there = |document: &u32| *document < shelf.len();
        let observed = |spot: &u64| {
            shelf.views.get((spot >> 32) as usize).is_some_and(|view| (*spot as u32) < view.observations())
        };
        let sound = stored.leaders()?.iter().all(|leader| *leader == GONE || there(leader))
            && stored.crowd()?.iter().all(there)
            && stored.pairs()?.iter().flatten().all(there)
            && stored.dead()?.iter().all(observed);
        if !sound {
            return Err(Error::Damaged {
                what: stored.segment.path().display().to_string(),
                offset: 0,
                found: "references to documents that are not there".into(),
            });
        }
        Ok(Self {
            leaders: stored.leaders()?.to_vec(),
            crowd: stored.crowd()?.iter().copied().collect(),
            dead: stored.dead()?.iter().copied().collect(),
            common: stored.common()?.clone(),
            counts: stored.counts()?.iter().map(|pair| (pair[0], pair[1] as u32)).collect(),
            before: stored.pairs()?.to_vec(),
        })
    }

    /// The same with other numbers: `numbers` has the new one of each document, `spot` that of each dead observation that is still there.
    pub(crate) fn renumber(&mut self, numbers: &[u32], documents: u32, spot: impl Fn(u64) -> Option<u64>) {
        let new = |document: u32| numbers.get(document as usize).copied().unwrap_or(GONE);
        let mut leaders = vec![GONE; documents as usize];
        for (document, leader) in self.leaders.iter().enumerate().filter(|(_, leader)| **leader != GONE) {
            leaders[numbers[document] as usize] = new(*leader);
        }
        self.leaders = leaders;
        self.crowd = self.crowd.iter().map(|document| new(*document)).filter(|document| *document != GONE).collect();
        self.dead = self.dead.iter().filter_map(|dead| spot(*dead)).collect();
        self.before = self.before.iter().map(|pair| [new(pair[0]), new(pair[1])]).collect();
        self.before.retain(|pair| pair[0] != GONE && pair[1] != GONE);
        self.before.sort_unstable();
    }

    /// The members that a representative had before the change.
    pub(crate) fn members_before(&self, leader: u32) -> impl Iterator<Item = u32> + '_ {
        members_in(&self.before, leader).map(|pair| pair[1])
    }

    /// All members but the representatives, as (representative, member), sorted.
    pub(crate) fn pairs(&self) -> Vec<[u32; 2]> {
        let members = (0..).zip(&self.leaders).filter(|(document, leader)| **leader != GONE && **leader != *document);
        let mut pairs: Vec<[u32; 2]> = members.map(|(document, leader)| [*leader, document]).collect();
        pairs.sort_unstable();
        pairs
    }

    pub(crate) fn is_live(&self, document: u32) -> bool {
        self.leaders[document as usize] != GONE
    }

    /// Writes it all.
    pub(crate) fn write(&self, mut out: SegmentWriter) -> Result<SegmentFile, Error> {
        out.section(LEADERS)?;
        out.write_pod(&self.leaders)?;
        out.section(CROWD)?;
        out.write_pod(&self.crowd.iter().copied().collect::<Vec<u32>>())?;
        out.section(DEAD)?;
        let mut dead: Vec<u64> = self.dead.iter().copied().collect();
        dead.sort_unstable();
        out.write_pod(&dead)?;
        out.section(COMMON)?;
        let counted = |feature: &u64| [*feature, u64::from(self.counts.get(feature).copied().unwrap_or(0))];
        out.write_pod(&self.common.as_slice().iter().map(counted).collect::<Vec<_>>())?;
        out.section(MEMBERS)?;
        out.write_pod(&self.pairs())?;
        out.finish()
    }
}

impl Standing for Working {
    fn leader(&self, document: u32) -> Result<u32, Error> {
        Ok(self.leaders[document as usize])
    }

    fn is_crowd(&self, document: u32) -> Result<bool, Error> {
        Ok(self.crowd.contains(&document))
    }

    fn common(&self) -> Result<&Members, Error> {
        Ok(&self.common)
    }
}
