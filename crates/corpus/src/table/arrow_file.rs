//! Arrow IPC: the record batches of a file (Feather) or a stream, one after the other.

use std::collections::{HashMap, VecDeque};
use std::fs::File;
use std::io::{BufReader, Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch};
use arrow_buffer::{Buffer, MutableBuffer};
use arrow_ipc::convert::try_fb_to_schema;
use arrow_ipc::reader::{RecordBatchDecoder, read_dictionary, read_footer_length};
use arrow_ipc::{Block, CompressionType, MessageHeader, root_as_footer, root_as_message};
use arrow_schema::SchemaRef;

use super::arrow_bounds::check_buffers;
use crate::file;
use crate::skipped::Reason;
use crate::unit_limit::{DecodeError, UnitLimit};

const FILE_MAGIC: &[u8] = b"ARROW1";
const OLD_MAGIC: &[u8] = b"FEA1";
/// A message begins with this, except in files from before 2019.
const CONTINUATION: u32 = u32::MAX;
/// The footer's length and the magic.
const TAIL_BYTES: u64 = 10;
/// Messages begin at multiples of this many bytes.
const ALIGNMENT: u64 = 8;
/// The end of a stream as it was written before 2019: a length of zero, without the continuation marker.
const OLD_END_BYTES: u64 = 4;
/// Bytes that are read at once where nothing but zeros is expected.
const PADDING_BLOCK: u64 = 8 << 10;

/// A file or a stream that was opened.
pub(crate) struct ArrowFile {
    input: BufReader<File>,
    len: u64,
    /// The position of the next byte that is read.
    at: u64,
    pub(crate) schema: SchemaRef,
    dictionaries: HashMap<i64, ArrayRef>,
    /// Positions of the record batches of a file that were not read yet; none of a stream, where they follow each other.
    blocks: Option<VecDeque<u64>>,
    /// Metadata in the footer of a file.
    pub(crate) footer: Vec<(String, String)>,
    /// The columns that are decoded, if not all.
    pub(crate) projection: Option<Vec<usize>>,
    /// How the last record batch was compressed.
    pub(crate) compression: Option<CompressionType>,
    /// Record batches that were begun.
    pub(crate) batches: u64,
    /// It is a stream that was read to the end of the file and has no marker of an end.
    pub(crate) has_no_end: bool,
    unit: UnitLimit,
}

/// A message with its body.
struct Message {
    metadata: Vec<u8>,
    body: Buffer,
}

impl ArrowFile {
    pub(crate) fn open(path: &Path, unit: UnitLimit) -> Result<Self, Reason> {
        let (file, metadata) = file::open(path)?;
        Self::parse(file, metadata.len(), unit).map_err(|error| match error {
            DecodeError::Damaged(message) => Reason::Truncated(message),
            DecodeError::TooLarge { bytes, limit } => Reason::Memory { bytes, limit },
        })
    }

    fn parse(file: File, len: u64, unit: UnitLimit) -> Result<Self, DecodeError> {
        let mut file = Self {
            input: BufReader::new(file),
            len,
            at: 0,
            schema: SchemaRef::new(arrow_schema::Schema::empty()),
            dictionaries: HashMap::new(),
            blocks: None,
            footer: Vec::new(),
            projection: None,
            compression: None,
            batches: 0,
            has_no_end: false,
            unit,
        };
        let mut magic = vec![0; FILE_MAGIC.len().min(usize::try_from(len).unwrap_or(usize::MAX))];
        file.read(&mut magic)?;
        if magic.starts_with(OLD_MAGIC) {
            return Err("it is Feather of version 1; write it again as version 2 or as Parquet".into());
        }
        if magic == FILE_MAGIC {
            file.read_footer()?;
        } else {
            file.seek(0)?;
            let Some(message) = file.message()? else { return Err("not Arrow IPC: expected a schema".into()) };
            let root = root_as_message(&message.metadata).map_err(|error| error.to_string())?;
            let schema = root.header_as_schema().ok_or("not Arrow IPC: expected a schema first")?;
            file.schema = Arc::new(try_fb_to_schema(schema).map_err(|error| error.to_string())?);
        }
        Ok(file)
    }

    /// Sets what may be decoded at once from now on.
    pub(crate) fn set_limit(&mut self, unit: &UnitLimit) {
        self.unit.clone_from(unit);
    }

    /// Whether it is a file with a footer rather than a stream.
    pub(crate) fn is_file(&self) -> bool {
        self.blocks.is_some()
    }

    /// The position of the next byte that is read.
    pub(crate) fn position(&self) -> u64 {
        self.at
    }

