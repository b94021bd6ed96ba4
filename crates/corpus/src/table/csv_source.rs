//! CSV and TSV: a record a document, its fields named by the first record.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use super::csv_cut::{RecordBlock, RecordCut, RecordCutter};
use super::csv_scan::{fields, has_lost_bytes, unquoted};
use super::row::{BadRow, Row, RowSink, Table};
use super::value::{check_id, text_of};
use crate::context::ReadContext;
use crate::decompress::{self, Format, Plain};
use crate::document::{Body, Item};
use crate::error::Error;
use crate::features::FeatureList;
use crate::fields::in_words;
use crate::file;
use crate::names::id_of;
use crate::options::Options;
use crate::reader::Batch;
use crate::shard_files::ShardRecords;
use crate::skipped::{Reason, Skipped};
use crate::source::{Piece, Source, WalkState};

/// No header has more bytes.
const MAX_HEADER_BYTES: usize = 1 << 20;
/// Bytes that are read at once where only the header is asked for.
const HEADER_BLOCK_BYTES: usize = 16 << 10;
/// The rest of a message about a record or a header.
const LOST_BYTES: &str = "has a stretch of zeros instead of text: a part of the file was lost";

/// The names in a header.
pub(crate) fn names(header: &[u8], delimiter: u8) -> Vec<String> {
    let name = |field| String::from_utf8_lossy(&unquoted(&header[field])).into_owned();
    fields(header, delimiter).into_iter().map(name).collect()
}

/// Opens a file of CSV, plain or compressed.
pub(crate) fn open_plain(path: &Path) -> Result<Plain, Reason> {
    let (file, _) = file::open(path)?;
    decompress::open_if(file, Format::of_name(path), decompress::could_be_text)
        .map_err(|error| Reason::Truncated(error.to_string()))
}

/// The names in the header of a file; none if it has no header that can be read.
pub(crate) fn header(path: &Path, delimiter: u8) -> Option<Vec<String>> {
    let plain = open_plain(path).ok()?;
    let mut cutter = RecordCutter::new(plain.reader, delimiter, HEADER_BLOCK_BYTES, MAX_HEADER_BYTES as u64).ok()?;
    let header = cutter.header(MAX_HEADER_BYTES).ok()??;
    Some(names(&header, delimiter))
}

/// Where the fields are that are asked for, by their position in each record.
struct Columns {
    delimiter: u8,
    count: usize,
    content: usize,
    id: Option<usize>,
    category: Option<usize>,
    rank: Option<usize>,
}

/// A file of CSV or TSV.
pub(crate) struct CsvSource {
    table: Arc<Table>,
    columns: Arc<Columns>,
    format: Option<Format>,
    cutter: RecordCutter,
    consumed: Arc<AtomicU64>,
    reported: u64,
}

impl CsvSource {
    /// None if it is no table of documents: it has no record at all, or it may be one document (see [`Options::strict_tables`]).
    pub(crate) fn open(path: &Path, delimiter: u8, context: &ReadContext) -> Option<Result<Self, Reason>> {
        let columns = match Columns::open(path, delimiter, &context.options) {
            Ok(found) => found?,
            Err(reason) => return Some(Err(reason)),
        };
        let OpenTable { columns, names, plain, cutter } = columns;
        let source = context.shard_files.number(path);
        let table = Arc::new(Table { label: id_of(path).into(), source, columns: in_words(&names, "no columns") });
        let (format, consumed) = plain;
        Some(Ok(Self { table, columns: Arc::new(columns), format, cutter, consumed, reported: 0 }))
    }

    /// Whether a file is a table of documents, or fails to be read as one.
    pub(crate) fn is_table(path: &Path, delimiter: u8, options: &Options) -> bool {
        !matches!(Columns::open(path, delimiter, options), Ok(None))
    }
}

/// A table that was opened, and its header read.
struct OpenTable {
    columns: Columns,
    names: Vec<String>,
    plain: (Option<Format>, Arc<AtomicU64>),
    cutter: RecordCutter,
}

impl Columns {
    fn open(path: &Path, delimiter: u8, options: &Options) -> Result<Option<OpenTable>, Reason> {
        let Plain { reader, format, consumed } = open_plain(path)?;
        let cutter = RecordCutter::new(reader, delimiter, options.batch_bytes, options.max_size);
        let mut cutter = cutter.map_err(|error| Reason::Truncated(error.to_string()))?;
        let header = cutter.header(MAX_HEADER_BYTES).map_err(|error| Reason::Truncated(error.to_string()))?;
        if header.is_none() && cutter.is_at_end() {
            return Ok(None);
        }
        let header = header.unwrap_or_default();
        if has_lost_bytes(&header) {
            return Err(Reason::Truncated(format!("its header {LOST_BYTES}")));
        }
        let names = names(&header, delimiter);
        let position = |field: &str| names.iter().position(|name| name == field);
        let field = options.body_field();
        let Some(content) = position(field) else {
            if !options.strict_tables && field == Options::default().body_field() {
                return Ok(None);
            }
            let hint = match header.get(..2) {
                Some(b"\xff\xfe" | b"\xfe\xff") => "; it seems to be UTF-16, expected UTF-8",
                _ => "",
            };
            let found = in_words(&names, "no columns");
            return Err(Reason::NoText(format!("there is no column {field:?}; found {found}{hint}")));
        };
        let columns = Self {
            delimiter,
            count: names.len(),
            content,
            id: position(&options.id_field),
            category: options.category_field.as_deref().and_then(position),
            rank: options.rank_field.as_deref().and_then(position),
        };
        Ok(Some(OpenTable { columns, names, plain: (format, consumed), cutter }))
    }
}

