//! A field that was asked for and that no record has.

use std::fmt;

/// The use of a field that was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum FieldRole {
    /// The text of documents.
    Text,
    /// Ready-made features of documents.
    Features,
    /// The id of documents.
    Id,
    /// The category or the source of documents.
    Category,
    /// The number or date by which documents are ranked.
    Rank,
    /// The text of the items of a benchmark.
    Benchmark,
}

impl fmt::Display for FieldRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            FieldRole::Text => "the text",
            FieldRole::Features => "the features",
            FieldRole::Id => "the id",
            FieldRole::Category => "the category or source",
            FieldRole::Rank => "the rank",
            FieldRole::Benchmark => "the text of a benchmark",
        })
    }
}

/// A field that was asked for, and that none of the first records of some shards has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingField {
    /// The use of the field.
    pub role: FieldRole,
    /// Its name.
    pub field: String,
    /// The first shard without it.
    pub path: String,
    /// The number of other shards without it.
    pub more: u64,
    /// The fields that were found, in words.
    pub found: String,
    /// The found field that was probably meant.
    pub suggestion: Option<String>,
}

impl fmt::Display for MissingField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { role, field, path, more, found, suggestion } = self;
        f.write_str(path)?;
        match more {
            0 => {}
            1 => f.write_str(" and 1 more file")?,
            more => write!(f, " and {more} more files")?,
        }
        write!(f, ": none of the first records has the field {field:?} for {role}; found {found}")?;
        match suggestion {
            Some(suggestion) => write!(f, " (did you mean {suggestion:?}?)"),
            None => Ok(()),
        }
    }
}
