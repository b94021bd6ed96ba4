//! One column of a row group, without the rows that go.

use parquet::column::reader::{ColumnReader, ColumnReaderImpl, get_column_reader};
use parquet::column::writer::{ColumnWriter, ColumnWriterImpl};
use parquet::data_type::{ByteArray, DataType};

use super::original::Original;
use super::write_error::unwritable;
use crate::columns::Allowance;
use crate::copy::rulings::Rulings;
use crate::copy::{CopyError, unsupported, without};

/// So many rows, or pages of so many bytes, are decoded at once.
const MAX_ROWS: usize = 8 << 10;
const PAGE_BYTES: usize = 1 << 20;

/// Copies the rows that stay.
pub(super) fn copy(
    original: &Original<'_>,
    group: usize,
    column: usize,
    rulings: &Rulings,
    to: &mut ColumnWriter<'_>,
) -> Result<(), CopyError> {
    let descr = original.metadata.row_group(group).column(column).column_descr_ptr();
    let allowance = Allowance::default();
    let pages = original.pages(group, column, allowance.clone())?;
    let levels = (descr.max_def_level(), descr.max_rep_level());
    let damaged = |error: String| original.damaged(group, Some(column), error);
    let changed = |error: String| unsupported(original.path, format!("row group {}, {error}", group + 1));
    let copy = ColumnCopy { allowance, levels, rulings, damaged: &damaged, changed: &changed };
    let cuts = rulings.has_cuts() && original.text == Some(column);
    match (get_column_reader(descr, Box::new(pages)), to) {
        (ColumnReader::BoolColumnReader(from), ColumnWriter::BoolColumnWriter(to)) => copy.run(from, to, None),
        (ColumnReader::Int32ColumnReader(from), ColumnWriter::Int32ColumnWriter(to)) => copy.run(from, to, None),
        (ColumnReader::Int64ColumnReader(from), ColumnWriter::Int64ColumnWriter(to)) => copy.run(from, to, None),
        (ColumnReader::Int96ColumnReader(from), ColumnWriter::Int96ColumnWriter(to)) => copy.run(from, to, None),
        (ColumnReader::FloatColumnReader(from), ColumnWriter::FloatColumnWriter(to)) => copy.run(from, to, None),
        (ColumnReader::DoubleColumnReader(from), ColumnWriter::DoubleColumnWriter(to)) => copy.run(from, to, None),
        (ColumnReader::ByteArrayColumnReader(from), ColumnWriter::ByteArrayColumnWriter(to)) => {
            let cut = |row, text: Option<&mut ByteArray>| cut(rulings, row, text);
            copy.run(from, to, if cuts { Some(&cut) } else { None })
        }
        (ColumnReader::FixedLenByteArrayColumnReader(from), ColumnWriter::FixedLenByteArrayColumnWriter(to)) => {
            copy.run(from, to, None)
        }
        _ => Err(damaged("its type is not that of the schema".into())),
    }
}

/// Cuts what is to be cut out of the text of a row that stays.
fn cut(rulings: &Rulings, row: u64, text: Option<&mut ByteArray>) -> Result<(), String> {
    let Some(cuts) = rulings.cuts(row) else { return Ok(()) };
    let changed = || format!("row {} of the group: the text is not what it was", row + 1);
    let text = text.ok_or_else(changed)?;
    let rest = text.as_utf8().ok().and_then(|text| without(text, cuts)).ok_or_else(changed)?;
    *text = ByteArray::from(rest.into_bytes());
    Ok(())
}

/// What is done to the value of a row, if it has one.
type Edit<'a, T> = &'a dyn Fn(u64, Option<&mut T>) -> Result<(), String>;

struct ColumnCopy<'a> {
    allowance: Allowance,
    /// The highest levels of definition and repetition.
    levels: (i16, i16),
    rulings: &'a Rulings,
    damaged: &'a dyn Fn(String) -> CopyError,
    /// The text is not the one that was ruled on.
    changed: &'a dyn Fn(String) -> CopyError,
}

