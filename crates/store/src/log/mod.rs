//! A log: records of bytes that are appended by many threads, are safe when that is acknowledged, and are found again by themselves.
//!
//! Every record has a number and checksums of its own, so damage costs the records that it hits and no others: it is skipped, and reported
//! with its place and the number of records that are missing. An incomplete record at the end of a file was never acknowledged, and is no
//! damage. Nothing that was acknowledged is cut off, overwritten or removed before its owner says that it is done, and a file with damage
//! is never removed at all.

mod files;
mod frame;
#[cfg(test)]
mod tests;
mod writer;

pub use files::{ClosedLog, LogDamage, LogFiles, LogRecord, Replay};
pub use frame::MAX_RECORD;
pub use writer::{Log, LogOptions};