    fn read_footer(&mut self) -> Result<(), DecodeError> {
        let unfinished = || "it has no footer; it was not written to its end".to_owned();
        let tail_at = self.len.checked_sub(TAIL_BYTES).ok_or_else(unfinished)?;
        self.seek(tail_at)?;
        let mut tail = [0; TAIL_BYTES as usize];
        self.read(&mut tail)?;
        let length = read_footer_length(tail).map_err(|_| unfinished())? as u64;
        self.seek(tail_at.checked_sub(length).ok_or_else(unfinished)?)?;
        let mut bytes = vec![0; length as usize];
        self.read(&mut bytes)?;
        let footer = root_as_footer(&bytes).map_err(|error| format!("its footer is damaged: {error}"))?;
        let schema = footer.schema().ok_or("its footer has no schema")?;
        self.schema = Arc::new(try_fb_to_schema(schema).map_err(|error| error.to_string())?);
        for pair in footer.custom_metadata().into_iter().flatten() {
            let (key, value) = (pair.key().unwrap_or_default(), pair.value().unwrap_or_default());
            self.footer.push((key.to_owned(), value.to_owned()));
        }
        let dictionaries = ranges(footer.dictionaries().into_iter().flatten())?;
        let batches = ranges(footer.recordBatches().into_iter().flatten())?;
        self.check_gaps([&dictionaries[..], &batches].concat(), tail_at - length)?;
        // A dictionary may be behind the record batches that need it.
        for block in dictionaries {
            self.seek(block.start)?;
            let message = self.message()?.ok_or("a dictionary is missing")?;
            self.take_dictionary(&message)?;
        }
        self.blocks = Some(batches.iter().map(|block| block.start).collect());
        Ok(())
    }

    /// Checks that the blocks in the footer are all that the file has: rows in other places would not be read.
    fn check_gaps(&mut self, mut blocks: Vec<Range<u64>>, footer: u64) -> Result<(), DecodeError> {
        self.seek((FILE_MAGIC.len() as u64).min(footer))?;
        if let Some(at) = self.find_nonzero(footer)? {
            // The schema, which the footer repeats, behind padding of any length. Polars writes it without the frame of a message.
            let start = at / ALIGNMENT * ALIGNMENT;
            self.seek(start)?;
            if let Err(error) = self.message() {
                let first = blocks.iter().map(|block| block.start).min().unwrap_or(footer);
                if first.saturating_sub(start) > self.len - footer {
                    return Err(error);
                }
                self.seek(first)?;
            }
        }
        let mut end = self.at;
        blocks.sort_unstable_by_key(|block| block.start);
        blocks.push(footer..footer);
        for block in blocks {
            if block.start > end {
                self.check_unused(end..block.start)?;
            }
            end = end.max(block.end);
        }
        Ok(())
    }

    /// Checks that a stretch between blocks has nothing but zeros, or the marker at the end of the blocks.
    fn check_unused(&mut self, gap: Range<u64>) -> Result<(), String> {
        self.seek(gap.start)?;
        if gap.end - gap.start >= 8 && self.number()? != CONTINUATION {
            self.seek(gap.start)?;
        }
        match self.find_nonzero(gap.end)? {
            None => Ok(()),
            Some(at) => Err(format!(
                "its footer has nothing at byte {at}, where the file has data: two files one after the other, or a damaged footer"
            )),
        }
    }

    /// Reads on to `end`: the position of the first byte that is not zero.
    fn find_nonzero(&mut self, end: u64) -> Result<Option<u64>, String> {
        while self.at < end {
            let mut block = vec![0; PADDING_BLOCK.min(end - self.at) as usize];
            let start = self.at;
            self.read(&mut block)?;
            if let Some(found) = block.iter().position(|byte| *byte != 0) {
                return Ok(Some(start + found as u64));
            }
        }
        Ok(None)
    }

    /// Checks what follows the end of a stream, after an end marker of this many bytes.
    fn check_end(&mut self, marker: u64) -> Result<(), String> {
        let end = self.at;
        let found = self.find_nonzero(self.len)?;
        if marker == OLD_END_BYTES && self.len - end > OLD_END_BYTES {
            return Err(format!("zeros from byte {} on, where a message should begin", end - marker));
        }
        match found {
            None => Ok(()),
            Some(at) => Err(format!(
                "the stream ends at byte {end}, but the file has more data at byte {at}; two streams belong into two files"
            )),
        }
    }

