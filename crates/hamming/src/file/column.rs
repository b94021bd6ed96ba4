//! One column of a Parquet file, as fingerprints or as ids.

use parquet::basic::{ConvertedType, LogicalType, Type};
use parquet::column::reader::{ColumnReader, ColumnReaderImpl};
use parquet::data_type::DataType;
use parquet::schema::types::{ColumnDescriptor, SchemaDescriptor};

use super::digits::DigitRule;
use super::error::{FileProblem, Position, shown};
use super::names::Names;
use lookalike_core::bits::FingerprintBits;

/// What fingerprints can be read from.
const FINGERPRINTS_64: &str =
    "integers of 64 bits, binary of 8 bytes (the lowest first) or text in 16 hexadecimal digits";
const FINGERPRINTS_128: &str = "binary of 16 bytes (the lowest first) or text in 32 hexadecimal digits";
/// What ids can be read from.
const IDS: &str = "integers or text (or let row numbers be the ids)";

/// A column that was found and is of a type that can be read.
#[derive(Clone, Debug)]
pub(super) struct Column {
    pub(super) index: usize,
    pub(super) name: String,
    pub(super) physical: Type,
    signed: bool,
    /// The level of a value that is there.
    level: i16,
}

impl Column {
    /// The first of these columns that is there.
    pub(super) fn find(schema: &SchemaDescriptor, names: &[&str]) -> Option<Column> {
        names.iter().find_map(|name| {
            let index = schema.columns().iter().position(|column| column.path().string() == *name)?;
            let column = schema.column(index);
            let (physical, signed, level) = (column.physical_type(), is_signed(&column), column.max_def_level());
            Some(Column { index, name: (*name).to_owned(), physical, signed, level })
        })
    }

    /// Whether fingerprints can be read from it.
    pub(super) fn check_fingerprints<P: FingerprintBits>(&self, schema: &SchemaDescriptor) -> Result<(), FileProblem> {
        let column = schema.column(self.index);
        let fits = match self.physical {
            Type::INT64 => P::WIDTH == 64 && is_integer(&column),
            Type::FIXED_LEN_BYTE_ARRAY => usize::try_from(column.type_length()) == Ok(P::BYTES),
            Type::BYTE_ARRAY => true,
            _ => false,
        };
        let expected = if P::WIDTH == 64 { FINGERPRINTS_64 } else { FINGERPRINTS_128 };
        self.check(fits, &column, expected)
    }

    /// Whether ids can be read from it.
    pub(super) fn check_ids(&self, schema: &SchemaDescriptor) -> Result<(), FileProblem> {
        let column = schema.column(self.index);
        let fits = match self.physical {
            Type::INT32 | Type::INT64 => is_integer(&column),
            Type::BYTE_ARRAY => true,
            _ => false,
        };
        self.check(fits, &column, IDS)
    }

    fn check(&self, fits: bool, column: &ColumnDescriptor, expected: &'static str) -> Result<(), FileProblem> {
        if fits && column.max_rep_level() == 0 {
            return Ok(());
        }
        let list = if column.max_rep_level() > 0 { "a list of " } else { "" };
        let mut found = format!("{list}{}", self.physical);
        if self.physical == Type::FIXED_LEN_BYTE_ARRAY {
            found = format!("{found} of {} bytes", column.type_length());
        }
        match column.converted_type() {
            ConvertedType::NONE => {}
            other => found = format!("{found} ({other})"),
        }
        Err(FileProblem::Column { column: self.name.clone(), found, expected })
    }

