//! One document a line.

use std::borrow::Cow;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::asked_fields::missing_in_lines;
use crate::context::ReadContext;
use crate::decompress::{self, Format, Plain};
use crate::document::{Body, Document, Item};
use crate::error::Error;
use crate::fields::field_names;
use crate::file;
use crate::line_counts::LineCount;
use crate::lines::{Block, Cut, Cutter};
use crate::names::id_of;
use crate::parse::{Record, parse_line_into};
use crate::place::Place;
use crate::reader::Batch;
use crate::shard_files::ShardRecords;
use crate::skipped::{Reason, Skipped};
use crate::source::{Piece, Source, WalkState};

/// A JSONL file or stream, possibly compressed.
pub(crate) struct JsonlSource {
    /// What it is called; shared with every batch.
    label: Arc<str>,
    /// Its number among the shards, if it is one.
    source: Option<u32>,
    format: Option<Format>,
    cutter: Cutter<Box<dyn Read + Send>>,
    consumed: Arc<AtomicU64>,
    /// How much of `consumed` went into batches.
    reported: u64,
    /// The fields that were asked for are yet to be looked for in the first lines.
    is_to_check: bool,
}

impl JsonlSource {
    pub(crate) fn open(path: &Path, context: &ReadContext) -> Result<JsonlSource, Reason> {
        let (file, _) = file::open(path)?;
        let plain = decompress::open(file, Format::of_name(path)).map_err(|error| truncated(None, &error))?;
        Ok(JsonlSource::new(&id_of(path), Some(context.shard_files.number(path)), plain, context))
    }

    /// A stream whose first lines must have the fields that were asked for, if `is_checked` is set.
    pub(crate) fn stream(
        input: Box<dyn Read + Send>,
        is_checked: bool,
        context: &ReadContext,
    ) -> Result<JsonlSource, Reason> {
        let plain = decompress::open(input, None).map_err(|error| truncated(None, &error))?;
        // One line that waits for an answer says little of those to come.
        let is_to_check = is_checked && !context.options.prompt && !context.options.plain_lines;
        Ok(JsonlSource { is_to_check, ..JsonlSource::new("-", None, plain, context) })
    }

    fn new(label: &str, source: Option<u32>, plain: Plain, context: &ReadContext) -> JsonlSource {
        let Plain { reader, format, consumed } = plain;
        let options = &context.options;
        let cutter = Cutter::new(reader, b'\n', options.batch_bytes, options.max_size);
        let cutter = cutter.promptly(options.prompt && source.is_none()).without_bom();
        JsonlSource { label: label.into(), source, format, cutter, consumed, reported: 0, is_to_check: false }
    }
}

impl Source for JsonlSource {
    fn next(&mut self, state: &mut WalkState) -> Option<Result<Piece, Error>> {
        Some(Ok(match self.cutter.next()? {
            Cut::Lines(block) => {
                if std::mem::take(&mut self.is_to_check)
                    && let Some(missing) = missing_in_lines(&block, &state.context.options)
                {
                    return Some(Err(Error::MissingField(Box::new(missing))));
                }
                let consumed = self.consumed.load(Ordering::Relaxed);
                let bytes = consumed - self.reported;
                self.reported = consumed;
                let (context, label, source) = (Arc::clone(&state.context), Arc::clone(&self.label), self.source);
                let plain = self.format.is_none();
                Piece::Batch(Box::new(LineBatch { context, label, source, plain, block, bytes }))
            }
            Cut::TooLong { number, bytes } => {
                if let Some(source) = self.source {
                    state.context.shard_files.add_records(source, ShardRecords { all: 1, blank: 0 });
                }
                Piece::Skip(Skipped {
                    id: line_id(&self.label, number),
                    reason: Reason::TooLarge { bytes, limit: state.context.options.max_size },
                })
            }
            Cut::Failed(error) => {
                Piece::Skip(Skipped { id: self.label.to_string(), reason: truncated(self.format, &error) })
            }
        }))
    }
}

