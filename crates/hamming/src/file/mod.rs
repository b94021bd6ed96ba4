//! Files of fingerprints: raw, with or without ids, as text, or a column of Parquet.
//!
//! [`FingerprintReader`] reads one in large batches. A fingerprint goes by a number, its id: the row number, from 0, unless the file gives
//! numbers. Where the file gives names, the row number is the id and [`Names`] has the name, all of them or those of a few rows
//! ([`NameSelection`]): a search that finds few reads the file once more for these. [`FingerprintWriter`] writes raw and text.
//!
//! Files are read, never mapped, and are taken as hostile: what they say of themselves is checked, not believed.

#[cfg(feature = "tables")]
mod column;
mod digits;
mod error;
mod input;
mod layout;
mod names;
#[cfg(feature = "tables")]
mod parquet;
#[cfg(not(feature = "tables"))]
#[path = "without_parquet.rs"]
mod parquet;
mod raw;
mod reader;
mod text;
mod writer;

pub use error::{ExpectedDigits, FileError, FileProblem, Position};
pub use input::{FingerprintFile, IdNames};
pub(crate) use input::{RecordBatch, SharedReader};
pub use layout::{Digits, FileOptions, IdKind, Layout, NameSelection, UnknownWord};
pub use names::Names;
pub use reader::FingerprintReader;
pub use writer::FingerprintWriter;
