//! How many bytes two files really share: runs of equal bytes, each byte of either file used once, whatever the order.
//!
//! Chunks that both have come first, so that the answer is never below what chunks prove. Each such run is extended as far as the files are equal.
//! What is left is searched for equal runs of at least [`GRAM_BYTES`] bytes. The best way to pair runs is hard to find when text repeats itself; this is a good
//! one, in time and memory that grow with the files and nothing else.

mod grams;
mod paired;
#[cfg(test)]
mod tests;

use super::{Chunk, Chunker};
use grams::{GRAM_BYTES, GramIndex};
use paired::PairedBytes;
use rustc_hash::FxHashMap;
use std::cmp::Ordering;

/// Bytes that two files share. The same whichever file comes first; never less than their shared chunks (as they occur) are long.
pub fn shared_bytes(a: &[u8], b: &[u8], chunker: &Chunker) -> u64 {
    // runs are sought in the order of one of the files: always of the same one
    match a.len().cmp(&b.len()).then_with(|| a.cmp(b)) {
        Ordering::Equal => a.len() as u64,
        Ordering::Less => Alignment::new(a, b).of_chunks(chunker).of_grams().shared,
        Ordering::Greater => Alignment::new(b, a).of_chunks(chunker).of_grams().shared,
    }
}

/// What of two files is paired so far.
struct Alignment<'a> {
    a: &'a [u8],
    b: &'a [u8],
    paired_a: PairedBytes,
    paired_b: PairedBytes,
    shared: u64,
}

/// Equal bytes around a place of `a` and one of `b`.
struct Extent {
    behind: usize,
    ahead: usize,
}

impl<'a> Alignment<'a> {
    fn new(a: &'a [u8], b: &'a [u8]) -> Self {
        Self { a, b, paired_a: PairedBytes::new(a.len()), paired_b: PairedBytes::new(b.len()), shared: 0 }
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
            self.pair(x.start, y.start, x.length);
        }
        for (x, y) in &pairs {
            let behind = self.behind(x.start, y.start);
            self.pair(x.start - behind, y.start - behind, behind);
            let (x, y) = (x.start + x.length, y.start + y.length);
            let ahead = self.ahead(x, y);
            self.pair(x, y, ahead);
        }
        self
    }

    /// Pairs runs of at least [`GRAM_BYTES`] bytes in what is left.
    fn of_grams(mut self) -> Self {
        let (mut grams, shared) = GramIndex::new((self.a, &self.paired_a), (self.b, &self.paired_b));
        // where the last run ended: the next is most likely as far away in the other file
        let (mut last_a, mut last_b) = (0, 0);
        for gram in shared {
            let at = gram.at();
            if !self.paired_a.is_free(at, GRAM_BYTES) {
                continue;
            }
            let found = match (last_b + at).checked_sub(last_a).filter(|place| self.fits(at, *place)) {
                Some(place) => Some((place, self.run(at, place))),
                None => grams
                    .places(&gram, last_b, &self.paired_b)
                    .into_iter()
                    .filter(|place| self.fits(at, *place))
                    .map(|place| (place, self.run(at, place)))
                    .reduce(|best, next| if next.1.length() > best.1.length() { next } else { best }),
            };
            if let Some((place, run)) = found {
                self.pair(at - run.behind, place - run.behind, run.length());
                (last_a, last_b) = (at + run.ahead, place + run.ahead);
            }
        }
        self
    }

    /// Whether the gram here is free and the same in `b` at a place.
    fn fits(&self, at: usize, place: usize) -> bool {
        let gram = self.b.get(place..place + GRAM_BYTES);
        gram == Some(&self.a[at..at + GRAM_BYTES]) && self.paired_b.is_free(place, GRAM_BYTES)
    }

    fn run(&self, at: usize, place: usize) -> Extent {
        Extent { behind: self.behind(at, place), ahead: self.ahead(at, place) }
    }

    /// How many bytes from here on are equal and free.
    fn ahead(&self, at: usize, place: usize) -> usize {
        let mut length = 0;
        loop {
            let (at, place) = (at + length, place + length);
            let free = self.paired_a.free_ahead(at).min(self.paired_b.free_ahead(place));
            let (x, y) = (&self.a[at..at + free], &self.b[place..place + free]);
            let equal = if x == y { free } else { x.iter().zip(y).take_while(|(x, y)| x == y).count() };
            length += equal;
            if equal < PairedBytes::STEP {
                return length;
            }
        }
    }

    /// The same for the bytes before.
    fn behind(&self, at: usize, place: usize) -> usize {
        let mut length = 0;
        loop {
            let (at, place) = (at - length, place - length);
            let free = self.paired_a.free_behind(at).min(self.paired_b.free_behind(place));
            let (x, y) = (&self.a[at - free..at], &self.b[place - free..place]);
            let equal =
                if x == y { free } else { x.iter().rev().zip(y.iter().rev()).take_while(|(x, y)| x == y).count() };
            length += equal;
            if equal < PairedBytes::STEP {
                return length;
            }
        }
    }

    fn pair(&mut self, at: usize, place: usize, length: usize) {
        self.paired_a.pair(at, length);
        self.paired_b.pair(place, length);
        self.shared += length as u64;
    }
}

impl Extent {
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
