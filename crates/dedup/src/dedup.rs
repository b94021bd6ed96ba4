//! A run from the inputs to the result.

use crate::Error;
use crate::against;
use crate::asked::AskedOptions;
use crate::contamination::{self, Contaminations};
use crate::contamination_file;
use crate::corpus_writer::CorpusWriter;
use crate::cut::{CutResult, CutRun, Granularity, check_damage};
use crate::duplicates_file;
use crate::first_records::{self, WARC_DATE};
use crate::layout::{Layout, check_documents, check_left_out};
use crate::options::DedupOptions;
use crate::removal::Removals;
use crate::run_folder::{Asked, RunFolder, own_paths};
use crate::summary::{DedupSummary, write_json};
use crate::verdicts::RemovalVerdicts;
use lookalike_corpus::{CopyError, CopyOptions, Corpus, Input};
use lookalike_engine::ShinglesOptions;
use lookalike_engine::lens::shingles::linking::{LinkedDocuments, link_documents};
use lookalike_engine::run::documents::Documents;
use lookalike_engine::run::session::{Session, reading};
use lookalike_index::IndexWriter;
use lookalike_store::{Cancel, Progress, Silent, Unit};
use std::path::{Path, PathBuf};

/// Removes near-duplicates from a corpus: what is asked, who watches, then [`Dedup::run`].
pub struct Dedup<'a> {
    options: DedupOptions,
    progress: &'a dyn Progress,
    cancel: Cancel,
}

/// What a run leaves in memory.
pub struct DedupResult {
    /// Everything that was read, and the links.
    pub linked: LinkedDocuments,
    /// Who goes.
    pub removals: Removals,
    /// Documents that hold items of benchmarks, if any were asked for.
    pub contaminations: Option<Contaminations>,
    /// The same in numbers.
    pub summary: DedupSummary,
}

/// The inputs of a run into `out`: their fields are checked, and nothing of them would be missing.
pub(crate) fn open(options: &DedupOptions, inputs: &[PathBuf], out: Option<&Path>) -> Result<Corpus, Error> {
    let mut read = reading(&options.scan);
    read.strict_tables = true;
    read.own.extend(out.into_iter().flat_map(own_paths));
    let inputs = inputs.iter().cloned().map(Input::Path).collect();
    let corpus = Corpus::open(inputs, read).map_err(lookalike_engine::Error::from)?;
    corpus.check_fields(true).map_err(lookalike_engine::Error::from)?;
    check_left_out(&corpus)?;
    Ok(corpus)
}

/// What a run leaves, by its granularity.
pub enum DedupOutput {
    /// Whole documents were removed.
    Documents(Box<DedupResult>),
    /// Pieces were cut out of documents.
    Cuts(Box<CutResult>),
}

impl DedupOutput {
    /// Of a run that removes whole documents.
    pub fn documents(self) -> Option<DedupResult> {
        match self {
            Self::Documents(result) => Some(*result),
            Self::Cuts(_) => None,
        }
    }

    /// Of a run that cuts.
    pub fn cuts(self) -> Option<CutResult> {
        match self {
            Self::Documents(_) => None,
            Self::Cuts(result) => Some(*result),
        }
    }
}

impl<'a> Dedup<'a> {
    /// A run with these options.
    pub fn new(mut options: DedupOptions) -> Self {
        // web archives date their records, and a record that goes names the date of the one that stays
        options.scan.corpus.rank_field.get_or_insert_with(|| WARC_DATE.into());
        options.scan.corpus.strict_tables = true;
        Self { options, progress: &Silent, cancel: Cancel::default() }
    }

    /// Who watches.
    #[must_use]
    pub fn progress(mut self, progress: &'a dyn Progress) -> Self {
        self.progress = progress;
        self
    }

    /// A switch that stops the run at its next step.
    #[must_use]
    pub fn cancel(mut self, cancel: &Cancel) -> Self {
        self.cancel = cancel.clone();
        self
    }

