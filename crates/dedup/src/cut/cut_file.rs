//! The proof: a table of every piece that was cut, with the place where the same words stand first.

use crate::Error;
use crate::cut::cuts::{CutPiece, Cuts, DocumentCuts};
use crate::cut::texts::{check_memory, for_each_job, text_of};
use crate::proof_table::{self, Column, Type, locate, shard_names};
use lookalike_engine::run::documents::Documents;
use lookalike_engine::run::session::Session;
use std::path::Path;
use std::sync::Arc;

/// Characters of a piece that are shown.
const SHOWN_CHARACTERS: usize = 80;

const COLUMNS: [Column; 11] = [
    ("id", Type::Text),
    ("file", Type::Text),
    ("row", Type::OptionalInteger),
    ("start", Type::Integer),
    ("end", Type::Integer),
    ("words", Type::Integer),
    ("duplicate_of", Type::Text),
    ("duplicate_of_file", Type::Text),
    ("duplicate_of_row", Type::OptionalInteger),
    ("duplicate_of_start", Type::Integer),
    ("text", Type::Text),
];

/// The beginning of a piece, for showing.
pub(crate) fn beginning(text: &str, piece: &CutPiece) -> Option<String> {
    let piece = text.get(piece.start as usize..piece.end as usize)?;
    Some(piece.chars().take(SHOWN_CHARACTERS).collect())
}

/// Writes the table.
pub(crate) fn write(folder: &Path, session: &Session<'_>, documents: &Documents, cuts: &Cuts) -> Result<(), Error> {
    let shards = shard_names(documents);
    let jobs = cuts.of(0..u32::MAX).map(|cuts| cuts.map_err(Error::from));
    // the text beside its line, and the pieces
    let bytes = |cuts: &DocumentCuts| {
        let text = documents.catalogue.entry(cuts.document)?.bytes;
        check_memory(session, documents, cuts.document, 3 * text + 40 * cuts.pieces.len() as u64)
    };
    let work = |cuts: DocumentCuts| text_of(documents, cuts.document).map(|text| (cuts, text));
    proof_table::write(folder, "duplicates", &COLUMNS, |table| {
        for_each_job(session, jobs, bytes, work, |(cuts, text)| {
            let entry = documents.catalogue.entry(cuts.document)?;
            let (file, row) = locate(&entry.place, &shards);
            let id: Arc<str> = entry.id.as_str().into();
            for piece in &cuts.pieces {
                let Some(text) = beginning(&text, piece) else {
                    return Err(Error::Damaged { id: entry.id, reason: "its cuts do not fit its text".into() });
                };
                let kept = documents.catalogue.entry(piece.kept)?;
                let (kept_file, kept_row) = locate(&kept.place, &shards);
                table.add([
                    Arc::clone(&id).into(),
                    file.clone(),
                    row.clone(),
                    piece.start.into(),
                    piece.end.into(),
                    piece.words.into(),
                    kept.id.into(),
                    kept_file,
                    kept_row,
                    piece.kept_start.into(),
                    text.into(),
                ])?;
            }
            Ok(())
        })
    })
}
