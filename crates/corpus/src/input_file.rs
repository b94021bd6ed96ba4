//! Files of the input that the caller follows: it learns which batches belong to one file, and where the file ends. So it can keep what it made of
//! a file, and need not read that again.

use std::collections::HashMap;
use std::path::PathBuf;

use crate::known::FileStamp;

/// A file of the input as it was before it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputFile {
    /// Its path.
    pub path: PathBuf,
    /// Its size and times.
    pub stamp: FileStamp,
}

/// What is kept of a file beside its documents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptFile {
    /// The file.
    pub file: InputFile,
    /// Its number among the shards, if it is one.
    pub shard: Option<u32>,
    /// The counts of its records, if it is a shard.
    pub counts: Option<String>,
}

/// The files that the caller has kept, by their paths.
pub(crate) type FollowedFiles = HashMap<PathBuf, KeptFile>;

/// The part of a followed file that a batch is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// It is of no file that is followed.
    None,
    /// It has documents of one file, which ends with a later batch.
    Inside,
    /// Each document is one of these files.
    Whole(Vec<InputFile>),
    /// The file ends here.
    End(InputFile),
    /// The file is here, and is not read: the caller has kept it.
    Kept(InputFile),
}