    /// Reads the files, decides who goes, and writes the result into a new folder; without one, it only decides.
    pub fn run(&self, inputs: &[PathBuf], out: Option<&Path>) -> Result<DedupOutput, Error> {
        self.options.scan.resources.check()?;
        self.check_granularity()?;
        against::check(&self.options)?;
        contamination::check_fields(&self.options)?;
        let corpus = open(&self.options, inputs, out)?;
        first_records::check(&self.options, &corpus, self.progress)?;
        let folder =
            out.map(|out| RunFolder::open(out, &self.asked(&corpus.paths()), self.options.resume)).transpose()?;
        let pool = self.options.scan.resources.pool()?;
        match pool.install(|| self.run_in(corpus, folder.as_ref())) {
            Ok(result) => {
                let Some((folder, out)) = folder.zip(out) else { return Ok(result) };
                folder.publish()?;
                // the steps are kept until the index is updated: a run that goes on only does what is left
                if let Some(index) = &self.options.update {
                    self.update(index, out)?;
                }
                folder.remove()?;
                Ok(result)
            }
            Err(error) => {
                // With other inputs nothing that was kept counts.
                let goes_on = matches!(error, Error::Engine(_) | Error::Store(_) | Error::Copy(CopyError::Write(_)));
                if let Some(folder) = folder {
                    folder.abandon(goes_on);
                }
                Err(error)
            }
        }
    }

    /// Reads documents from anywhere and decides who goes. Nothing is written, so what is read may be a stream.
    pub fn decide(&self, inputs: Vec<Input>) -> Result<DedupOutput, Error> {
        self.options.scan.resources.check()?;
        if self.options.granularity != Granularity::Documents {
            return Err(Error::OnlyDocuments { what: "tables in memory" });
        }
        self.options.scan.resources.pool()?.install(|| {
            let session = Session::new(&self.options.scan, self.progress, &self.cancel)?;
            let corpus = Corpus::open(inputs, reading(&self.options.scan)).map_err(lookalike_engine::Error::from)?;
            Ok(DedupOutput::Documents(Box::new(self.remove_documents(&session, corpus, &[], None)?)))
        })
    }

    fn run_in(&self, corpus: Corpus, folder: Option<&RunFolder>) -> Result<DedupOutput, Error> {
        let (options, inputs) = (&self.options, &corpus.paths()[..]);
        let session = Session::new(&options.scan, self.progress, &self.cancel)?;
        let session = match folder {
            Some(folder) => session.in_folder(folder.work().clone()),
            None => session,
        };
        // a result that has its name is not written again
        let folder = folder.filter(|folder| !folder.is_published());
        let cut = CutRun { options, session: &session, inputs, folder };
        let cuts = match &options.granularity {
            Granularity::Documents => {
                let result = self.remove_documents(&session, corpus, inputs, folder)?;
                return Ok(DedupOutput::Documents(Box::new(result)));
            }
            Granularity::Paragraphs(options) => cut.paragraphs(corpus, options)?,
            Granularity::Substrings(options) => cut.substrings(corpus, options)?,
        };
        Ok(DedupOutput::Cuts(Box::new(cuts)))
    }

    /// Numbers must have a meaning, and what is known of whole documents cannot be held against pieces.
    fn check_granularity(&self) -> Result<(), Error> {
        let DedupOptions { granularity, against, contamination, .. } = &self.options;
        granularity.check()?;
        let is_unfit = *granularity != Granularity::Documents;
        match (against.is_empty(), contamination.benchmarks.is_empty()) {
            (false, _) if is_unfit => Err(Error::OnlyDocuments { what: "indexes" }),
            (_, false) if is_unfit => Err(Error::OnlyDocuments { what: "benchmarks" }),
            _ => Ok(()),
        }
    }

