//! Raw fingerprints: large reads straight into the caller's memory.

use std::io::{self, ErrorKind, Read};

use super::error::FileProblem;
use lookalike_core::bits::FingerprintBits;

/// Bytes asked for at once. Large enough that calls cost nothing, small enough to stay in the cache of most machines.
pub(super) const BLOCK: usize = 1 << 20;

/// Raw records, from a file whose length is known or from a stream.
pub(super) struct RawSource {
    input: Box<dyn Read + Send>,
    with_ids: bool,
    /// Bytes that are still to come, if that is known.
    left: Option<u64>,
    /// Where we are, in bytes.
    offset: u64,
    /// Records with ids before they are taken apart.
    records: Vec<u64>,
}

impl RawSource {
    /// Reads on from byte `offset`, where `input` stands; `left` bytes if that is known.
    pub(super) fn new(input: Box<dyn Read + Send>, with_ids: bool, offset: u64, left: Option<u64>) -> RawSource {
        RawSource { input, with_ids, left, offset, records: Vec::new() }
    }

    /// The bytes of a record.
    pub(super) const fn record<P: FingerprintBits>(with_ids: bool) -> u64 {
        P::BYTES as u64 + if with_ids { 8 } else { 0 }
    }

    /// Gives so many fingerprints at once, if they have no ids; otherwise about a block.
    pub(super) fn next_batch<P: FingerprintBits>(
        &mut self,
        fingerprints: &mut Vec<P>,
        ids: &mut Vec<u64>,
        at_least: usize,
    ) -> Result<usize, FileProblem> {
        ids.clear();
        if self.with_ids {
            return self.next_records(fingerprints, ids);
        }
        let most = self.allowed(at_least.max(BLOCK / P::BYTES) * P::BYTES);
        // A vector that comes back as it went out is not filled with zeros again.
        fingerprints.resize(most / P::BYTES, P::ZERO);
        let read = self.fill(bytemuck::cast_slice_mut(fingerprints), P::BYTES as u64)?;
        fingerprints.truncate(read / P::BYTES);
        if cfg!(target_endian = "big") {
            for fingerprint in &mut *fingerprints {
                *fingerprint = fingerprint.to_le();
            }
        }
        Ok(fingerprints.len())
    }

    fn next_records<P: FingerprintBits>(
        &mut self,
        fingerprints: &mut Vec<P>,
        ids: &mut Vec<u64>,
    ) -> Result<usize, FileProblem> {
        fingerprints.clear();
        let words = P::WORDS + 1;
        let most = self.allowed(BLOCK / (8 * words) * (8 * words));
        let mut records = std::mem::take(&mut self.records);
        records.resize(most / 8, 0);
        let read = self.fill(bytemuck::cast_slice_mut(&mut records), 8 * words as u64)?;
        records.truncate(read / 8);
        if cfg!(target_endian = "big") {
            for word in &mut records {
                *word = u64::from_le(*word);
            }
        }
        fingerprints.extend(records.chunks_exact(words).map(|record| P::from_words(&record[..P::WORDS])));
        ids.extend(records.chunks_exact(words).map(|record| record[P::WORDS]));
        self.records = records;
        Ok(fingerprints.len())
    }

    /// How much of `most` is still to come.
    fn allowed(&self, most: usize) -> usize {
        self.left.map_or(most, |left| left.min(most as u64) as usize)
    }

    /// Fills `out` unless the input ends before; gives how many bytes there were, whole records.
    fn fill(&mut self, out: &mut [u8], record: u64) -> Result<usize, FileProblem> {
        let read = read_full(&mut self.input, out).map_err(|error| FileProblem::Unreadable(error.to_string()))?;
        self.offset += read as u64;
        if let Some(left) = &mut self.left {
            if read < out.len() {
                return Err(FileProblem::Shrunk { found: self.offset, expected: self.offset - read as u64 + *left });
            }
            *left -= read as u64;
        } else if !(read as u64).is_multiple_of(record) {
            return Err(FileProblem::Length { bytes: self.offset, record });
        }
        Ok(read)
    }
}

/// Reads until `out` is full or the input ends.
fn read_full(input: &mut dyn Read, out: &mut [u8]) -> io::Result<usize> {
    let mut done = 0;
    while done < out.len() {
        match input.read(&mut out[done..]) {
            Ok(0) => break,
            Ok(read) => done += read,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(done)
}
