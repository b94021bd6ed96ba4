//! Runs of equal tokens in two sequences.

use crate::fingerprint::Fingerprinter;
use crate::passage::Passage;
use crate::winnow::for_each_gram;

/// Places of one k-gram that are looked at: beyond that a sequence repeats itself, and one place is as good as another.
const PLACES: usize = 32;
/// Tokens that are compared to follow every run, for each token of both sequences: only sequences that repeat themselves need more.
/// Beyond that only runs that reach further than all before are followed, and beyond twice that none.
const EFFORT: usize = 4;
const NOWHERE: u32 = u32::MAX;

/// Equal tokens in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Run {
    pub(super) length: u32,
    pub(super) a: u32,
    pub(super) b: u32,
}

impl Run {
    pub(super) fn passage(&self) -> Passage {
        Passage { a: self.a..self.a + self.length, b: self.b..self.b + self.length, equal: self.length }
    }
}

/// A sequence with a table of its k-grams, to be held against many.
#[derive(Clone, Debug)]
pub struct Prepared<'a> {
    tokens: &'a [u32],
    k: usize,
    fp: Fingerprinter,
    /// By the leading bits of a hash: the other half of it, and the first place of such a k-gram.
    table: Vec<(u32, u32)>,
    shift: u32,
    /// By place: the next place of the same k-gram.
    next: Vec<u32>,
}

impl<'a> Prepared<'a> {
    /// Prepares a sequence for passages of at least `k` tokens.
    pub fn new(tokens: &'a [u32], k: usize) -> Self {
        let fp = Fingerprinter::default();
        let slots = (tokens.len() * 2).next_power_of_two().max(2);
        let shift = 64 - slots.trailing_zeros();
        let mut table = vec![(0, NOWHERE); slots];
        let mut next = vec![NOWHERE; tokens.len()];
        let mut grams = Vec::with_capacity(tokens.len());
        for_each_gram(tokens, k, &fp, |gram| grams.push(gram));
        // from the end, so that the first place is at the head of its chain
        for gram in grams.iter().rev() {
            let mut slot = (gram.hash >> shift) as usize;
            let tag = gram.hash as u32;
            loop {
                let (held, head) = table[slot];
                if head == NOWHERE || held == tag {
                    next[gram.position as usize] = head;
                    table[slot] = (tag, gram.position);
                    break;
                }
                slot = (slot + 1) & (slots - 1);
            }
        }
        Self { tokens, k, fp, table, shift, next }
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
            .take(PLACES)
            .map(|place| place as usize)
    }

    /// The runs that `b` shares with this sequence: all of them, unless there are very many.
    pub(super) fn runs(&self, b: &[u32], runs: &mut Vec<Run>) {
        let a = self.tokens;
        let equal = |i: usize, j: usize| i < a.len() && j < b.len() && a[i] == b[j] && a[i] != 0;
        let enough = EFFORT * (a.len() + b.len());
        let mut effort = 2 * enough;
        // where the run that reaches furthest ends
        let mut reached = 0;
        for_each_gram(b, self.k, &self.fp, |gram| {
            let j = gram.position as usize;
            for i in self.places(gram.hash) {
                if (i > 0 && j > 0 && equal(i - 1, j - 1)) || effort == 0 {
                    continue;
                }
                // to reach further it must be equal where that one ended
                if effort < enough && reached > j && !equal(i + reached - j, reached) {
                    continue;
                }
                let length = (0..effort).take_while(|n| equal(i + n, j + n)).count();
                effort -= length.max(1).min(effort);
                // the table compares parts of hashes, here every token was compared
                if length >= self.k {
                    reached = reached.max(j + length);
                    runs.push(Run { length: length as u32, a: i as u32, b: j as u32 });
                }
            }
        });
    }
}
