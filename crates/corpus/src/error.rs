//! What stops reading, as opposed to what is skipped on the way.

use std::io;

use crate::missing_field::MissingField;
use crate::own_files::RESULT;

/// Why a corpus cannot be opened or read on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A path that was named cannot be looked at.
    #[error("cannot read {path}: {source}; expected a folder or a file")]
    Missing {
        /// The path as it would be shown as an id.
        path: String,
        /// What the system said.
        source: io::Error,
    },
    /// A path that was named as an input is one that the run writes.
    #[error("{path}: the run cannot both read and write it; choose another name for the result")]
    InputIsOutput {
        /// The path as it would be shown as an id.
        path: String,
    },
    /// A folder that was named as an input is a result of lookalike.
    #[error(
        "{path}: it is {what}, and no input{}",
        if *what == RESULT { format!("; expected documents, as in {}/corpus", path.trim_end_matches('/')) } else { String::new() }
    )]
    InputIsResult {
        /// The path as it would be shown as an id.
        path: String,
        /// What it is.
        what: &'static str,
    },
    /// A pattern that was named matches nothing.
    #[error("nothing matches {pattern}; expected a folder, a file, or a pattern of files that are there")]
    NoMatch {
        /// The pattern as given.
        pattern: String,
    },
    /// A path that was named is not there, and is no pattern either.
    #[error("cannot read {glob}: there is no such file, and as a pattern it is not valid: {message}")]
    InputGlob {
        /// The pattern as given.
        glob: String,
        /// What is wrong with it.
        message: String,
    },
    /// An include or exclude glob that does not compile.
    #[error("the {role} glob {glob:?} is not valid: {message}; expected something like \"*.txt\" or \"src/**\"")]
    Glob {
        /// What it is for.
        role: GlobRole,
        /// The glob as given.
        glob: String,
        /// What is wrong with it.
        message: String,
    },
    /// Two inputs are standard input.
    #[error("standard input is named twice; it can be read once, as JSONL or as a list of paths")]
    StdinNamedTwice,
    /// A second reader was asked for, and the first one has read the stream.
    #[error("standard input was already read and cannot be read again; save it in a file and name the file")]
    StreamConsumed,
    /// The id and the content are the same field.
    #[error("the field {field:?} is to be both the id and the content; name two different fields")]
    IdIsContent {
        /// The name of the field.
        field: String,
    },
    /// The category and the content are the same field: every document would be a category of its own.
    #[error("the field {field:?} is the content, and cannot be the category too; name another field")]
    CategoryIsContent {
        /// The name of the field.
        field: String,
    },
    /// No first record of any shard has a field that was asked for.
    #[error("{0}")]
    MissingField(Box<MissingField>),
    /// No line has the field that was to be the id.
    #[error("{path}: no line has the field {field:?} for its id; found {fields}")]
    NoIds {
        /// The file, or `-`.
        path: String,
        /// The field that was asked for.
        field: String,
        /// The fields of its first line, in words.
        fields: String,
    },
    /// The smallest size is above the largest.
    #[error("no document has at least {min} and at most {max} bytes; the smallest size must not exceed the largest")]
    SizeRange {
        /// `Options::min_size`.
        min: u64,
        /// `Options::max_size`.
        max: u64,
    },
}

/// What a glob is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GlobRole {
    /// Only files that match are read.
    Include,
    /// What matches is not read or entered.
    Exclude,
}

impl std::fmt::Display for GlobRole {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            GlobRole::Include => "include",
            GlobRole::Exclude => "exclude",
        })
    }
}
