//! Arrow: record batch by record batch, and of them only the columns that are asked for.

use std::borrow::Cow;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{RecordBatch, RecordBatchReader};
use arrow_schema::Schema;

use super::arrow_column::{FieldPath, FieldValues, names};
use super::arrow_file::ArrowFile;
use super::arrow_value::{bytes_at, element_type, integer_at, is_text, list_at, text_at};
use super::row::{BadRow, Row, RowSink, Table};
use super::value::{check_id, quoted, text_of};
use crate::columns::guard;
use crate::context::ReadContext;
use crate::document::{Body, Item};
use crate::error::Error;
use crate::names::id_of;
use crate::options::Options;
use crate::reader::Batch;
use crate::skipped::{Reason, Skipped};
use crate::source::{Piece, Source, WalkState};
use crate::unit_limit::{DecodeError, UnitLimit};

/// More rows than this are not handed over at once, however small they are.
const MAX_ROWS: usize = 64 << 10;

const NO_END: &str =
    "no marker ends the stream: record batches may be missing. Some programs leave the marker out: then allow damage";

/// Where the fields are that are asked for.
#[derive(Debug)]
struct Columns {
    content: FieldPath,
    id: Option<FieldPath>,
    category: Option<FieldPath>,
    rank: Option<FieldPath>,
}

/// A file or a stream of Arrow IPC, or record batches in memory.
pub(crate) struct ArrowSource {
    table: Arc<Table>,
    columns: Arc<Columns>,
    batches: Batches,
    /// A record batch of which rows are left, and the first of those.
    open: Option<(RecordBatch, usize)>,
    /// The number of the next row.
    row: u64,
    reported: u64,
    is_broken: bool,
}

/// Where record batches come from.
enum Batches {
    File(Box<ArrowFile>),
    Memory { from: Box<dyn RecordBatchReader + Send>, projection: Vec<usize>, begun: u64, bytes: u64 },
}

impl Batches {
    /// The next one, with only the columns that are asked for.
    fn next(&mut self) -> Result<Option<RecordBatch>, DecodeError> {
        match self {
            Self::File(file) => match file.next_batch()? {
                None if file.has_no_end => Err(NO_END.into()),
                batch => Ok(batch),
            },
            Self::Memory { from, projection, begun, bytes } => {
                *begun += 1;
                let batch = from.next().transpose().and_then(|batch| batch.map(|b| b.project(projection)).transpose());
                let batch = batch.map_err(|error| error.to_string())?;
                *bytes += batch.as_ref().map_or(0, |batch| batch.get_array_memory_size() as u64);
                Ok(batch)
            }
        }
    }

    /// The bytes read so far.
    fn position(&self) -> u64 {
        match self {
            Self::File(file) => file.position(),
            Self::Memory { bytes, .. } => *bytes,
        }
    }

    /// How many were begun.
    fn begun(&self) -> u64 {
        match self {
            Self::File(file) => file.batches,
            Self::Memory { begun, .. } => *begun,
        }
    }
}

impl ArrowSource {
    /// Of record batches in memory: a shard that is called so.
    pub(crate) fn in_memory(
        name: &Path,
        from: Box<dyn RecordBatchReader + Send>,
        context: &ReadContext,
    ) -> Result<Self, Reason> {
        let schema = from.schema();
        let (columns, projection) = Columns::find(&schema, &context.options)?.projected_alone();
        let batches = Batches::Memory { from, projection, begun: 0, bytes: 0 };
        Ok(Self::new(name, &schema, columns, batches, context))
    }

    fn new(path: &Path, schema: &Schema, columns: Columns, batches: Batches, context: &ReadContext) -> Self {
        let source = context.shard_files.number(path);
        let table = Arc::new(Table { label: id_of(path).into(), source, columns: names(schema) });
        Self { table, columns: Arc::new(columns), batches, open: None, row: 0, reported: 0, is_broken: false }
    }

    pub(crate) fn open(path: &Path, context: &ReadContext) -> Result<Self, Reason> {
        let step = || {
            let mut file = ArrowFile::open(path, UnitLimit::new(context.options.unit_bytes))?;
            let (columns, projection) = Columns::find(&file.schema, &context.options)?.projected_alone();
            file.projection = Some(projection);
            let schema = Arc::clone(&file.schema);
            Ok(Self::new(path, &schema, columns, Batches::File(Box::new(file)), context))
        };
        guard(step, |what| Reason::Truncated(what.into()))
    }

    /// The next rows, of about so many bytes of content.
    fn read(&mut self, state: &WalkState) -> Result<Option<ArrowBatch>, DecodeError> {
        if let Batches::File(file) = &mut self.batches {
            file.set_limit(&state.unit);
        }
        while self.open.as_ref().is_none_or(|(batch, row)| *row == batch.num_rows()) {
            let Some(batch) = self.batches.next()? else { return Ok(None) };
            self.open = Some((batch, 0));
        }
        let Some((batch, start)) = &mut self.open else { return Ok(None) };
        let target = state.context.options.batch_bytes as u64;
        let content = self.columns.content.values(batch);
        let most = (batch.num_rows() - *start).min(MAX_ROWS);
        let (mut rows, mut size) = (0, 0u64);
        while rows < most && size < target {
            size += 1 + size_at(&content, *start + rows);
            rows += 1;
        }
        let batch = batch.slice(*start, rows);
        *start += rows;
        let first = self.row;
        self.row += rows as u64;
        let bytes = self.batches.position().saturating_sub(self.reported);
        self.reported += bytes;
        let (context, table) = (Arc::clone(&state.context), Arc::clone(&self.table));
        Ok(Some(ArrowBatch { context, table, columns: Arc::clone(&self.columns), batch, first, bytes, size }))
    }
}

