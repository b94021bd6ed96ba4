//! Fingerprints and who is near them, on disk.
//!
//! * [`kept`]: Hamming tables in a segment.
//! * [`online`]: insert, look up, check and insert, delete, from many threads; what was acknowledged survives whatever ends the process.

pub mod kept;
pub mod online;

use lookalike_core::bits::Bits;

/// A fingerprint that can be stored: 64 or 128 bits.
pub trait Print: Bits + bytemuck::Pod {}

impl<T: Bits + bytemuck::Pod> Print for T {}
