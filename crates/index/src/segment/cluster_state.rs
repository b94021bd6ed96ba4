//! How documents stand to each other in a snapshot: which are there, who represents whom, what is frequent. One file, new with each commit.

use crate::segment::segment_set::{ObservationAddress, SegmentSet};
use lookalike_core::members::Members;
use lookalike_store::{Error, Segment, SegmentFile, SegmentWriter};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::sync::OnceLock;

/// The representative of each document: u32, [`GONE`] for what is not there.
const REPRESENTATIVES: u32 = 101;
/// Boilerplate documents: u32, sorted.
const BOILERPLATE: u32 = 102;
/// Observations that count no more: u64, sorted; the segment in the high half.
const DEAD: u32 = 103;
/// Features that are frequent, and how many documents have each: pairs of u64, sorted.
const FREQUENT: u32 = 104;
/// Pairs of u32, representative and member, sorted.
const MEMBERS: u32 = 105;

/// Documents that may be inside shorter ones: u32, sorted.
const INSIDERS: u32 = 106;

/// Stands for the representative of a document that is not there, or of a reference.
pub(crate) const GONE: u32 = u32::MAX;

/// What a query needs to know beyond the segments.
pub(crate) trait ClusterState: Sync {
    /// The representative of a document, or [`GONE`].
    fn representative(&self, document: u32) -> Result<u32, Error>;
    /// Whether a document is boilerplate nearly throughout.
    fn is_boilerplate(&self, document: u32) -> Result<bool, Error>;
    /// The features that are frequent.
    fn frequent(&self) -> Result<&Members, Error>;
}

/// The state of a committed snapshot.
pub(crate) struct StoredState {
    segment: Segment,
    frequent: OnceLock<Members>,
}

impl StoredState {
    pub(crate) fn new(segment: Segment, documents: u32) -> Result<Self, Error> {
        if segment.len_of(REPRESENTATIVES) != u64::from(documents) * 4 {
            return Err(Error::Damaged {
                what: segment.path().display().to_string(),
                offset: 0,
                found: format!(
                    "{} bytes of representatives for {documents} documents",
                    segment.len_of(REPRESENTATIVES)
                ),
            });
        }
        Ok(Self { segment, frequent: OnceLock::new() })
    }

    pub(crate) fn segment(&self) -> &Segment {
        &self.segment
    }

    fn all<T: bytemuck::Pod>(&self, kind: u32) -> Result<&[T], Error> {
        self.segment.slice(kind, 0..self.segment.len_of(kind) / size_of::<T>() as u64)
    }

    /// The boilerplate documents, sorted.
    pub(crate) fn boilerplate(&self) -> Result<&[u32], Error> {
        self.all(BOILERPLATE)
    }

    pub(crate) fn representatives(&self) -> Result<&[u32], Error> {
        self.all(REPRESENTATIVES)
    }

    /// All members but the representatives, as (representative, member), sorted.
    pub(crate) fn pairs(&self) -> Result<&[[u32; 2]], Error> {
        self.all(MEMBERS)
    }

    /// The members of a representative, without itself.
    pub(crate) fn members(&self, representative: u32) -> Result<Vec<u32>, Error> {
        Ok(members_in(self.pairs()?, representative).map(|pair| pair[1]).collect())
    }

    pub(crate) fn is_dead(&self, address: ObservationAddress) -> Result<bool, Error> {
        Ok(self.all::<u64>(DEAD)?.binary_search(&(address_key(address))).is_ok())
    }

    pub(crate) fn dead(&self) -> Result<&[u64], Error> {
        self.all(DEAD)
    }

    /// The documents that may be inside shorter ones, sorted.
    pub(crate) fn insiders(&self) -> Result<&[u32], Error> {
        self.all(INSIDERS)
    }

    /// The features that are frequent, and how many documents have each.
    pub(crate) fn counts(&self) -> Result<&[[u64; 2]], Error> {
        self.all(FREQUENT)
    }
}

fn members_in(pairs: &[[u32; 2]], representative: u32) -> impl Iterator<Item = &[u32; 2]> {
    let from = pairs.partition_point(|pair| pair[0] < representative);
    pairs[from..].iter().take_while(move |pair| pair[0] == representative)
}

/// An observation as one number.
pub(crate) fn address_key(address: ObservationAddress) -> u64 {
    (address.0 as u64) << 32 | u64::from(address.1)
}

impl ClusterState for StoredState {
    fn representative(&self, document: u32) -> Result<u32, Error> {
        let at = u64::from(document);
        Ok(self.segment.slice::<u32>(REPRESENTATIVES, at..at + 1)?[0])
    }

    fn is_boilerplate(&self, document: u32) -> Result<bool, Error> {
        Ok(self.boilerplate()?.binary_search(&document).is_ok())
    }

    fn frequent(&self) -> Result<&Members, Error> {
        if let Some(frequent) = self.frequent.get() {
            return Ok(frequent);
        }
        let frequent = Members::new(self.counts()?.iter().map(|pair| pair[0]).collect());
        Ok(self.frequent.get_or_init(|| frequent))
    }
}

