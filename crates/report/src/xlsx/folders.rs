//! The sheet of similar folders: a row for each pair.

use super::sheet::{Cell, Column, Sheet};
use crate::chunks::folder_name as name;
use lookalike::chunks::FolderPair;
use rust_xlsxwriter::XlsxError;

pub(super) fn fill(sheet: &mut Sheet<'_>, folders: &[FolderPair]) -> Result<(), XlsxError> {
    sheet.header(&[
        Column("Folder", 40.0),
        Column("is inside", 12.0),
        Column("Other folder", 40.0),
        Column("Bytes inside", 15.0),
        Column("Files", 10.0),
        Column("Bytes", 15.0),
        Column("Other's share", 15.0),
        Column("Other's bytes inside", 21.0),
        Column("Other's files", 15.0),
        Column("Other's bytes", 15.0),
    ])?;
    for pair in folders {
        sheet.row(
            false,
            &[
                Cell::Text(name(&pair.folder)),
                Cell::Share(pair.share),
                Cell::Text(name(&pair.other)),
                Cell::Whole(pair.inside),
                Cell::Whole(pair.files),
                Cell::Whole(pair.bytes),
                Cell::Share(pair.other_share),
                Cell::Whole(pair.other_inside),
                Cell::Whole(pair.other_files),
                Cell::Whole(pair.other_bytes),
            ],
        )?;
    }
    Ok(())
}
