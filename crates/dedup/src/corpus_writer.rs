//! Writes the corpus again, without the documents that are removed.

use crate::Error;
use crate::corpus_counts::{CorpusCounts, FileCounts, Ruled};
use crate::layout::{FileKind, Layout, LayoutFile, shown};
use crate::run_folder::RunFolder;
use crate::verdicts::{VerdictIter, Verdicts};
use lookalike_corpus::{
    Copied, CopyError, CopyOptions, Place, Ruling, ShardFormat, ShardRecords, copy_archive, copy_shard,
};
use lookalike_engine::run::documents::Documents;
use lookalike_store::{Cancel, Error as StoreError, Progress};
use rayon::prelude::*;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::path::Path;

/// Records between two looks at whether the user has stopped the run.
const CHECKED_RECORDS: u64 = 1 << 12;

pub(crate) struct CorpusWriter<'a> {
    pub(crate) documents: &'a Documents,
    pub(crate) verdicts: &'a dyn Verdicts,
    pub(crate) options: CopyOptions,
    /// Shards may have records that cannot be read.
    pub(crate) allow_damaged: bool,
    pub(crate) progress: &'a dyn Progress,
    pub(crate) cancel: &'a Cancel,
}

impl CorpusWriter<'_> {
    /// Writes all files that are not written yet, and counts what became of every record.
    pub(crate) fn write(&self, layout: &Layout, folder: &RunFolder) -> Result<CorpusCounts, Error> {
        let corpus = folder.path().join("corpus");
        let numbered: Vec<(usize, &LayoutFile)> = layout.files().iter().enumerate().collect();
        // a thread for each file: one is written from its beginning to its end
        let written = numbered.into_par_iter().with_max_len(1).map(|(number, file)| -> Result<FileCounts, Error> {
            self.cancel.check().map_err(lookalike_engine::Error::from)?;
            let bytes = fs::metadata(&file.from).map_or(0, |metadata| metadata.len());
            let target = corpus.join(&file.to);
            if let Some(counts) = Self::known_counts(number, file, folder)?
                && target.exists()
            {
                self.progress.advance(bytes);
                return Ok(counts);
            }
            let unfinished = folder.work().path().join(format!("shard-{number}"));
            let counts = self.write_file(file, &unfinished, bytes)?;
            if file.kind != FileKind::File {
                folder.work().finish_step(&step(number), counts)?;
            }
            persist(&unfinished, &target)?;
            Ok(counts)
        });
        let written = written.collect::<Result<Vec<FileCounts>, Error>>()?;
        // a file that changed while it was copied is not the file that was read
        folder.check_inputs(layout)?;
        CorpusCounts::new(layout, &written, &corpus, self.documents.catalogue.len() as u64)
    }

    /// The counts of a file that a stopped run may have written.
    fn known_counts(number: usize, file: &LayoutFile, folder: &RunFolder) -> Result<Option<FileCounts>, Error> {
        match file.kind {
            FileKind::File if file.documents.is_empty() => Ok(Some(FileCounts::no_document())),
            FileKind::File => Ok(Some(FileCounts::document(false))),
            FileKind::Shard | FileKind::Archive | FileKind::Wacz => Ok(folder.work().finished_step(&step(number))?),
        }
    }

    fn write_file(&self, file: &LayoutFile, to: &Path, bytes: u64) -> Result<FileCounts, Error> {
        let failed = |source| StoreError::Write { what: to.display().to_string(), source };
        let open = || File::options().create(true).truncate(true).read(true).write(true).open(to);
        let is_annotated = self.options.annotate && file.kind == FileKind::Shard;
        if file.documents.is_empty() && !is_annotated {
            let counts = self.copy_without_documents(file, to)?;
            self.progress.advance(bytes);
            return Ok(counts);
        }
        match file.kind {
            FileKind::Shard => {
                let mut rulings = Rulings::new(self, file, bytes);
                let out = open().map_err(failed)?;
                let copied = copy_shard(&file.from, out, &self.options, &mut |row| rulings.of(row).map_err(Into::into));
                let written = match copied {
                    Ok(copied) => {
                        rulings.finish().and_then(|ruled| FileCounts::shard(file, &copied, ruled, self.allow_damaged))
                    }
                    Err(error) => Err(from_copy(error)),
                };
                match written {
                    // a file that cannot take annotations has no record to annotate
                    Err(
                        Error::Miscounted { .. } | Error::Copy(CopyError::Read { .. } | CopyError::Unsupported { .. }),
                    ) if file.documents.is_empty() => self.copy_without_documents(file, to),
                    written => written,
                }
            }
            FileKind::Archive => {
                let out = open().map_err(failed)?;
                let removed = self.removed_members(file)?;
                let copied = copy_archive(&file.from, out, &mut |name| !removed.contains(name))?;
                self.progress.advance(bytes);
                let removed = removed.len() as u64;
                FileCounts::archive(file, &copied, Ruled { removed, dropped: removed })
            }
            FileKind::Wacz => {
                copy_file(file, to)?;
                self.progress.advance(bytes);
                Ok(FileCounts::wacz(file))
            }
            FileKind::File => {
                let is_removed = !self.options.annotate && !self.verdicts.is_empty(file.documents.clone());
                if !is_removed {
                    copy_file(file, to)?;
                }
                self.progress.advance(bytes);
                Ok(FileCounts::document(is_removed))
            }
        }
    }

    /// Copies a file in which no document was read byte for byte, and counts its records: they are written to the same place before.
    fn copy_without_documents(&self, file: &LayoutFile, to: &Path) -> Result<FileCounts, Error> {
        let failed = |source| StoreError::Write { what: to.display().to_string(), source };
        let open = || File::options().create(true).truncate(true).read(true).write(true).open(to).map_err(failed);
        let counted = match file.kind {
            FileKind::File => {
                copy_file(file, to)?;
                return Ok(FileCounts::no_document());
            }
            FileKind::Shard => {
                let options = CopyOptions { annotate: false, ..self.options.clone() };
                copy_shard(&file.from, open()?, &options, &mut |row| {
                    if row.is_multiple_of(CHECKED_RECORDS) {
                        self.cancel.check().map_err(|error| Error::from(lookalike_engine::Error::from(error)))?;
                    }
                    Ok(Ruling::KEEP)
                })
            }
            FileKind::Archive => copy_archive(&file.from, open()?, &mut |_| true),
            // only a reader counts what is in it
            FileKind::Wacz => {
                copy_file(file, to)?;
                let ShardRecords { all: records, blank } = file.records;
                let counted = (records > 0).then_some(Copied { records, blank, written: records });
                return FileCounts::copied(file, counted, self.allow_damaged);
            }
        };
        let counted = match counted {
            Ok(counted) => Some(counted),
            Err(CopyError::Read { .. } | CopyError::Unsupported { .. }) => None,
            Err(error) => return Err(from_copy(error)),
        };
        copy_file(file, to)?;
        FileCounts::copied(file, counted, self.allow_damaged)
    }

    /// The names of the files of an archive that are removed.
    fn removed_members(&self, file: &LayoutFile) -> Result<BTreeSet<String>, Error> {
        let mut removed = BTreeSet::new();
        for verdict in self.verdicts.of(file.documents.clone()) {
            let (document, ruling) = verdict?;
            if !ruling.keep
                && let Place::Member { name, .. } = self.documents.catalogue.entry(document)?.place
            {
                removed.insert(name);
            }
        }
        Ok(removed)
    }
}

