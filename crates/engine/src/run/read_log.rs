//! What reading made of the input files that it finished, kept in the folder of the run: after a stop these files are not read again.
//!
//! Each document of a file is a record in one spool, and each finished file is a record in another. A step record says how far both reach; it
//! is written when they are on the disk. Anything behind that is cut off when a run goes on.

use crate::Error;
use crate::report::Skip;
use crate::run::Session;
use crate::run::reading::Outcome;
use lookalike_corpus::{Corpus, FileStamp, InputFile, KeptFile, Place, id_of, put_varint, take_varint};
use lookalike_store::{Error as StoreError, Spool, SpoolEnd, SpoolReader, WorkFolder};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const STEP: &str = "reading";
const RECORDS: &str = "reading-records";
const FILES: &str = "reading-files";

/// Writing the step record may take one part in this many of the time.
const SHARE: u32 = 20;

const SKIP: u8 = 0;
const DOCUMENT: u8 = 1;

/// What reading makes of a document, as bytes.
pub trait KeptDocument: Sized {
    /// Appends it. Where its body is kept, it says the place.
    fn encode(&self, out: &mut Vec<u8>);
    /// Reads it again.
    fn decode(bytes: &[u8]) -> Option<Self>;
    /// Where it is, to be changed if the shards have other numbers now.
    fn place(&mut self) -> &mut Place;
}

/// How far reading was kept.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReadSoFar {
    records: SpoolEnd,
    files: SpoolEnd,
    bodies: SpoolEnd,
    /// The file that was finished last, as the user knows it.
    pub last: String,
}

impl ReadSoFar {
    /// What a stopped run kept, if reading was not finished.
    pub fn of(work: &WorkFolder) -> Option<Self> {
        work.finished_step(STEP).ok().flatten()
    }

    /// Files that were read.
    pub fn files(&self) -> u64 {
        self.files.records
    }
}

/// A finished file in its spool.
#[derive(Serialize, Deserialize)]
struct FileRecord {
    /// Encoded: not every path is text.
    path: Vec<u8>,
    bytes: u64,
    modified: i64,
    touched: i64,
    inode: (u64, u64),
    shard: Option<u32>,
    counts: Option<String>,
    /// Its first record, and how many there are.
    records: (u64, u64),
}

/// The records of files that are finished, and of the one that is being read.
pub struct ReadLog {
    work: WorkFolder,
    records: Spool,
    files: Spool,
    /// The files of the stopped run, by path: the number of the shard, the first record, the number of records.
    kept: HashMap<PathBuf, (Option<u32>, u64, u64)>,
    /// The same for the reader.
    known: Vec<KeptFile>,
    reader: Option<SpoolReader>,
    /// Something of the file that is being read could not be read: it is to be tried again.
    is_unread: bool,
    /// Where the records of the file begin that is being read.
    begin: SpoolEnd,
    /// How far all files are finished.
    so_far: ReadSoFar,
    saved: ReadSoFar,
    saved_at: Instant,
    cost: Duration,
    buffer: Vec<u8>,
}

impl ReadLog {
    /// A new log, or that of the stopped run. None for a run without a folder.
    pub fn open(session: &Session<'_>) -> Result<Option<Self>, Error> {
        let Some(work) = session.work.clone() else { return Ok(None) };
        let saved = work.finished_step::<ReadSoFar>(STEP)?.unwrap_or_default();
        let (records, files) = (work.continue_spool(RECORDS, saved.records)?, work.continue_spool(FILES, saved.files)?);
        let (mut kept, mut known) = (HashMap::new(), Vec::new());
        let mut reader = None;
        if saved.files.records > 0 {
            reader = Some(work.open_spool(RECORDS, saved.records.records)?);
            work.open_spool(FILES, saved.files.records)?.for_each(|record| {
                let damaged = || damaged(&work, FILES);
                let record: FileRecord = serde_json::from_slice(record).map_err(|_| damaged())?;
                let Some(Place::File(path)) = Place::decode(&record.path) else { return Err(damaged()) };
                let FileRecord { bytes, modified, touched, inode, shard, counts, records, .. } = record;
                kept.insert(path.clone(), (shard, records.0, records.1));
                let file = InputFile { path, stamp: FileStamp { bytes, modified, touched, inode } };
                known.push(KeptFile { file, shard, counts });
                Ok::<_, StoreError>(())
            })?;
        }
        let begin = records.end();
        Ok(Some(Self {
            work,
            records,
            files,
            kept,
            known,
            reader,
            begin,
            is_unread: false,
            so_far: saved.clone(),
            saved,
            saved_at: Instant::now(),
            cost: Duration::ZERO,
            buffer: Vec::new(),
        }))
    }

    /// The files of the stopped run.
    pub fn kept_files(&mut self) -> Vec<KeptFile> {
        std::mem::take(&mut self.known)
    }

    /// How far the bodies of documents are kept.
    pub fn bodies(&self) -> SpoolEnd {
        self.so_far.bodies
    }

