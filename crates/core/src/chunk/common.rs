//! How many bytes two files really have in common.

/// Bytes of common runs, each byte of either file counted once.
pub fn common_bytes(a: &[u8], b: &[u8]) -> u64 {
    a.iter().zip(b).filter(|(x, y)| x == y).count() as u64
}
