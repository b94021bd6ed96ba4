//! From documents to links and no further: for who acts on links and needs no report. What each step made is kept in the folder of the
//! run, if it has one; a run that was stopped goes on after the last finished step.

use crate::Error;
use crate::lens::shingles::candidates::Candidate;
use crate::lens::shingles::clustering;
use crate::lens::shingles::counted_features::CountedFeatures;
use crate::lens::shingles::engine::{ShingleCandidates, ShinglesEngine};
use crate::lens::shingles::options::ShinglesOptions;
use crate::report::shingles::Template;
use crate::run::Session;
use crate::run::documents::Documents;
use crate::run::filter::Filter;
use crate::run::link::Link;
use crate::run::packed_postings::PackedParts;
use crate::run::scan::{Counts, LensEngine, Linked, ReadDocuments};
use crate::run::steps::{self, StoredLinks};
use lookalike_corpus::Corpus;
use lookalike_store::{Error as StoreError, WorkFolder};
use serde::{Deserialize, Serialize};

const CANDIDATES: &str = "candidates";

/// Documents and their links.
pub struct LinkedDocuments {
    pub documents: Documents,
    pub links: Vec<Link>,
    /// Documents that changed or vanished since they were read.
    pub lost: Vec<u32>,
    pub filter: Filter,
    pub templates: Vec<Template>,
    /// A feature in more documents than this found no pairs.
    pub max_df: u32,
    /// Documents that were looked for by a part of their sketch.
    pub thinned: u64,
}

/// Says which documents are linked with nobody, if any.
pub type Excluded<'a> = dyn FnMut(&Documents) -> Result<Option<Vec<bool>>, Error> + 'a;

/// Reads a corpus and links its documents.
pub fn link_documents(
    options: &ShinglesOptions,
    session: &Session<'_>,
    corpus: Corpus,
    excluded: &mut Excluded<'_>,
) -> Result<LinkedDocuments, Error> {
    let engine = ShinglesEngine::new(options, session, Vec::new())?;
    let steps = Steps { engine: &engine, session };
    let ReadDocuments { catalogue, duplicates, features } = steps.read(&corpus)?;
    let documents = Documents::new(session, corpus, engine.extractor(), (catalogue, duplicates))?;
    let excluded = excluded(&documents)?;
    let candidates = steps.candidates(&documents, features, excluded)?;
    let (templates, max_df, thinned) = (candidates.templates.clone(), candidates.max_df, candidates.thinned);
    let StoredLinks { links, lost } = steps.links(&documents, candidates)?;
    Ok(LinkedDocuments { documents, links, lost, filter: engine.filter(), templates, max_df, thinned })
}

/// The steps of a run: each is taken from the folder of the run, or done and kept there.
struct Steps<'a> {
    engine: &'a ShinglesEngine<'a>,
    session: &'a Session<'a>,
}

impl Steps<'_> {
    fn read(&self, corpus: &Corpus) -> Result<ReadDocuments<Option<PackedParts>>, Error> {
        let work = self.session.work.as_ref();
        if let Some(known) = work.map(|work| steps::load_read(self.session, work, corpus)).transpose()?.flatten() {
            let (catalogue, duplicates) = known;
            return Ok(ReadDocuments { catalogue, duplicates, features: None });
        }
        let read = self.engine.read(self.session, corpus)?;
        if let Some(work) = work {
            steps::save_read(work, corpus, &read.catalogue, &read.duplicates)?;
        }
        Ok(read)
    }

    fn candidates(
        &self,
        documents: &Documents,
        postings: Option<PackedParts>,
        excluded: Option<Vec<bool>>,
    ) -> Result<ShingleCandidates, Error> {
        let work = self.session.work.as_ref();
        if let Some(known) = work.map(|work| load_candidates(work, self.engine, documents)).transpose()?.flatten() {
            return Ok(known);
        }
        let mut found = self.engine.candidates(self.session, documents, postings)?;
        if let Some(excluded) = excluded {
            let is_wanted = |pair: &Candidate| !excluded[pair.a as usize] && !excluded[pair.b as usize];
            found.candidates = clustering::filtered(self.session, &found.candidates, is_wanted)?;
        }
        if let Some(work) = work {
            save_candidates(work, &found)?;
        }
        Ok(found)
    }

    fn links(&self, documents: &Documents, candidates: ShingleCandidates) -> Result<StoredLinks, Error> {
        let (engine, session) = (self.engine, self.session);
        if let Some(known) = session.work.as_ref().map(steps::load_links).transpose()?.flatten() {
            return Ok(known);
        }
        let (unit, total) = engine.work(documents, &candidates);
        let link = |counts: &mut Counts| engine.link(session, documents, candidates, counts);
        let Linked { links, lost, .. } = session.phase("cluster", unit, total, link)?;
        let stored = StoredLinks { links, lost };
        if let Some(work) = &session.work {
            steps::save_links(work, &stored)?;
        }
        Ok(stored)
    }
}

/// What is kept of the candidates beside their files.
#[derive(Serialize, Deserialize)]
struct CandidatesStep {
    templates: Vec<Template>,
    max_df: u32,
    thinned: u64,
    whole: bool,
}

fn save_candidates(work: &WorkFolder, found: &ShingleCandidates) -> Result<(), Error> {
    let ShingleCandidates { candidates, counted, templates, max_df, thinned } = found;
    work.save("candidates", candidates.iter())?;
    work.save("frequent", counted.frequent().as_slice().iter().copied().map(Ok))?;
    work.save("boilerplate", counted.boilerplate().map(Ok))?;
    let whole = counted.counted_frequent().is_some();
    let step = CandidatesStep { templates: templates.clone(), max_df: *max_df, thinned: *thinned, whole };
    Ok(work.finish_step(CANDIDATES, step)?)
}

fn load_candidates(
    work: &WorkFolder,
    engine: &ShinglesEngine<'_>,
    documents: &Documents,
) -> Result<Option<ShingleCandidates>, Error> {
    let Some(CandidatesStep { templates, max_df, thinned, whole }) = work.finished_step(CANDIDATES)? else {
        return Ok(None);
    };
    let numbers = work.load::<u64>("frequent")?.iter().collect::<Result<Vec<u64>, StoreError>>()?;
    let boilerplate = work.load::<u32>("boilerplate")?.iter().collect::<Result<Vec<u32>, StoreError>>()?;
    let sampling = engine.filter().sampling;
    let counted = CountedFeatures::for_links(documents.catalogue.len(), sampling, numbers, &boilerplate, whole);
    let candidates = work.load::<Candidate>("candidates")?;
    Ok(Some(ShingleCandidates { candidates, counted, templates, max_df, thinned }))
}
