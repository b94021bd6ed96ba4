//! Runs of equal tokens in two sequences.

use crate::feature_hash::FeatureHasher;
use crate::passage::Passage;
use crate::winnow::for_each_gram;
use rustc_hash::FxHashMap;
use std::sync::OnceLock;

/// Places of one k-gram that are looked at: beyond that a sequence repeats itself, and one place is as good as another.
const MAX_PLACES: usize = 8;
/// Tokens that are compared to follow runs, for each token of both sequences. Sequences that need more repeat themselves: their runs are
/// found by longer k-grams first.
const MAX_COMPARED_PER_TOKEN: usize = 8;
/// Of such sequences: the lengths of the longer k-grams, in k.
const K_MULTIPLES: [usize; 3] = [8, 4, 2];
/// Of such sequences: as little as this part, once the longest runs are known, needs no table of the other's k-grams.
const FEW: usize = 8;
/// Bits for each slot of a table that tell whether a hash is worth a look.
const FILTER_BITS_PER_SLOT: usize = 8;
/// K-grams whose slots are fetched together: the machine waits for many answers at once.
const BATCH: usize = 32;
const NOWHERE: u32 = u32::MAX;

/// Equal tokens in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct EqualRun {
    pub(super) length: u32,
    pub(super) a: u32,
    pub(super) b: u32,
}

impl EqualRun {
    pub(super) fn passage(&self) -> Passage {
        Passage { a: self.a..self.a + self.length, b: self.b..self.b + self.length, equal: self.length }
    }
}

/// The hashes of all k-grams of a sequence, by the place of their first token; 0 where there is none.
#[derive(Clone, Debug)]
pub struct GramHashes {
    k: usize,
    hashes: Vec<u64>,
}

impl GramHashes {
    /// Of a sequence.
    pub fn of(tokens: &[u32], k: usize) -> Self {
        let mut hashes = vec![0; tokens.len()];
        for_each_gram(tokens, k, &FeatureHasher::default(), |gram| hashes[gram.position as usize] = gram.hash.max(1));
        Self { k, hashes }
    }

    fn iter(&self) -> impl Iterator<Item = (usize, u64)> + '_ {
        self.hashes.iter().copied().enumerate().filter(|(_, hash)| *hash != 0)
    }
}

/// A sequence with a table of its k-grams, to be held against many.
#[derive(Clone, Debug)]
pub struct GramTable<'a> {
    tokens: &'a [u32],
    k: usize,
    /// One bit for the leading bits of each hash. Most k-grams of another sequence are not here, and this little is always at hand.
    seen: Vec<u64>,
    /// By the leading bits of a hash: the other half of it, and the first place of such a k-gram.
    table: Vec<(u32, u32)>,
    shift: u32,
    /// By place: the next place of the same k-gram.
    next: Vec<u32>,
    /// Tables of longer k-grams, made when a sequence needs them: one that repeats itself does so beside many.
    longer: [OnceLock<Box<Self>>; K_MULTIPLES.len()],
}

impl<'a> GramTable<'a> {
    /// Prepares a sequence, with its k-grams, for passages of at least k tokens.
    pub fn new(tokens: &'a [u32], grams: &GramHashes) -> Self {
        // at most three of four are taken
        let slots = (tokens.len() * 4 / 3 + 1).next_power_of_two().max(64 / FILTER_BITS_PER_SLOT);
        let shift = 64 - slots.trailing_zeros();
        let mut table = vec![(0, NOWHERE); slots];
        let mut seen = vec![0; slots * FILTER_BITS_PER_SLOT / 64];
        let mut next = vec![NOWHERE; tokens.len()];
        // from the end, so that the first place is at the head of its chain
        for (batch, hashes) in grams.hashes.chunks(BATCH).enumerate().rev() {
            std::hint::black_box(hashes.iter().fold(0, |all, hash| all | table[(hash >> shift) as usize].0));
            for (at, hash) in hashes.iter().enumerate().rev().filter(|(_, hash)| **hash != 0) {
                let bit = (hash >> (shift - FILTER_BITS_PER_SLOT.trailing_zeros())) as usize;
                seen[bit / 64] |= 1 << (bit % 64);
                let (position, tag) = (batch * BATCH + at, *hash as u32);
                let mut slot = (hash >> shift) as usize;
                loop {
                    let (held, head) = table[slot];
                    if head == NOWHERE || held == tag {
                        next[position] = head;
                        table[slot] = (tag, position as u32);
                        break;
                    }
                    slot = (slot + 1) & (slots - 1);
                }
            }
        }
        Self { tokens, k: grams.k, seen, table, shift, next, longer: Default::default() }
    }

