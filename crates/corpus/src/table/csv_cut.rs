//! Cutting a stream into blocks of whole records of CSV, in bounded memory.

use std::io::{self, Read};
use std::ops::Range;

use super::csv_scan::RecordScanner;

const BOM: &[u8] = b"\xef\xbb\xbf";

/// Whole records that follow each other.
pub(crate) struct RecordBlock {
    pub(crate) bytes: Vec<u8>,
    /// Where they stand, without what ends them.
    pub(crate) records: Vec<Range<usize>>,
    /// The number of the first, from 0; the header is a record too.
    pub(crate) first: u64,
    /// The last one is in a quoted field when the stream ends.
    pub(crate) is_unclosed: bool,
}

/// What comes next.
pub(crate) enum RecordCut {
    Records(RecordBlock),
    /// A record of so many bytes, more than are allowed, was read over.
    TooLong {
        number: u64,
        bytes: u64,
    },
    /// The stream broke; the record it broke in is lost. Nothing comes after this.
    Failed(io::Error),
}

/// Reads blocks and cuts each behind its last whole record; the rest waits for the next block.
pub(crate) struct RecordCutter {
    input: Box<dyn Read + Send>,
    scanner: RecordScanner,
    block: usize,
    longest: u64,
    buffer: Vec<u8>,
    /// This much of the buffer was looked at.
    scanned: usize,
    /// Where the record begins in the buffer that is not yet whole.
    start: usize,
    /// Its number.
    number: u64,
    is_at_end: bool,
}

impl RecordCutter {
    /// Never holds more than about `longest` + `block` bytes. A byte order mark at the beginning belongs to no record.
    pub(crate) fn new(input: Box<dyn Read + Send>, delimiter: u8, block: usize, longest: u64) -> io::Result<Self> {
        let mut cutter = Self {
            input,
            scanner: RecordScanner::new(delimiter),
            block: block.max(BOM.len()),
            longest,
            buffer: Vec::new(),
            scanned: 0,
            start: 0,
            number: 0,
            is_at_end: false,
        };
        cutter.fill()?;
        if cutter.buffer.starts_with(BOM) {
            cutter.buffer.drain(..BOM.len());
        }
        Ok(cutter)
    }

    /// The first record, if it has no more bytes than this.
    pub(crate) fn header(&mut self, longest: usize) -> io::Result<Option<Vec<u8>>> {
        loop {
            let mut records = self.scan(1);
            if records.is_empty() && self.is_at_end {
                records.extend(self.last());
            }
            if let Some(record) = records.pop() {
                return Ok(Some(self.buffer[record].to_vec()));
            }
            if self.is_at_end || self.buffer.len() > longest {
                return Ok(None);
            }
            self.fill()?;
        }
    }

    /// Whether everything was read.
    pub(crate) fn is_at_end(&self) -> bool {
        self.is_at_end
    }

    /// Appends one block to the buffer.
    fn fill(&mut self) -> io::Result<()> {
        self.buffer.reserve(self.block);
        let read = (&mut self.input).take(self.block as u64).read_to_end(&mut self.buffer)?;
        self.is_at_end = read < self.block;
        Ok(())
    }

    /// At most so many whole records of what was read and not yet looked at.
    fn scan(&mut self, most: usize) -> Vec<Range<usize>> {
        let mut records = Vec::new();
        while records.len() < most {
            if self.scanner.is_between() {
                self.scanned += RecordScanner::blank(&self.buffer[self.scanned..]);
                self.start = self.scanned;
            }
            if self.scanned == self.buffer.len() {
                break;
            }
            let Some(end) = self.scanner.find_end(&self.buffer[self.scanned..]) else {
                self.scanned = self.buffer.len();
                break;
            };
            records.push(self.start..self.scanned + end);
            self.scanned += end + 1;
            self.start = self.scanned;
            self.number += 1;
        }
        records
    }

    /// The record that the stream ends in without a newline.
    fn last(&mut self) -> Option<Range<usize>> {
        if self.scanned < self.buffer.len() || self.start == self.buffer.len() {
            return None;
        }
        let record = self.start..self.buffer.len();
        self.start = self.buffer.len();
        self.number += 1;
        Some(record)
    }

    /// Reads a record over that is too long.
    fn read_over(&mut self) -> RecordCut {
        let mut bytes = (self.buffer.len() - self.start) as u64;
        loop {
            self.buffer.clear();
            if let Err(error) = self.fill() {
                self.buffer.clear();
                self.is_at_end = true;
                (self.scanned, self.start) = (0, 0);
                return RecordCut::Failed(error);
            }
            let end = self.scanner.find_end(&self.buffer);
            bytes += end.unwrap_or(self.buffer.len()) as u64;
            if end.is_none() && !self.is_at_end {
                continue;
            }
            let next = end.map_or(self.buffer.len(), |end| end + 1);
            (self.scanned, self.start) = (next, next);
            self.number += 1;
            return RecordCut::TooLong { number: self.number - 1, bytes };
        }
    }
}

impl Iterator for RecordCutter {
    type Item = RecordCut;

    fn next(&mut self) -> Option<RecordCut> {
        loop {
            let first = self.number;
            let mut records = self.scan(usize::MAX);
            let mut is_unclosed = false;
            if self.is_at_end {
                let last = self.last();
                is_unclosed = last.is_some() && self.scanner.is_quoted();
                records.extend(last);
            }
            if !records.is_empty() {
                let rest = self.buffer.split_off(self.start);
                let bytes = std::mem::replace(&mut self.buffer, rest);
                self.scanned -= self.start;
                self.start = 0;
                return Some(RecordCut::Records(RecordBlock { bytes, records, first, is_unclosed }));
            }
            if self.is_at_end {
                return None;
            }
            if (self.buffer.len() - self.start) as u64 > self.longest {
                return Some(self.read_over());
            }
            self.buffer.drain(..self.start);
            self.scanned -= self.start;
            self.start = 0;
            if let Err(error) = self.fill() {
                (self.buffer, self.scanned, self.is_at_end) = (Vec::new(), 0, true);
                return Some(RecordCut::Failed(error));
            }
        }
    }
}