fn size_at(content: &FieldValues, row: usize) -> u64 {
    let Some(array) = content.at(row) else { return 0 };
    let text = bytes_at(array, row).map(<[u8]>::len);
    text.or_else(|| list_at(array, row).map(|list| list.len() * 8)).unwrap_or(0) as u64
}

impl Source for ArrowSource {
    fn next(&mut self, state: &mut WalkState) -> Option<Result<Piece, Error>> {
        if self.is_broken {
            return None;
        }
        match guard(|| self.read(state), DecodeError::from) {
            Ok(batch) => batch.map(|batch| Ok(Piece::Batch(Box::new(batch)))),
            Err(error) => {
                self.is_broken = true;
                let place = format!("record batch {}, from row {} on", self.batches.begun().max(1), self.row + 1);
                Some(Ok(Piece::Skip(Skipped { id: self.table.label.to_string(), reason: error.at(&place) })))
            }
        }
    }
}

impl Columns {
    fn find(schema: &Schema, options: &Options) -> Result<Self, Reason> {
        let find = |field: &str| FieldPath::find(schema.fields(), field);
        let field = options.body_field();
        let (expected, is_list) = match options.features_field {
            Some(_) => ("a list of strings or integers", true),
            None => ("text", false),
        };
        let Some((content, kind)) = find(field) else {
            let found = names(schema);
            return Err(Reason::NoText(format!("there is no column {field:?}; expected {expected}, found {found}")));
        };
        let is_fit = match element_type(&kind) {
            Some(element) => is_list && (is_text(element) || element.is_integer()),
            None => !is_list && is_text(&kind),
        };
        if !is_fit {
            return Err(Reason::NoText(format!("the column {field:?} is {kind}; expected {expected}")));
        }
        let id = match find(&options.id_field) {
            Some((_, kind)) if kind.is_nested() => {
                let field = &options.id_field;
                return Err(Reason::BadId(format!("the column {field:?} is {kind}; expected strings or integers")));
            }
            found => found.map(|(path, _)| path),
        };
        let scalar = |field: &Option<String>| find(field.as_deref()?).map(|(path, _)| path);
        Ok(Self { content, id, category: scalar(&options.category_field), rank: scalar(&options.rank_field) })
    }

    /// The columns that are needed, and the same where there are no others.
    fn projected_alone(&self) -> (Self, Vec<usize>) {
        let paths = [Some(&self.content), self.id.as_ref(), self.category.as_ref(), self.rank.as_ref()];
        let mut projection: Vec<usize> = paths.into_iter().flatten().map(FieldPath::column).collect();
        projection.sort_unstable();
        projection.dedup();
        (self.projected(&projection), projection)
    }

    /// The same where only these columns are decoded.
    fn projected(&self, projection: &[usize]) -> Self {
        let projected = |path: &Option<FieldPath>| path.as_ref().and_then(|path| path.projected(projection));
        Self {
            content: self.content.projected(projection).unwrap_or_else(|| self.content.clone()),
            id: projected(&self.id),
            category: projected(&self.category),
            rank: projected(&self.rank),
        }
    }
}

/// Some rows of a record batch.
struct ArrowBatch {
    context: Arc<ReadContext>,
    table: Arc<Table>,
    columns: Arc<Columns>,
    batch: RecordBatch,
    first: u64,
    bytes: u64,
    size: u64,
}

impl Batch for ArrowBatch {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn size(&self) -> u64 {
        self.size
    }

    fn read(self: Box<Self>, sink: &mut dyn FnMut(Item<'_>)) {
        let values = |path: &Option<FieldPath>| path.as_ref().map(|path| path.values(&self.batch));
        let content = self.columns.content.values(&self.batch);
        let others = [&self.columns.id, &self.columns.category, &self.columns.rank].map(values);
        let mut sink = RowSink::new(&self.context, &self.table, sink);
        for row in 0..self.batch.num_rows() {
            sink.put(self.first + row as u64, self.row(&content, &others, row));
        }
        sink.finish();
    }
}

impl ArrowBatch {
    fn row<'a>(
        &self,
        content: &'a FieldValues,
        [id, category, rank]: &'a [Option<FieldValues>; 3],
        row: usize,
    ) -> Result<Row<'a>, BadRow> {
        let text = |values: &'a Option<FieldValues>| text_at(values.as_ref()?.at(row)?, row);
        let id = text(id).map(check_id).transpose().map_err(|reason| (None, reason))?;
        match self.body(content, row) {
            Ok(body) => Ok(Row { id, category: text(category), rank: text(rank), body }),
            Err(reason) => Err((id.map(Cow::into_owned), reason)),
        }
    }

    fn body<'a>(&self, content: &'a FieldValues, row: usize) -> Result<Body<'a>, Reason> {
        let field = self.context.options.body_field();
        let array = content.at(row);
        if let Some(list) = array.and_then(|array| list_at(array, row)) {
            let feature = |at: usize| match bytes_at(&list, at) {
                Some(text) => text_of(text, field).map(quoted),
                None => integer_at(&list, at).map(Cow::Owned).ok_or_else(|| {
                    let position = at + 1;
                    let expected = "expected a string or an integer";
                    Reason::NoText(format!("element {position} of the field {field:?} is null; {expected}"))
                }),
            };
            return (0..list.len()).map(feature).collect::<Result<_, _>>().map(Body::Features);
        }
        match array.and_then(|array| bytes_at(array, row)) {
            Some(text) => text_of(text, field).map(|text| Body::Text(text.into())),
            None => Err(Reason::NoText(format!("the field {field:?} is null; expected content"))),
        }
    }
}
