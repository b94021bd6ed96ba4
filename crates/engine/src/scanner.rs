//! A scan, asked for and finished: what a program that embeds the engine sees of it.

use crate::Error;
use crate::all::{AllEngine, AllOptions};
use crate::error::OptionName;
use crate::lens::chunks::engine::{self as chunks, ChunksEngine};
use crate::lens::chunks::options::ChunksOptions;
use crate::lens::chunks::recluster as chunk_runs;
use crate::lens::chunks::templates::TemplateList;
use crate::lens::passages::engine::{self as passages, PairNumbers, PassageScan, ShownFile};
use crate::lens::passages::options::PassagesOptions;
use crate::lens::shingles::engine::ShinglesEngine;
use crate::lens::shingles::exchange as shingle_exchange;
use crate::lens::shingles::options::ShinglesOptions;
use crate::lens::shingles::saved as shingle_runs;
use crate::lens::simhash::engine::{self as simhash, SimhashEngine};
use crate::lens::simhash::options::SimhashOptions;
use crate::lens::simhash::recluster as simhash_runs;
use crate::report::cluster::PairRow;
use crate::report::decisions::Decision;
use crate::report::policy::Policy;
use crate::report::{Phase, Report};
use crate::run::differences::Differences;
use crate::run::exchange::{self, ExchangeSummary, Names};
use crate::run::options::{Keep, ScanOptions};
use crate::run::processor_time::ProcessorTime;
use crate::run::saved;
use crate::run::scan::{self, DocumentScan};
use crate::run::session::{Session, reading};
use crate::run::text::Text;
use crate::run::view::{ComparedPair, DocumentView};
use lookalike_core::lens::Lens;
use lookalike_core::recipe::Recipe;
use lookalike_corpus::{Corpus, Input, Options as CorpusOptions};
use lookalike_store::{Cancel, Progress, Resources, Silent};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

/// What is asked of one lens.
#[derive(Clone, Debug)]
pub enum LensOptions {
    /// Of the shingles lens.
    Shingles(ShinglesOptions),
    /// Of the chunks lens.
    Chunks(ChunksOptions),
    /// Of the simhash lens.
    Simhash(SimhashOptions),
    /// Of the passages lens.
    Passages(PassagesOptions),
    /// Of all lenses together.
    All(AllOptions),
}

impl LensOptions {
    /// The lens; none if it is all of them.
    pub fn lens(&self) -> Option<Lens> {
        match self {
            Self::Shingles(_) => Some(Lens::Shingles),
            Self::Chunks(_) => Some(Lens::Chunks),
            Self::Simhash(_) => Some(Lens::Simhash),
            Self::Passages(_) => Some(Lens::Passages),
            Self::All(_) => None,
        }
    }
}

impl From<Recipe> for LensOptions {
    /// The defaults with this recipe.
    fn from(recipe: Recipe) -> Self {
        match recipe {
            Recipe::Shingles(recipe) => Self::Shingles(recipe.into()),
            Recipe::Chunks(recipe) => {
                Self::Chunks(ChunksOptions { mean: recipe.parameters.mean, ..ChunksOptions::default() })
            }
            Recipe::Simhash(recipe) => Self::Simhash(recipe.into()),
            Recipe::Passages(recipe) => Self::Passages(recipe.into()),
        }
    }
}

impl From<ShinglesOptions> for LensOptions {
    fn from(options: ShinglesOptions) -> Self {
        Self::Shingles(options)
    }
}

impl From<ChunksOptions> for LensOptions {
    fn from(options: ChunksOptions) -> Self {
        Self::Chunks(options)
    }
}

impl From<SimhashOptions> for LensOptions {
    fn from(options: SimhashOptions) -> Self {
        Self::Simhash(options)
    }
}

impl From<AllOptions> for LensOptions {
    fn from(options: AllOptions) -> Self {
        Self::All(options)
    }
}

impl From<PassagesOptions> for LensOptions {
    fn from(options: PassagesOptions) -> Self {
        Self::Passages(options)
    }
}

/// What a lens reads of folders unless it is told otherwise. Who compares files means all of them, and each of them whole.
pub fn corpus_options(lens: Lens) -> CorpusOptions {
    let shards = !matches!(lens, Lens::Chunks | Lens::Passages);
    CorpusOptions { shards, no_ignore: lens == Lens::Chunks, ..CorpusOptions::default() }
}