    /// Whether there may be a k-gram with this hash.
    #[inline]
    fn may_have(&self, hash: u64) -> bool {
        let bit = (hash >> (self.shift - FILTER_BITS_PER_SLOT.trailing_zeros())) as usize;
        self.seen[bit / 64] & 1 << (bit % 64) != 0
    }

    /// The sequence.
    pub fn tokens(&self) -> &'a [u32] {
        self.tokens
    }

    fn places(&self, hash: u64) -> impl Iterator<Item = usize> + '_ {
        let mut slot = (hash >> self.shift) as usize;
        let head = loop {
            let (held, head) = self.table[slot];
            if head == NOWHERE || held == hash as u32 {
                break head;
            }
            slot = (slot + 1) & (self.table.len() - 1);
        };
        let after = |place: &u32| Some(self.next[*place as usize]).filter(|next| *next != NOWHERE);
        std::iter::successors(Some(head).filter(|head| *head != NOWHERE), after)
            .take(MAX_PLACES)
            .map(|place| place as usize)
    }

    /// The runs that `b` shares with this sequence: all of them, unless both repeat themselves so much that there are very many.
    pub(super) fn runs(&self, b: &[u32], grams: &GramHashes, runs: &mut Vec<EqualRun>) {
        assert_eq!(self.k, grams.k, "k-grams of one length");
        let mut following = Following::new(self.tokens, b);
        let mut effort = MAX_COMPARED_PER_TOKEN * (self.tokens.len() + b.len());
        for (batch, hashes) in grams.hashes.chunks(BATCH).enumerate() {
            let mut here = [0; BATCH];
            let mut count = 0;
            for (at, hash) in hashes.iter().enumerate() {
                here[count] = at;
                count += usize::from(self.may_have(*hash) && *hash != 0);
            }
            let slot = |at: &usize| self.table[(hashes[*at] >> self.shift) as usize].0;
            std::hint::black_box(here[..count].iter().fold(0, |all, at| all | slot(at)));
            for at in &here[..count] {
                for i in self.places(hashes[*at]) {
                    if let Some(run) = following.follow(i, batch * BATCH + at) {
                        effort = effort.saturating_sub(run.length as usize + 1);
                        runs.extend(Some(run).filter(|run| run.length as usize >= self.k));
                    }
                    if effort == 0 {
                        runs.clear();
                        return self.long_runs(b, grams, runs);
                    }
                }
            }
        }
    }

    /// The longest runs first, and of the rest of `b` those that are shorter: what a run covers is not looked at again.
    fn long_runs(&self, b: &[u32], grams: &GramHashes, runs: &mut Vec<EqualRun>) {
        let mut following = Following::new(self.tokens, b);
        let mut covered = vec![false; b.len()];
        for (times, longer) in K_MULTIPLES.iter().zip(&self.longer) {
            let k = times * self.k;
            if covered.iter().filter(|covered| !**covered).count() <= b.len() / FEW {
                self.cover_few(&mut following, k, &mut covered, runs);
                continue;
            }
            let table = longer.get_or_init(|| Box::new(Self::new(self.tokens, &GramHashes::of(self.tokens, k))));
            table.cover(&mut following, &GramHashes::of(b, k), &mut covered, runs);
        }
        self.cover(&mut following, grams, &mut covered, runs);
    }

    /// As a table of k-grams of this length would cover `b`, of which little is left: k-grams of that are looked for in this sequence, which
    /// passes by.
    pub(super) fn cover_few(
        &self,
        following: &mut Following<'_>,
        k: usize,
        covered: &mut [bool],
        runs: &mut Vec<EqualRun>,
    ) {
        let (mut grams, mut places) = (Vec::new(), FxHashMap::<u64, Vec<usize>>::default());
        let mut start = 0;
        for stretch in covered.chunk_by(|a, b| a == b) {
            let end = start + stretch.len();
            if !stretch[0] {
                let tokens = &following.b[start..following.b.len().min(end + k - 1)];
                for_each_gram(tokens, k, &FeatureHasher::default(), |gram| {
                    grams.push((start + gram.position as usize, gram.hash));
                    places.entry(gram.hash).or_default();
                });
            }
            start = end;
        }
        if grams.is_empty() {
            return;
        }
        let shift = 64 - (grams.len() * FILTER_BITS_PER_SLOT).next_power_of_two().trailing_zeros();
        let mut seen = vec![false; 1 << (64 - shift)];
        for (_, hash) in &grams {
            seen[(hash >> shift) as usize] = true;
        }
        for_each_gram(self.tokens, k, &FeatureHasher::default(), |gram| {
            if seen[(gram.hash >> shift) as usize]
                && let Some(places) = places.get_mut(&gram.hash)
                && places.len() < MAX_PLACES
            {
                places.push(gram.position as usize);
            }
        });
        for (j, hash) in grams {
            if !covered[j] {
                following.cover(places[&hash].iter().copied(), j, k, covered, runs);
            }
        }
    }

    /// The runs of at least k tokens that begin or go on where nothing is covered.
    pub(super) fn cover(
        &self,
        following: &mut Following<'_>,
        grams: &GramHashes,
        covered: &mut [bool],
        runs: &mut Vec<EqualRun>,
    ) {
        for (j, hash) in grams.iter() {
            if !covered[j] {
                following.cover(self.places(hash), j, self.k, covered, runs);
            }
        }
    }
}

