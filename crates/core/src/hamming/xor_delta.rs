//! The paper's own code of a sorted table (§3.2): what a row differs in from the one before, behind the place of the highest bit in which
//! it does, and a Huffman code for that place.
//!
//! Ours ([`super::Table`]) takes a few bits more and finds a row without reading a block from its start. This one is kept to say by
//! how much it is smaller, and as a second opinion.

use crate::bits::FingerprintBits;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// How often each place was the highest that differed. A row that is the same as the one before has no such place: the last of the counts.
#[derive(Clone, Debug)]
pub struct Places<F> {
    counts: Vec<u64>,
    last: Option<F>,
    rows: u64,
}

impl<F: FingerprintBits> Default for Places<F> {
    fn default() -> Self {
        Self { counts: vec![0; F::WIDTH as usize + 1], last: None, rows: 0 }
    }
}

/// Bytes of a block of the paper.
const BLOCK: u64 = 1024;

impl<F: FingerprintBits> Places<F> {
    /// Takes the next row.
    #[inline]
    pub fn push(&mut self, row: F) {
        if let Some(last) = self.last {
            self.counts[place(last, row)] += 1;
        }
        self.last = Some(row);
        self.rows += 1;
    }

    /// Bytes of the table in this code: in blocks of 1,024 bytes, each with its first row whole and a key beside it.
    pub fn bytes(&self) -> u64 {
        let lengths = lengths(&self.counts);
        let bits: u64 = (self.counts.iter().zip(&lengths).enumerate())
            .map(|(place, (count, length))| count * (u64::from(*length) + rest_of::<F>(place)))
            .sum();
        let blocks = bits.div_ceil(8 * BLOCK - u64::from(F::WIDTH)).max(u64::from(self.rows > 0));
        bits.div_ceil(8) + blocks * 2 * u64::from(F::WIDTH) / 8
    }
}

/// The highest place in which two rows differ; one more than the highest if they are the same.
#[inline]
fn place<F: FingerprintBits>(a: F, b: F) -> usize {
    let differ = a ^ b;
    if differ == F::ZERO { F::WIDTH as usize } else { (F::WIDTH - 1 - differ.leading_zeros()) as usize }
}

/// Bits that follow the code of a place: those below it.
fn rest_of<F: FingerprintBits>(place: usize) -> u64 {
    if place == F::WIDTH as usize { 0 } else { place as u64 }
}

/// Lengths of a Huffman code for things that come so often; none for those that do not come.
fn lengths(counts: &[u64]) -> Vec<u32> {
    let mut lengths = vec![0; counts.len()];
    let mut heap: BinaryHeap<Reverse<(u64, usize, Vec<usize>)>> = (counts.iter().enumerate())
        .filter(|(_, count)| **count > 0)
        .map(|(at, count)| Reverse((*count, at, vec![at])))
        .collect();
    if heap.len() == 1 {
        for Reverse((_, at, _)) in &heap {
            lengths[*at] = 1;
        }
    }
    while heap.len() > 1 {
        let (Some(Reverse(a)), Some(Reverse(b))) = (heap.pop(), heap.pop()) else { break };
        let both = [a.2, b.2].concat();
        for at in &both {
            lengths[*at] += 1;
        }
        heap.push(Reverse((a.0 + b.0, a.1.min(b.1), both)));
    }
    lengths
}

/// Sorted rows in this code, in one long block: for measuring how fast it is read.
#[derive(Clone, Debug)]
pub struct Coded<F> {
    first: F,
    rows: u64,
    /// From the highest bit of each word on.
    words: Vec<u64>,
    /// For the next bits, as many as the longest code: the place, and how long its code is.
    codes: Vec<(u8, u8)>,
    longest: u32,
}

impl<F: FingerprintBits> Coded<F> {
    /// Codes sorted rows; there is at least one.
    pub fn new(rows: &[F]) -> Self {
        let mut places = Places::default();
        for row in rows {
            places.push(*row);
        }
        let lengths = lengths(&places.counts);
        let longest = lengths.iter().copied().max().unwrap_or(0);
        let mut by_length: Vec<(u32, usize)> =
            lengths.iter().enumerate().filter(|(_, length)| **length > 0).map(|(at, length)| (*length, at)).collect();
        by_length.sort_unstable();
        let (mut code, mut at_length) = (0u64, 0);
        let mut all = vec![(0u64, 0u32); lengths.len()];
        let mut codes = vec![(0, 0); 1 << longest];
        for (length, at) in by_length {
            code <<= length - at_length;
            at_length = length;
            all[at] = (code, length);
            let first = (code << (longest - length)) as usize;
            codes[first..first + (1 << (longest - length))].fill((at as u8, length as u8));
            code += 1;
        }
        let mut coded = Self { first: rows[0], rows: rows.len() as u64, words: vec![0], codes, longest };
        let mut filled = 0;
        for pair in rows.windows(2) {
            let place = place(pair[0], pair[1]);
            let (code, length) = all[place];
            coded.write(&mut filled, code, length);
            let mut rest = rest_of::<F>(place) as u32;
            while rest > 0 {
                let now = rest.min(32);
                rest -= now;
                coded.write(&mut filled, (pair[1] >> rest & F::lowest(now)).low(), now);
            }
        }
        coded.words.push(0);
        coded
    }

    fn write(&mut self, filled: &mut u64, bits: u64, length: u32) {
        let at = (*filled / 64) as usize;
        let room = 64 - (*filled % 64) as u32;
        self.words.resize(self.words.len().max(at + 2), 0);
        if length <= room {
            self.words[at] |= bits << (room - length);
        } else {
            self.words[at] |= bits >> (length - room);
            self.words[at + 1] |= bits << (64 - (length - room));
        }
        *filled += u64::from(length);
    }

    fn read(&self, at: u64, length: u32) -> u64 {
        if length == 0 {
            return 0;
        }
        let (word, from) = ((at / 64) as usize, (at % 64) as u32);
        let next = self.words.get(word + 1).copied().unwrap_or(0);
        let both = u128::from(self.words[word]) << 64 | u128::from(next);
        (both << from >> (128 - length)) as u64
    }

    /// Bytes of the code.
    pub fn bytes(&self) -> usize {
        self.words.len() * 8
    }

    /// Reads all rows, from the first to the last.
    pub fn for_each(&self, mut each: impl FnMut(F)) {
        let (mut row, mut at) = (self.first, 0);
        each(row);
        for _ in 1..self.rows {
            let (place, length) = self.codes[self.read(at, self.longest) as usize];
            at += u64::from(length);
            let place = u32::from(place);
            if place < F::WIDTH {
                let mut below = F::ZERO;
                let mut rest = place;
                while rest > 0 {
                    let now = rest.min(32);
                    below = below << now | F::from_low(self.read(at, now));
                    at += u64::from(now);
                    rest -= now;
                }
                // the bit itself turns from 0 to 1, since rows are sorted
                row = ((row >> place) | F::from_low(1)) << place | below;
            }
            each(row);
        }
    }
}