impl Source for CsvSource {
    fn next(&mut self, state: &mut WalkState) -> Option<Result<Piece, Error>> {
        Some(Ok(match self.cutter.next()? {
            RecordCut::Records(block) => {
                let consumed = self.consumed.load(Ordering::Relaxed);
                let bytes = consumed - self.reported;
                self.reported = consumed;
                let (table, columns) = (Arc::clone(&self.table), Arc::clone(&self.columns));
                Piece::Batch(Box::new(CsvBatch { context: Arc::clone(&state.context), table, columns, block, bytes }))
            }
            // the header is a record too, but no row
            RecordCut::TooLong { number, bytes } => {
                state.context.shard_files.add_records(self.table.source, ShardRecords { all: 1, blank: 0 });
                Piece::Skip(Skipped {
                    id: self.table.row_id(number - 1),
                    reason: Reason::TooLarge { bytes, limit: state.context.options.max_size },
                })
            }
            RecordCut::Failed(error) => {
                let message = match self.format {
                    Some(format) => format!("the {format} stream is damaged or cut short: {error}"),
                    None => error.to_string(),
                };
                Piece::Skip(Skipped { id: self.table.label.to_string(), reason: Reason::Truncated(message) })
            }
        }))
    }
}

/// The whole records of one block.
struct CsvBatch {
    context: Arc<ReadContext>,
    table: Arc<Table>,
    columns: Arc<Columns>,
    block: RecordBlock,
    bytes: u64,
}

impl Batch for CsvBatch {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn size(&self) -> u64 {
        self.block.bytes.len() as u64
    }

    fn read(self: Box<Self>, sink: &mut dyn FnMut(Item<'_>)) {
        let mut sink = RowSink::new(&self.context, &self.table, sink);
        let RecordBlock { bytes, records, first, is_unclosed } = &self.block;
        for (at, record) in records.iter().enumerate() {
            let is_unclosed = *is_unclosed && at + 1 == records.len();
            sink.put(first - 1 + at as u64, self.row(&bytes[record.clone()], is_unclosed));
        }
        sink.finish();
    }
}

impl CsvBatch {
    fn row<'a>(&self, record: &'a [u8], is_unclosed: bool) -> Result<Row<'a>, BadRow> {
        let (columns, options) = (&*self.columns, &self.context.options);
        let (bytes, limit) = (record.len() as u64, options.max_size);
        if bytes > limit {
            return Err((None, Reason::TooLarge { bytes, limit }));
        }
        let bad = |message: String| (None, Reason::BadRecord(message));
        if is_unclosed {
            return Err(bad("a quote in it is not closed until the end of the file".into()));
        }
        if has_lost_bytes(record) {
            return Err(bad(format!("it {LOST_BYTES}")));
        }
        let fields = fields(record, columns.delimiter);
        if fields.len() != columns.count {
            let (found, expected) = (fields.len(), columns.count);
            return Err(bad(format!("it has {found} fields; expected {expected}, as the header has")));
        }
        let text = |at: usize, name: &str| -> Result<Cow<'a, str>, Reason> {
            match unquoted(&record[fields[at].clone()]) {
                Cow::Borrowed(bytes) => text_of(bytes, name).map(Cow::Borrowed),
                Cow::Owned(bytes) => text_of(&bytes, name).map(|text| Cow::Owned(text.to_owned())),
            }
        };
        // an empty field says nothing
        let some = |at: Option<usize>| text(at?, "").ok().filter(|text| !text.is_empty());
        let id = match columns.id.map(|at| text(at, &options.id_field)) {
            Some(Ok(id)) if !id.is_empty() => Some(check_id(id).map_err(|reason| (None, reason))?),
            Some(Err(_)) => return Err((None, Reason::BadId("it is no UTF-8; expected text".into()))),
            _ => None,
        };
        let content = text(columns.content, options.body_field()).and_then(|text| match options.features_field {
            Some(_) => features(&text, options.body_field()),
            None => Ok(Body::Text(text)),
        });
        match content {
            Ok(body) => Ok(Row { id, category: some(columns.category), rank: some(columns.rank), body }),
            Err(reason) => Err((id.map(Cow::into_owned), reason)),
        }
    }
}

/// CSV has no lists; the features of a record are written as a JSON array.
fn features<'a>(text: &str, field: &str) -> Result<Body<'a>, Reason> {
    let found = match serde_json::from_str::<FeatureList<'_>>(text) {
        Ok(FeatureList::All(features)) => return Ok(Body::Features(features).into_owned()),
        Ok(FeatureList::Wrong { position, found }) => format!("element {position} of the field {field:?} is {found}"),
        Ok(FeatureList::NoArray(found)) => format!("the field {field:?} is {found}"),
        Err(_) => format!("the field {field:?} is no JSON"),
    };
    Err(Reason::NoText(format!("{found}; expected a JSON array of strings and numbers")))
}
