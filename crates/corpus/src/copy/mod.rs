//! Writes a shard again: without some of its records, with some of their text cut out, or with more said of each. Everything else is kept as
//! it is: the other fields and their order, the schema, the compression.

mod archive;
#[cfg(feature = "tables")]
mod arrow;
#[cfg(feature = "tables")]
mod arrow_annotations;
#[cfg(feature = "tables")]
mod arrow_cut;
#[cfg(feature = "tables")]
mod arrow_schema;
mod compress;
mod csv;
mod jsonl;
#[cfg(feature = "tables")]
mod key_values;
#[cfg(feature = "tables")]
mod parquet;
mod revisit;
mod rulings;
mod warc;

use std::fmt;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

use crate::names::id_of;
use crate::shard::ShardFormat;
#[cfg(not(feature = "tables"))]
use crate::shard::WITHOUT_TABLES;
use crate::skipped::Reason;

pub use archive::{KeepMember, copy_archive};
pub use revisit::NEAR_DUPLICATE_PROFILE;

/// What becomes of a record.
#[derive(Clone, Debug, PartialEq)]
pub struct Ruling {
    /// Whether it is written.
    pub keep: bool,
    /// Stretches of its text that are cut out: bytes of the decoded text, in order and apart from each other.
    pub cuts: Vec<Range<usize>>,
    /// What is said of it, if records are annotated.
    pub annotation: Annotation,
    /// The record of a web archive that this one repeats: a `revisit` record takes its place, if it is not kept.
    pub original: Option<Original>,
}

impl Ruling {
    /// The record stays as it is.
    pub const KEEP: Ruling = Ruling { keep: true, cuts: Vec::new(), annotation: Annotation::NONE, original: None };
}

/// What is said of a record, in fields of its own; none of a record that repeats no other.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Annotation {
    /// The document that is kept in its place.
    pub duplicate_of: Option<String>,
    /// How much they resemble each other.
    pub resemblance: Option<f64>,
    /// How much of this one is in the other.
    pub containment: Option<f64>,
    /// How they are related.
    pub class: Option<&'static str>,
    /// The cluster that both are in.
    pub cluster: Option<u64>,
}

impl Annotation {
    const NONE: Annotation =
        Annotation { duplicate_of: None, resemblance: None, containment: None, class: None, cluster: None };
    /// What the fields are called, in their order.
    pub const FIELDS: [&'static str; 5] = [
        "lookalike_duplicate_of",
        "lookalike_resemblance",
        "lookalike_containment",
        "lookalike_class",
        "lookalike_cluster",
    ];
}

/// A record of a web archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Original {
    /// Its `WARC-Target-URI`.
    pub uri: String,
    /// Its `WARC-Date`, if it is known.
    pub date: Option<String>,
    /// Its `WARC-Payload-Digest`, if it is known: two records with the same one have identical payloads.
    pub payload_digest: Option<String>,
}

/// How a shard is written again.
#[derive(Clone, Debug)]
pub struct CopyOptions {
    /// The field that cuts are of.
    pub text_field: String,
    /// Each record gets the fields of its [`Annotation`].
    pub annotate: bool,
}

/// What was read and written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Copied {
    /// Records that were read; blank lines of JSONL count.
    pub records: u64,
    /// Of those, blank lines.
    pub blank: u64,
    /// Records that were written, also those that took the place of another.
    pub written: u64,
}

/// Why a shard could not be written again.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CopyError {
    /// It cannot be read to its end.
    #[error("{path}{}: {reason}", place(.record.as_deref()))]
    Read {
        /// The shard.
        path: String,
        /// Where in it, in its own words: a record, a row group.
        record: Option<String>,
        /// Why.
        reason: String,
    },
    /// The new one cannot be written.
    #[error("cannot write: {0}")]
    Write(#[source] io::Error),
    /// It cannot be written with what is asked for.
    #[error("{path}: {reason}")]
    Unsupported {
        /// The shard.
        path: String,
        /// Why, and what would help.
        reason: String,
    },
    /// Whoever rules on records failed.
    #[error(transparent)]
    Ruling(Box<dyn std::error::Error + Send + Sync>),
}

fn place(record: Option<&str>) -> String {
    record.map_or(String::new(), |record| format!(", {record}"))
}

/// Rules on the record of this number, from 0. It is asked for each record once, in order.
pub type Rule<'a> = dyn FnMut(u64) -> Result<Ruling, Box<dyn std::error::Error + Send + Sync>> + 'a;

/// Writes the shard again into a new file. What was begun is the caller's to remove after an error.
pub fn copy_shard(from: &Path, to: File, options: &CopyOptions, rule: &mut Rule<'_>) -> Result<Copied, CopyError> {
    match ShardFormat::of_name(from) {
        Some(ShardFormat::Jsonl) => jsonl::copy(from, to, options, rule),
        Some(format @ (ShardFormat::Csv | ShardFormat::Tsv)) => csv::copy(from, to, format.delimiter(), options, rule),
        #[cfg(feature = "tables")]
        Some(ShardFormat::Arrow) => arrow::copy(from, to, options, rule),
        #[cfg(feature = "tables")]
        Some(ShardFormat::Parquet) => parquet::copy(from, to, options, rule),
        #[cfg(not(feature = "tables"))]
        Some(ShardFormat::Arrow | ShardFormat::Parquet) => Err(unsupported(from, WITHOUT_TABLES)),
        Some(ShardFormat::Warc) => warc::copy(from, to, options, rule),
        None => Err(unsupported(from, "not a shard; expected JSONL, Parquet, CSV, TSV, Arrow or WARC")),
    }
}

fn unreadable(path: &Path, record: Option<String>, reason: impl fmt::Display) -> CopyError {
    CopyError::Read { path: id_of(path).into_owned(), record, reason: reason.to_string() }
}

fn unsupported(path: &Path, reason: impl Into<String>) -> CopyError {
    CopyError::Unsupported { path: id_of(path).into_owned(), reason: reason.into() }
}

impl From<(&Path, Reason)> for CopyError {
    fn from((path, reason): (&Path, Reason)) -> Self {
        unreadable(path, None, reason)
    }
}

/// A text without some stretches of it.
fn without(text: &str, cuts: &[Range<usize>]) -> Option<String> {
    let mut rest = String::with_capacity(text.len());
    let mut at = 0;
    for cut in cuts {
        rest.push_str(text.get(at..cut.start)?);
        at = cut.end;
    }
    rest.push_str(text.get(at..)?);
    Some(rest)
}
