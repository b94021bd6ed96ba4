//! The sheet of identical files: a row for the first of a set, and folded under it the others.

use super::sheet::{Cell, Column, Sheet};
use crate::sets::sets;
use lookalike::Report;
use rust_xlsxwriter::XlsxError;

pub(super) fn fill(sheet: &mut Sheet<'_>, report: &Report) -> Result<(), XlsxError> {
    let chunks = report.chunks.is_some();
    let mut columns = vec![
        Column("Set", 9.0),
        Column("Nr", 8.0),
        Column("Name", 40.0),
        Column("Files", 10.0),
        Column("Bytes to be freed", 18.0),
        Column("Bytes of each", 15.0),
    ];
    if chunks {
        columns.extend([Column("Changed (UTC)", 20.0), Column("Content", 36.0)]);
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
            sheet.row(at == 0, &row)?;
        }
    }
    Ok(())
}
