//! Files of fingerprints: raw, with or without ids, as text, or a column of Parquet.
//!
//! [`Prints`] reads one in large batches; fingerprints have 64 or 128 bits ([`Print`]). A fingerprint goes by a number,
//! its id: the row number, from 0, unless the file gives numbers. Where the file gives names, the row number is the id
//! and [`Names`] has the name, all of them or those of a few rows ([`Keep`]): who finds few needs only read the file
//! once more for these. [`PrintsWriter`] writes raw and text.
//!
//! Files are read, never mapped, and are taken as hostile: what they say of themselves is checked, not believed.

mod column;
mod digits;
mod fault;
mod layout;
mod names;
mod raw;
mod reader;
mod table;
mod text;
mod width;
mod writer;

pub use fault::{At, Fault, Kind};
pub use layout::{Digits, Ids, Layout, Options};
pub use names::{Keep, Names};
pub use reader::Prints;
pub use width::Print;
pub use writer::PrintsWriter;
