//! Changes of an index: build, add, remove, merge. Each is one commit, all or nothing.

use crate::info::ChangeSummary;
use crate::lens::any_lens::AnyLens;
use crate::segment::cluster_state::WorkingState;
use crate::segment::meta::Meta;
use crate::segment::segment_set::SegmentSet;
use crate::segment::snapshot::Snapshot;
use crate::writer::change::Change;
use lookalike_core::cluster::Linkage;
use lookalike_core::recipe::{ChunkRecipe, Recipe};
use lookalike_core::simhash::Idf;
use lookalike_corpus::{Corpus, Input, Options as CorpusOptions};
use lookalike_engine::lens::simhash::options::keyed;
use lookalike_engine::report::policy::Policy;
use lookalike_engine::report::shingles::Candidates;
use lookalike_engine::run::Session;
use lookalike_engine::run::date::days;
use lookalike_engine::run::session::reading;
use lookalike_engine::{
    ChunksOptions, Error, IndexError, LensOptions, OptionName, ScanOptions, ShinglesOptions, SimhashOptions,
};
use lookalike_store::{Cancel, Disk, Error as StoreError, Folder, Progress, RealDisk, Resources, Silent};
use std::path::PathBuf;
use std::sync::Arc;

/// Makes and changes the index of one folder. What is read is said by the builder's methods; each change is one commit.
///
/// ```no_run
/// use lookalike_engine::{Input, ShinglesOptions};
/// use lookalike_index::IndexWriter;
///
/// let writer = IndexWriter::new("pages.index");
/// writer.build(ShinglesOptions::default(), vec![Input::Path("pages".into())], Some("2026-05-01"))?;
/// writer.add(vec![Input::Path("pages".into())], Some("2026-05-08"))?;
/// # Ok::<(), lookalike_engine::Error>(())
/// ```
#[derive(Clone)]
pub struct IndexWriter<'a> {
    path: PathBuf,
    options: ScanOptions,
    required: Option<Recipe>,
    idf: Option<Arc<Idf>>,
    progress: &'a dyn Progress,
    cancel: Cancel,
    disk: Arc<dyn Disk>,
}

impl<'a> IndexWriter<'a> {
    /// A writer of the index in this folder, which need not be there yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self {
            path: path.into(),
            options: ScanOptions::default(),
            required: None,
            idf: None,
            progress: &Silent,
            cancel: Cancel::default(),
            disk: Arc::new(RealDisk),
        }
    }

    /// Which documents are read, and how.
    #[must_use]
    pub fn corpus(mut self, corpus: CorpusOptions) -> Self {
        self.options.corpus = corpus;
        self
    }

    /// The secret behind features and fingerprints. Removing and merging need none.
    #[must_use]
    pub fn key(mut self, key: &str) -> Self {
        key.clone_into(&mut self.options.key);
        self
    }

    /// The table of document frequencies that the recipe of an index of fingerprints names.
    #[must_use]
    pub fn idf(mut self, idf: Arc<Idf>) -> Self {
        self.idf = Some(idf);
        self
    }

    /// Documents are only added to an index of this recipe. Without it they are read as the index says.
    #[must_use]
    pub fn require(mut self, recipe: impl Into<Recipe>) -> Self {
        self.required = Some(recipe.into());
        self
    }

    /// Memory, threads, spill folder.
    #[must_use]
    pub fn resources(mut self, resources: Resources) -> Self {
        self.options.resources = resources;
        self
    }

    /// Who watches.
    #[must_use]
    pub fn progress(mut self, progress: &'a dyn Progress) -> Self {
        self.progress = progress;
        self
    }

    /// A switch that stops the change at its next step.
    #[must_use]
    pub fn cancel(mut self, cancel: &Cancel) -> Self {
        self.cancel = cancel.clone();
        self
    }

    #[cfg(test)]
    #[must_use]
    pub(crate) fn disk(mut self, disk: Arc<dyn Disk>) -> Self {
        self.disk = disk;
        self
    }

    /// Makes a new index of all documents; `sweep` is the date on which they were seen, if that matters. Of the options only the recipe
    /// counts, and what decides the clusters of shingles; what an index cannot do is refused.
    pub fn build(
        &self,
        lens: impl Into<LensOptions>,
        inputs: Vec<Input>,
        sweep: Option<&str>,
    ) -> Result<ChangeSummary, Error> {
        check_date(sweep)?;
        let IndexOptions { recipe, idf, policy, max_df } = IndexOptions::new(lens.into(), &self.options.key)?;
        let lens = AnyLens::new(&recipe, &self.options.key, idf.or_else(|| self.idf.clone()))?;
        let corpus = Corpus::open(inputs, self.reading())?;
        let folder = Folder::create(&self.path, Arc::clone(&self.disk)).map_err(|error| self.taken(error))?;
        let meta = Meta::new(&recipe, policy, max_df);
        let change = Change::new(folder, meta, SegmentSet::new(Vec::new())?, WorkingState::default(), lens.get());
        self.run(change, |change, session| change.add(session, &corpus, sweep))
    }

    /// How documents are read: the index itself is none.
    fn reading(&self) -> CorpusOptions {
        let mut options = reading(&self.options);
        options.own.push(self.path.clone());
        options
    }

    /// Adds documents. A name that is there already, in the same sweep, gets the new document.
    pub fn add(&self, inputs: Vec<Input>, sweep: Option<&str>) -> Result<ChangeSummary, Error> {
        check_date(sweep)?;
        let corpus = Corpus::open(inputs, self.reading())?;
        let (folder, snapshot) = self.open()?;
        let recipe = &snapshot.recipe;
        if let Some(required) = self.required.as_ref().filter(|required| *required != recipe) {
            let (expected, found) = (required.to_string(), recipe.to_string());
            return Err(Error::WrongRecipe { path: self.path.clone(), expected, found });
        }
        let lens = AnyLens::new(recipe, &self.options.key, self.idf.clone())?;
        self.run(change(folder, snapshot, &lens)?, |change, session| change.add(session, &corpus, sweep))
    }

    /// Removes URLs or ids: from one sweep, or from all.
    pub fn remove(&self, names: &[String], sweep: Option<&str>) -> Result<ChangeSummary, Error> {
        check_date(sweep)?;
        let (folder, snapshot) = self.open()?;
        let lens = AnyLens::new(&snapshot.recipe, "", None)?;
        self.run(change(folder, snapshot, &lens)?, |change, session| change.remove(session, names, sweep))
    }

    /// Merges all segments into as few as there can be.
    pub fn merge(&self) -> Result<ChangeSummary, Error> {
        let (folder, snapshot) = self.open()?;
        let lens = AnyLens::new(&snapshot.recipe, "", None)?;
        self.run(change(folder, snapshot, &lens)?, Change::merge_all)
    }

    /// Says what stands where a new index should go: it may be what the index should be made of.
    fn taken(&self, error: StoreError) -> Error {
        if !matches!(error, StoreError::Exists { .. }) {
            return error.into();
        }
        let is_index = self.path.join("manifest.json").is_file();
        let reason = if is_index { IndexError::Exists } else { IndexError::Taken };
        Error::Index { path: self.path.clone(), reason }
    }

    fn open(&self) -> Result<(Folder, Snapshot), Error> {
        let folder = Folder::lock(&self.path, Arc::clone(&self.disk))?;
        Ok((folder, Snapshot::open(&self.path)?))
    }

    /// Does the work and commits.
    fn run<'c>(
        &self,
        mut change: Change<'c>,
        work: impl FnOnce(&mut Change<'c>, &Session<'_>) -> Result<(), Error> + Send,
    ) -> Result<ChangeSummary, Error> {
        let session = Session::new(&self.options, self.progress, &self.cancel)?;
        self.options.resources.pool()?.install(|| {
            work(&mut change, &session)?;
            change.commit(&session)
        })
    }
}

