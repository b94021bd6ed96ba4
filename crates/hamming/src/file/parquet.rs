//! Fingerprints in a column of a Parquet file, read row group by row group and page by page.

use std::ops::Range;
use std::path::Path;

use parquet::basic::{Compression, Type};
use parquet::column::reader::ColumnReader;
use parquet::errors::ParquetError;
use parquet::file::metadata::{ColumnChunkMetaData, ParquetMetaData, RowGroupMetaData};
use parquet::file::reader::{FileReader, SerializedFileReader};

use super::column::Column;
use super::digits::DigitRule;
use super::error::FileProblem;
use super::layout::{FileOptions, IdKind};
use super::names::Names;
use lookalike_core::bits::FingerprintBits;
use lookalike_corpus::columns::{self, BoundedFile};
use lookalike_corpus::stream::open_file;

/// Rows read at once.
const ROWS_PER_BATCH: u64 = 128 << 10;
/// What the column of fingerprints may be called unless the caller says.
const FINGERPRINT_COLUMNS: [&str; 2] = ["fingerprint", "simhash"];
const ID: &str = "id";

/// A Parquet file, or some of its row groups.
pub(super) struct ParquetSource {
    file: SerializedFileReader<BoundedFile>,
    fingerprints: Column,
    ids: Option<Column>,
    rule: DigitRule,
    /// Row groups still to be read.
    groups: Range<usize>,
    open: Option<RowGroup>,
    /// The number of the first row, and how many there are.
    first: u64,
    len: u64,
}

/// A row group that is being read.
struct RowGroup {
    fingerprints: ColumnReader,
    ids: Option<ColumnReader>,
    left: u64,
}

impl ParquetSource {
    pub(super) fn open<P: FingerprintBits>(
        path: &Path,
        groups: Option<Range<usize>>,
        options: &FileOptions,
    ) -> Result<ParquetSource, FileProblem> {
        guard(|| {
            let file = parse(path)?;
            let metadata = file.metadata();
            let fingerprints = find_fingerprints::<P>(metadata, options)?;
            let ids = find_ids(metadata, options)?;
            let groups = groups.unwrap_or(0..metadata.num_row_groups());
            let first = rows(metadata, 0..groups.start)?;
            let len = rows(metadata, groups.clone())?;
            let rule = options.digits.map_or(DigitRule::full(), DigitRule::given);
            Ok(ParquetSource { fingerprints, ids, rule, groups, open: None, first, len, file })
        })
    }

    /// Row groups in at most `count` ranges of about as many rows.
    pub(super) fn divide(path: &Path, count: u64) -> Result<Vec<Range<usize>>, FileProblem> {
        guard(|| {
            let file = parse(path)?;
            let (metadata, groups) = (file.metadata(), file.metadata().num_row_groups());
            let all = rows(metadata, 0..groups)?;
            let (mut parts, mut start, mut done) = (Vec::new(), 0, 0u64);
            for group in 0..groups {
                done += rows(metadata, group..group + 1)?;
                let due = u128::from(all) * (parts.len() as u128 + 1);
                if done > 0 && u128::from(done) * u128::from(count) >= due && (parts.len() as u64) + 1 < count {
                    parts.push(start..group + 1);
                    start = group + 1;
                }
            }
            if parts.is_empty() || rows(metadata, start..groups)? > 0 {
                parts.push(start..groups);
            }
            Ok(parts)
        })
    }

    pub(super) fn ids(&self) -> IdKind {
        match &self.ids {
            None => IdKind::Rows,
            Some(column) if column.physical == Type::BYTE_ARRAY => IdKind::Names,
            Some(_) => IdKind::Numbers,
        }
    }

    pub(super) fn first(&self) -> u64 {
        self.first
    }

    pub(super) fn len(&self) -> u64 {
        self.len
    }

    /// Reads on, from `row`.
    pub(super) fn next_batch<P: FingerprintBits>(
        &mut self,
        row: u64,
        fingerprints: &mut Vec<P>,
        ids: &mut Vec<u64>,
        names: &mut Names,
    ) -> Result<usize, FileProblem> {
        fingerprints.clear();
        ids.clear();
        guard(|| {
            self.open_group()?;
            let Some(group) = &mut self.open else { return Ok(0) };
            let most = group.left.min(ROWS_PER_BATCH) as usize;
            let read =
                self.fingerprints.read_fingerprints(&mut group.fingerprints, most, row, self.rule, fingerprints)?;
            if let (Some(column), Some(reader)) = (&self.ids, &mut group.ids)
                && column.read_ids(reader, most, row, ids, names)? != read
            {
                return Err(FileProblem::Damaged(format!(
                    "there are not as many ids as fingerprints from row {row} on"
                )));
            }
            if read < most {
                return Err(FileProblem::Damaged(format!("a row group ends at row {}", row + read as u64)));
            }
            group.left -= read as u64;
            Ok(read)
        })
    }