/// The record of a file that is written.
fn step(number: usize) -> String {
    format!("written-{number}")
}

/// Copies a file byte for byte.
fn copy_file(file: &LayoutFile, to: &Path) -> Result<(), Error> {
    let unread = |source| StoreError::Read { what: shown(&file.from), source };
    let unwritten = |source| StoreError::Write { what: to.display().to_string(), source };
    // opened apart, so that an error says which of the two files failed
    let from = File::open(&file.from).map_err(unread)?;
    let expected = from.metadata().map_err(unread)?.len();
    drop(from);
    if to.exists() {
        fs::remove_file(to).map_err(unwritten)?;
    }
    let written = fs::copy(&file.from, to).map_err(unwritten)?;
    if written == expected {
        return Ok(());
    }
    let reason = format!("expected {expected} bytes, copied {written}: it changed while it was copied");
    Err(Error::Damaged { id: shown(&file.from), reason })
}

/// The error of a ruling is not that of the copy.
fn from_copy(error: CopyError) -> Error {
    match error {
        CopyError::Ruling(error) => match error.downcast::<Error>() {
            Ok(error) => *error,
            Err(error) => Error::Copy(CopyError::Ruling(error)),
        },
        error => Error::Copy(error),
    }
}

/// Puts a file that is complete in its place.
fn persist(unfinished: &Path, target: &Path) -> Result<(), Error> {
    let failed = |source| StoreError::Write { what: target.display().to_string(), source };
    if !unfinished.exists() {
        return Ok(());
    }
    if let Some(folder) = target.parent() {
        fs::create_dir_all(folder).map_err(failed)?;
    }
    File::open(unfinished).and_then(|file| file.sync_all()).map_err(failed)?;
    fs::rename(unfinished, target).map_err(failed)?;
    Ok(())
}