/// A change that begins with what is there.
fn change(folder: Folder, snapshot: Snapshot, lens: &AnyLens) -> Result<Change<'_>, Error> {
    let Snapshot { meta, segments, state, .. } = snapshot;
    let state = WorkingState::of(&state, &segments)?;
    Ok(Change::new(folder, meta, segments, state, lens.get()))
}

/// What an index takes of the options of a lens.
struct IndexOptions {
    recipe: Recipe,
    idf: Option<Arc<Idf>>,
    policy: Policy,
    max_df: u32,
}

impl IndexOptions {
    fn new(lens: LensOptions, key: &str) -> Result<Self, Error> {
        let plain = |recipe: Recipe, idf| Self { recipe, idf, policy: Policy::default(), max_df: 0 };
        match lens {
            LensOptions::Shingles(options) => {
                check_shingles(&options)?;
                let ShinglesOptions { recipe, policy, max_df, .. } = options;
                Ok(Self { recipe: recipe.with_key(key).into(), idf: None, policy, max_df })
            }
            LensOptions::Simhash(options) => {
                check_simhash(&options)?;
                Ok(plain(keyed(options.recipe, key).into(), options.idf))
            }
            LensOptions::Passages(options) => Ok(plain(options.recipe.with_key(key).into(), None)),
            LensOptions::Chunks(options) => {
                check_chunks(&options)?;
                Ok(plain(ChunkRecipe::new(options.mean, key)?.into(), None))
            }
            LensOptions::All(_) => Err(Error::not_of(OptionName::Index, None)),
        }
    }
}

/// An index has stars, and ignores what is frequent.
fn check_shingles(options: &ShinglesOptions) -> Result<(), Error> {
    options.check()?;
    let refused = [
        (options.policy.linkage != Linkage::Star, OptionName::SingleLinkage),
        (options.include_boilerplate, OptionName::IncludeBoilerplate),
        (options.candidates == Candidates::Super, OptionName::SuperShingles),
    ];
    refuse(&refused)
}

/// An index keeps fingerprints of all features; pairs are looked for when they are asked for.
fn check_simhash(options: &SimhashOptions) -> Result<(), Error> {
    let refused = [
        (options.max_df.is_some(), OptionName::MaxDf),
        (options.verify.is_some(), OptionName::Verify),
        (options.length_ratio.is_some(), OptionName::LengthRatio),
        (options.linkage != Linkage::Star, OptionName::SingleLinkage),
    ];
    refuse(&refused)
}

/// An index keeps chunks, not the files; what two share is looked for when it is asked for.
fn check_chunks(options: &ChunksOptions) -> Result<(), Error> {
    let refused = [
        (options.refine.is_some(), OptionName::Refine),
        (options.exact, OptionName::Exact),
        (!options.templates.templates.is_empty(), OptionName::Templates),
        (options.linkage != Linkage::Star, OptionName::SingleLinkage),
    ];
    refuse(&refused)
}

fn refuse(options: &[(bool, OptionName)]) -> Result<(), Error> {
    match options.iter().find(|(given, _)| *given) {
        Some((_, option)) => Err(Error::Conflict(OptionName::Index, *option)),
        None => Ok(()),
    }
}

/// Refuses what is no date.
fn check_date(date: Option<&str>) -> Result<(), Error> {
    match date.filter(|date| days(date).is_none()) {
        Some(date) => OptionName::Sweep.refuse("a date such as 2026-05-01 or 2026-05-01T13:30", format!("{date:?}")),
        None => Ok(()),
    }
}
