//! One sheet: a header, rows, groups of rows that are folded, and the count of what does not fit.

use crate::clean::clean;
use rust_xlsxwriter::{Format, FormatAlign, FormatBorder, IgnoreError, Workbook, Worksheet, XlsxError};

/// What a sheet can hold, and how it is made.
#[derive(Clone, Copy)]
pub(super) struct Limits {
    /// Rows of a sheet, its header included. A spreadsheet has one more: an outline needs a row after its last group.
    pub(super) rows: u32,
    /// UTF-16 units of a cell.
    pub(super) text: usize,
    /// Up to so many rows can be folded: they are held in memory, about three kilobytes each. More go through a file, one by one, and the
    /// library then forgets how they are folded.
    pub(super) folded: usize,
}

/// A column: its title and its width in characters.
#[derive(Clone, Copy)]
pub(super) struct SheetColumn(pub(super) &'static str, pub(super) f64);

/// The widest that a column of texts becomes, in characters.
const WIDEST: usize = 80;

/// What stands in a cell.
#[derive(Clone, Copy)]
pub(super) enum Cell<'a> {
    Empty,
    /// Always a text, even if it looks like a number or a formula.
    Text(&'a str),
    /// A text that belongs to the row above.
    Indented(&'a str),
    Whole(u64),
    Share(f64),
    /// Nanoseconds since 1970.
    Time(i64),
}

impl Cell<'_> {
    pub(super) fn whole(n: Option<u64>) -> Self {
        n.map_or(Self::Empty, Self::Whole)
    }

    pub(super) fn share(share: Option<f64>) -> Self {
        share.map_or(Self::Empty, Self::Share)
    }
}

/// What became of a sheet.
pub(super) struct Done {
    pub(super) name: &'static str,
    /// Rows that did not fit.
    pub(super) left_out: u64,
    /// Texts that did not fit their cell.
    pub(super) cut: u64,
    /// Groups of rows are folded.
    pub(super) folded: bool,
}

/// A sheet while it is filled.
pub(super) struct Sheet<'a> {
    inner: &'a mut Worksheet,
    limits: Limits,
    row: u32,
    columns: u16,
    longest: Vec<usize>,
    folded: bool,
    left_out: u64,
    cut: u64,
    formats: Formats,
}

/// A format for each kind of cell: plain, and for the first row of a group.
struct Formats {
    header: Format,
    plain: [Format; 5],
    bold: [Format; 5],
}

impl Formats {
    fn new() -> Self {
        // what is less than all is never shown as 100%
        let share = Format::new().set_num_format("[=1]0%;[>=0.9995]\">99.9%\";0.0%");
        let plain = [
            // a little to the right of the numbers before it
            Format::new().set_indent(1),
            Format::new().set_indent(2),
            Format::new().set_num_format("#,##0"),
            share.set_align(FormatAlign::Right),
            Format::new().set_num_format("yyyy-mm-dd hh:mm:ss"),
        ];
        let bold = plain.clone().map(Format::set_bold);
        Self { header: Format::new().set_bold().set_indent(1).set_border_bottom(FormatBorder::Thin), plain, bold }
    }
}

