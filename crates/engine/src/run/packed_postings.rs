//! Postings in eight bytes each, in the order of their documents: the part says eight bits of the feature, and in their place stands how
//! much larger the document is than that of the posting before.

use crate::Error;
use crate::run::postings::{Piece, Posting, PostingParts, spread, unspread};
use lookalike_store::{PARTS, Partitions, Parts, TempSpace};
use std::sync::Arc;

/// In the place of a difference: this is no posting, and the bits of the feature are the difference.
const SKIP: u64 = 0xff;

/// Postings that wait until they are divided: a few for each part, so that those of a part are written together.
const MAX_WAITING: usize = 1 << 13;

/// Collects postings, part by part.
pub struct PackedPostings {
    parts: Partitions<u64>,
    /// By part, the document of the last posting.
    last: Vec<u32>,
    /// Postings that wait, and the part of each.
    waiting: Vec<u64>,
    of_parts: Vec<u8>,
    /// Room to divide them.
    divided: Vec<u64>,
}

impl PackedPostings {
    /// None yet; up to `budget` bytes of them are held in memory.
    pub fn new(space: &Arc<TempSpace>, budget: usize) -> Self {
        Self {
            parts: Partitions::new(space, "the postings", budget),
            last: vec![0; PARTS],
            waiting: Vec::with_capacity(MAX_WAITING),
            of_parts: Vec::with_capacity(MAX_WAITING),
            divided: vec![0; MAX_WAITING],
        }
    }

    /// The same, where so many will come.
    #[must_use]
    pub fn expecting(mut self, postings: u64) -> Self {
        self.parts = self.parts.expecting(postings);
        self
    }

    /// A document has a feature. Documents come in order.
    #[inline]
    pub fn push(&mut self, feature: u64, document: u32) -> Result<(), Error> {
        let spread = spread(feature);
        let part = (spread >> 56) as usize;
        let mut more = u64::from(document - std::mem::replace(&mut self.last[part], document));
        if more >= SKIP {
            self.wait(part, more << 8 | SKIP)?;
            more = 0;
        }
        self.wait(part, spread << 8 | more)
    }

    #[inline]
    fn wait(&mut self, part: usize, packed: u64) -> Result<(), Error> {
        if self.waiting.len() == MAX_WAITING {
            self.divide()?;
        }
        self.waiting.push(packed);
        self.of_parts.push(part as u8);
        Ok(())
    }

    /// Files what waits: counted, then moved, those of a part in the order they came.
    fn divide(&mut self) -> Result<(), Error> {
        let mut places = [0usize; PARTS];
        for part in &self.of_parts {
            places[usize::from(*part)] += 1;
        }
        let mut next = 0;
        for place in &mut places {
            next += std::mem::replace(place, next);
        }
        for (packed, part) in self.waiting.drain(..).zip(self.of_parts.drain(..)) {
            let place = &mut places[usize::from(part)];
            self.divided[*place] = packed;
            *place += 1;
        }
        let mut start = 0;
        for (part, end) in places.into_iter().enumerate() {
            self.parts.extend(part, &self.divided[start..end])?;
            start = end;
        }
        Ok(())
    }

    /// No more postings.
    pub fn finish(mut self) -> Result<PackedParts, Error> {
        self.divide()?;
        Ok(PackedParts { parts: self.parts.finish()? })
    }
}

/// The postings of each part.
pub struct PackedParts {
    parts: Parts<u64>,
}

impl PackedParts {
    /// Those of the documents that are wanted.
    pub fn of<F: Fn(u32) -> bool + Sync>(&self, is_wanted: F) -> impl PostingParts {
        PostingsOf { parts: &self.parts, is_wanted }
    }
}

struct PostingsOf<'a, F> {
    parts: &'a Parts<u64>,
    is_wanted: F,
}

impl<F: Fn(u32) -> bool + Sync> PostingParts for PostingsOf<'_, F> {
    fn len(&self, part: usize) -> usize {
        self.parts.bytes(part) / size_of::<u64>()
    }

    fn for_each(&self, part: usize, piece: Piece, mut each: impl FnMut(u64, Posting)) -> Result<(), Error> {
        let (high, mut document) = ((part as u64) << 56, 0);
        self.parts.for_each_block(part, |packed| {
            for packed in packed {
                let low = packed & SKIP;
                if low == SKIP {
                    document += (packed >> 8) as u32;
                    continue;
                }
                document += low as u32;
                let spread = high | packed >> 8;
                if piece.has(spread) && (self.is_wanted)(document) {
                    each(spread, Posting::new(unspread(spread), document));
                }
            }
        })?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn postings_come_back(
            mut postings in prop::collection::vec((any::<u64>(), prop_oneof![0u32..400, any::<u32>()]), 0..400),
            budget in 0usize..4000,
        ) {
            postings.sort_by_key(|posting| posting.1);
            let space = Arc::new(TempSpace::new(None).unwrap());
            let mut packed = PackedPostings::new(&space, budget);
            for (feature, document) in &postings {
                packed.push(*feature, *document).unwrap();
            }
            let packed = packed.finish().unwrap();
            let even = packed.of(|document| document % 2 == 0);
            for part in 0..PARTS {
                for piece in [Piece { bits: 0, number: 0 }, Piece { bits: 2, number: 3 }] {
                    let is_there = |p: &Posting| {
                        let spread = spread(p.feature());
                        spread >> 56 == part as u64 && piece.has(spread)
                    };
                    let all = postings.iter().filter(|p| p.1 % 2 == 0).map(|p| Posting::new(p.0, p.1));
                    let mut found = Vec::new();
                    even.for_each(part, piece, |spread, posting| found.push((spread, posting))).unwrap();
                    let expected = all.filter(is_there).map(|posting| (spread(posting.feature()), posting));
                    prop_assert_eq!(found, expected.collect::<Vec<(u64, Posting)>>());
                }
            }
        }
    }
}
