//! The account of a run: every file and every record of the inputs is in the result or was removed. It is checked while the result is
//! written, before the result gets its name.

use crate::Error;
use crate::layout::{FileKind, Layout, LayoutFile, shown};
use lookalike_corpus::Copied;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What became of the files and records of the inputs. `records` is the sum of `kept`, `removed` and `not_compared`, if all could be counted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct CorpusCounts {
    /// Files of the inputs, without those that were left out.
    pub files: u64,
    /// Files of one document that were removed.
    pub removed_files: u64,
    /// Files without a document: they are in the result byte for byte.
    pub copied_files: u64,
    /// Records of shards, files in archives, and files that are one document or none. None if those of some files could not be counted.
    pub records: Option<u64>,
    /// Documents that stay.
    pub kept: u64,
    /// Documents that were removed.
    pub removed: u64,
    /// Records that are no document, and stay; without those of files whose records could not be counted.
    pub not_compared: u64,
    /// Files whose records could not be counted. They are in the result byte for byte.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub uncounted: Vec<String>,
    /// The counts of each shard and each archive. Files of one document are in the sums only.
    pub shards: Vec<ShardCounts>,
}

/// What became of the records of one shard or archive.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct ShardCounts {
    /// The file.
    pub file: String,
    /// Its counts.
    #[serde(flatten)]
    pub counts: FileCounts,
}

/// What became of the records of one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FileCounts {
    /// Its records; none if they could not be counted.
    pub records: Option<u64>,
    /// Documents that stay.
    pub kept: u64,
    /// Documents that were removed.
    pub removed: u64,
    /// Records that are no document, and stay, if all records could be counted.
    pub not_compared: u64,
    /// It is in the result byte for byte, for it has no document.
    pub copied: bool,
}

impl FileCounts {
    /// Counts of a file that was copied byte for byte because no document was read in it: of records that were counted, or could not be. Fails
    /// if a reader counted others. One that did not open the file counted none.
    pub(crate) fn copied(file: &LayoutFile, counted: Option<Copied>, may_be_damaged: bool) -> Result<Self, Error> {
        let records = counted.map(|counted| counted.records - counted.blank);
        if let Some(counted) = counted.filter(|counted| counted.records != file.records.all)
            && file.records.all > 0
            && !may_be_damaged
        {
            return Err(miscounted(file, file.records.all, &counted, Ruled::default()));
        }
        Ok(Self { records, not_compared: records.unwrap_or_default(), copied: true, ..Self::default() })
    }

    /// Counts of a file that is no document, and was copied byte for byte.
    pub(crate) fn no_document() -> Self {
        Self { records: Some(1), not_compared: 1, copied: true, ..Self::default() }
    }

    /// Counts of a file that is one document.
    pub(crate) fn document(is_removed: bool) -> Self {
        Self { records: Some(1), kept: u64::from(!is_removed), removed: u64::from(is_removed), ..Self::default() }
    }

    /// Counts of a WACZ, which is copied whole.
    pub(crate) fn wacz(file: &LayoutFile) -> Self {
        let (records, kept) = (file.records.all, file.document_count());
        Self { records: Some(records), kept, not_compared: records.saturating_sub(kept), ..Self::default() }
    }

    /// Counts of a shard that was written again. Fails if its records are not those that were read. A shard that may be damaged may have
    /// more records than could be read.
    pub(crate) fn shard(file: &LayoutFile, copied: &Copied, ruled: Ruled, may_be_damaged: bool) -> Result<Self, Error> {
        let is_read = copied.records == file.records.all || may_be_damaged && copied.records > file.records.all;
        let counts = Self::sums(file.document_count(), copied.records - copied.blank, copied, ruled);
        counts.filter(|_| is_read).ok_or_else(|| miscounted(file, file.records.all, copied, ruled))
    }

    /// Counts of an archive that was written again: of its files, and of documents in archives inside it. A reader does not count hidden
    /// files.
    pub(crate) fn archive(file: &LayoutFile, copied: &Copied, ruled: Ruled) -> Result<Self, Error> {
        let counts = Self::sums(file.document_count(), copied.records + file.nested, copied, ruled);
        counts.ok_or_else(|| miscounted(file, file.document_count(), copied, ruled))
    }

    /// None if what was written and what was removed is not all that there is.
    fn sums(documents: u64, records: u64, copied: &Copied, ruled: Ruled) -> Option<Self> {
        if copied.written + ruled.dropped != copied.records {
            return None;
        }
        let (kept, not_compared) = (documents.checked_sub(ruled.removed)?, records.checked_sub(documents)?);
        Some(Self { records: Some(records), kept, removed: ruled.removed, not_compared, copied: false })
    }
}

fn miscounted(file: &LayoutFile, read: u64, copied: &Copied, ruled: Ruled) -> Error {
    let Copied { records: found, written, .. } = *copied;
    Error::Miscounted { file: shown(&file.from), read, found, written, removed: ruled.removed }
}

/// Rulings on the records of a file that were carried out.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Ruled {
    /// Documents that were removed.
    pub(crate) removed: u64,
    /// Of those, documents in whose place nothing was written.
    pub(crate) dropped: u64,
}

impl CorpusCounts {
    /// Adds up the counts of all files. Fails if a file is not in the result that should be there, or if a document is counted in no file.
    pub(crate) fn new(layout: &Layout, written: &[FileCounts], corpus: &Path, documents: u64) -> Result<Self, Error> {
        let mut all = Self { files: layout.files().len() as u64, ..Self::default() };
        let mut records = 0;
        for (file, counts) in layout.files().iter().zip(written) {
            let is_removed = file.kind == FileKind::File && counts.removed > 0;
            if corpus.join(&file.to).is_file() == is_removed {
                return Err(Error::NotWritten { file: shown(&file.from) });
            }
            all.removed_files += u64::from(is_removed);
            all.copied_files += u64::from(counts.copied);
            match counts.records {
                Some(counted) => records += counted,
                None => all.uncounted.push(shown(&file.from)),
            }
            all.kept += counts.kept;
            all.removed += counts.removed;
            all.not_compared += counts.not_compared;
            if file.kind != FileKind::File {
                all.shards.push(ShardCounts { file: shown(&file.from), counts: *counts });
            }
        }
        all.records = all.uncounted.is_empty().then_some(records);
        if all.kept + all.removed == documents && all.kept + all.removed + all.not_compared == records {
            return Ok(all);
        }
        let Self { kept: written, removed, .. } = all;
        let file = corpus.display().to_string();
        Err(Error::Miscounted { file, read: documents, found: records, written, removed })
    }
}