/// Scans a corpus: a recipe or the options of a lens, then what every scan can be asked, then [`Scanner::run`].
///
/// ```
/// use lookalike_engine::{Input, Scanner, ShinglesOptions};
///
/// let texts = ["one and the same text", "one and the same text", "something else"];
/// let scan = Scanner::new(ShinglesOptions::default()).run(vec![Input::texts(texts)])?;
/// assert_eq!(scan.report().clusters.len(), 1);
/// # Ok::<(), lookalike_engine::Error>(())
/// ```
#[derive(Clone)]
pub struct Scanner<'a> {
    lens: LensOptions,
    options: ScanOptions,
    progress: &'a dyn Progress,
    cancel: Cancel,
}

impl<'a> Scanner<'a> {
    /// A scan by a recipe, or with the options of a lens.
    pub fn new(lens: impl Into<LensOptions>) -> Self {
        let lens = lens.into();
        let options =
            ScanOptions { corpus: lens.lens().map(corpus_options).unwrap_or_default(), ..ScanOptions::default() };
        Self { lens, options, progress: &Silent, cancel: Cancel::default() }
    }

    /// All that does not depend on the lens.
    #[must_use]
    pub fn options(mut self, options: ScanOptions) -> Self {
        self.options = options;
        self
    }

    /// Which documents are read, and how.
    #[must_use]
    pub fn corpus(mut self, corpus: CorpusOptions) -> Self {
        self.options.corpus = corpus;
        self
    }

    /// The secret behind features and fingerprints.
    #[must_use]
    pub fn key(mut self, key: &str) -> Self {
        key.clone_into(&mut self.options.key);
        self
    }

    /// What people decided before.
    #[must_use]
    pub fn decisions(mut self, decisions: Vec<Decision>) -> Self {
        self.options.decisions = decisions;
        self
    }

    /// Which document of a cluster represents it.
    #[must_use]
    pub fn keep(mut self, keep: Keep) -> Self {
        self.options.keep = keep;
        self
    }

    /// Memory, threads, spill folder.
    #[must_use]
    pub fn resources(mut self, resources: Resources) -> Self {
        self.options.resources = resources;
        self
    }

    /// Report how long the phases took and what they used.
    #[must_use]
    pub fn stats(mut self, stats: bool) -> Self {
        self.options.stats = stats;
        self
    }

    /// Who watches.
    #[must_use]
    pub fn progress(mut self, progress: &'a dyn Progress) -> Self {
        self.progress = progress;
        self
    }

    /// A switch that stops the scan at its next step.
    #[must_use]
    pub fn cancel(mut self, cancel: &Cancel) -> Self {
        self.cancel = cancel.clone();
        self
    }

    /// Reads the documents and reports which look alike. A path that is an exchange file joins with what it holds.
    pub fn run(&self, inputs: Vec<Input>) -> Result<Scan, Error> {
        self.options.resources.check()?;
        let session = Session::new(&self.options, self.progress, &self.cancel)?;
        self.options.resources.pool()?.install(|| self.run_in(&session, inputs)).map(|material| Scan { material })
    }

