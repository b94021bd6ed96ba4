//! Bounded memory and honest disks.
//!
//! * [`TempSpace`]: spill files that have no name, so that nothing remains whatever ends the process.
//! * [`Sequence`]: a long list of fixed-size records, in memory while it is short, on disk when it is not.
//! * [`Partitions`]: divides any number of records by a key within a budget.
//! * [`ExternalSort`]: sorts any number of records within a budget.
//! * [`Spool`]: records of any length, written once and read again by their place.
//! * [`SharedSpool`]: the same of numbers, for many threads that write at once.
//! * [`WorkFolder`]: what the steps of a long run leave, so that it can go on after it was stopped.
//! * [`atomic`]: files and folders that appear whole or not at all.
//! * [`rename`]: renames that do not replace.
//! * [`Folder`], [`SegmentWriter`]: an index folder and its one writer; [`Snapshot`], [`Segment`]: what any number of readers see of it;
//!   [`copy_folder`]: a copy while the writer goes on.
//! * [`Log`], [`LogFiles`]: records that are appended by many threads, safe when that is acknowledged, and found again behind damage.
//! * [`Lock`]: one writer at a time.
//! * [`progress`], [`Resources`]: what long work tells its caller, and what it may use.
//! * [`Disk`]: the door through which an index folder is written.
//!
//! Everything on disk is checksummed (xxh3) in blocks or records; a flipped byte is an error that names the place.

pub mod atomic;
mod blocks;
mod copy;
mod disk;
mod error;
mod folder;
mod lock;
mod log;
mod manifest;
mod new_file;
mod partitions;
pub mod progress;
pub mod rename;
pub mod resources;
mod segment;
mod sequence;
mod shared_spool;
mod snapshot;
mod sort;
mod spool;
mod temp;
mod work;

pub use copy::copy_folder;
pub use disk::{Disk, DiskFile, Fault, FaultyDisk, RealDisk};
pub use error::Error;
pub use folder::Folder;
pub use lock::Lock;
pub use log::{ClosedLog, Log, LogDamage, LogFiles, LogOptions, LogRecord, MAX_RECORD, Replay};
pub use partitions::{PARTS, Partitions, Parts};
pub use progress::{Cancel, Cancelled, Progress, Silent, Unit};
pub use resources::Resources;
pub use segment::{Segment, SegmentFile, SegmentWriter};
pub use sequence::{Records, Sequence};
pub use shared_spool::{SharedSpool, SharedSpoolWriter};
pub use snapshot::Snapshot;
pub use sort::ExternalSort;
pub use spool::{Spool, SpoolEnd, SpoolReader};
pub use temp::{TempSpace, free_disk};
pub use work::WorkFolder;
