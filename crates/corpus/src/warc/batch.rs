//! Records that are read together.

use std::sync::Arc;

use super::document::Capture;
use crate::context::ReadContext;
use crate::document::Item;
use crate::line_counts::LineCount;
use crate::place::Place;
use crate::reader::Batch;
use crate::skipped::Skipped;

/// A record to read, or something to say; in the order of the file.
pub(super) enum Work {
    Capture(Capture),
    Skipped(Skipped),
}

impl Work {
    pub(super) fn size(&self) -> u64 {
        match self {
            Work::Capture(capture) => (capture.block.len() + capture.head.raw.len()) as u64,
            // so that a file of nothing else comes in batches too
            Work::Skipped(skipped) => 64 + skipped.id.len() as u64,
        }
    }
}

pub(super) struct CaptureBatch {
    pub(super) context: Arc<ReadContext>,
    pub(super) label: Arc<str>,
    pub(super) source: u32,
    pub(super) work: Vec<Work>,
    /// Of the file.
    pub(super) bytes: u64,
    /// Unpacked.
    pub(super) size: u64,
}

impl Batch for CaptureBatch {
    fn bytes(&self) -> u64 {
        self.bytes
    }

    fn size(&self) -> u64 {
        self.size
    }

    fn read(self: Box<Self>, sink: &mut dyn FnMut(Item<'_>)) {
        let mut count = LineCount::default();
        for work in self.work {
            let capture = match work {
                Work::Capture(capture) => capture,
                Work::Skipped(skipped) => {
                    sink(Item::Skipped(skipped));
                    continue;
                }
            };
            let place = Place::Row { source: self.source, row: capture.row };
            capture.read(&self.context.options, &self.label, place, &mut |item| {
                match &item {
                    Item::Document(_) => {
                        count.documents += 1;
                        // an address is an id
                        count.named += 1;
                    }
                    Item::Skipped(skipped) => {
                        count.skipped += 1;
                        count.first_skipped.get_or_insert_with(|| (capture.row + 1, skipped.reason.to_string()));
                    }
                }
                sink(item);
            });
        }
        self.context.line_counts.add(&self.label, count);
    }
}
