//! Shards: files that hold many documents, a record each.

use std::path::Path;

use crate::ahead::PackedShard;
use crate::context::ReadContext;
use crate::decompress::Format;
use crate::jsonl::JsonlSource;
use crate::options::Options;
use crate::skipped::Reason;
use crate::source::Source;
use crate::table::CsvSource;
#[cfg(feature = "tables")]
use crate::table::{ArrowSource, ParquetSource};
use crate::warc;

/// What a shard is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShardFormat {
    /// A JSON object a line, plain or compressed.
    Jsonl,
    /// Comma-separated values with a header, plain or compressed.
    Csv,
    /// The same, separated by tabs.
    Tsv,
    /// Apache Parquet.
    Parquet,
    /// Arrow IPC: a file (Feather) or a stream.
    Arrow,
    /// A web archive, plain or compressed.
    Warc,
}

/// Why a table is not read by a small build.
#[cfg(not(feature = "tables"))]
pub(crate) const WITHOUT_TABLES: &str = lookalike_core::built_without!("Parquet and Arrow", "tables");

/// `.json.gz` and `.json.zst` are here because C4, Dolma and others ship JSONL under these names; a single JSON document is hardly ever
/// compressed.
const SUFFIXES: [(&str, ShardFormat); 23] = [
    (".jsonl", ShardFormat::Jsonl),
    (".ndjson", ShardFormat::Jsonl),
    (".jsonl.gz", ShardFormat::Jsonl),
    (".ndjson.gz", ShardFormat::Jsonl),
    (".json.gz", ShardFormat::Jsonl),
    (".jsonl.zst", ShardFormat::Jsonl),
    (".ndjson.zst", ShardFormat::Jsonl),
    (".json.zst", ShardFormat::Jsonl),
    (".csv", ShardFormat::Csv),
    (".csv.gz", ShardFormat::Csv),
    (".csv.zst", ShardFormat::Csv),
    (".tsv", ShardFormat::Tsv),
    (".tsv.gz", ShardFormat::Tsv),
    (".tsv.zst", ShardFormat::Tsv),
    (".parquet", ShardFormat::Parquet),
    (".pq", ShardFormat::Parquet),
    (".arrow", ShardFormat::Arrow),
    (".feather", ShardFormat::Arrow),
    (".ipc", ShardFormat::Arrow),
    (".arrows", ShardFormat::Arrow),
    (".warc", ShardFormat::Warc),
    (".warc.gz", ShardFormat::Warc),
    (".warc.zst", ShardFormat::Warc),
];

impl ShardFormat {
    /// What a file of this name holds, if its name says that it is a shard.
    pub fn of_name(path: &Path) -> Option<Self> {
        let name = path.file_name()?.as_encoded_bytes().to_ascii_lowercase();
        SUFFIXES.iter().find(|(suffix, _)| name.ends_with(suffix.as_bytes())).map(|(_, format)| *format)
    }

    /// What separates the fields of a record, where it is one byte.
    pub(crate) fn delimiter(self) -> u8 {
        if self == ShardFormat::Tsv { b'\t' } else { b',' }
    }
}

/// Whether a file is a shard.
pub(crate) fn is_shard(path: &Path, options: &Options) -> bool {
    match ShardFormat::of_name(path) {
        Some(format @ (ShardFormat::Csv | ShardFormat::Tsv)) => CsvSource::is_table(path, format.delimiter(), options),
        format => format.is_some(),
    }
}

/// The records of a file, if it is a shard.
pub(crate) fn open(path: &Path, context: &ReadContext) -> Option<Result<Box<dyn Source>, Reason>> {
    if warc::is_wacz(path) {
        return Some(warc::open_wacz(path));
    }
    let format = ShardFormat::of_name(path)?;
    let opened = match format {
        ShardFormat::Jsonl => JsonlSource::open(path, context).map(boxed),
        #[cfg(feature = "tables")]
        ShardFormat::Parquet => ParquetSource::open(path, context).map(boxed),
        format @ (ShardFormat::Csv | ShardFormat::Tsv) => {
            CsvSource::open(path, format.delimiter(), context)?.map(boxed)
        }
        #[cfg(feature = "tables")]
        ShardFormat::Arrow => ArrowSource::open(path, context).map(boxed),
        #[cfg(not(feature = "tables"))]
        ShardFormat::Arrow | ShardFormat::Parquet => Err(Reason::Unreadable(WITHOUT_TABLES.into())),
        ShardFormat::Warc => warc::open(path, context),
    };
    let is_packed = Format::of_name(path).is_some() || matches!(format, ShardFormat::Parquet | ShardFormat::Arrow);
    Some(opened.map(|records| if is_packed { boxed(PackedShard(records)) } else { records }))
}

fn boxed(source: impl Source + 'static) -> Box<dyn Source> {
    Box::new(source)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_shards() {
        for (name, format) in [
            ("a.jsonl", ShardFormat::Jsonl),
            ("x/A.JSONL.GZ", ShardFormat::Jsonl),
            ("c4.00000-of-01024.json.gz", ShardFormat::Jsonl),
            ("b.ndjson.zst", ShardFormat::Jsonl),
            ("train-00000-of-00002.parquet", ShardFormat::Parquet),
            ("a.csv", ShardFormat::Csv),
            ("a.TSV.gz", ShardFormat::Tsv),
            ("a.feather", ShardFormat::Arrow),
            ("CC-MAIN.warc.gz", ShardFormat::Warc),
        ] {
            assert_eq!(ShardFormat::of_name(Path::new(name)), Some(format), "{name}");
        }
        for name in ["a.json", "a.txt.gz", "jsonl", "a.jsonl/b", "a.jsonl.bak", "/", "a.zip"] {
            assert_eq!(ShardFormat::of_name(Path::new(name)), None, "{name}");
        }
    }
}
