//! Verified stars by one rule: each document joins the most similar representative before it, or represents itself.

/// The most similar representative of one document, among those seen so far; of two that are equally similar the earlier.
///
/// `R` tells the representatives apart and which is the earlier, `S` is how similar they are: the greater the more similar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BestRepresentative<R, S> {
    best: Option<(R, S)>,
}

impl<R, S> Default for BestRepresentative<R, S> {
    fn default() -> Self {
        Self { best: None }
    }
}

impl<R: Ord, S: PartialOrd> BestRepresentative<R, S> {
    /// Takes a representative that the document is linked with; whether it is the best so far.
    pub fn offer(&mut self, representative: R, score: S) -> bool {
        let better = self.can_improve(&representative, &score);
        if better {
            self.best = Some((representative, score));
        }
        better
    }

    /// Whether a representative that is at most so similar could be the best so far. What cannot need not be compared.
    pub fn can_improve(&self, representative: &R, at_most: &S) -> bool {
        self.best.as_ref().is_none_or(|(best, score)| beats((at_most, representative), (score, best)))
    }

    /// The best, if there was any.
    pub fn get(&self) -> Option<&(R, S)> {
        self.best.as_ref()
    }

    /// The best, if there was any.
    pub fn into_inner(self) -> Option<(R, S)> {
        self.best
    }
}

/// Whether one score and representative go before another.
fn beats<R: Ord, S: PartialOrd>((score, one): (&S, &R), (other_score, other): (&S, &R)) -> bool {
    score > other_score || score == other_score && one < other
}

/// Who represents whom, over the ranks `0..n`.
///
/// Links are offered so that nobody represents before it is decided that he may: all links of a document with earlier ones come before
/// its links with later ones. Links that are sorted by either of their two ranks do. Among equals the order does not matter.
///
/// A caller that compares lazily asks [`is_representative`](Self::is_representative) and [`can_improve`](Self::can_improve) first, and
/// compares only what can change the answer.
#[derive(Clone, Debug)]
pub struct StarClustering<S> {
    representatives: Vec<u32>,
    /// How similar a member and its representative are.
    scores: Vec<S>,
}

impl<S: Copy + Default + PartialOrd> StarClustering<S> {
    /// Every document represents itself.
    pub fn new(documents: usize) -> Self {
        Self { representatives: (0..documents as u32).collect(), scores: vec![S::default(); documents] }
    }

    /// All links at once, in an order as above.
    pub fn of_links(documents: usize, links: impl IntoIterator<Item = (u32, u32, S)>) -> Self {
        let mut clustering = Self::new(documents);
        for (a, b, score) in links {
            clustering.offer(a, b, score);
        }
        clustering
    }

    /// Takes a link of two documents; whether the later is now a member of the earlier's cluster.
    pub fn offer(&mut self, a: u32, b: u32, score: S) -> bool {
        let better = self.can_improve(a, b, score);
        if better {
            self.representatives[b as usize] = a;
            self.scores[b as usize] = score;
        }
        better
    }

    /// Whether a link of two documents that are at most so similar could change who represents the later.
    pub fn can_improve(&self, a: u32, b: u32, at_most: S) -> bool {
        debug_assert!(a < b, "the earlier document comes first");
        let current = self.representatives[b as usize];
        self.is_representative(a) && (current == b || beats((&at_most, &a), (&self.scores[b as usize], &current)))
    }

    /// Whether a document represents itself, by the links so far.
    pub fn is_representative(&self, document: u32) -> bool {
        self.representatives[document as usize] == document
    }

    /// The representative of a document, which may be itself.
    pub fn representative(&self, document: u32) -> u32 {
        self.representatives[document as usize]
    }

