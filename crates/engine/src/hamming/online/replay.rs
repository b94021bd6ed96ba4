//! Reads the log back: what was acknowledged and is in no level yet.

use super::log::{Old, name_of, number_of};
use super::record::{FILE_HEADER, FileHeader, GROUP_HEADER, GroupHeader, Record, records_sum};
use crate::hamming::Print;
use lookalike_store::Error;
use std::fs;
use std::path::Path;

/// What the log held.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Replayed {
    /// The last operation, in the log or in the levels.
    pub(super) last: u64,
    /// Files with operations that are in no level.
    pub(super) needed: Vec<Old>,
    /// Files without any.
    pub(super) rubbish: Vec<u64>,
    /// A number above that of any file.
    pub(super) next: u64,
}

/// Gives every operation after `done` to `each`, in order.
///
/// The beginning of a group at the end of a file is what a process left that ended while it wrote; nobody was told that it is there.
/// All else that does not fit is damage, and so is an operation that is missing.
pub(super) fn replay<F: Print>(
    folder: &Path,
    done: u64,
    mut each: impl FnMut(u64, Record<F>) -> Result<(), String>,
) -> Result<Replayed, Error> {
    let mut replayed = Replayed { last: done, needed: Vec::new(), rubbish: Vec::new(), next: 1 };
    for number in numbers(folder)? {
        replayed.next = number + 1;
        let path = folder.join(name_of(number));
        let bytes = fs::read(&path).map_err(|source| Error::Read { what: path.display().to_string(), source })?;
        let before = replayed.last;
        read(&bytes, &mut replayed.last, &mut each).map_err(|(offset, found)| Error::Damaged {
            what: path.display().to_string(),
            offset: offset as u64,
            found,
        })?;
        if replayed.last > before {
            replayed.needed.push(Old { number, last: replayed.last });
        } else {
            replayed.rubbish.push(number);
        }
    }
    Ok(replayed)
}

/// The files of the log, in order.
fn numbers(folder: &Path) -> Result<Vec<u64>, Error> {
    let names = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let names = names.map_err(|source| Error::Read { what: folder.display().to_string(), source })?;
    let mut numbers: Vec<u64> =
        names.iter().filter_map(|entry| number_of(&entry.file_name().to_string_lossy())).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

/// One file; `last` is the last operation that is known.
fn read<F: Print>(
    bytes: &[u8],
    last: &mut u64,
    each: &mut impl FnMut(u64, Record<F>) -> Result<(), String>,
) -> Result<(), (usize, String)> {
    let Some(header) = bytes.get(..FILE_HEADER).filter(|_| !unwritten(bytes)) else { return Ok(()) };
    let header: FileHeader = bytemuck::pod_read_unaligned(header);
    if !header.is_whole() {
        return Err((0, "expected the beginning of a log, found something else".into()));
    }
    if header.width != u64::from(F::WIDTH) {
        return Err((8, format!("expected fingerprints of {} bits, found {}", F::WIDTH, header.width)));
    }
    missing(*last, header.first).map_err(|found| (16, found))?;
    let mut at = FILE_HEADER;
    while at < bytes.len() && !unwritten(&bytes[at..]) {
        let Some(header) = bytes.get(at..at + GROUP_HEADER) else { return Ok(()) };
        let header: GroupHeader = bytemuck::pod_read_unaligned(header);
        if !header.is_whole() {
            return Err((at, "expected the beginning of a group, found something else".into()));
        }
        missing(*last, header.first).map_err(|found| (at, found))?;
        let start = at + GROUP_HEADER;
        let Some(records) = bytes.get(start..start + header.bytes as usize) else { return Ok(()) };
        let sum = records_sum(records, header.first);
        if sum != header.records || records.len() % Record::<F>::BYTES != 0 {
            return Err((start, format!("expected records with checksum {:016x}, found {sum:016x}", header.records)));
        }
        for (number, record) in records.chunks_exact(Record::<F>::BYTES).enumerate() {
            let sequence = header.first.saturating_add(number as u64);
            if sequence <= *last {
                continue;
            }
            let place = start + number * Record::<F>::BYTES;
            let record = Record::decode(record).ok_or_else(|| (place, "an operation that is not known".to_owned()))?;
            each(sequence, record).map_err(|found| (place, found))?;
            *last = sequence;
        }
        at = start + records.len();
    }
    Ok(())
}

/// Room that was made and never written to, as some file systems leave it at a power cut.
fn unwritten(bytes: &[u8]) -> bool {
    bytes.iter().all(|byte| *byte == 0)
}

/// Operations follow on each other: a file that was cut or is not there leaves a gap.
fn missing(last: u64, first: u64) -> Result<(), String> {
    if first > last.saturating_add(1) {
        return Err(format!("expected operation {} or one before, found {first}", last.saturating_add(1)));
    }
    Ok(())
}
