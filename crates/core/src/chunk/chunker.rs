//! The chunker: cuts, and the hash of each chunk. Equal to the naive twin, but what cannot cut is not looked at.

use super::hash::Keyed;
use super::{Parameters, roll};

/// How far to go back at a time for a backup.
const STRIDE: usize = 256;

/// A chunk of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chunk {
    /// Its first byte.
    pub start: usize,
    /// Its length in bytes.
    pub length: usize,
    /// Its hash.
    pub hash: u128,
}

/// Cuts and hashes by one recipe.
#[derive(Clone, Debug)]
pub struct Chunker {
    parameters: Parameters,
    main_below: u64,
    backup_below: u64,
    keyed: Keyed,
}

impl Chunker {
    /// A chunker; the empty key is the public default.
    pub fn new(parameters: Parameters, key: &str) -> Self {
        Self {
            parameters,
            main_below: parameters.main_below(),
            backup_below: parameters.backup_below(),
            keyed: Keyed::new(key),
        }
    }

    /// The parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The hash of a chunk.
    pub fn hash(&self, chunk: &[u8]) -> u128 {
        self.keyed.hash(chunk)
    }

    /// Calls `each` with where each chunk ends, in order.
    pub fn cuts(&self, data: &[u8], mut each: impl FnMut(usize)) {
        let mut start = 0;
        while start < data.len() {
            start = self.next_cut(data, start);
            each(start);
        }
    }

    /// Calls `each` with every chunk, in order.
    pub fn chunks(&self, data: &[u8], mut each: impl FnMut(Chunk)) {
        let mut start = 0;
        self.cuts(data, |end| {
            each(Chunk { start, length: end - start, hash: self.keyed.hash(&data[start..end]) });
            start = end;
        });
    }

    /// Where the chunk that begins here ends.
    fn next_cut(&self, data: &[u8], start: usize) -> usize {
        let longest = data.len().min(start + self.parameters.tmax as usize);
        // the first place that may cut is one byte on
        let from = start + self.parameters.tmin as usize - 1;
        if from >= longest {
            return longest;
        }
        let table = &self.keyed.table;
        let sum = roll::sum_at(table, data, from);
        if let Some(ahead) = roll::first_below(table, sum, &data[from..longest], self.main_below) {
            return from + ahead;
        }
        // the backup is for chunks that would be too long, not for the end of the file
        let backup =
            if longest - start == self.parameters.tmax as usize { self.backup(data, from, longest) } else { None };
        backup.unwrap_or(longest)
    }

    /// The last place for a backup, sought from the end: few chunks need one, and nearly all find it in the first stride.
    fn backup(&self, data: &[u8], from: usize, longest: usize) -> Option<usize> {
        let table = &self.keyed.table;
        let mut until = longest;
        while until > from {
            let begin = until.saturating_sub(STRIDE).max(from);
            let sum = roll::sum_at(table, data, begin);
            if let Some(ahead) = roll::last_below(table, sum, &data[begin..until], self.backup_below) {
                return Some(begin + ahead);
            }
            until = begin;
        }
        None
    }
}