    /// The members in order: each with its representative and how similar the two are.
    pub fn members(&self) -> impl Iterator<Item = (u32, u32, S)> {
        let all = (0..).zip(&self.representatives).zip(&self.scores);
        all.filter(|((document, representative), _)| document != *representative)
            .map(|((document, representative), score)| (document, *representative, *score))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Priority, ranked};
    use super::*;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};

    /// The rule, word by word.
    fn naive(n: u32, links: &BTreeMap<(u32, u32), u8>) -> Vec<u32> {
        let mut representatives: Vec<u32> = Vec::new();
        for document in 0..n {
            let linked = (0..document)
                .filter(|earlier| representatives[*earlier as usize] == *earlier)
                .filter_map(|earlier| Some((*links.get(&(earlier, document))?, std::cmp::Reverse(earlier))));
            representatives.push(linked.max().map_or(document, |(_, earlier)| earlier.0));
        }
        representatives
    }

    fn all(clustering: &StarClustering<u8>, n: u32) -> Vec<u32> {
        (0..n).map(|document| clustering.representative(document)).collect()
    }

    const N: u32 = 12;

    fn links() -> impl Strategy<Value = BTreeMap<(u32, u32), u8>> {
        let pair = (0..N, 0..N).prop_filter_map("two", |(a, b)| (a != b).then_some((a.min(b), a.max(b))));
        prop::collection::btree_map(pair, 0u8..5, 0..40)
    }

    #[test]
    fn chains_do_not_form() {
        // 0~1 and 1~2, but not 0~2
        let clustering = StarClustering::of_links(3, [(0, 1, 5u8), (1, 2, 9)]);
        assert_eq!(all(&clustering, 3), [0, 0, 2]);
        // the most similar, and of two the earlier
        let clustering = StarClustering::of_links(4, [(0, 2, 5u8), (1, 2, 9), (0, 3, 4), (1, 3, 4)]);
        assert_eq!(clustering.members().collect::<Vec<_>>(), [(2, 1, 9), (3, 0, 4)]);
    }

    proptest! {
        #[test]
        fn follows_the_rule_in_either_order(links in links()) {
            let expected = naive(N, &links);
            let by_earlier: Vec<_> = links.iter().map(|((a, b), score)| (*a, *b, *score)).collect();
            let mut by_later = by_earlier.clone();
            by_later.sort_by_key(|(a, b, _)| (*b, std::cmp::Reverse(*a)));
            for links in [&by_earlier, &by_later] {
                prop_assert_eq!(&all(&StarClustering::of_links(N as usize, links.iter().copied()), N), &expected);
            }
            for (member, representative) in (0..).zip(&expected).filter(|(document, r)| document != *r) {
                prop_assert!(links.contains_key(&(*representative, member)), "every member was linked with its representative");
                prop_assert_eq!(expected[*representative as usize], *representative, "a representative is nobody's member");
            }
        }

        #[test]
        fn what_cannot_improve_need_not_be_compared(links in links(), slack in prop::collection::vec(0u8..3, 40)) {
            let mut lazy = StarClustering::new(N as usize);
            let mut one_by_one = vec![BestRepresentative::default(); N as usize];
            for (((a, b), score), slack) in links.iter().zip(slack) {
                if lazy.can_improve(*a, *b, score + slack) {
                    lazy.offer(*a, *b, *score);
                }
                if one_by_one[*a as usize].get().is_none() && one_by_one[*b as usize].can_improve(a, &(score + slack)) {
                    one_by_one[*b as usize].offer(*a, *score);
                }
            }
            let expected = naive(N, &links);
            prop_assert_eq!(&all(&lazy, N), &expected);
            let found: Vec<u32> = (0..).zip(one_by_one).map(|(d, best)| best.into_inner().map_or(d, |best| best.0)).collect();
            prop_assert_eq!(found, expected);
        }

        #[test]
        fn the_numbering_of_documents_does_not_matter(
            documents in prop::collection::vec((0u64..4, 0u32..3), N as usize),
            links in links(),
            numbering in Just((0..N).collect::<Vec<u32>>()).prop_shuffle(),
        ) {
            // documents are known by their place in `documents`; `numbers` are what a run calls them
            let clusters = |numbers: &[u32]| {
                let mut named = vec![0; N as usize];
                (0..).zip(numbers).for_each(|(id, number)| named[*number as usize] = id);
                let order = ranked(N as usize, |number| {
                    let id = named[*number as usize];
                    let (length, tie_break) = documents[id as usize];
                    Priority::new(length, tie_break, id)
                });
                let mut ranks = vec![0; N as usize];
                (0..).zip(&order).for_each(|(rank, number)| ranks[*number as usize] = rank);
                let rank = |id: u32| ranks[numbers[id as usize] as usize];
                let mut links: Vec<(u32, u32, u8)> = links
                    .iter()
                    .map(|((a, b), score)| (rank(*a).min(rank(*b)), rank(*a).max(rank(*b)), *score))
                    .collect();
                links.sort_unstable_by_key(|(a, b, _)| (*b, *a));
                let clustering = StarClustering::of_links(N as usize, links);
                let id = |rank: u32| named[order[rank as usize] as usize];
                clustering.members().map(|(member, representative, _)| (id(member), id(representative))).collect::<BTreeSet<_>>()
            };
            prop_assert_eq!(clusters(&numbering), clusters(&(0..N).collect::<Vec<u32>>()));
        }
    }
}