    /// The next record batch.
    pub(crate) fn next_batch(&mut self) -> Result<Option<RecordBatch>, DecodeError> {
        loop {
            let is_file = self.is_file();
            let message = if let Some(blocks) = &mut self.blocks {
                let Some(at) = blocks.pop_front() else { return Ok(None) };
                self.batches += 1;
                self.seek(at)?;
                let message = self.message()?;
                message.ok_or_else(|| format!("its footer has a record batch at byte {at}, where nothing is"))?
            } else {
                let start = self.at;
                let Some(message) = self.message()? else {
                    self.has_no_end = self.at == start;
                    self.check_end(self.at - start)?;
                    return Ok(None);
                };
                message
            };
            let root = root_as_message(&message.metadata).map_err(|error| error.to_string())?;
            match root.header_type() {
                MessageHeader::DictionaryBatch if !is_file => self.take_dictionary(&message)?,
                MessageHeader::RecordBatch => {
                    self.batches += u64::from(!is_file);
                    let batch = root.header_as_record_batch().ok_or("it is no record batch")?;
                    check_buffers(&batch, &message.body, &self.unit)?;
                    self.compression = batch.compression().map(|compression| compression.codec());
                    let schema = Arc::clone(&self.schema);
                    let version = root.version();
                    let decoder =
                        RecordBatchDecoder::try_new(&message.body, batch, schema, &self.dictionaries, &version);
                    let decoder = decoder.map_err(|error| error.to_string())?;
                    let decoded = decoder.with_projection(self.projection.as_deref()).read_record_batch();
                    return decoded.map(Some).map_err(|error| error.to_string().into());
                }
                other => return Err(format!("a message of another kind ({other:?})").into()),
            }
        }
    }

    fn take_dictionary(&mut self, message: &Message) -> Result<(), DecodeError> {
        let root = root_as_message(&message.metadata).map_err(|error| error.to_string())?;
        let batch = root.header_as_dictionary_batch().ok_or("it is no dictionary")?;
        check_buffers(&batch.data().ok_or("a dictionary without data")?, &message.body, &self.unit)?;
        read_dictionary(&message.body, batch, &self.schema, &mut self.dictionaries, &root.version())
            .map_err(|error| error.to_string().into())
    }

    /// The next message; none at the end of the file, or at a marker of an end.
    fn message(&mut self) -> Result<Option<Message>, DecodeError> {
        if self.at == self.len {
            return Ok(None);
        }
        let mut length = self.number()?;
        if length == CONTINUATION {
            length = self.number()?;
        }
        if length == 0 {
            return Ok(None);
        }
        let mut metadata = vec![0; self.within(u64::from(length))?];
        self.read(&mut metadata)?;
        let root = root_as_message(&metadata).map_err(|error| format!("a damaged message: {error}"))?;
        let length = u64::try_from(root.bodyLength()).map_err(|_| "a body of negative length")?;
        self.unit.admit(length)?;
        let mut body = MutableBuffer::from_len_zeroed(self.within(length)?);
        self.read(&mut body)?;
        Ok(Some(Message { metadata, body: body.into() }))
    }

    /// No more memory is taken than the file has bytes.
    fn within(&self, length: u64) -> Result<usize, String> {
        let left = self.len.saturating_sub(self.at);
        if length > left {
            return Err(format!("it breaks off: {length} bytes expected from byte {} on, found {left}", self.at));
        }
        usize::try_from(length).map_err(|_| "a message that is too long for this computer".into())
    }

    fn number(&mut self) -> Result<u32, String> {
        let mut bytes = [0; 4];
        self.read(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn read(&mut self, bytes: &mut [u8]) -> Result<(), String> {
        self.input.read_exact(bytes).map_err(|error| format!("from byte {} on: {error}", self.at))?;
        self.at += bytes.len() as u64;
        Ok(())
    }

    fn seek(&mut self, at: u64) -> Result<(), String> {
        if at > self.len {
            return Err(format!("something is to be at byte {at}, but it has {} bytes", self.len));
        }
        self.input.seek(SeekFrom::Start(at)).map_err(|error| error.to_string())?;
        self.at = at;
        Ok(())
    }
}

/// Positions of blocks.
fn ranges<'a>(blocks: impl Iterator<Item = &'a Block>) -> Result<Vec<Range<u64>>, String> {
    let range = |block: &Block| {
        let start = u64::try_from(block.offset()).ok()?;
        let metadata = u64::try_from(block.metaDataLength()).ok()?;
        let body = u64::try_from(block.bodyLength()).ok()?;
        Some(start..start.checked_add(metadata)?.checked_add(body)?)
    };
    blocks.map(|block| range(block).ok_or_else(|| "its footer is damaged".to_owned())).collect()
}