impl ColumnCopy<'_> {
    fn run<T: DataType>(
        &self,
        mut from: ColumnReaderImpl<T>,
        to: &mut ColumnWriterImpl<'_, T>,
        edit: Option<Edit<'_, T::T>>,
    ) -> Result<(), CopyError> {
        let (mut read, mut kept) = (Levels::<T>::default(), Levels::<T>::default());
        // rows that were begun, and whether the last of them stays
        let (mut rows, mut keep) = (0, false);
        loop {
            read.clear();
            self.allowance.grant(PAGE_BYTES);
            let levels = from
                .read_records(MAX_ROWS, Some(&mut read.definitions), Some(&mut read.repetitions), &mut read.values)
                .map_err(|error| (self.damaged)(error.to_string()))?
                .2;
            self.check(&read, levels)?;
            if levels == 0 {
                break;
            }
            self.filter(&mut read, levels, &mut rows, &mut keep, &mut kept, edit)?;
            // a list that may go on in the next page waits for it
            let whole = if self.levels.1 == 0 { kept.len } else { kept.last_row() };
            self.write(&mut kept, whole, to)?;
        }
        let rest = kept.len;
        self.write(&mut kept, rest, to)?;
        if rows != self.rulings.rows {
            return Err((self.damaged)(format!("it has {rows} rows; expected {}", self.rulings.rows)));
        }
        Ok(())
    }

    /// Whether there is a value for each level that says so.
    fn check<T: DataType>(&self, read: &Levels<T>, levels: usize) -> Result<(), CopyError> {
        let (most, lists) = self.levels;
        let present = if most == 0 { levels } else { read.definitions.iter().filter(|level| **level == most).count() };
        let is_sound = present == read.values.len()
            && (most == 0 || read.definitions.len() == levels)
            && (lists == 0 || read.repetitions.len() == levels);
        if is_sound { Ok(()) } else { Err((self.damaged)("there are not as many values as levels".into())) }
    }

    fn filter<T: DataType>(
        &self,
        read: &mut Levels<T>,
        levels: usize,
        rows: &mut u64,
        keep: &mut bool,
        kept: &mut Levels<T>,
        edit: Option<Edit<'_, T::T>>,
    ) -> Result<(), CopyError> {
        let (most, lists) = self.levels;
        let mut values = read.values.drain(..);
        for at in 0..levels {
            if lists == 0 || read.repetitions[at] == 0 {
                *keep = self.rulings.keeps(*rows);
                *rows += 1;
            } else if *rows == 0 {
                return Err((self.damaged)("it begins in the middle of a row".into()));
            }
            let mut value = if most == 0 || read.definitions[at] == most { values.next() } else { None };
            if !*keep {
                continue;
            }
            if let Some(edit) = edit {
                edit(*rows - 1, value.as_mut()).map_err(self.changed)?;
            }
            kept.len += 1;
            kept.values.extend(value);
            if most > 0 {
                kept.definitions.push(read.definitions[at]);
            }
            if lists > 0 {
                kept.repetitions.push(read.repetitions[at]);
            }
        }
        Ok(())
    }

    /// Writes the first so many levels and their values.
    fn write<T: DataType>(
        &self,
        kept: &mut Levels<T>,
        levels: usize,
        to: &mut ColumnWriterImpl<'_, T>,
    ) -> Result<(), CopyError> {
        if levels == 0 {
            return Ok(());
        }
        let (most, lists) = self.levels;
        let definitions = (most > 0).then(|| &kept.definitions[..levels]);
        let values = definitions.map_or(levels, |some| some.iter().filter(|level| **level == most).count());
        let repetitions = (lists > 0).then(|| &kept.repetitions[..levels]);
        to.write_batch(&kept.values[..values], definitions, repetitions).map_err(unwritable)?;
        kept.drop_first(levels, values);
        Ok(())
    }
}

/// Some levels of a column and the values that they speak of.
struct Levels<T: DataType> {
    definitions: Vec<i16>,
    repetitions: Vec<i16>,
    values: Vec<T::T>,
    len: usize,
}

impl<T: DataType> Default for Levels<T> {
    fn default() -> Self {
        Self { definitions: Vec::new(), repetitions: Vec::new(), values: Vec::new(), len: 0 }
    }
}

impl<T: DataType> Levels<T> {
    fn clear(&mut self) {
        self.definitions.clear();
        self.repetitions.clear();
        self.values.clear();
        self.len = 0;
    }

    /// Where the last row begins.
    fn last_row(&self) -> usize {
        self.repetitions.iter().rposition(|level| *level == 0).unwrap_or(0)
    }

    fn drop_first(&mut self, levels: usize, values: usize) {
        self.definitions.drain(..levels.min(self.definitions.len()));
        self.repetitions.drain(..levels.min(self.repetitions.len()));
        self.values.drain(..values);
        self.len -= levels;
    }
}
