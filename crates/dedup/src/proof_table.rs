//! Tables beside the new corpus, with a row for each document that was removed, piece that was cut, or item of a benchmark that was found.
//! They are Parquet files, or JSON lines in a build without Parquet.

use crate::layout::shown;
use lookalike_corpus::Place;
use lookalike_engine::run::documents::Documents;
use lookalike_store::{Error as StoreError, atomic};
use std::path::Path;
use std::sync::Arc;

#[cfg(not(feature = "tables"))]
use json_lines::Writer;
#[cfg(feature = "tables")]
use parquet_file::Writer;

/// The extension of the names of tables.
pub const TABLE_EXTENSION: &str = if cfg!(feature = "tables") { "parquet" } else { "jsonl" };

/// A column: its name, and the type of its values.
pub(crate) type Column = (&'static str, Type);

/// The type of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    Text,
    OptionalText,
    Integer,
    OptionalInteger,
    Real,
    OptionalReal,
    Boolean,
}

/// A value in a row.
#[derive(Clone, Debug)]
pub(crate) enum Cell {
    Text(Arc<str>),
    Integer(i64),
    Real(f64),
    Boolean(bool),
    Missing,
}

impl From<&str> for Cell {
    fn from(text: &str) -> Self {
        Self::Text(text.into())
    }
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self::Text(text.into())
    }
}

impl From<Arc<str>> for Cell {
    fn from(text: Arc<str>) -> Self {
        Self::Text(text)
    }
}

impl From<u64> for Cell {
    fn from(number: u64) -> Self {
        Self::Integer(number.cast_signed())
    }
}

impl From<u32> for Cell {
    fn from(number: u32) -> Self {
        Self::Integer(number.into())
    }
}

impl From<f64> for Cell {
    fn from(number: f64) -> Self {
        Self::Real(number)
    }
}

impl From<bool> for Cell {
    fn from(value: bool) -> Self {
        Self::Boolean(value)
    }
}

impl<T: Into<Cell>> From<Option<T>> for Cell {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Missing, Into::into)
    }
}

/// A table that is being written.
pub(crate) struct Table<'a> {
    path: &'a Path,
    writer: Writer<'a>,
}

impl Table<'_> {
    /// Adds a row, with a value for each column.
    pub(crate) fn add<const COLUMNS: usize>(&mut self, row: [Cell; COLUMNS]) -> Result<(), StoreError> {
        self.writer.add(row).map_err(|error| failed(self.path, error))
    }
}