/// The whole lines of one block.
struct LineBatch {
    context: Arc<ReadContext>,
    label: Arc<str>,
    source: Option<u32>,
    /// Its lines can be read again by their offset.
    plain: bool,
    block: Block,
    bytes: u64,
}

impl Batch for LineBatch {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn size(&self) -> u64 {
        self.block.len() as u64
    }

    fn read(self: Box<Self>, sink: &mut dyn FnMut(Item<'_>)) {
        let mut count = LineCount::default();
        let mut buffer = Vec::new();
        let mut all = 0;
        for line in self.block.lines() {
            all += 1;
            let len = line.bytes.len() as u64;
            let row = line.number - 1;
            let place = match self.source {
                Some(source) if self.plain => Place::Line { source, offset: line.offset, len, row },
                Some(source) => Place::Row { source, row },
                None => Place::Stream,
            };
            let name = || line_id(&self.label, line.number);
            // a long text has memory of its own, which is given back
            let buffer = (line.bytes.len() <= MAX_BUFFERED).then_some(&mut buffer);
            read_line(&self.context, line.bytes, buffer, name, place, &mut |item, named| {
                match &item {
                    Item::Document(_) => {
                        count.documents += 1;
                        count.named += u64::from(named);
                        if !named && count.first_nameless.is_none() {
                            count.first_nameless = Some((line.number, field_names(line.bytes)));
                        }
                    }
                    Item::Skipped(skipped) => {
                        count.skipped += 1;
                        if count.first_skipped.is_none() {
                            count.first_skipped = Some((line.number, skipped.reason.to_string()));
                        }
                    }
                }
                sink(item);
            });
        }
        if let Some(source) = self.source {
            let blank = all - count.documents - count.skipped;
            self.context.shard_files.add_records(source, ShardRecords { all, blank });
        }
        self.context.line_counts.add(&self.label, count);
    }
}

/// Lines of more bytes make no use of a buffer.
const MAX_BUFFERED: usize = 1 << 16;

/// Parses one line and hands it on, or the reason why not, and whether it brought an id. `name` is what it is called if it did not. Its
/// text may be made in a buffer.
pub(crate) fn read_line<'a>(
    context: &ReadContext,
    line: &'a [u8],
    buffer: Option<&'a mut Vec<u8>>,
    name: impl Fn() -> String,
    place: Place,
    sink: &mut dyn FnMut(Item<'_>, bool),
) {
    let (bytes, limit) = (line.len() as u64, context.options.max_size);
    // size before blankness: the cutter cannot tell what a line is that it never held
    if bytes > limit {
        sink(Item::Skipped(Skipped { id: name(), reason: Reason::TooLarge { bytes, limit } }), false);
        return;
    }
    if line.trim_ascii().is_empty() {
        return;
    }
    if context.options.plain_lines && !line.trim_ascii_start().starts_with(b"{") {
        let body = Body::Text(String::from_utf8_lossy(line));
        // its number is all the name that it can have
        sink(
            Item::Document(Document { id: Cow::Owned(name()), category: None, rank: None, body, place, known: None }),
            true,
        );
        return;
    }
    let Record { id, category, rank, body } = parse_line_into(line, &context.options, buffer);
    let named = id.is_some();
    let id = id.unwrap_or_else(|| Cow::Owned(name()));
    let item = match body {
        Ok(body) => Item::Document(Document { id, category, rank, body, place, known: None }),
        Err(reason) => Item::Skipped(Skipped { id: id.into_owned(), reason }),
    };
    sink(item, named);
}

fn line_id(label: &str, number: u64) -> String {
    format!("{label}:{number}")
}

fn truncated(format: Option<Format>, error: &io::Error) -> Reason {
    Reason::Truncated(match format {
        Some(format) => format!("the {format} stream is damaged or cut short: {error}"),
        None => error.to_string(),
    })
}
