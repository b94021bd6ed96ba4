//! Sizes in a record batch, held against what is there before memory is taken on their word.

use arrow_ipc::RecordBatch;

use crate::unit_limit::{DecodeError, UnitLimit};

/// The most that zstd makes of a byte.
const MAX_RATIO: u64 = 1 << 16;

/// Checks that all buffers lie in the body, and that what they unpack to can be held and is allowed.
pub(super) fn check_buffers(batch: &RecordBatch<'_>, body: &[u8], unit: &UnitLimit) -> Result<(), DecodeError> {
    if batch.length() < 0 {
        return Err("a negative number of rows".into());
    }
    let mut sum = 0u64;
    for buffer in batch.buffers().into_iter().flatten() {
        let start = usize::try_from(buffer.offset()).map_err(|_| "a buffer before its message")?;
        let len = usize::try_from(buffer.length()).map_err(|_| "a buffer of negative length")?;
        let bytes = start.checked_add(len).and_then(|end| body.get(start..end));
        let bytes = bytes.ok_or("a buffer that is not in its message")?;
        if batch.compression().is_none() || bytes.is_empty() {
            continue;
        }
        let (prefix, packed) = bytes.split_first_chunk().ok_or("a compressed buffer without its length")?;
        // minus one: it was not worth compressing
        let unpacked = u64::try_from(i64::from_le_bytes(*prefix)).unwrap_or(0);
        sum = sum.saturating_add(unpacked);
        if unpacked / MAX_RATIO > packed.len() as u64 {
            return Err(format!("{} bytes cannot hold {unpacked}", packed.len()).into());
        }
    }
    // many of them may be the same bytes
    if sum / MAX_RATIO > body.len() as u64 {
        return Err(format!("{} bytes in one record batch cannot hold {sum}", body.len()).into());
    }
    unit.admit(sum.saturating_add(body.len() as u64))?;
    let mut trial = Vec::<u8>::new();
    let len = usize::try_from(sum).unwrap_or(usize::MAX);
    trial.try_reserve_exact(len).map_err(|_| format!("there is no memory for {sum} bytes in one record batch").into())
}
