//! A web archive as a source: records are cut out here, and read wherever their batch is.

use std::io;
use std::path::Path;
use std::sync::Arc;

use super::batch::{CaptureBatch, Work};
use super::damage::Damage;
use super::document::Capture;
use super::http;
use super::other_records::OtherRecords;
use super::records::{Record, Records};
use crate::context::ReadContext;
use crate::error::Error;
use crate::names::id_of;
use crate::options::Options;
use crate::shard_files::ShardRecords;
use crate::skipped::{Reason, Skipped};
use crate::source::{Piece, Source, WalkState};

/// A record may have so many bytes more than its document: the head of the HTTP response, and the sizes of chunks.
const MAX_EXTRA_BYTES: u64 = 1 << 20;
/// No more memory than this is taken on the word of a record.
const MAX_RESERVED_BYTES: u64 = 1 << 20;

pub(crate) struct WarcSource {
    label: Arc<str>,
    /// Its number among the shards.
    source: u32,
    records: Records,
    other: OtherRecords,
    /// How much of the file went into batches.
    reported: u64,
    ended: bool,
}

impl WarcSource {
    /// The web archive at a path, which may lead into a WACZ.
    pub(crate) fn open(path: &Path, context: &ReadContext) -> Result<WarcSource, Reason> {
        let records = Records::open(super::open_file(path)?).map_err(|error| damaged(&error))?;
        let (label, source) = (id_of(path).as_ref().into(), context.shard_files.number(path));
        Ok(WarcSource { label, source, records, other: OtherRecords::default(), reported: 0, ended: false })
    }

    /// The next record that is or may be a document, or what is to be said of it; `None` if there is nothing to be said.
    fn work(&mut self, context: &ReadContext) -> Option<Work> {
        let read = self.records.next().or_else(|| {
            self.ended = true;
            None
        })?;
        let damage = match read.and_then(|record| {
            context.shard_files.add_records(self.source, ShardRecords { all: 1, blank: 0 });
            self.capture(record, &context.options)
        }) {
            Ok(work) => return work,
            Err(damage) => damage,
        };
        self.ended = !self.records.recover(&damage);
        Some(Work::Skipped(damage.skipped(&self.label)))
    }

    fn capture(&mut self, record: Record, options: &Options) -> Result<Option<Work>, Damage> {
        let kind = record.head.kind();
        let is_dns = record.head.target().is_some_and(|target| target.starts_with("dns:"));
        if is_dns || !["response", "resource", "conversion"].contains(&kind.as_str()) {
            self.pass(&record)?;
            if is_dns {
                self.other.add_dns();
            } else {
                self.other.add_kind(&kind);
            }
            return Ok(None);
        }
        let skip = |label: &str, reason| {
            let id = Capture::id(&record.head, options, label, record.row);
            Ok(Some(Work::Skipped(Skipped { id, reason })))
        };
        let limit = options.max_size;
        if record.length > limit.saturating_add(MAX_EXTRA_BYTES) {
            self.pass(&record)?;
            return skip(&self.label, Reason::TooLarge { bytes: record.length, limit });
        }
        let mut block = Vec::with_capacity(record.length.min(MAX_RESERVED_BYTES) as usize);
        self.records.block(&record, |some| {
            block.extend_from_slice(some);
            Ok::<(), Damage>(())
        })?;
        // only its end shows whether it is sound
        self.records.finish(&record)?;
        if kind == "response" {
            match http::status(&block) {
                Some(200..=299) => {}
                Some(status) => {
                    self.other.add_status(status);
                    return Ok(None);
                }
                None => return skip(&self.label, super::document::not_http()),
            }
        }
        let Record { row, head, .. } = record;
        Ok(Some(Work::Capture(Capture { row, head, block })))
    }

    /// Reads over a record.
    fn pass(&mut self, record: &Record) -> Result<(), Damage> {
        self.records.block(record, |_| Ok::<(), Damage>(()))?;
        self.records.finish(record).map(drop)
    }
}

impl Source for WarcSource {
    fn next(&mut self, state: &mut WalkState) -> Option<Result<Piece, Error>> {
        let (mut work, mut size) = (Vec::new(), 0);
        while !self.ended && size < state.context.options.batch_bytes as u64 {
            let Some(more) = self.work(&state.context) else { continue };
            size += more.size();
            work.push(more);
        }
        if self.ended {
            work.extend(self.other.skipped(&self.label).into_iter().map(Work::Skipped));
        }
        if work.is_empty() {
            return None;
        }
        let consumed = self.records.consumed();
        let bytes = consumed - self.reported;
        self.reported = consumed;
        let (context, label) = (Arc::clone(&state.context), Arc::clone(&self.label));
        Some(Ok(Piece::Batch(Box::new(CaptureBatch { context, label, source: self.source, work, bytes, size }))))
    }
}

fn damaged(error: &io::Error) -> Reason {
    Reason::Truncated(format!("the web archive is damaged or cut short: {error}"))
}