/// Rules on the records of one shard, in their order.
struct Rulings<'a> {
    writer: &'a CorpusWriter<'a>,
    verdicts: VerdictIter<'a>,
    /// The next record that does not stay as it is, and what becomes of it.
    next: Option<(u64, Ruling)>,
    is_begun: bool,
    file: &'a LayoutFile,
    bytes: u64,
    told: u64,
    records: u64,
    is_warc: bool,
    ruled: Ruled,
}

impl<'a> Rulings<'a> {
    fn new(writer: &'a CorpusWriter<'a>, file: &'a LayoutFile, bytes: u64) -> Self {
        let verdicts = writer.verdicts.of(file.documents.clone());
        let is_warc = ShardFormat::of_name(&file.from) == Some(ShardFormat::Warc);
        Self {
            writer,
            verdicts,
            next: None,
            is_begun: false,
            file,
            bytes,
            told: 0,
            records: 0,
            is_warc,
            ruled: Ruled::default(),
        }
    }

    fn advance(&mut self) -> Result<(), Error> {
        self.next = match self.verdicts.next() {
            None => None,
            Some(verdict) => {
                let (document, ruling) = verdict?;
                let place = self.writer.documents.catalogue.entry(document)?.place;
                let row = record(&place).ok_or_else(|| StoreError::Damaged {
                    what: shown(&self.file.from),
                    offset: 0,
                    found: "a document that is no record".into(),
                })?;
                self.ruled.removed += u64::from(!ruling.keep);
                // only in a web archive another record takes its place
                let is_replaced = ruling.original.is_some() && self.is_warc;
                self.ruled.dropped += u64::from(!ruling.keep && !is_replaced);
                Some((row, ruling))
            }
        };
        Ok(())
    }

    fn of(&mut self, row: u64) -> Result<Ruling, Error> {
        if !self.is_begun {
            self.is_begun = true;
            self.advance()?;
        }
        self.records += 1;
        if self.records.is_multiple_of(CHECKED_RECORDS) {
            self.writer.cancel.check().map_err(lookalike_engine::Error::from)?;
            self.tell(self.records);
        }
        let Some((_, ruling)) = self.next.take_if(|(next, _)| *next == row) else { return Ok(Ruling::KEEP) };
        self.advance()?;
        Ok(ruling)
    }

    /// Tells how far the shard is, by its documents.
    fn tell(&mut self, records: u64) {
        let all = u64::from(self.file.documents.end - self.file.documents.start).max(1);
        let now = (self.bytes as u128 * u128::from(records.min(all)) / u128::from(all)) as u64;
        self.writer.progress.advance(now.saturating_sub(self.told));
        self.told = self.told.max(now);
    }

    /// The rulings on all documents. Each must have been met: otherwise the shard is not what was read.
    fn finish(mut self) -> Result<Ruled, Error> {
        self.writer.progress.advance(self.bytes.saturating_sub(self.told));
        self.told = self.bytes;
        if !self.is_begun {
            self.advance()?;
        }
        if self.next.is_none() {
            return Ok(self.ruled);
        }
        let reason = "it has fewer records than were read: it changed since".to_owned();
        Err(Error::Damaged { id: shown(&self.file.from), reason })
    }
}

/// The records before a document in its shard.
fn record(place: &Place) -> Option<u64> {
    place.record().map(|(_, row)| row)
}
