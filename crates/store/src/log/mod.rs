//! A log: records of bytes that are appended by many threads, are safe when that is acknowledged, and are found again by themselves.
//!
//! Every record has a number and checksums of its own, so damage costs the records that it hits and no others: it is skipped, and reported
//! with its place and the number of records that are missing. An incomplete record at the end of a file is no damage: it was never
//! acknowledged, unless the disk lost a part of the file, and the two look the same. Nothing that was acknowledged is cut off, overwritten
//! or removed before its owner says that it is done, and a file that is damaged or torn is never removed at all.

mod files;
mod frame;
#[cfg(test)]
mod tests;
mod writer;

pub use files::{ClosedLog, LogDamage, LogFiles, LogRecord, Replay};
pub use frame::MAX_RECORD;
pub use writer::{Log, LogOptions};
