//! Cuts repeated text out of documents, instead of removing documents.
//!
//! {`paragraphs`, `substrings`} read the corpus and find what goes ← `cuts` (on disk, by document) ← {`cut_verdicts`, `cut_file`,
//! `cut_summary`}. Each finder works in steps whose results are kept in the folder of the run.

mod cut_file;
mod cut_summary;
mod cut_verdicts;
mod cuts;
mod options;
mod paragraphs;
mod pieces;
mod reading;
mod step_files;
mod substrings;
mod texts;

pub use cut_summary::{CutSummary, RepeatedText};
pub use cuts::{CutPiece, Cuts, DocumentCuts};
pub use options::{Granularity, ParagraphOptions, PieceUnit, SubstringOptions};

use crate::Error;
use crate::corpus_counts::CorpusCounts;
use crate::corpus_writer::CorpusWriter;
use crate::layout::{Layout, check_documents};
use crate::options::DedupOptions;
use crate::run_folder::RunFolder;
use crate::summary::write_json;
use cut_verdicts::CutVerdicts;
use lookalike_corpus::{CopyOptions, Corpus};
use lookalike_engine::report::Skip;
use lookalike_engine::run::catalogue::Catalogue;
use lookalike_engine::run::documents::Documents;
use lookalike_engine::run::duplicates::DuplicateGroups;
use lookalike_engine::run::session::Session;
use lookalike_engine::run::text_extractor::TextExtractor;
use lookalike_store::Unit;
use std::path::PathBuf;
use substrings::SubstringFinder;

/// What a run that cuts leaves in memory.
pub struct CutResult {
    /// Everything that was read.
    pub documents: Documents,
    /// What goes.
    pub cuts: Cuts,
    /// The same in numbers.
    pub summary: CutSummary,
}

/// The parts of a run that every way of cutting needs.
pub(crate) struct CutRun<'a> {
    pub(crate) options: &'a DedupOptions,
    pub(crate) session: &'a Session<'a>,
    pub(crate) inputs: &'a [PathBuf],
    pub(crate) folder: Option<&'a RunFolder>,
}

impl CutRun<'_> {
    /// Cuts repeated paragraphs or lines.
    pub(crate) fn paragraphs(&self, corpus: Corpus, options: &ParagraphOptions) -> Result<CutResult, Error> {
        let (catalogue, mut read) = paragraphs::read(self.session, &corpus, options)?;
        let (documents, layout) = self.documents(corpus, catalogue)?;
        let cuts = paragraphs::find(self.session, &mut read.long, &documents.catalogue.sizes, options)?;
        self.finish(documents, layout, cuts, Some(read.all))
    }

    /// Cuts repeated stretches of words.
    pub(crate) fn substrings(&self, corpus: Corpus, options: &SubstringOptions) -> Result<CutResult, Error> {
        let finder = SubstringFinder::new(self.session, options);
        let (catalogue, mut fingerprints) = finder.read(&corpus)?;
        let (documents, layout) = self.documents(corpus, catalogue)?;
        let cuts = finder.find(&documents, &mut fingerprints)?;
        self.finish(documents, layout, cuts, None)
    }

    /// Writes what is left, if there is a folder for it.
    fn finish(
        &self,
        documents: Documents,
        layout: Option<Layout>,
        cuts: Cuts,
        pieces: Option<u64>,
    ) -> Result<CutResult, Error> {
        let target = self.folder.zip(layout);
        let written = target.as_ref().map(|(folder, layout)| self.write(folder, layout, &documents, &cuts));
        let summary = CutSummary::new(self.options, &documents, &cuts, pieces, written.transpose()?)?;
        if let Some((folder, _)) = &target {
            write_json(&summary, &folder.path().join("summary.json"))?;
        }
        Ok(CutResult { documents, cuts, summary })
    }

    /// What was read, if it is whole and can be written again: known before the long work begins. From now on the inputs must not change.
    fn documents(&self, corpus: Corpus, catalogue: Catalogue) -> Result<(Documents, Option<Layout>), Error> {
        if !self.options.allow_damaged {
            check_damage(&catalogue.skipped)?;
        }
        check_documents(&corpus, &catalogue)?;
        let groups = DuplicateGroups::new(catalogue.len(), Vec::new());
        let documents = Documents::new(self.session, corpus, TextExtractor::default(), (catalogue, groups))?;
        let Some(folder) = self.folder else { return Ok((documents, None)) };
        let layout = Layout::new(self.inputs, &documents)?;
        folder.check_inputs(&layout)?;
        Ok((documents, Some(layout)))
    }

    fn write(
        &self,
        folder: &RunFolder,
        layout: &Layout,
        documents: &Documents,
        cuts: &Cuts,
    ) -> Result<CorpusCounts, Error> {
        let Self { options, session, .. } = self;
        let written = session.phase("write", Unit::Bytes, Some(layout.bytes()), |_| {
            let annotate = options.annotate;
            let copy = CopyOptions { text_field: options.scan.corpus.text_field.clone(), annotate };
            let verdicts = CutVerdicts { documents, cuts, annotate, class: options.granularity.name() };
            let (progress, cancel, allow_damaged) = (session.progress, session.cancel, options.allow_damaged);
            let writer =
                CorpusWriter { documents, verdicts: &verdicts, options: copy, allow_damaged, progress, cancel };
            Ok(writer.write(layout, folder))
        })??;
        cut_file::write(&folder.path(), session, documents, cuts)?;
        Ok(written)
    }
}

/// Fails if an input is broken.
pub(crate) fn check_damage(skipped: &[Skip]) -> Result<(), Error> {
    match skipped.iter().find(|skip| skip.damage) {
        Some(skip) => Err(Error::Damaged { id: skip.id.clone(), reason: skip.reason.clone() }),
        None => Ok(()),
    }
}