/// Follows runs in both directions, each once: how far each diagonal was followed.
pub(super) struct Following<'a> {
    a: &'a [u32],
    b: &'a [u32],
    followed: Vec<u32>,
}

impl<'a> Following<'a> {
    pub(super) fn new(a: &'a [u32], b: &'a [u32]) -> Self {
        Self { a, b, followed: vec![0; a.len() + b.len()] }
    }

    /// The runs of at least `k` tokens through one place of the second sequence and some of the first.
    fn cover(
        &mut self,
        places: impl IntoIterator<Item = usize>,
        j: usize,
        k: usize,
        covered: &mut [bool],
        runs: &mut Vec<EqualRun>,
    ) {
        for i in places {
            let Some(run) = self.follow(i, j) else { continue };
            if run.length as usize >= k {
                covered[run.b as usize..(run.b + run.length) as usize].fill(true);
                runs.push(run);
            }
        }
    }

    /// The run through two places; none if it was followed before.
    fn follow(&mut self, i: usize, j: usize) -> Option<EqualRun> {
        let diagonal = &mut self.followed[i + self.b.len() - j - 1];
        if *diagonal as usize > j {
            return None;
        }
        let equal = |(a, b): &(&u32, &u32)| a == b && **a != 0;
        let back = self.a[..i].iter().rev().zip(self.b[*diagonal as usize..j].iter().rev()).take_while(equal).count();
        let ahead = self.a[i..].iter().zip(&self.b[j..]).take_while(equal).count();
        // also where two k-grams only have the same hash, this place is done
        *diagonal = (j + ahead.max(1)) as u32;
        Some(EqualRun { length: (back + ahead) as u32, a: (i - back) as u32, b: (j - back) as u32 })
    }
}