    /// Keeps something of a file that is not compared.
    pub fn skip(&mut self, skip: &Skip) -> Result<(), Error> {
        self.is_unread |= skip.is_unread();
        self.buffer.clear();
        self.buffer.push(SKIP);
        serde_json::to_writer(&mut self.buffer, &(skip, skip.damage)).expect("plain data");
        self.records.append(&self.buffer)?;
        Ok(())
    }

    /// Keeps a document of a file.
    pub fn document(&mut self, document: &impl KeptDocument) -> Result<(), Error> {
        self.buffer.clear();
        self.buffer.push(DOCUMENT);
        document.encode(&mut self.buffer);
        self.records.append(&self.buffer)?;
        Ok(())
    }

    /// A file is finished. It is kept, unless something in it could not be read. `bodies` has the bodies of its documents.
    pub fn end(&mut self, corpus: &Corpus, file: InputFile, bodies: &mut Spool) -> Result<(), Error> {
        let end = self.records.end();
        if std::mem::take(&mut self.is_unread) {
            self.begin = end;
            return Ok(());
        }
        let records = (self.begin.bytes, end.records - self.begin.records);
        let KeptFile { file: InputFile { path, stamp }, shard, counts } = corpus.kept(file);
        let last = id_of(&path).into_owned();
        let mut encoded = Vec::new();
        Place::File(path).encode(&mut encoded);
        let FileStamp { bytes, modified, touched, inode } = stamp;
        let record = FileRecord { path: encoded, bytes, modified, touched, inode, shard, counts, records };
        self.files.append(&serde_json::to_vec(&record).expect("plain data"))?;
        self.begin = end;
        self.so_far = ReadSoFar { records: end, files: self.files.end(), bodies: bodies.end(), last };
        if self.saved_at.elapsed() >= self.cost * SHARE { self.save(bodies) } else { Ok(()) }
    }

    /// Writes how far all files are finished. `bodies` has the bodies of their documents, and perhaps more.
    pub fn save(&mut self, bodies: &mut Spool) -> Result<(), Error> {
        if self.so_far == self.saved {
            return Ok(());
        }
        let begun = Instant::now();
        [&mut self.records, &mut self.files, bodies].into_iter().try_for_each(Spool::sync)?;
        self.work.finish_step(STEP, self.so_far.clone())?;
        self.saved = self.so_far.clone();
        (self.saved_at, self.cost) = (Instant::now(), begun.elapsed());
        Ok(())
    }

    /// Calls `each` with everything that was kept of a file.
    pub fn replay<T: KeptDocument>(
        &self,
        corpus: &Corpus,
        file: &InputFile,
        mut each: impl FnMut(Outcome<T>) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let damaged = || Error::from(damaged(&self.work, RECORDS));
        let ((shard, place, records), reader) =
            self.kept.get(&file.path).zip(self.reader.as_ref()).ok_or_else(damaged)?;
        let now = shard.and_then(|_| corpus.shard_number(&file.path));
        reader.for_each_from(*place, *records, |record| {
            each(match record.split_first() {
                Some((&SKIP, json)) => {
                    let (skip, damage): (Skip, bool) = serde_json::from_slice(json).map_err(|_| damaged())?;
                    Outcome::Skipped(Skip { damage, ..skip })
                }
                Some((&DOCUMENT, bytes)) => {
                    let mut document = T::decode(bytes).ok_or_else(damaged)?;
                    if let (Place::Line { source, .. } | Place::Row { source, .. }, Some(now)) = (document.place(), now)
                    {
                        *source = now;
                    }
                    Outcome::Document(document)
                }
                _ => return Err(damaged()),
            })
        })?;
        Ok(())
    }
}

/// Removes what is kept: reading is finished.
pub(super) fn remove(work: &WorkFolder) -> Result<(), Error> {
    work.forget_step(STEP)?;
    work.discard(&[RECORDS, FILES]);
    Ok(())
}

fn damaged(work: &WorkFolder, file: &str) -> StoreError {
    let what = work.path().join(file).display().to_string();
    StoreError::Damaged { what, offset: 0, found: "records that do not fit the other files".into() }
}

/// Appends bytes with their length.
pub fn put_bytes(bytes: &[u8], out: &mut Vec<u8>) {
    put_varint(bytes.len() as u64, out);
    out.extend_from_slice(bytes);
}

/// Takes bytes with their length.
pub fn take_bytes<'a>(from: &mut &'a [u8]) -> Option<&'a [u8]> {
    let length = usize::try_from(take_varint(from)?).ok()?;
    let (bytes, rest) = from.split_at_checked(length)?;
    *from = rest;
    Some(bytes)
}

/// Appends a text that may be missing.
pub fn put_text(text: Option<&str>, out: &mut Vec<u8>) {
    out.push(u8::from(text.is_some()));
    put_bytes(text.unwrap_or_default().as_bytes(), out);
}

/// Takes a text that may be missing.
/// The outer option is for damaged bytes.
pub fn take_text(from: &mut &[u8]) -> Option<Option<String>> {
    let (is_there, rest) = from.split_first()?;
    *from = rest;
    let text = String::from_utf8(take_bytes(from)?.to_vec()).ok()?;
    Some((*is_there == 1).then_some(text))
}
