//! The sheets of identical files and of similar folders.

use super::sheet::{Cell, Sheet, SheetColumn};
use crate::attributes::Attributes;
use crate::identical::sets;
use crate::words::folder_name as name;
use lookalike::report::FolderPair;
use lookalike::report::Report;
use rust_xlsxwriter::XlsxError;

/// A row for the first of a set, and folded under it the others.
pub(super) fn fill_identical(
    sheet: &mut Sheet<'_>,
    report: &Report,
    attributes: Option<&Attributes<'_>>,
) -> Result<(), XlsxError> {
    let chunks = report.chunks().is_some();
    let mut columns = vec![
        SheetColumn("Set", 9.0),
        SheetColumn("Nr", 8.0),
        SheetColumn("Name", 40.0),
        SheetColumn("Files", 10.0),
        SheetColumn("Bytes to be freed", 18.0),
        SheetColumn("Bytes of each", 15.0),
    ];
    if chunks {
        columns.extend([SheetColumn("Changed (UTC)", 20.0), SheetColumn("Content", 36.0)]);
    }
    if attributes.is_some() {
        columns.extend([SheetColumn("Owner", 14.0), SheetColumn("Permissions", 14.0)]);
    }
    sheet.header(&columns)?;
    for (set, number) in sets(report).zip(1..) {
        let copies = (set.files.len() as u64).saturating_sub(1);
        let of_all = [Cell::Whole(set.files.len() as u64), Cell::Whole(copies * set.bytes), Cell::Whole(set.bytes)];
        sheet.group(copies as usize)?;
        for (at, (id, modified)) in set.files.iter().enumerate() {
            let name = if at == 0 { Cell::Text(id) } else { Cell::Indented(id) };
            let mut row = vec![Cell::Whole(number), Cell::Whole(at as u64 + 1), name];
            row.extend(of_all);
            if chunks {
                row.extend([modified.map_or(Cell::Empty, Cell::Time), Cell::Text(set.content)]);
            }
            let file = attributes.map(|attributes| attributes(id).unwrap_or_default());
            if let Some(file) = &file {
                row.extend([Cell::Text(&file.owner), Cell::Text(&file.permissions)]);
            }
            sheet.row(at == 0, &row)?;
        }
    }
    Ok(())
}

/// A row for each pair of folders.
pub(super) fn fill_folders(sheet: &mut Sheet<'_>, folders: &[FolderPair]) -> Result<(), XlsxError> {
    sheet.header(&[
        SheetColumn("Folder", 40.0),
        SheetColumn("is inside", 12.0),
        SheetColumn("Other folder", 40.0),
        SheetColumn("Bytes inside", 15.0),
        SheetColumn("Files", 10.0),
        SheetColumn("Bytes", 15.0),
        SheetColumn("Other's share", 15.0),
        SheetColumn("Other's bytes inside", 21.0),
        SheetColumn("Other's files", 15.0),
        SheetColumn("Other's bytes", 15.0),
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