    fn remove_documents(
        &self,
        session: &Session<'_>,
        corpus: Corpus,
        inputs: &[PathBuf],
        folder: Option<&RunFolder>,
    ) -> Result<DedupResult, Error> {
        let options = &self.options;
        let (mut known, mut layout, mut damaged) = (Vec::new(), Ok(None), None);
        let linked = link_documents(&options.shingles, session, corpus, &mut |documents| {
            // as soon as they are read: what changes from now on is noticed, also by a run that goes on
            layout = folder.map(|folder| Self::stamped_layout(folder, inputs, documents)).transpose();
            if !options.allow_damaged {
                damaged = check_damage(&documents.catalogue.skipped).err();
            }
            if damaged.is_none() && !inputs.is_empty() {
                damaged = check_documents(&documents.corpus, &documents.catalogue).err();
            }
            if let Some(field) = first_records::ranked_by(options)
                && damaged.is_none()
                && !documents.catalogue.origins.has_ranks()
            {
                damaged = Some(Error::NoRank { field: field.to_owned() });
            }
            if damaged.is_some() {
                return Err(lookalike_engine::Error::Cancelled);
            }
            known = against::find(options, documents, session.work.as_ref())?;
            let mut excluded = vec![false; documents.catalogue.len()];
            for copy in &known {
                excluded[copy.document as usize] = true;
            }
            Ok((!known.is_empty()).then_some(excluded))
        });
        // broken inputs end the run before anything is compared
        let mut linked = damaged.map_or_else(|| linked.map_err(Error::from), Err)?;
        // records that moved meanwhile would be taken for others
        if let Some(changed) = linked.lost.first() {
            let id = linked.documents.catalogue.id(*changed)?;
            return Err(Error::Damaged { id, reason: "it changed while it was being compared".into() });
        }
        let links = std::mem::take(&mut linked.links);
        let mut removals = Removals::new(&linked.documents, &linked.filter, links, known);
        removals.hold(&linked.documents)?;
        let (mut removed_bytes, mut written) = (0, None);
        if let (Some(folder), Some(layout)) = (folder, layout?) {
            folder.check_inputs(&layout)?;
            let counts = session.phase("write", Unit::Bytes, Some(layout.bytes()), |_| {
                let copy =
                    CopyOptions { text_field: options.scan.corpus.text_field.clone(), annotate: options.annotate };
                let (progress, cancel, documents) = (self.progress, &self.cancel, &linked.documents);
                let verdicts = RemovalVerdicts {
                    documents,
                    removals: &removals,
                    annotate: options.annotate,
                    has_web_archives: layout.has_web_archives(),
                };
                let allow_damaged = options.allow_damaged;
                let writer =
                    CorpusWriter { documents, verdicts: &verdicts, options: copy, allow_damaged, progress, cancel };
                Ok(writer.write(&layout, folder))
            })??;
            written = Some(counts);
            duplicates_file::write(&folder.path(), &linked.documents, &removals, |entry| removed_bytes += entry.bytes)?;
        } else {
            for removal in removals.all() {
                removed_bytes += linked.documents.catalogue.entry(removal.document)?.bytes;
            }
        }
        let contaminations = if options.contamination.benchmarks.is_empty() {
            None
        } else {
            let found = contamination::find(options, &options.contamination, session, &linked.documents.corpus)?;
            if let Some(folder) = folder {
                contamination_file::write(&folder.path(), &linked.documents, &found)?;
            }
            Some(found)
        };
        let summary = DedupSummary::new(options, &linked, &removals, removed_bytes, contaminations.as_ref(), written)?;
        if let Some(folder) = folder {
            write_json(&summary, &folder.path().join("summary.json"))?;
        }
        Ok(DedupResult { linked, removals, contaminations, summary })
    }

    fn stamped_layout(folder: &RunFolder, inputs: &[PathBuf], documents: &Documents) -> Result<Layout, Error> {
        let layout = Layout::new(inputs, documents)?;
        folder.check_inputs(&layout)?;
        Ok(layout)
    }

    /// Adds what stays to an index, or makes one of it.
    fn update(&self, index: &Path, out: &Path) -> Result<(), Error> {
        let failed =
            |source| Error::NotUpdated { out: out.to_owned(), index: index.to_owned(), source: Box::new(source) };
        let DedupOptions { shingles, scan, .. } = &self.options;
        let writer = IndexWriter::new(index)
            .corpus(scan.corpus.clone())
            .key(&scan.key)
            .require(shingles.recipe.clone())
            .resources(scan.resources.clone())
            .progress(self.progress)
            .cancel(&self.cancel);
        let corpus = vec![Input::Path(out.join("corpus"))];
        if index.exists() {
            writer.add(corpus, None).map_err(failed)?;
        } else {
            let options = ShinglesOptions { include_boilerplate: false, ..shingles.clone() };
            writer.build(options, corpus, None).map_err(failed)?;
        }
        Ok(())
    }

    /// The options and inputs that a run that goes on must have again.
    fn asked(&self, inputs: &[PathBuf]) -> Asked {
        let whole = |path: &PathBuf| path.canonicalize().unwrap_or_else(|_| path.clone());
        let mut asked = vec![
            ("lookalike".into(), env!("CARGO_PKG_VERSION").into()),
            ("the inputs".into(), format!("{:?}", inputs.iter().map(whole).collect::<Vec<_>>())),
        ];
        asked.extend(AskedOptions::from(&self.options).fixed());
        asked
    }
}
