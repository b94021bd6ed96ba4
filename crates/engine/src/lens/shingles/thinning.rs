//! Documents whose features so many others have that following all of them would take too long: pairs of theirs are looked for by the
//! features of a higher level, a part of the sample that all documents agree on.
//!
//! Documents put together of common blocks are such, and so are texts of a small vocabulary. What is decided here depends on all documents
//! that have a feature, not on the blocks in which pairs are found, nor on the order of reading.

use crate::Error;
use crate::lens::shingles::counted_features::CountedFeatures;
use crate::lens::shingles::posting_blocks::PostingBlock;
use crate::run::filter::Filter;
use crate::run::postings::{Posting, for_each_list};
use lookalike_store::Records;

/// Places in lists that one document follows, about.
const MAX_FOLLOWED: u64 = 1 << 12;
/// Features that are left to follow, at least: fewer would miss pairs by chance.
const MIN_FEATURES: u32 = 16;
/// Documents that are decided on at once, at least.
const MIN_AT_ONCE: usize = 1 << 12;
/// Lists are counted by the power of two of their length.
const LENGTHS: usize = 16;

/// By document: the level of the features by which its pairs are looked for, if it is not its own.
pub struct ThinnedLevels {
    levels: Vec<u8>,
    /// Places in lists that are followed, about.
    pub followed: u64,
}

impl ThinnedLevels {
    /// Nobody's.
    pub fn none(documents: usize) -> Self {
        Self { levels: vec![0; documents], followed: 0 }
    }

    /// Decides on all documents, by all lists.
    pub fn of_lists(lists: &PostingBlock, counted: &CountedFeatures, filter: &Filter, documents: usize) -> Self {
        let mut thinned = Self::none(documents);
        for document in lists.xs() {
            let mut lengths = [0; LENGTHS];
            for magnitude in lists.magnitudes(document) {
                count_list(&mut lengths, usize::from(magnitude));
            }
            thinned.decide(document, &lengths, counted, filter);
        }
        thinned
    }

    /// Decides on all documents where there is no room for all lists: as many at a time as there is room for.
    pub fn new(
        postings: &Records<Posting>,
        counted: &CountedFeatures,
        filter: &Filter,
        documents: usize,
        room: usize,
    ) -> Result<Self, Error> {
        let mut thinned = Self::none(documents);
        let many = (room / LENGTHS).max(MIN_AT_ONCE);
        for first in (0..documents).step_by(many) {
            let last = (first + many).min(documents);
            let mut lengths = vec![[0u8; LENGTHS]; last - first];
            for_each_list(postings, |feature, list| {
                if counted.frequent().place(feature).is_none() {
                    let within =
                        list.partition_point(|d| (*d as usize) < first)..list.partition_point(|d| (*d as usize) < last);
                    for document in &list[within] {
                        count_list(&mut lengths[*document as usize - first], list.len().ilog2() as usize);
                    }
                }
                Ok(())
            })?;
            for (document, lengths) in (first as u32..).zip(&lengths) {
                thinned.decide(document, lengths, counted, filter);
            }
        }
        Ok(thinned)
    }

    /// Decides on a document with so many lists of each length.
    fn decide(&mut self, document: u32, lengths: &[u8; LENGTHS], counted: &CountedFeatures, filter: &Filter) {
        let followed = followed(document, lengths, counted, filter);
        let up = levels_up(document, followed, counted);
        self.followed += followed >> up;
        if let Some(levels) = counted.levels(document).filter(|_| up > 0) {
            self.levels[document as usize] = levels.start() + up;
        }
    }

    /// The level by which pairs of a document are looked for, if it is not its own.
    #[inline]
    pub fn level(&self, document: u32) -> Option<u8> {
        Some(self.levels[document as usize]).filter(|level| *level > 0)
    }

    /// How many documents have one.
    pub fn documents(&self) -> u64 {
        self.levels.iter().filter(|level| **level > 0).count() as u64
    }
}

/// Counts one more list of such a length, by its power of two.
fn count_list(lengths: &mut [u8; LENGTHS], magnitude: usize) {
    let lists = &mut lengths[magnitude.min(LENGTHS - 1)];
    *lists = lists.saturating_add(1);
}

/// How many places a document would follow: its shortest lists, half of each, since of two documents one looks for the other.
fn followed(document: u32, lengths: &[u8; LENGTHS], counted: &CountedFeatures, filter: &Filter) -> u64 {
    let Some(own) = counted.levels(document).map(|levels| *levels.start()) else { return 0 };
    let least = counted.survivors(document, own).and_then(|all| filter.least_common(all, counted.whole_at(own)));
    let left_out = least.map_or(0, |least| u64::from(least.saturating_sub(1)));
    let all: u64 = lengths.iter().map(|lists| u64::from(*lists)).sum();
    let mut left = all.saturating_sub(left_out);
    let mut places = 0;
    for (length, lists) in lengths.iter().enumerate() {
        let lists = u64::from(*lists).min(left);
        left -= lists;
        // a length between two powers of two, and half of it
        places += lists * (3 << length) / 4;
    }
    places
}

/// Levels above a document's own: each halves the features that are followed.
fn levels_up(document: u32, followed: u64, counted: &CountedFeatures) -> u8 {
    let Some(levels) = counted.levels(document) else { return 0 };
    let own = *levels.start();
    let enough = |up: &u8| counted.survivors(document, own + up).is_some_and(|left| left >= MIN_FEATURES);
    let wanted = (0..=levels.end() - own).find(|up| followed >> up <= MAX_FOLLOWED).unwrap_or(levels.end() - own);
    (0..=wanted).rev().find(enough).unwrap_or(0)
}