impl<'a> Sheet<'a> {
    /// Adds a sheet to the workbook and has it filled with about `rows` rows.
    pub(super) fn fill(
        workbook: &'a mut Workbook,
        name: &'static str,
        rows: usize,
        limits: Limits,
        fill: impl FnOnce(&mut Sheet<'_>) -> Result<(), XlsxError>,
    ) -> Result<Done, XlsxError> {
        let folded = rows <= limits.folded;
        let sheet = if folded { workbook.add_worksheet() } else { workbook.add_worksheet_with_constant_memory()? };
        sheet.set_name(name)?.group_symbols_above(true);
        let formats = Formats::new();
        let mut sheet = Sheet {
            inner: sheet,
            limits,
            row: 0,
            columns: 0,
            longest: Vec::new(),
            folded,
            left_out: 0,
            cut: 0,
            formats,
        };
        fill(&mut sheet)?;
        sheet.finish(name)
    }

    /// The first row, which stays in sight and has the buttons to sort and filter.
    pub(super) fn header(&mut self, columns: &[SheetColumn]) -> Result<(), XlsxError> {
        for (at, SheetColumn(title, width)) in (0..).zip(columns) {
            self.inner.write_string_with_format(0, at, *title, &self.formats.header)?;
            self.inner.set_column_width(at, *width)?;
        }
        self.inner.set_freeze_panes(1, 0)?;
        // on paper: as wide as the page, and the header on each
        self.inner.set_landscape().set_print_fit_to_pages(1, 0).set_repeat_rows(0, 0)?;
        self.columns = columns.len() as u16;
        self.longest = vec![0; columns.len()];
        self.row = 1;
        Ok(())
    }

    /// Says that the `rows` rows after the next one belong to it, and are folded until somebody wants to see them,
    /// unless the sheet is too large for that.
    pub(super) fn group(&mut self, rows: usize) -> Result<(), XlsxError> {
        let first = self.row + 1;
        let room = self.limits.rows.saturating_sub(first);
        let rows = u32::try_from(rows).unwrap_or(u32::MAX).min(room);
        if rows > 0 && self.folded {
            self.inner.group_rows_collapsed(first, first + rows - 1)?;
        }
        Ok(())
    }

    /// The next row, in bold if it stands for a group; counted if there is no room.
    pub(super) fn row(&mut self, bold: bool, cells: &[Cell<'_>]) -> Result<(), XlsxError> {
        if self.row >= self.limits.rows {
            self.left_out += 1;
            return Ok(());
        }
        for (at, cell) in cells.iter().enumerate() {
            let (row, column) = (self.row, at as u16);
            let formats = if bold { &self.formats.bold } else { &self.formats.plain };
            match *cell {
                Cell::Empty => {}
                Cell::Text(text) | Cell::Indented(text) => {
                    let format = &formats[usize::from(matches!(cell, Cell::Indented(_)))];
                    let text = fitting(text, self.limits.text);
                    self.cut += u64::from(text.cut);
                    if let Some(longest) = self.longest.get_mut(at) {
                        *longest = text.chars.max(*longest);
                    }
                    self.inner.write_string_with_format(row, column, text.text, format)?;
                }
                Cell::Whole(n) => {
                    self.inner.write_number_with_format(row, column, n as f64, &formats[2])?;
                }
                Cell::Share(share) => {
                    self.inner.write_number_with_format(row, column, share, &formats[3])?;
                }
                Cell::Time(nanoseconds) => {
                    self.inner.write_number_with_format(row, column, days(nanoseconds), &formats[4])?;
                }
            }
        }
        self.row += 1;
        Ok(())
    }

    fn finish(self, name: &'static str) -> Result<Done, XlsxError> {
        if self.columns > 0 {
            let (last_row, last_column) = (self.row - 1, self.columns - 1);
            self.inner.autofilter(0, 0, last_row, last_column)?;
            // a name that is a number is a name
            self.inner.ignore_error_range(0, 0, last_row, last_column, IgnoreError::NumberStoredAsText)?;
        }
        for (at, longest) in (0..).zip(&self.longest) {
            let width = (*longest).min(WIDEST) as f64 + 4.0;
            if width > 24.0 {
                self.inner.set_column_width(at, width)?;
            }
        }
        Ok(Done { name, left_out: self.left_out, cut: self.cut, folded: self.folded })
    }
}

/// Days since the spreadsheet's day 0, in universal time.
fn days(nanoseconds: i64) -> f64 {
    25_569.0 + nanoseconds.div_euclid(1_000_000_000) as f64 / 86_400.0
}

struct Fitting {
    text: String,
    chars: usize,
    cut: bool,
}

/// A text without invisible characters, no longer than a cell may be.
fn fitting(text: &str, most: usize) -> Fitting {
    let clean = clean(text);
    let (mut units, mut room, mut chars) = (0, 0, 0);
    for (at, c) in clean.char_indices() {
        units += c.len_utf16();
        if units > most {
            return Fitting { text: format!("{}…", &clean[..room]), chars, cut: true };
        }
        chars += 1;
        // an ellipsis must still fit
        if units < most {
            room = at + c.len_utf8();
        }
    }
    Fitting { text: clean.into_owned(), chars, cut: false }
}
