//! The sheet of templates: what was ignored, what looks like a template, and what most documents have.

use super::sheet::{Cell, Sheet, SheetColumn};
use crate::words::mark;
use lookalike::report::Chunks;
use lookalike::report::Report;
use rust_xlsxwriter::XlsxError;

pub(super) fn fill(sheet: &mut Sheet<'_>, report: &Report) -> Result<(), XlsxError> {
    match report.chunks() {
        Some(chunks) => of_chunks(sheet, chunks),
        None => of_shingles(sheet, report),
    }
}

fn of_chunks(sheet: &mut Sheet<'_>, chunks: &Chunks) -> Result<(), XlsxError> {
    sheet.header(&[
        SheetColumn("Kind", 12.0),
        SheetColumn("Template", 24.0),
        SheetColumn("Cluster", 10.0),
        SheetColumn("Documents", 12.0),
        SheetColumn("Chunks", 10.0),
        SheetColumn("Bytes", 12.0),
        SheetColumn("Begins with", 40.0),
        SheetColumn("In", 24.0),
        SheetColumn("To mark it", 20.0),
    ])?;
    for t in &chunks.templates {
        let (documents, number, bytes) = (Cell::Whole(t.documents), Cell::Whole(t.chunks), Cell::Whole(t.bytes));
        sheet.row(false, &[Cell::Text("ignored"), Cell::Text(&t.name), Cell::Empty, documents, number, bytes])?;
    }
    for s in &chunks.suggestions {
        let (documents, number, bytes) = (Cell::Whole(s.documents), Cell::Whole(s.chunks), Cell::Whole(s.bytes));
        let (kind, cluster, text, mark) = (
            Cell::Text("suggested"),
            Cell::Whole(s.cluster),
            one_line(s.text.as_deref()),
            mark(chunks, s, None).unwrap_or_default(),
        );
        let row =
            [kind, Cell::Empty, cluster, documents, number, bytes, Cell::Text(&text), Cell::Empty, Cell::Text(&mark)];
        sheet.row(false, &row)?;
    }
    for c in &chunks.frequent {
        let (documents, number, bytes) = (Cell::Whole(c.documents), Cell::Whole(c.chunks), Cell::Whole(c.bytes));
        let (kind, text) = (Cell::Text("frequent"), one_line(c.text.as_deref()));
        let row = [kind, Cell::Empty, Cell::Empty, documents, number, bytes, Cell::Text(&text), Cell::Text(&c.example)];
        sheet.row(false, &row)?;
    }
    Ok(())
}

fn of_shingles(sheet: &mut Sheet<'_>, report: &Report) -> Result<(), XlsxError> {
    let columns = [
        SheetColumn("Kind", 12.0),
        SheetColumn("Documents", 12.0),
        SheetColumn("Shingles", 12.0),
        SheetColumn("Text", 60.0),
        SheetColumn("In", 24.0),
    ];
    sheet.header(&columns)?;
    for t in report.shingles().iter().flat_map(|shingles| &shingles.templates) {
        let kind = if t.named { "named" } else { "frequent" };
        let (documents, number) = (Cell::Whole(t.documents), Cell::Whole(t.shingles));
        let text = one_line(t.text.as_deref());
        sheet.row(false, &[Cell::Text(kind), documents, number, Cell::Text(&text), Cell::Text(&t.example)])?;
    }
    Ok(())
}

/// A text without its line breaks, which would be spelled out.
fn one_line(text: Option<&str>) -> String {
    let words: Vec<&str> = text.unwrap_or_default().split_whitespace().collect();
    words.join(" ")
}
