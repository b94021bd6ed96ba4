//! One document a line.

use std::borrow::Cow;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::corpus::Shared;
use crate::decompress::{self, Format, Plain};
use crate::lines::{Block, Cut, Cutter};
use crate::parse::{Record, parse_line};
use crate::reader::{Batch, Piece, Run, Source};
use crate::{Document, Error, Item, Place, Reason, Skipped, file, id_of};

/// A JSONL file or stream, possibly compressed.
pub(crate) struct Jsonl {
    /// What it is called; shared with every batch.
    label: Arc<str>,
    /// Its number among the sources, if its lines can be read again.
    source: Option<u32>,
    format: Option<Format>,
    cutter: Cutter<Box<dyn Read + Send>>,
    consumed: Arc<AtomicU64>,
    /// How much of `consumed` went into batches.
    reported: u64,
}

impl Jsonl {
    pub(crate) fn open(path: &Path, shared: &Shared) -> Result<Jsonl, Reason> {
        let (file, _) = file::open(path)?;
        let plain = decompress::open(file, Format::of_name(path)).map_err(|error| truncated(None, &error))?;
        let source = plain.format.is_none().then(|| shared.sources.number(path));
        Ok(Jsonl::new(&id_of(path), source, plain, shared))
    }

    pub(crate) fn stream(input: Box<dyn Read + Send>, shared: &Shared) -> Result<Jsonl, Reason> {
        let plain = decompress::open(input, None).map_err(|error| truncated(None, &error))?;
        Ok(Jsonl::new("-", None, plain, shared))
    }

    fn new(label: &str, source: Option<u32>, plain: Plain, shared: &Shared) -> Jsonl {
        let Plain { reader, format, consumed } = plain;
        let options = &shared.options;
        let cutter = Cutter::new(reader, b'\n', options.batch_bytes, options.max_size).without_bom();
        Jsonl { label: label.into(), source, format, cutter, consumed, reported: 0 }
    }
}

impl Source for Jsonl {
    fn next(&mut self, run: &mut Run) -> Option<Result<Piece, Error>> {
        Some(Ok(match self.cutter.next()? {
            Cut::Lines(block) => {
                let consumed = self.consumed.load(Ordering::Relaxed);
                let bytes = consumed - self.reported;
                self.reported = consumed;
                let (shared, label, source) = (Arc::clone(&run.shared), Arc::clone(&self.label), self.source);
                Piece::Batch(Box::new(Lines { shared, label, source, block, bytes }))
            }
            Cut::TooLong { number, bytes } => Piece::Skip(Skipped {
                id: line_id(&self.label, number),
                reason: Reason::TooLarge { bytes, limit: run.shared.options.max_size },
            }),
            Cut::Failed(error) => {
                Piece::Skip(Skipped { id: self.label.to_string(), reason: truncated(self.format, &error) })
            }
        }))
    }
}

/// The whole lines of one block.
struct Lines {
    shared: Arc<Shared>,
    label: Arc<str>,
    source: Option<u32>,
    block: Block,
    bytes: u64,
}

impl Batch for Lines {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn read(self: Box<Self>, sink: &mut dyn FnMut(Item<'_>)) {
        for line in self.block.lines() {
            let len = line.bytes.len() as u64;
            let place = match self.source {
                Some(source) => Place::Line { source, offset: line.offset, len },
                None => Place::Stream,
            };
            read_line(&self.shared, line.bytes, || line_id(&self.label, line.number), place, sink);
        }
    }
}

/// Parses one line and hands it on, or the reason why not. `name` is what the line is called if it has no id.
pub(crate) fn read_line(
    shared: &Shared,
    line: &[u8],
    name: impl Fn() -> String,
    place: Place,
    sink: &mut dyn FnMut(Item<'_>),
) {
    let (bytes, limit) = (line.len() as u64, shared.options.max_size);
    // size before blankness: the cutter cannot tell what a line is that it never held
    if bytes > limit {
        sink(Item::Skipped(Skipped { id: name(), reason: Reason::TooLarge { bytes, limit } }));
        return;
    }
    if line.trim_ascii().is_empty() {
        return;
    }
    let Record { id, category, body } = parse_line(line, &shared.options);
    let id = id.unwrap_or_else(|| Cow::Owned(name()));
    sink(match body {
        Ok(body) => Item::Document(Document { id, category, body, place }),
        Err(reason) => Item::Skipped(Skipped { id: id.into_owned(), reason }),
    });
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