    /// Sees to it that the open row group has rows left, or that none is open at the end.
    fn open_group(&mut self) -> Result<(), FileProblem> {
        while self.open.as_ref().is_none_or(|group| group.left == 0) {
            self.open = None;
            let Some(index) = self.groups.next() else { break };
            let left = rows(self.file.metadata(), index..index + 1)?;
            let group = self.file.get_row_group(index).map_err(damaged)?;
            let fingerprints = group.get_column_reader(self.fingerprints.index).map_err(damaged)?;
            let ids = match &self.ids {
                Some(column) => Some(group.get_column_reader(column.index).map_err(damaged)?),
                None => None,
            };
            self.open = Some(RowGroup { fingerprints, ids, left });
        }
        Ok(())
    }
}

fn parse(path: &Path) -> Result<SerializedFileReader<BoundedFile>, FileProblem> {
    let (file, metadata) = open_file(path).map_err(|reason| FileProblem::Unreadable(reason.to_string()))?;
    let file = BoundedFile::new(file, metadata.len());
    columns::check_footer(&file).map_err(damaged)?;
    SerializedFileReader::new(file).map_err(damaged)
}

fn find_fingerprints<P: FingerprintBits>(
    metadata: &ParquetMetaData,
    options: &FileOptions,
) -> Result<Column, FileProblem> {
    let schema = metadata.file_metadata().schema_descr();
    let wanted = options.field.as_deref().map_or(FINGERPRINT_COLUMNS.to_vec(), |field| vec![field]);
    let column = Column::find(schema, &wanted).ok_or_else(|| missing(metadata, &wanted, "fingerprints"))?;
    column.check_fingerprints::<P>(schema)?;
    check_codec(metadata, &column)?;
    Ok(column)
}

fn find_ids(metadata: &ParquetMetaData, options: &FileOptions) -> Result<Option<Column>, FileProblem> {
    if options.ids == Some(IdKind::Rows) {
        return Ok(None);
    }
    let schema = metadata.file_metadata().schema_descr();
    let wanted = [options.id_field.as_deref().unwrap_or(ID)];
    let Some(column) = Column::find(schema, &wanted) else {
        return match (&options.id_field, options.ids) {
            (None, None) => Ok(None),
            _ => Err(missing(metadata, &wanted, "ids")),
        };
    };
    column.check_ids(schema)?;
    let is_text = column.physical == Type::BYTE_ARRAY;
    let expected = match options.ids {
        Some(IdKind::Numbers) if is_text => "integers, as ids are to be numbers",
        Some(IdKind::Names) if !is_text => "text, as ids are to be names",
        _ => {
            check_codec(metadata, &column)?;
            return Ok(Some(column));
        }
    };
    Err(FileProblem::Column { found: column.physical.to_string(), column: column.name, expected })
}

fn missing(metadata: &ParquetMetaData, wanted: &[&str], role: &'static str) -> FileProblem {
    /// A table may have thousands.
    const MAX_SHOWN: usize = 20;
    let columns = metadata.file_metadata().schema_descr().columns();
    let mut found: Vec<String> = columns.iter().take(MAX_SHOWN).map(|column| column.path().string()).collect();
    if columns.len() > MAX_SHOWN {
        found.push(format!("… ({} in all)", columns.len()));
    }
    let found = if found.is_empty() { "none".to_owned() } else { found.join(", ") };
    FileProblem::NoColumn { wanted: wanted.join(" or "), found, role }
}

/// A compression that is not supported is not damage.
fn check_codec(metadata: &ParquetMetaData, column: &Column) -> Result<(), FileProblem> {
    for group in metadata.row_groups() {
        let codec = group.columns().get(column.index).map(ColumnChunkMetaData::compression);
        if let Some(codec @ (Compression::BROTLI(_) | Compression::LZO)) = codec {
            let (column, found) = (column.name.clone(), format!("compressed by {codec}"));
            return Err(FileProblem::Column { column, found, expected: "zstd, snappy, gzip, lz4 or no compression" });
        }
    }
    Ok(())
}

/// How many rows these groups say they have.
fn rows(metadata: &ParquetMetaData, groups: Range<usize>) -> Result<u64, FileProblem> {
    let mut rows = metadata.row_groups().get(groups).unwrap_or_default().iter().map(RowGroupMetaData::num_rows);
    let sum = rows.try_fold(0u64, |sum, rows| sum.checked_add(u64::try_from(rows).ok()?));
    sum.filter(|&sum| i64::try_from(sum).is_ok())
        .ok_or_else(|| FileProblem::Damaged("impossible numbers of rows".into()))
}

#[allow(clippy::needless_pass_by_value, reason = "it is handed to map_err")]
fn damaged(error: ParquetError) -> FileProblem {
    FileProblem::Damaged(error.to_string())
}

/// What panics in the decoder is damage that it did not foresee.
fn guard<T>(step: impl FnOnce() -> Result<T, FileProblem>) -> Result<T, FileProblem> {
    columns::guard(step, |what| FileProblem::Damaged(what.into()))
}