    fn run_in(&self, session: &Session<'_>, inputs: Vec<Input>) -> Result<Material, Error> {
        if let LensOptions::Passages(options) = &self.lens {
            return passages::scan(inputs, options, session).map(|scan| Material::Submissions(Box::new(scan)));
        }
        let (exchanged, inputs) = exchange::divide(inputs);
        match self.lens.lens() {
            Some(lens) => exchanged.iter().try_for_each(|path| exchange::check_lens(path, lens))?,
            None if !exchanged.is_empty() => return Err(Error::NotOfAll { what: OptionName::Exchange }),
            None => {}
        }
        let open = |inputs| Corpus::open(inputs, reading(&self.options));
        let scan = match &self.lens {
            LensOptions::Shingles(options) => {
                // what others sketched has the hashes of other runs
                let with_others = !exchanged.is_empty();
                let engine = ShinglesEngine::new(options, session, exchanged)?;
                let engine = if with_others { engine } else { engine.for_one_run() };
                scan::run(&engine, session, open(inputs)?)
            }
            LensOptions::Chunks(options) => {
                let engine = ChunksEngine::new(options, &self.options.key, exchanged)?;
                scan::run(&engine, session, open(inputs)?)
            }
            LensOptions::Simhash(options) => {
                simhash::check(options, session, &inputs, &exchanged)?;
                let corpus = open(inputs)?;
                if options.recipe.bits == 128 {
                    scan::run(&SimhashEngine::<u128>::new(options, session, &corpus, exchanged)?, session, corpus)
                } else {
                    scan::run(&SimhashEngine::<u64>::new(options, session, &corpus, exchanged)?, session, corpus)
                }
            }
            LensOptions::All(options) => {
                let engine = AllEngine::new(options, &self.options.key)?;
                scan::run(&engine, session, open(inputs)?).map(|mut scan| {
                    (scan.report.head.lens, scan.report.head.recipe) = (None, engine.recipes());
                    scan
                })
            }
            LensOptions::Passages(_) => unreachable!("handled above"),
        };
        scan.map(|scan| Material::Documents(Box::new(scan)))
    }

    /// Writes an exchange file: names, lengths and sketches or chunk hashes, without the content. Of the shingles, the chunks and the simhash lens.
    pub fn sketch(&self, inputs: Vec<Input>, names: Names, out: &Path) -> Result<ExchangeSummary, Error> {
        let session = Session::new(&self.options, self.progress, &self.cancel)?;
        self.options.resources.pool()?.install(|| match &self.lens {
            LensOptions::Shingles(options) => shingle_exchange::sketch(inputs, &session, &options.recipe, names, out),
            LensOptions::Chunks(options) => chunks::sketch(inputs, &session, options, names, out),
            LensOptions::Simhash(options) => {
                simhash::check(options, &session, &inputs, &[])?;
                match options.recipe.bits {
                    128 => simhash::sketch::<u128>(inputs, &session, options, names, out),
                    _ => simhash::sketch::<u64>(inputs, &session, options, names, out),
                }
            }
            LensOptions::Passages(_) => Err(Error::not_of(OptionName::Exchange, Some(Lens::Passages))),
            LensOptions::All(_) => Err(Error::not_of(OptionName::Exchange, None)),
        })
    }
}

/// A finished scan: the report, and the way back to the documents.
pub struct Scan {
    material: Material,
}

/// What a scan keeps.
enum Material {
    Documents(Box<DocumentScan>),
    Submissions(Box<PassageScan>),
}

impl Scan {
    /// What was found.
    pub fn report(&self) -> &Report {
        match &self.material {
            Material::Documents(scan) => &scan.report,
            Material::Submissions(scan) => &scan.report,
        }
    }

    /// What was found, to be changed before it is shown.
    pub fn report_mut(&mut self) -> &mut Report {
        match &mut self.material {
            Material::Documents(scan) => &mut scan.report,
            Material::Submissions(scan) => &mut scan.report,
        }
    }

    /// Runs a step that belongs to the scan, such as writing what was found, and counts its time, if time is counted.
    pub fn timed<T, E>(&mut self, name: &'static str, step: impl FnOnce(&Self) -> Result<T, E>) -> Result<T, E> {
        let (wall, cpu) = (Instant::now(), ProcessorTime::now());
        let result = step(self);
        let head = &mut self.report_mut().head;
        if let Some(usage) = &mut head.usage {
            let (seconds, cpu_seconds) = (wall.elapsed().as_secs_f64(), cpu.elapsed().as_secs_f64());
            usage.seconds += seconds;
            usage.cpu_seconds += cpu_seconds;
            usage.peak_memory = lookalike_store::resources::peak_memory();
            let (seconds, cpu_seconds) = (Some(seconds), Some(cpu_seconds));
            head.phases.push(Phase { name, counts: BTreeMap::new(), seconds, cpu_seconds });
        }
        result
    }

    /// What was found; the way back is given up.
    pub fn into_report(self) -> Report {
        match self.material {
            Material::Documents(scan) => scan.report,
            Material::Submissions(scan) => scan.report,
        }
    }

    /// The scan of documents, for what only such have.
    pub fn documents(&self) -> Result<&DocumentScan, Error> {
        match &self.material {
            Material::Documents(scan) => Ok(scan),
            Material::Submissions(_) => Err(Error::NotOfLens { what: OptionName::Documents, lens: Lens::Passages }),
        }
    }