    /// Appends at most `most` fingerprints, the first of them that of `row`.
    pub(super) fn read_fingerprints<P: FingerprintBits>(
        &self,
        reader: &mut ColumnReader,
        most: usize,
        row: u64,
        rule: DigitRule,
        fingerprints: &mut Vec<P>,
    ) -> Result<usize, FileProblem> {
        match reader {
            ColumnReader::Int64ColumnReader(reader) => {
                let values = self.values(reader, most, row)?;
                fingerprints.extend(values.iter().map(|&value| P::from_low(value as u64)));
                Ok(values.len())
            }
            ColumnReader::FixedLenByteArrayColumnReader(reader) => {
                let values = self.values(reader, most, row)?;
                for value in &values {
                    let fingerprint = bytemuck::try_pod_read_unaligned::<P>(value.data());
                    fingerprints.push(fingerprint.map_err(|_| self.unlike())?.to_le());
                }
                Ok(values.len())
            }
            ColumnReader::ByteArrayColumnReader(reader) => {
                let values = self.values(reader, most, row)?;
                for (value, row) in values.iter().zip(row..) {
                    fingerprints.push(rule.parse(|| Position::Row(row), value.data())?);
                }
                Ok(values.len())
            }
            _ => Err(self.unlike()),
        }
    }

    /// Appends at most `most` ids, to `ids` or to `names`, the first of them that of `row`.
    pub(super) fn read_ids(
        &self,
        reader: &mut ColumnReader,
        most: usize,
        row: u64,
        ids: &mut Vec<u64>,
        names: &mut Names,
    ) -> Result<usize, FileProblem> {
        match reader {
            ColumnReader::Int64ColumnReader(reader) => {
                let values = self.values(reader, most, row)?;
                self.check_signs(values.iter().copied(), row)?;
                ids.extend(values.iter().map(|&value| value as u64));
                Ok(values.len())
            }
            ColumnReader::Int32ColumnReader(reader) => {
                let values = self.values(reader, most, row)?;
                self.check_signs(values.iter().map(|&value| value.into()), row)?;
                ids.extend(values.iter().map(|&value| value as u32 as u64));
                Ok(values.len())
            }
            ColumnReader::ByteArrayColumnReader(reader) => {
                let values = self.values(reader, most, row)?;
                for (value, row) in values.iter().zip(row..) {
                    names.push(row, value.data())?;
                }
                Ok(values.len())
            }
            _ => Err(self.unlike()),
        }
    }

    /// Position most `most` values, fewer only at the end of the row group.
    fn values<T: DataType>(
        &self,
        reader: &mut ColumnReaderImpl<T>,
        most: usize,
        row: u64,
    ) -> Result<Vec<T::T>, FileProblem> {
        let (mut levels, mut values) = (Vec::new(), Vec::new());
        let read = reader.read_records(most, Some(&mut levels), None, &mut values);
        let (records, found, _) = read.map_err(|error| FileProblem::Damaged(error.to_string()))?;
        if found < records {
            let at = levels.iter().position(|&level| level < self.level).unwrap_or_default();
            return Err(FileProblem::Null { column: self.name.clone(), row: row + at as u64 });
        }
        if records != values.len() {
            return Err(self.unlike());
        }
        Ok(values)
    }

    /// No id is below zero, unless its type has no such numbers.
    fn check_signs(&self, mut values: impl Iterator<Item = i64>, row: u64) -> Result<(), FileProblem> {
        match values.position(|value| self.signed && value < 0) {
            Some(at) => {
                Err(FileProblem::BadId { at: Position::Row(row + at as u64), found: shown(b"a negative number") })
            }
            None => Ok(()),
        }
    }

    fn unlike(&self) -> FileProblem {
        FileProblem::Damaged(format!("the column {:?} is not what the file says it is", self.name))
    }
}

fn is_signed(column: &ColumnDescriptor) -> bool {
    use ConvertedType::{UINT_8, UINT_16, UINT_32, UINT_64};
    match column.logical_type_ref() {
        Some(LogicalType::Integer(integer)) => integer.is_signed,
        _ => !matches!(column.converted_type(), UINT_8 | UINT_16 | UINT_32 | UINT_64),
    }
}

/// A date is a number on disk too, but no id.
fn is_integer(column: &ColumnDescriptor) -> bool {
    use ConvertedType::{INT_8, INT_16, INT_32, INT_64, NONE, UINT_8, UINT_16, UINT_32, UINT_64};
    if let Some(logical) = column.logical_type_ref() {
        return matches!(logical, LogicalType::Integer(_));
    }
    let plain = [NONE, INT_8, INT_16, INT_32, INT_64, UINT_8, UINT_16, UINT_32, UINT_64];
    plain.contains(&column.converted_type())
}
