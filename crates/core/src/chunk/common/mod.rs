//! How many bytes two files really have in common: runs of equal bytes, each byte of either file used once, whatever the order.
//!
//! Chunks that both have come first, so that the answer is never below what chunks prove. Each such run is extended as far as the files are equal.
//! What is left is searched for equal runs of at least [`GRAM`] bytes. The best way to pair runs is hard to find when text repeats itself; this is a good
//! one, in time and memory that grow with the files and nothing else.

mod grams;
mod taken;
#[cfg(test)]
mod tests;

use super::{Chunk, Chunker};
use grams::Grams;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use taken::Taken;

/// Shorter runs are chance, unless they lie beside a longer one.
const GRAM: usize = 24;
/// Places of the other file that are tried for one gram.
const TRIES: usize = 8;

/// Bytes that two files have in common. The same whichever file comes first; never less than their common chunks (as they occur) are long.
pub fn common_bytes(a: &[u8], b: &[u8], chunker: &Chunker) -> u64 {
    // runs are sought in the order of one of the files: always of the same one
    match a.len().cmp(&b.len()).then_with(|| a.cmp(b)) {
        Ordering::Equal => a.len() as u64,
        Ordering::Less => Alignment::new(a, b).of_chunks(chunker).of_grams().common,
        Ordering::Greater => Alignment::new(b, a).of_chunks(chunker).of_grams().common,
    }
}

/// What of two files is paired so far.
struct Alignment<'a> {
    a: &'a [u8],
    b: &'a [u8],
    taken_a: Taken,
    taken_b: Taken,
    common: u64,
}

/// Equal bytes around a place of `a` and one of `b`.
struct Run {
    behind: usize,
    ahead: usize,
}

impl<'a> Alignment<'a> {
    fn new(a: &'a [u8], b: &'a [u8]) -> Self {
        Self { a, b, taken_a: Taken::new(a.len()), taken_b: Taken::new(b.len()), common: 0 }
    }

    /// Pairs equal chunks, each once, then what is equal around them.
    fn of_chunks(mut self, chunker: &Chunker) -> Self {
        let chunks = |data| {
            let mut chunks = Vec::new();
            chunker.chunks(data, |chunk| chunks.push(chunk));
            chunks
        };
        let pairs = pairs(&chunks(self.a), &chunks(self.b));
        // the hash of a forged file may lie
        let equal = |(x, y): &(Chunk, Chunk)| self.a[x.start..][..x.length] == self.b[y.start..][..y.length];
        let pairs: Vec<_> = pairs.into_iter().filter(equal).collect();
        for (x, y) in &pairs {
            self.take(x.start, y.start, x.length);
        }
        for (x, y) in &pairs {
            let behind = self.behind(x.start, y.start);
            self.take(x.start - behind, y.start - behind, behind);
            let (x, y) = (x.start + x.length, y.start + y.length);
            let ahead = self.ahead(x, y);
            self.take(x, y, ahead);
        }
        self
    }

    /// Pairs runs of at least [`GRAM`] bytes in what is left.
    fn of_grams(mut self) -> Self {
        let (mut grams, shared) = Grams::new((self.a, &self.taken_a), (self.b, &self.taken_b));
        // where the last run ended: the next is most likely as far away in the other file
        let (mut last_a, mut last_b) = (0, 0);
        for gram in shared {
            let at = gram.at();
            if !self.taken_a.is_free(at, GRAM) {
                continue;
            }
            let found = match (last_b + at).checked_sub(last_a).filter(|place| self.fits(at, *place)) {
                Some(place) => Some((place, self.run(at, place))),
                None => grams
                    .places(&gram, last_b, &self.taken_b)
                    .into_iter()
                    .filter(|place| self.fits(at, *place))
                    .map(|place| (place, self.run(at, place)))
                    .reduce(|best, next| if next.1.length() > best.1.length() { next } else { best }),
            };
            if let Some((place, run)) = found {
                self.take(at - run.behind, place - run.behind, run.length());
                (last_a, last_b) = (at + run.ahead, place + run.ahead);
            }
        }
        self
    }

    /// Whether the gram here is free and the same in `b` at a place.
    fn fits(&self, at: usize, place: usize) -> bool {
        let gram = self.b.get(place..place + GRAM);
        gram == Some(&self.a[at..at + GRAM]) && self.taken_b.is_free(place, GRAM)
    }

    fn run(&self, at: usize, place: usize) -> Run {
        Run { behind: self.behind(at, place), ahead: self.ahead(at, place) }
    }

    /// How many bytes from here on are equal and free.
    fn ahead(&self, at: usize, place: usize) -> usize {
        let mut length = 0;
        loop {
            let (at, place) = (at + length, place + length);
            let free = self.taken_a.free_ahead(at).min(self.taken_b.free_ahead(place));
            let (x, y) = (&self.a[at..at + free], &self.b[place..place + free]);
            let equal = if x == y { free } else { x.iter().zip(y).take_while(|(x, y)| x == y).count() };
            length += equal;
            if equal < Taken::STEP {
                return length;
            }
        }
    }

    /// The same for the bytes before.
    fn behind(&self, at: usize, place: usize) -> usize {
        let mut length = 0;
        loop {
            let (at, place) = (at - length, place - length);
            let free = self.taken_a.free_behind(at).min(self.taken_b.free_behind(place));
            let (x, y) = (&self.a[at - free..at], &self.b[place - free..place]);
            let equal =
                if x == y { free } else { x.iter().rev().zip(y.iter().rev()).take_while(|(x, y)| x == y).count() };
            length += equal;
            if equal < Taken::STEP {
                return length;
            }
        }
    }

    fn take(&mut self, at: usize, place: usize, length: usize) {
        self.taken_a.take(at, length);
        self.taken_b.take(place, length);
        self.common += length as u64;
    }
}

impl Run {
    fn length(&self) -> usize {
        self.behind + self.ahead
    }
}

/// Pairs of equal chunks, as many as there can be: the one that follows the last pair if it is equal, else the first that is left.
fn pairs(a: &[Chunk], b: &[Chunk]) -> Vec<(Chunk, Chunk)> {
    // for each hash the chunks of b, last first
    let mut left: FxHashMap<(u128, usize), Vec<usize>> = FxHashMap::default();
    for (number, chunk) in b.iter().enumerate().rev() {
        left.entry((chunk.hash, chunk.length)).or_default().push(number);
    }
    let mut free = vec![true; b.len()];
    let mut following = 0;
    let mut pairs = Vec::new();
    for chunk in a {
        let key = (chunk.hash, chunk.length);
        let Some(same) = left.get_mut(&key) else { continue };
        let follows = b.get(following).is_some_and(|next| free[following] && (next.hash, next.length) == key);
        let next =
            if follows { Some(following) } else { std::iter::from_fn(|| same.pop()).find(|number| free[*number]) };
        if let Some(number) = next {
            free[number] = false;
            following = number + 1;
            pairs.push((*chunk, b[number]));
        }
    }
    pairs
}