    fn submissions(&self) -> Result<&PassageScan, Error> {
        match &self.material {
            Material::Submissions(scan) => Ok(scan),
            Material::Documents(scan) => Err(Error::not_of(OptionName::Submissions, scan.report.head.lens)),
        }
    }

    /// Calls `each` with every pair that the policy accepts. Needs `all_pairs` of the lens's options.
    ///
    /// Each duplicate makes the pairs of its canonical document. A group of more duplicates than the greatest document frequency is given by
    /// its pairs with the canonical one only.
    pub fn pairs<E: From<Error>>(&self, mut each: impl FnMut(PairRow) -> Result<(), E>) -> Result<(), E> {
        let scan = self.documents()?;
        let mut failed = None;
        let result = scan.pairs.for_each_row(&scan.documents, &mut |row| {
            each(row).map_err(|error| {
                failed = Some(error);
                Error::Cancelled
            })
        });
        failed.map_or_else(|| result.map_err(E::from), Err)
    }

    /// What differs between two documents of the report, in a few words; none where they cannot be read again.
    pub fn differences(&self, a: u32, b: u32) -> Result<Option<Differences>, Error> {
        let scan = self.documents()?;
        scan.pairs.differences(&scan.documents, a, b)
    }

    /// Keeps the run in a new folder, for [`crate::recluster`]. Needs `all_pairs` of the shingles lens; what fingerprints verified is not kept.
    pub fn save(&self, path: &Path) -> Result<(), Error> {
        let scan = self.documents()?;
        scan.pairs.save(&scan.report, &scan.documents, path)
    }

    /// The least resemblance (of the chunks lens: the least share of the smaller) of which every pair was looked for.
    pub fn explored(&self) -> Result<f64, Error> {
        Ok(self.documents()?.pairs.explored())
    }

    /// What is known of a document, by its number.
    pub fn view(&self, document: u32) -> Result<DocumentView, Error> {
        self.documents()?.view(document)
    }

    /// The text of a document; none if it is no longer what it was.
    pub fn text(&self, document: u32) -> Result<Option<Text>, Error> {
        self.documents()?.text(document)
    }

    /// Calls `each` with every pair that was compared, links or not, but for those that people told apart. Needs `all_pairs`. A pair that
    /// was found in two ways comes twice, with either sample.
    pub fn compared(&self, each: &mut dyn FnMut(ComparedPair) -> Result<(), Error>) -> Result<(), Error> {
        self.documents()?.compared(each)
    }

    /// These documents in the order in which they are offered as representatives.
    pub fn ranked(&self, documents: Vec<u32>) -> Result<Vec<u32>, Error> {
        let DocumentScan { documents: all, pairs, .. } = self.documents()?;
        let sizes = pairs.rank_sizes().unwrap_or(&all.catalogue.sizes);
        all.order.sorted(&all.catalogue, documents.into_iter(), sizes)
    }

    /// The files of a submission as they are shown; none where one has changed since. Of the passages lens.
    pub fn files(&self, submission: usize) -> Result<Vec<Option<ShownFile>>, Error> {
        self.submissions()?.files(submission)
    }

    /// Calls `each` with every pair of submissions of at least the least similarity, most similar first. Of the passages lens.
    pub fn submission_pairs(&self, each: &mut dyn FnMut(PairNumbers) -> Result<(), Error>) -> Result<(), Error> {
        self.submissions()?.for_each_pair(each)
    }
}

/// Clusters a saved run again, with another policy and, of the chunks lens, without these templates. The originals are not needed. A
/// threshold may be raised, not lowered: what was below it was never compared. Of fingerprints only the linkage counts here.
pub fn recluster(run: &Path, policy: impl FnOnce(Policy) -> Policy, templates: &TemplateList) -> Result<Report, Error> {
    match saved::lens_of(run) {
        Some(Lens::Chunks) => chunk_runs::recluster(run, policy, templates),
        Some(Lens::Simhash) => {
            simhash_runs::recluster(run, |options| options.linkage = policy(options.policy()).linkage)
        }
        _ => shingle_runs::recluster(run, policy),
    }
}

#[cfg(test)]
mod tests;
