//! What can be wrong with a file of fingerprints.

use std::fmt;

use super::layout::{Digits, Layout};

/// A file of fingerprints cannot be opened or read on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{file}: {problem}")]
pub struct FileError {
    /// Which file, as it would be shown as an id.
    pub file: String,
    /// What is wrong with it. Boxed, for it says a lot.
    pub problem: Box<FileProblem>,
}

/// What is wrong with a file of fingerprints; the rest of a sentence that begins with its name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FileProblem {
    /// The system refused, or the file is none.
    #[error("{0}; expected a file of fingerprints")]
    Unreadable(String),
    /// Neither the name nor the user says what it is.
    #[error(
        "its name does not tell how fingerprints lie in it; expected .u64, .u128, .bin or .raw (raw), .u64id or .u128id \
         (raw with ids), .txt, .csv, .tsv, .hex or .dec (text; also .gz or .zst) or .parquet; rename it, or name its \
         layout: raw, raw-ids, text or parquet"
    )]
    NoLayout,
    /// The name promises another width.
    #[error("its name says {named} bits for a fingerprint, {asked} are expected; name the layout if the name is wrong")]
    Width {
        /// Bits, by the name.
        named: u32,
        /// Bits, by the caller.
        asked: u32,
    },
    /// It cannot be cut into records.
    #[error(
        "expected records of {record} bytes, found {bytes} bytes, {} more than whole records; is it cut short, or of \
         another layout (raw or raw-ids)?",
        bytes % record
    )]
    Length {
        /// Bytes in all.
        bytes: u64,
        /// Bytes of a record.
        record: u64,
    },
    /// It became shorter while it was read.
    #[error(
        "ends at byte {found}, expected {expected} bytes as when it was opened; run again when nobody writes to it"
    )]
    Shrunk {
        /// Bytes that are there.
        found: u64,
        /// Bytes that were promised.
        expected: u64,
    },
    /// Rows were asked for that it does not have.
    #[error("rows {from} to {to} were asked for, it has {rows}; ask for rows that are there")]
    Rows {
        /// The first row.
        from: u64,
        /// The row after the last.
        to: u64,
        /// Rows in all.
        rows: u64,
    },
    /// Only raw files can be read from the middle.
    #[error("rows in the middle are only found in raw files, this one is {0}; read it from the beginning")]
    NoMiddle(Layout),
    /// Parquet from a pipe.
    #[error("Parquet is read from its end, which a stream does not allow; save it in a file and name the file")]
    NoStream,
    /// Parquet, in a build without it.
    #[error("{}", lookalike_core::built_without!("Parquet", "tables"))]
    WithoutParquet,
    /// Not a number.
    #[error("{at}: expected a fingerprint in {digits} digits, found {found:?}; correct or remove it")]
    NotAFingerprint {
        /// Where.
        at: Position,
        /// What digits were looked for.
        digits: ExpectedDigits,
        /// What is there, cut if it is long.
        found: String,
    },
    /// A number, but too large.
    #[error(
        "{at}: {found} has more than {bits} bits as a {digits} number; is it another width, or are its digits not {digits}?"
    )]
    TooWide {
        /// Where.
        at: Position,
        /// What its digits were taken for.
        digits: Digits,
        /// What is there, cut if it is long.
        found: String,
        /// The bits of a fingerprint.
        bits: u32,
    },
    /// Hexadecimal and decimal are both possible.
    #[error(
        "{at}: {found} can be hexadecimal or decimal, and so can all the fingerprints before it; say which \
         they are"
    )]
    Ambiguous {
        /// Where.
        at: Position,
        /// What is there.
        found: String,
    },
    /// Not written as the rest of the file.
    #[error(
        "{at}: found {found}, expected {expected} as on the lines before; say that the digits are hex if it is right as it is"
    )]
    Mixed {
        /// Where.
        at: Position,
        /// What is there.
        found: String,
        /// What the beginning of the file promised.
        expected: &'static str,
    },
    /// A line without a fingerprint in the middle.
    #[error("line {line} is empty, expected a fingerprint; remove the line")]
    Blank {
        /// From 1.
        line: u64,
    },
    /// No fingerprint has such a line.
    #[error("line {line} has {bytes} bytes, expected a fingerprint and an id in at most {limit}; is it text?")]
    LongLine {
        /// From 1.
        line: u64,
        /// Its bytes.
        bytes: u64,
        /// What is allowed.
        limit: u64,
    },
    /// All lines have an id, or none.
    #[error("line {line} has {}, the ones before have {}; make them alike, or let row numbers be the ids", id(*has), id(!*has))]
    SomeIds {
        /// From 1.
        line: u64,
        /// Whether this one has an id.
        has: bool,
    },
    /// Ids are wanted where there are none.
    #[error("ids are to be {0}, but it has none; let row numbers be the ids, or name their column")]
    NoIds(&'static str),
    /// An id that is not of the kind of the others.
    #[error(
        "{at}: expected a whole number below 2^64 for an id, found {found:?}; take the ids for names, or let row numbers be the ids"
    )]
    BadId {
        /// Where.
        at: Position,
        /// What is there, cut if it is long.
        found: String,
    },
    /// More names than memory is allowed.
    #[error("names of {rows} fingerprints take more than {limit} bytes of memory; allow more, or give numbers for ids")]
    NamesLimit {
        /// How many fit.
        rows: u64,
        /// What is allowed.
        limit: u64,
    },
    /// A column is missing.
    #[error("expected a column {wanted} for {role}, found {found}; name the column")]
    NoColumn {
        /// What was looked for.
        wanted: String,
        /// The columns that are there.
        found: String,
        /// What it is for: fingerprints or ids.
        role: &'static str,
    },
    /// A column of another type.
    #[error("the column {column:?} is {found}, expected {expected}; name another column or convert it")]
    Column {
        /// Its name.
        column: String,
        /// Its type.
        found: String,
        /// Types that can be read.
        expected: &'static str,
    },
    /// A row without a value.
    #[error("row {row} has no value in the column {column:?}, expected one in every row; leave such rows out")]
    Null {
        /// Its name.
        column: String,
        /// From 0.
        row: u64,
    },
    /// It is not what it says it is.
    #[error("is damaged or not what it is called: {0}; expected a whole file, make it anew")]
    Damaged(String),
}

fn id(has: bool) -> &'static str {
    if has { "an id" } else { "no id" }
}

/// Where in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// A line, from 1.
    Line(u64),
    /// A row, from 0.
    Row(u64),
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Position::Line(line) => write!(f, "line {line}"),
            Position::Row(row) => write!(f, "row {row}"),
        }
    }
}

/// What digits are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExpectedDigits {
    /// Of this kind.
    Known(Digits),
    /// Not known yet.
    Either,
}

impl fmt::Display for ExpectedDigits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ExpectedDigits::Known(digits) => digits.fmt(f),
            ExpectedDigits::Either => f.write_str("hex or decimal"),
        }
    }
}

impl FileProblem {
    /// With the name of the file.
    pub(super) fn of(self, file: &str) -> FileError {
        FileError { file: file.to_owned(), problem: Box::new(self) }
    }
}

/// Bytes of the input as a message may show them: not too many of them.
pub(super) fn shown(bytes: &[u8]) -> String {
    const MAX_SHOWN: usize = 40;
    let mut text = String::from_utf8_lossy(&bytes[..bytes.len().min(MAX_SHOWN)]).into_owned();
    if bytes.len() > MAX_SHOWN {
        text.push('…');
    }
    text
}
