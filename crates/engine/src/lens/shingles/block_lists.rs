//! The lists of features where there is no room for all at once: divided by blocks of documents, so that few are read for two of them.

use crate::Error;
use crate::lens::shingles::posting_blocks::PostingBlock;
use crate::run::postings::{Posting, for_each_list, for_each_list_of_part};
use lookalike_core::members::Members;
use lookalike_store::{Partitions, Parts, Records, TempSpace};
use std::ops::Range;
use std::sync::Arc;

/// Blocks, at most: each is a part of [`Partitions`].
pub const MAX_BLOCKS: usize = 64;

/// For each block the lists of which it has a document, without those of the blocks before. Most lists are short, and are kept once.
pub struct BlockLists {
    parts: Parts<Posting>,
    /// Documents of a block.
    width: u32,
    blocks: u32,
}

impl BlockLists {
    /// Divides lists, but for those of frequent features, into so many blocks of documents; `budget` bytes of them are held in memory.
    pub fn divide(
        postings: &Records<Posting>,
        frequent: &Members,
        (documents, blocks): (usize, usize),
        space: &Arc<TempSpace>,
        budget: usize,
    ) -> Result<Self, Error> {
        let width = documents.div_ceil(blocks).max(1) as u32;
        let mut parts = Partitions::new(space, "the lists of blocks", budget);
        let mut list = Vec::new();
        for_each_list(postings, |feature, documents| {
            if frequent.place(feature).is_some() {
                return Ok(());
            }
            list.clear();
            list.extend(documents.iter().map(|document| Posting::new(feature, *document)));
            let mut from = 0;
            // the last document has none behind it to make a pair with
            while from + 1 < list.len() {
                let block = documents[from] / width;
                parts.extend(block as usize, &list[from..])?;
                from += documents[from..].partition_point(|document| document / width == block);
            }
            Ok(())
        })?;
        Ok(Self { parts: parts.finish()?, width, blocks: blocks as u32 })
    }

    /// The pairs of blocks in which all pairs of documents are.
    pub fn pairs(&self) -> impl Iterator<Item = (u32, u32)> + use<> {
        let blocks = self.blocks;
        (0..blocks).flat_map(move |y| (y..blocks).map(move |x| (y, x)))
    }

    /// What makes the pairs of two blocks, the second of which is no earlier one.
    pub fn of_pair(&self, (y, x): (u32, u32)) -> Result<PostingBlock, Error> {
        let mut lists = PostingBlock::new(self.range(y), self.range(x));
        for_each_list_of_part(&self.parts, y as usize, |feature, documents| lists.push(feature, documents))?;
        lists.finish();
        Ok(lists)
    }

    /// The documents of a block.
    fn range(&self, block: u32) -> Range<u32> {
        block * self.width..(block + 1).saturating_mul(self.width)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use lookalike_store::Sequence;
    use proptest::prelude::*;

    const DOCUMENTS: u32 = 40;

    proptest! {
        #[test]
        fn divided_lists_make_the_same_pairs(
            lists in prop::collection::vec(prop::collection::btree_set(0..DOCUMENTS, 2..12), 0..30),
            blocks in 1usize..9,
            budget in 0usize..2000,
            frequent in 1u64..40,
        ) {
            let space = Arc::new(TempSpace::new(None).unwrap());
            let mut postings = Sequence::new(&space, "test", 0);
            for (feature, list) in (1u64..).zip(&lists) {
                for document in list {
                    postings.push(Posting::new(feature, *document)).unwrap();
                }
            }
            let (postings, frequent) = (postings.finish().unwrap(), Members::new(vec![frequent]));
            let divided = BlockLists::divide(&postings, &frequent, (DOCUMENTS as usize, blocks), &space, budget).unwrap();
            let mut seen = vec![false; (DOCUMENTS * DOCUMENTS) as usize];
            for (y, x) in divided.pairs() {
                let (ys, xs) = (divided.range(y), divided.range(x));
                let mut whole = PostingBlock::new(ys.clone(), xs.clone());
                for_each_list(&postings, |feature, documents| {
                    if frequent.place(feature).is_none() {
                        whole.push(feature, documents);
                    }
                    Ok(())
                }).unwrap();
                whole.finish();
                let part = divided.of_pair((y, x)).unwrap();
                let of = |block: &PostingBlock, x: u32| -> Vec<Vec<u32>> {
                    block.leading(x).iter().map(|list| block.ys(block.list(*list)).to_vec()).collect()
                };
                prop_assert_eq!(part.xs().collect::<Vec<u32>>(), whole.xs().collect::<Vec<u32>>());
                for x in part.xs() {
                    prop_assert_eq!(of(&part, x), of(&whole, x));
                }
                for (y, x) in ys.flat_map(|y| xs.clone().map(move |x| (y, x))).filter(|(y, x)| y < x && *x < DOCUMENTS) {
                    let again = std::mem::replace(&mut seen[(y * DOCUMENTS + x) as usize], true);
                    prop_assert!(!again, "{y} and {x} are in two pairs of blocks");
                }
            }
            let all = (0..DOCUMENTS).flat_map(|x| (0..x).map(move |y| (y * DOCUMENTS + x) as usize));
            prop_assert!(all.into_iter().all(|pair| seen[pair]), "every pair is in one");
        }
    }
}