/// Writes a table into a folder, as `NAME.parquet` or `NAME.jsonl`; `fill` adds the rows.
pub(crate) fn write<E: From<StoreError>>(
    folder: &Path,
    name: &str,
    columns: &[Column],
    fill: impl FnOnce(&mut Table<'_>) -> Result<(), E>,
) -> Result<(), E> {
    let path = folder.join(name).with_extension(TABLE_EXTENSION);
    atomic::write(&path, |out| {
        let writer = Writer::new(out, name, columns).map_err(|error| failed(&path, error))?;
        let mut table = Table { path: &path, writer };
        fill(&mut table)?;
        table.writer.finish().map_err(|error| failed(&path, error))?;
        Ok(())
    })
}

fn failed(path: &Path, error: impl Into<std::io::Error>) -> StoreError {
    StoreError::Write { what: path.display().to_string(), source: error.into() }
}

/// The shards of a corpus as users know them.
pub(crate) fn shard_names(documents: &Documents) -> Vec<Arc<str>> {
    documents.corpus.sources().iter().map(|path| shown(path).into()).collect()
}

/// The file that contains a document, and the number of its record there.
pub(crate) fn locate(place: &Place, shards: &[Arc<str>]) -> (Cell, Cell) {
    let row = place.record().map(|(_, row)| row);
    let file = match place {
        Place::Line { source, .. } | Place::Row { source, .. } => shards.get(*source as usize).cloned(),
        Place::File(path) | Place::Member { path, .. } => Some(shown(path).into()),
        Place::Stream => None,
    };
    (file.unwrap_or_else(|| "-".into()).into(), row.into())
}

#[cfg(feature = "tables")]
mod parquet_file {
    use super::{Cell, Column, Type};
    use parquet::basic::{Compression, ZstdLevel};
    use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
    use parquet::errors::ParquetError;
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
    use parquet::schema::parser::parse_message_type;
    use std::io::Write;
    use std::sync::Arc;

    /// Rows that are held in memory and become a row group.
    const GROUP_ROWS: usize = 1 << 16;

    /// Writes rows as row groups.
    pub(super) struct Writer<'a> {
        file: SerializedFileWriter<&'a mut (dyn Write + Send)>,
        columns: Vec<Buffer>,
        rows: usize,
    }

    /// The values of a column in the next row group, and for each row whether it has one.
    struct Buffer {
        values: Values,
        levels: Vec<i16>,
    }

    enum Values {
        Text(Vec<ByteArray>),
        Integer(Vec<i64>),
        Real(Vec<f64>),
        Boolean(Vec<bool>),
    }

    impl<'a> Writer<'a> {
        pub(super) fn new(
            out: &'a mut (dyn Write + Send),
            name: &str,
            columns: &[Column],
        ) -> Result<Self, ParquetError> {
            let fields: Vec<String> = columns.iter().map(|(name, kind)| field(name, *kind)).collect();
            let schema = Arc::new(parse_message_type(&format!("message {name} {{ {}; }}", fields.join("; ")))?);
            let properties = WriterProperties::builder()
                .set_compression(Compression::ZSTD(ZstdLevel::default()))
                .set_created_by(concat!("lookalike ", env!("CARGO_PKG_VERSION")).to_owned())
                .build();
            let file = SerializedFileWriter::new(out, schema, Arc::new(properties))?;
            Ok(Self { file, columns: columns.iter().map(|(_, kind)| Buffer::new(*kind)).collect(), rows: 0 })
        }

        pub(super) fn add(&mut self, row: impl IntoIterator<Item = Cell>) -> Result<(), ParquetError> {
            for (column, cell) in self.columns.iter_mut().zip(row) {
                column.add(cell)?;
            }
            self.rows += 1;
            if self.rows == GROUP_ROWS { self.write_group() } else { Ok(()) }
        }

        fn write_group(&mut self) -> Result<(), ParquetError> {
            let mut group = self.file.next_row_group()?;
            for column in &mut self.columns {
                let Some(to) = group.next_column()? else { return Err(wrong_row()) };
                column.write(to)?;
            }
            self.rows = 0;
            group.close().map(drop)
        }

        pub(super) fn finish(mut self) -> Result<(), ParquetError> {
            if self.rows > 0 {
                self.write_group()?;
            }
            self.file.close().map(drop)
        }
    }

    fn field(name: &str, kind: Type) -> String {
        match kind {
            Type::Text => format!("REQUIRED BINARY {name} (STRING)"),
            Type::OptionalText => format!("OPTIONAL BINARY {name} (STRING)"),
            Type::Integer => format!("REQUIRED INT64 {name}"),
            Type::OptionalInteger => format!("OPTIONAL INT64 {name}"),
            Type::Real => format!("REQUIRED DOUBLE {name}"),
            Type::OptionalReal => format!("OPTIONAL DOUBLE {name}"),
            Type::Boolean => format!("REQUIRED BOOLEAN {name}"),
        }
    }

    fn wrong_row() -> ParquetError {
        ParquetError::General("a row does not have the values that its table has columns for".into())
    }

    impl Buffer {
        fn new(kind: Type) -> Self {
            let values = match kind {
                Type::Text | Type::OptionalText => Values::Text(Vec::new()),
                Type::Integer | Type::OptionalInteger => Values::Integer(Vec::new()),
                Type::Real | Type::OptionalReal => Values::Real(Vec::new()),
                Type::Boolean => Values::Boolean(Vec::new()),
            };
            Self { values, levels: Vec::new() }
        }

        fn add(&mut self, cell: Cell) -> Result<(), ParquetError> {
            self.levels.push(i16::from(!matches!(cell, Cell::Missing)));
            match (&mut self.values, cell) {
                (_, Cell::Missing) => {}
                (Values::Text(values), Cell::Text(value)) => values.push(ByteArray::from(value.as_bytes().to_vec())),
                (Values::Integer(values), Cell::Integer(value)) => values.push(value),
                (Values::Real(values), Cell::Real(value)) => values.push(value),
                (Values::Boolean(values), Cell::Boolean(value)) => values.push(value),
                _ => return Err(wrong_row()),
            }
            Ok(())
        }

        fn write(&mut self, to: SerializedColumnWriter<'_>) -> Result<(), ParquetError> {
            let levels = std::mem::take(&mut self.levels);
            match &mut self.values {
                Values::Text(values) => write_values::<ByteArrayType>(to, values, &levels),
                Values::Integer(values) => write_values::<Int64Type>(to, values, &levels),
                Values::Real(values) => write_values::<DoubleType>(to, values, &levels),
                Values::Boolean(values) => write_values::<BoolType>(to, values, &levels),
            }
        }
    }

    /// Writes and removes the values. A required column has no levels.
    fn write_values<T: DataType>(
        mut to: SerializedColumnWriter<'_>,
        values: &mut Vec<T::T>,
        levels: &[i16],
    ) -> Result<(), ParquetError> {
        to.typed::<T>().write_batch(values, Some(levels), None)?;
        values.clear();
        to.close()
    }
}

#[cfg(not(feature = "tables"))]
mod json_lines {
    use super::{Cell, Column};
    use serde_json::{Map, Value};
    use std::io::{self, Write};

    /// Writes a JSON object for each row.
    pub(super) struct Writer<'a> {
        out: io::BufWriter<&'a mut (dyn Write + Send)>,
        names: Vec<&'static str>,
    }

    impl<'a> Writer<'a> {
        pub(super) fn new(out: &'a mut (dyn Write + Send), _: &str, columns: &[Column]) -> io::Result<Self> {
            let names = columns.iter().map(|(name, _)| *name).collect();
            Ok(Self { out: io::BufWriter::new(out), names })
        }

        pub(super) fn add(&mut self, row: impl IntoIterator<Item = Cell>) -> io::Result<()> {
            let fields = self.names.iter().zip(row).map(|(name, cell)| ((*name).to_owned(), value(cell)));
            serde_json::to_writer(&mut self.out, &Value::Object(fields.collect::<Map<_, _>>()))?;
            self.out.write_all(b"\n")
        }

        pub(super) fn finish(mut self) -> io::Result<()> {
            self.out.flush()
        }
    }

    fn value(cell: Cell) -> Value {
        match cell {
            Cell::Text(text) => text.as_ref().into(),
            Cell::Integer(number) => number.into(),
            Cell::Real(number) => number.into(),
            Cell::Boolean(value) => value.into(),
            Cell::Missing => Value::Null,
        }
    }
}