/// The state while an index changes.
#[derive(Default)]
pub(crate) struct WorkingState {
    pub(crate) representatives: Vec<u32>,
    pub(crate) boilerplate: BTreeSet<u32>,
    /// Documents that may be inside shorter ones.
    pub(crate) insiders: BTreeSet<u32>,
    pub(crate) dead: FxHashSet<u64>,
    /// The features that are frequent.
    pub(crate) frequent: Members,
    /// How many documents have each of them.
    pub(crate) counts: FxHashMap<u64, u32>,
    /// Who stood under whom before the change, sorted.
    pub(crate) before: Vec<[u32; 2]>,
}

impl WorkingState {
    /// The state to begin a change with. All numbers in it are checked: a file may have been forged.
    pub(crate) fn of(stored: &StoredState, segments: &SegmentSet) -> Result<Self, Error> {
        let there = |document: &u32| *document < segments.len();
        let observed = |address: &u64| {
            segments.views.get((address >> 32) as usize).is_some_and(|view| (*address as u32) < view.observations())
        };
        let sound =
            stored.representatives()?.iter().all(|representative| *representative == GONE || there(representative))
                && stored.boilerplate()?.iter().all(there)
                && stored.insiders()?.iter().all(there)
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
            representatives: stored.representatives()?.to_vec(),
            boilerplate: stored.boilerplate()?.iter().copied().collect(),
            insiders: stored.insiders()?.iter().copied().collect(),
            dead: stored.dead()?.iter().copied().collect(),
            frequent: stored.frequent()?.clone(),
            counts: stored.counts()?.iter().map(|pair| (pair[0], pair[1] as u32)).collect(),
            before: stored.pairs()?.to_vec(),
        })
    }

    /// The same with other numbers: `numbers` has the new one of each document, `address` that of each dead observation that is still there.
    pub(crate) fn renumber(&mut self, numbers: &[u32], documents: u32, address: impl Fn(u64) -> Option<u64>) {
        let new = |document: u32| numbers.get(document as usize).copied().unwrap_or(GONE);
        let mut representatives = vec![GONE; documents as usize];
        for (document, representative) in
            self.representatives.iter().enumerate().filter(|(_, representative)| **representative != GONE)
        {
            representatives[numbers[document] as usize] = new(*representative);
        }
        self.representatives = representatives;
        self.boilerplate =
            self.boilerplate.iter().map(|document| new(*document)).filter(|document| *document != GONE).collect();
        self.insiders =
            self.insiders.iter().map(|document| new(*document)).filter(|document| *document != GONE).collect();
        self.dead = self.dead.iter().filter_map(|dead| address(*dead)).collect();
        self.before = self.before.iter().map(|pair| [new(pair[0]), new(pair[1])]).collect();
        self.before.retain(|pair| pair[0] != GONE && pair[1] != GONE);
        self.before.sort_unstable();
    }

    /// The members that a representative had before the change.
    pub(crate) fn members_before(&self, representative: u32) -> impl Iterator<Item = u32> + '_ {
        members_in(&self.before, representative).map(|pair| pair[1])
    }

    /// All members but the representatives, as (representative, member), sorted.
    pub(crate) fn pairs(&self) -> Vec<[u32; 2]> {
        let members = (0..)
            .zip(&self.representatives)
            .filter(|(document, representative)| **representative != GONE && **representative != *document);
        let mut pairs: Vec<[u32; 2]> = members.map(|(document, representative)| [*representative, document]).collect();
        pairs.sort_unstable();
        pairs
    }

    pub(crate) fn is_live(&self, document: u32) -> bool {
        self.representatives[document as usize] != GONE
    }

    /// Writes it all.
    pub(crate) fn write(&self, mut out: SegmentWriter) -> Result<SegmentFile, Error> {
        out.section(REPRESENTATIVES)?;
        out.write_pod(&self.representatives)?;
        out.section(BOILERPLATE)?;
        out.write_pod(&self.boilerplate.iter().copied().collect::<Vec<u32>>())?;
        out.section(INSIDERS)?;
        out.write_pod(&self.insiders.iter().copied().collect::<Vec<u32>>())?;
        out.section(DEAD)?;
        let mut dead: Vec<u64> = self.dead.iter().copied().collect();
        dead.sort_unstable();
        out.write_pod(&dead)?;
        out.section(FREQUENT)?;
        let counted = |feature: &u64| [*feature, u64::from(self.counts.get(feature).copied().unwrap_or(0))];
        out.write_pod(&self.frequent.as_slice().iter().map(counted).collect::<Vec<_>>())?;
        out.section(MEMBERS)?;
        out.write_pod(&self.pairs())?;
        out.finish()
    }
}

impl ClusterState for WorkingState {
    fn representative(&self, document: u32) -> Result<u32, Error> {
        Ok(self.representatives[document as usize])
    }

    fn is_boilerplate(&self, document: u32) -> Result<bool, Error> {
        Ok(self.boilerplate.contains(&document))
    }

    fn frequent(&self) -> Result<&Members, Error> {
        Ok(&self.frequent)
    }
}

/// The document with a content id that is not gone.
pub(crate) fn find_live(segments: &SegmentSet, state: &impl ClusterState, content: u128) -> Result<Option<u32>, Error> {
    for (segment, view) in segments.views.iter().enumerate() {
        if let Some(local) = view.find_content(content)? {
            let document = segments.base(segment) + local;
            if state.representative(document)? != GONE {
                return Ok(Some(document));
            }
        }
    }
    Ok(None)
}
