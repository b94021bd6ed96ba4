//! Writes the corpus again, without what goes.

use crate::Error;
use crate::layout::{FileKind, Layout, LayoutFile, shown};
use crate::run_folder::RunFolder;
use crate::verdicts::{VerdictIter, Verdicts};
use lookalike_corpus::{CopyError, CopyOptions, Place, Ruling, copy_archive, copy_shard};
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
    pub(crate) progress: &'a dyn Progress,
    pub(crate) cancel: &'a Cancel,
}

impl CorpusWriter<'_> {
    /// Writes all files that are not there yet.
    pub(crate) fn write(&self, layout: &Layout, folder: &RunFolder) -> Result<(), Error> {
        let corpus = folder.path().join("corpus");
        let numbered: Vec<(usize, &LayoutFile)> = layout.files().iter().enumerate().collect();
        // a thread for each file: one is written from its beginning to its end
        numbered.into_par_iter().with_max_len(1).try_for_each(|(number, file)| {
            self.cancel.check().map_err(lookalike_engine::Error::from)?;
            let bytes = fs::metadata(&file.from).map_or(0, |metadata| metadata.len());
            let target = corpus.join(&file.to);
            if target.exists() {
                self.progress.advance(bytes);
                return Ok(());
            }
            let unfinished = folder.work().path().join(format!("shard-{number}"));
            self.write_file(file, &unfinished, bytes)?;
            persist(&unfinished, &target)?;
            Ok(())
        })
    }

    fn write_file(&self, file: &LayoutFile, to: &Path, bytes: u64) -> Result<(), Error> {
        let failed = |source| StoreError::Write { what: to.display().to_string(), source };
        let open = || File::options().create(true).truncate(true).read(true).write(true).open(to);
        match file.kind {
            FileKind::Shard => {
                let out = open().map_err(failed)?;
                let mut rulings = Rulings::new(self, file, bytes);
                let copied = copy_shard(&file.from, out, &self.options, &mut |row| rulings.of(row).map_err(Into::into));
                copied.map_err(from_copy)?;
                rulings.finish()
            }
            FileKind::Archive => {
                let out = open().map_err(failed)?;
                let gone = self.members_that_go(file)?;
                copy_archive(&file.from, out, &mut |name| !gone.contains(name))?;
                self.progress.advance(bytes);
                Ok(())
            }
            FileKind::File => {
                if self.verdicts.is_empty(file.documents.clone()) || self.options.annotate {
                    fs::copy(&file.from, to).map_err(failed)?;
                }
                self.progress.advance(bytes);
                Ok(())
            }
        }
    }

    /// The files of an archive that go.
    fn members_that_go(&self, file: &LayoutFile) -> Result<BTreeSet<String>, Error> {
        let mut gone = BTreeSet::new();
        for verdict in self.verdicts.of(file.documents.clone()) {
            let (document, ruling) = verdict?;
            if !ruling.keep
                && let Place::Member { name, .. } = self.documents.catalogue.entry(document)?.place
            {
                gone.insert(name);
            }
        }
        Ok(gone)
    }
}

/// What a ruling failed for is not the fault of the copy.
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
}

impl<'a> Rulings<'a> {
    fn new(writer: &'a CorpusWriter<'a>, file: &'a LayoutFile, bytes: u64) -> Self {
        let verdicts = writer.verdicts.of(file.documents.clone());
        Self { writer, verdicts, next: None, is_begun: false, file, bytes, told: 0, records: 0 }
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

    /// Every document that was ruled on must have been met: otherwise the shard is not what was read.
    fn finish(mut self) -> Result<(), Error> {
        self.writer.progress.advance(self.bytes.saturating_sub(self.told));
        self.told = self.bytes;
        if !self.is_begun {
            self.advance()?;
        }
        if self.next.is_none() {
            return Ok(());
        }
        let reason = "it has fewer records than were read: it changed since".to_owned();
        Err(Error::Damaged { id: shown(&self.file.from), reason })
    }
}

/// The records before a document in its shard.
fn record(place: &Place) -> Option<u64> {
    place.record().map(|(_, row)| row)
}
