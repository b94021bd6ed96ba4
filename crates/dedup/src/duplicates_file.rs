//! The proof: a table of every document that was removed, with the one that stays in its place.

use crate::Error;
use crate::proof_table::{self, Cell, Column, Type, locate, shard_names};
use crate::removal::{Kept, Removals};
use lookalike_engine::run::catalogue::Entry;
use lookalike_engine::run::documents::Documents;
use std::path::Path;

const COLUMNS: [Column; 13] = [
    ("id", Type::Text),
    ("file", Type::Text),
    ("row", Type::OptionalInteger),
    ("duplicate_of", Type::Text),
    ("duplicate_of_file", Type::Text),
    ("duplicate_of_row", Type::OptionalInteger),
    ("resemblance", Type::OptionalReal),
    ("containment", Type::OptionalReal),
    ("contained_by", Type::OptionalReal),
    ("class", Type::Text),
    ("cluster", Type::OptionalInteger),
    ("source", Type::OptionalText),
    ("verified", Type::Boolean),
];

/// Writes the table. `each` sees every removed document on the way.
pub(crate) fn write(
    folder: &Path,
    documents: &Documents,
    removals: &Removals,
    mut each: impl FnMut(&Entry),
) -> Result<(), Error> {
    let shards = shard_names(documents);
    proof_table::write(folder, "duplicates", &COLUMNS, |table| {
        for removal in removals.all() {
            let entry = documents.catalogue.entry(removal.document)?;
            let kept = removal.kept.document().map(|kept| documents.catalogue.entry(kept)).transpose()?;
            each(&entry);
            let (file, row) = locate(&entry.place, &shards);
            let (kept_id, kept_file, kept_row): (Cell, Cell, Cell) = match (kept, removal.kept) {
                (Some(kept), _) => {
                    let (file, row) = locate(&kept.place, &shards);
                    (kept.id.into(), file, row)
                }
                (None, Kept::Known(at)) => {
                    let copy = &removals.known()[at as usize];
                    (copy.id.as_str().into(), copy.index.as_str().into(), Cell::Missing)
                }
                (None, Kept::Document(_)) => unreachable!("a document of the corpus has an entry"),
            };
            let shares = removals.shares(removal);
            table.add([
                entry.id.into(),
                file,
                row,
                kept_id,
                kept_file,
                kept_row,
                shares.map(|shares| shares.resemblance).into(),
                shares.and_then(|shares| shares.containment).into(),
                shares.and_then(|shares| shares.contained_by).into(),
                removal.class.name().into(),
                Some(removal.cluster).filter(|cluster| *cluster > 0).into(),
                documents.catalogue.origins.name(removal.document).into(),
                shares.is_some_and(|shares| shares.verified).into(),
            ])?;
        }
        Ok(())
    })
}
