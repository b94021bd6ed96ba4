//! Changes of an index: build, add, remove, merge. Each is one commit, all or nothing.

use crate::writer::update::Change;
use lookalike_engine::lens::passages::CopiesOptions;
use crate::answers::{Changed, Lens};
use crate::query::reader::no_key;
use crate::segment::meta::{Meta, Opened, check_date, check_recipe};
use crate::segment::shelf::Shelf;
use crate::segment::standing::Working;
use crate::passages::PassageIndex;
use crate::simhash::reading::{SimhashReader, no_fingerprints};
use crate::pipeline::Session;
use lookalike_store::progress::{Cancel, Progress};
use lookalike_engine::run::session::reading;
use crate::{Error, Linkage, ScanOptions, machine};
use lookalike_engine::lens::simhash;
use lookalike_core::recipe::Recipe;
use lookalike_core::simhash::Idf;
use lookalike_corpus::{Corpus, Input};
use lookalike_store::{Disk, Error as StoreError, Folder, RealDisk};
use std::path::Path;
use std::sync::Arc;

/// Makes a new index of all documents; `sweep` is the date on which they were seen, if that matters.
pub fn build(
    path: &Path,
    inputs: Vec<Input>,
    sweep: Option<&str>,
    options: &ScanOptions,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Changed, Error> {
    let writer = Writer { path, disk: Arc::new(RealDisk), options, fingerprints: None, progress, cancel };
    writer.build(inputs, sweep)
}

/// Makes a new index of the passages of all documents. What is asked of pairs and submissions does not matter here.
pub fn build_passages(
    path: &Path,
    inputs: Vec<Input>,
    sweep: Option<&str>,
    options: &CopiesOptions,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Changed, Error> {
    let writer =
        Writer { path, disk: Arc::new(RealDisk), options: &options.scan, fingerprints: None, progress, cancel };
    writer.build_as(Meta::of_passages(options)?, inputs, sweep)
}

/// Makes a new index of the fingerprints of all documents.
pub fn build_simhash(
    path: &Path,
    inputs: Vec<Input>,
    sweep: Option<&str>,
    options: &simhash::Options,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Changed, Error> {
    let scan = with_key(options);
    let writer =
        Writer { path, disk: Arc::new(RealDisk), options: &scan, fingerprints: Some(options), progress, cancel };
    writer.build_as(Meta::of_simhash(options), inputs, sweep)
}

/// Adds documents to an index of fingerprints, which must have the same recipe.
pub fn add_simhash(
    path: &Path,
    inputs: Vec<Input>,
    sweep: Option<&str>,
    options: &simhash::Options,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Changed, Error> {
    let scan = with_key(options);
    let writer =
        Writer { path, disk: Arc::new(RealDisk), options: &scan, fingerprints: Some(options), progress, cancel };
    writer.add(inputs, sweep)
}

/// The options of reading, with the key of the fingerprints.
fn with_key(options: &simhash::Options) -> ScanOptions {
    ScanOptions { key: options.key.clone(), ..options.scan.clone() }
}

/// What an index keeps.
pub fn lens(path: &Path) -> Result<Lens, Error> {
    Ok(Opened::open(path)?.meta.lens())
}

/// Adds documents to an index. A name that is there already, in the same sweep, gets the new document.
pub fn add(
    path: &Path,
    inputs: Vec<Input>,
    sweep: Option<&str>,
    options: &ScanOptions,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Changed, Error> {
    let writer = Writer { path, disk: Arc::new(RealDisk), options, fingerprints: None, progress, cancel };
    writer.add(inputs, sweep)
}

/// Removes URLs or ids from an index: from one sweep, or from all.
pub fn remove(
    path: &Path,
    names: &[String],
    sweep: Option<&str>,
    options: &ScanOptions,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Changed, Error> {
    let writer = Writer { path, disk: Arc::new(RealDisk), options, fingerprints: None, progress, cancel };
    writer.remove(names, sweep)
}

/// Merges all segments of an index into as few as there can be.
pub fn merge(path: &Path, options: &ScanOptions, progress: &dyn Progress, cancel: &Cancel) -> Result<Changed, Error> {
    let writer = Writer { path, disk: Arc::new(RealDisk), options, fingerprints: None, progress, cancel };
    writer.merge()
}

/// Changes one index.
pub(crate) struct Writer<'a> {
    pub(crate) path: &'a Path,
    pub(crate) disk: Arc<dyn Disk>,
    pub(crate) options: &'a ScanOptions,
    /// How fingerprints are made, if that is known.
    pub(crate) fingerprints: Option<&'a simhash::Options>,
    pub(crate) progress: &'a dyn Progress,
    pub(crate) cancel: &'a Cancel,
}

impl Writer<'_> {
    pub(crate) fn build(&self, inputs: Vec<Input>, sweep: Option<&str>) -> Result<Changed, Error> {
        check(self.options, sweep)?;
        self.build_as(Meta::new(self.options), inputs, sweep)
    }

    pub(crate) fn build_as(&self, meta: Meta, inputs: Vec<Input>, sweep: Option<&str>) -> Result<Changed, Error> {
        sweep.map_or(Ok(()), check_date)?;
        let corpus = Corpus::open(inputs, reading(self.options))?;
        let folder = Folder::create(self.path, Arc::clone(&self.disk)).map_err(|error| self.taken(error))?;
        let change = Change::new(folder, meta, Shelf::new(Vec::new())?, Working::default());
        self.run(change, true, |session, change| change.add(session, &corpus, sweep, self.idf()))
    }

    pub(crate) fn add(&self, inputs: Vec<Input>, sweep: Option<&str>) -> Result<Changed, Error> {
        check(self.options, sweep)?;
        let corpus = Corpus::open(inputs, reading(self.options))?;
        let change = self.open()?;
        self.check_lens(change.meta())?;
        self.run(change, true, |session, change| change.add(session, &corpus, sweep, self.idf()))
    }

    pub(crate) fn remove(&self, names: &[String], sweep: Option<&str>) -> Result<Changed, Error> {
        sweep.map_or(Ok(()), check_date)?;
        let change = self.open()?;
        self.run(change, false, |session, change| change.remove(session, names, sweep))
    }

    pub(crate) fn merge(&self) -> Result<Changed, Error> {
        let change = self.open()?;
        self.run(change, false, |session, change| change.merge_all(session))
    }

    /// What features weigh.
    fn idf(&self) -> Option<Arc<Idf>> {
        self.fingerprints.and_then(|options| options.idf.clone())
    }

    /// Refuses to add documents that would be read in another way.
    fn check_lens(&self, meta: &Meta) -> Result<(), Error> {
        let key = &self.options.key;
        match (meta.lens(), self.fingerprints) {
            // it says how documents are read, and refuses another key
            (Lens::Passages, None) => PassageIndex::open(self.path, key).map(|_| ()),
            (Lens::Simhash, None) => SimhashReader::new(self.path, meta, key, None).map(|_| ()),
            (Lens::Simhash, Some(options)) => {
                SimhashReader::new(self.path, meta, key, self.idf())?.check(self.path, &options.recipe)
            }
            (Lens::Shingles, None) => {
                let recipe = meta.recipe(self.path)?;
                if recipe.feature_hasher(key).is_none() {
                    return Err(no_key(self.path, &recipe));
                }
                check_recipe(self.path, &recipe, &self.options.recipe)
            }
            (_, Some(_)) => Err(no_fingerprints(self.path, meta)),
        }
    }

    /// Says what stands where a new index should go: it may be what the index should be made of.
    fn taken(&self, error: StoreError) -> Error {
        if !matches!(error, StoreError::Exists { .. }) {
            return error.into();
        }
        let reason = if self.path.join("manifest.json").is_file() {
            "is an index already; add to it with lookalike index add, or choose another name"
        } else {
            "is there already, and is no index; give the name of a new folder first, then what to read"
        };
        Error::Index { path: self.path.display().to_string(), reason: reason.to_owned() }
    }

    fn open(&self) -> Result<Change, Error> {
        let folder = Folder::lock(self.path, Arc::clone(&self.disk))?;
        let Opened { meta, shelf, standing, .. } = Opened::open(self.path)?;
        let standing = Working::of(&standing, &shelf)?;
        Ok(Change::new(folder, meta, shelf, standing))
    }

    /// Does the work and commits. What `reads` no documents needs no key.
    fn run(
        &self,
        mut change: Change,
        reads: bool,
        work: impl FnOnce(&Session<'_>, &mut Change) -> Result<(), Error> + Send,
    ) -> Result<Changed, Error> {
        let mut recipe = match change.meta().lens() {
            Lens::Shingles => change.meta().recipe(self.path)?,
            // not used, but it must know the key
            Lens::Passages | Lens::Simhash => ShingleRecipe { key: change.meta().key(), ..ShingleRecipe::words(1) },
        };
        if !reads {
            recipe.key = None;
        }
        // sketches are all that is kept: there is nothing to verify
        let key = if reads { self.options.key.clone() } else { String::new() };
        let options = ScanOptions { recipe, key, estimate: true, policy: change.meta().policy, ..self.options.clone() };
        let session = Session::new(&options, self.progress, self.cancel)?;
        resources::pool(options.threads)?.install(|| {
            work(&session, &mut change)?;
            change.commit(&session)
        })
    }
}

fn check(options: &ScanOptions, sweep: Option<&str>) -> Result<(), Error> {
    options.policy.check()?;
    sweep.map_or(Ok(()), check_date)?;
    if options.policy.linkage != Linkage::Star || options.whole {
        let message = "an index has stars, and ignores what is common; leave out --linkage single and --whole";
        return Err(Error::Options(message.into()));
    }
    if options.policy.contained.is_some() && !options.recipe.sampling.estimates_containment() {
        return Err(Error::Options("MIN sketches cannot find containment; use --sketch nested:100 with it".into()));
    }
    Ok(())
}
