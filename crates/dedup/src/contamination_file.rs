//! A table of the documents that hold items of benchmarks.

use crate::Error;
use crate::contamination::Contaminations;
use crate::proof_table::{self, Column, Type, locate, shard_names};
use lookalike_engine::run::documents::Documents;
use std::path::Path;

const COLUMNS: [Column; 10] = [
    ("id", Type::Text),
    ("file", Type::Text),
    ("row", Type::OptionalInteger),
    ("item", Type::Text),
    ("benchmark", Type::Text),
    ("share", Type::Real),
    ("words", Type::Integer),
    ("start", Type::OptionalInteger),
    ("end", Type::OptionalInteger),
    ("passage", Type::Text),
];

/// Writes the table.
pub(crate) fn write(folder: &Path, documents: &Documents, found: &Contaminations) -> Result<(), Error> {
    let shards = shard_names(documents);
    proof_table::write(folder, "contamination", &COLUMNS, |table| {
        for row in &found.all {
            let (file, number) = locate(&row.place, &shards);
            table.add([
                row.id.as_str().into(),
                file,
                number,
                row.item.as_str().into(),
                row.benchmark.as_str().into(),
                row.share.into(),
                row.words.into(),
                row.bytes.as_ref().map(|bytes| bytes.start).into(),
                row.bytes.as_ref().map(|bytes| bytes.end).into(),
                row.passage.as_str().into(),
            ])?;
        }
        Ok(())
    })
}
