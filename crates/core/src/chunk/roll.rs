//! The rolling fingerprint: a byte doubles the sum and adds its number from the table. What is older than the window has left the sum.

use super::WINDOW;
use std::hint::black_box;

/// One number for each byte.
pub(super) type ByteTable = [u64; 256];

/// Bytes that are looked at without a question whether there are more.
const BLOCK: usize = 8;
/// Parts of a window that are summed side by side.
const PARTS: usize = 4;

/// The sum at a place: of the window that ends there, which is short at the beginning.
pub(super) fn sum_at(table: &ByteTable, data: &[u8], end: usize) -> u64 {
    let Some(window) = data[..end].last_chunk::<WINDOW>() else {
        return data[..end].iter().fold(0, |sum, byte| add(table, sum, *byte));
    };
    // no sum waits for another
    let parts = window.as_chunks::<{ WINDOW / PARTS }>().0;
    let mut sums = [0; PARTS];
    for at in 0..WINDOW / PARTS {
        for (sum, part) in sums.iter_mut().zip(parts) {
            *sum = add(table, *sum, part[at]);
        }
    }
    sums.iter().fold(0, |all, sum| (all << (WINDOW / PARTS)).wrapping_add(*sum))
}

/// After how many bytes the sum is below a bound for the first time.
pub(super) fn first_below(table: &ByteTable, mut sum: u64, bytes: &[u8], below: u64) -> Option<usize> {
    let (blocks, rest) = bytes.as_chunks::<BLOCK>();
    for (number, block) in blocks.iter().enumerate() {
        for (pair, [x, y]) in block.as_chunks::<2>().0.iter().enumerate() {
            let (x, y) = (table[usize::from(*x)], table[usize::from(*y)]);
            // Two bytes in one step, so that the next sum does not wait for two. The box keeps the compiler from adding them one by one again.
            let both = black_box((x << 1).wrapping_add(y));
            if (sum << 1).wrapping_add(x) < below {
                return Some(number * BLOCK + pair * 2 + 1);
            }
            sum = (sum << 2).wrapping_add(both);
            if sum < below {
                return Some(number * BLOCK + pair * 2 + 2);
            }
        }
    }
    let done = bytes.len() - rest.len();
    let hit = rest.iter().position(|byte| {
        sum = add(table, sum, *byte);
        sum < below
    });
    hit.map(|at| done + at + 1)
}

/// After how many bytes the sum is below a bound for the last time.
pub(super) fn last_below(table: &ByteTable, mut sum: u64, bytes: &[u8], below: u64) -> Option<usize> {
    let mut last = None;
    for (at, byte) in bytes.iter().enumerate() {
        sum = add(table, sum, *byte);
        if sum < below {
            last = Some(at + 1);
        }
    }
    last
}

/// The sum after one more byte.
fn add(table: &ByteTable, sum: u64, byte: u8) -> u64 {
    (sum << 1).wrapping_add(table[usize::from(byte)])
}
