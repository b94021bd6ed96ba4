//! A scan from end to end: the one way of the data, driven through what a lens does in its own manner.

use crate::Error;
use crate::progress::Unit;
use crate::report::cluster::{Cluster, PairRow, Summary};
use crate::report::{Report, Section};
use crate::run::Session;
use crate::run::assemble;
use crate::run::catalogue::Catalogue;
use crate::run::differences::Differences;
use crate::run::documents::Documents;
use crate::run::duplicates::DuplicateGroups;
use crate::run::filter::Filter;
use crate::run::link::{Evidence, Link};
use crate::run::text::Text;
use crate::run::text_extractor::TextExtractor;
use crate::run::view::{ComparedPair, DocumentView};
use lookalike_core::recipe::Recipe;
use lookalike_corpus::Corpus;
use std::any::Any;
use std::collections::BTreeMap;
use std::path::Path;

/// What a phase counts for the report.
pub type Counts = BTreeMap<&'static str, u64>;

/// What reading leaves: every document in the catalogue, the duplicate groups, and what the lens keeps beside them.
pub struct ReadDocuments<F> {
    pub catalogue: Catalogue,
    pub duplicates: DuplicateGroups,
    pub features: F,
}

/// Links, and what the lens needs for its section of the report.
pub struct Linked<A> {
    pub links: Vec<Link>,
    /// Documents that changed or vanished since they were read.
    pub lost: Vec<u32>,
    pub analysis: A,
}

/// What a lens does in its own manner: which features a document has, how candidates are found, what counts as evidence. Reading, filing,
/// duplicates, decisions, assembling and reporting are the same for all.
pub trait LensEngine {
    /// What reading leaves beside the catalogue.
    type Features;
    /// Pairs worth comparing.
    type Candidates;
    /// What comparing leaves for the section and for questions after the scan.
    type Analysis;

    /// How documents become features.
    fn recipe(&self) -> Recipe;

    /// Which pairs become links.
    fn filter(&self) -> Filter;

    /// How documents become text, for showing.
    fn extractor(&self) -> TextExtractor {
        TextExtractor::default()
    }

    /// Reads every document once.
    fn read(&self, session: &Session<'_>, corpus: &Corpus) -> Result<ReadDocuments<Self::Features>, Error>;

    /// Finds the pairs worth comparing.
    fn candidates(
        &self,
        session: &Session<'_>,
        documents: &Documents,
        features: Self::Features,
    ) -> Result<Self::Candidates, Error>;

    /// What the step of linking counts, and how many there are.
    fn work(&self, documents: &Documents, candidates: &Self::Candidates) -> (Unit, Option<u64>);

    /// Compares the candidates, and decides who represents whom.
    fn link(
        &self,
        session: &Session<'_>,
        documents: &Documents,
        candidates: Self::Candidates,
        counts: &mut Counts,
    ) -> Result<Linked<Self::Analysis>, Error>;

    /// What only this lens reports: on each member of a cluster, and in a section of its own.
    fn section(
        &self,
        session: &Session<'_>,
        documents: &Documents,
        clusters: &mut Clusters,
        analysis: Self::Analysis,
    ) -> Result<(Section, Box<dyn ComparedPairs>), Error>;
}

/// Clusters and their sums.
pub struct Clusters {
    pub clusters: Vec<Cluster>,
    pub summary: Summary,
    /// Documents that could not be read again when the section was made.
    pub lost: Vec<u32>,
}

/// The pairs that a scan compared, as the lens keeps them.
pub trait ComparedPairs: Any + Send + Sync {
    /// Every pair of at least this resemblance was looked for.
    fn explored(&self) -> f64;

    /// The length of a document as the lens counts it.
    fn size(&self, document: u32) -> u32;

    /// By document: the length by which representatives are ranked; none where it is that of the catalogue.
    fn rank_sizes(&self) -> Option<&[u32]> {
        None
    }

    /// Calls `each` with every pair that was compared, links or not.
    fn for_each(&self, each: &mut dyn FnMut(ComparedPair) -> Result<(), Error>) -> Result<(), Error>;

    /// Calls `each` with every pair that the policy accepts.
    fn for_each_row(
        &self,
        documents: &Documents,
        each: &mut dyn FnMut(PairRow) -> Result<(), Error>,
    ) -> Result<(), Error>;

    /// Length and hash of each chunk of a body, as it was compared; what does not count has no hash. Nothing where bytes were not compared.
    fn chunks(&self, _data: &[u8]) -> Vec<(usize, Option<u128>)> {
        Vec::new()
    }

    /// What differs between two documents, in a few words.
    fn differences(&self, documents: &Documents, a: u32, b: u32) -> Result<Option<Differences>, Error>;

    /// Keeps the run in a new folder.
    fn save(&self, report: &Report, documents: &Documents, path: &Path) -> Result<(), Error>;
}

/// Reads a corpus, links its documents and reports.
pub fn run<L: LensEngine>(engine: &L, session: &Session<'_>, corpus: Corpus) -> Result<DocumentScan, Error> {
    let ReadDocuments { catalogue, duplicates, features } = engine.read(session, &corpus)?;
    let documents = Documents::new(session, corpus, engine.extractor(), (catalogue, duplicates))?;
    link_and_report(engine, session, documents, features)
}

/// Everything after reading.
pub fn link_and_report<L: LensEngine>(
    engine: &L,
    session: &Session<'_>,
    mut documents: Documents,
    features: L::Features,
) -> Result<DocumentScan, Error> {
    let candidates = engine.candidates(session, &documents, features)?;
    let filter = engine.filter();
    let (unit, total) = engine.work(&documents, &candidates);
    let (clusters, reviewed, section, pairs) = session.phase("cluster", unit, total, |counts| {
        let linked = engine.link(session, &documents, candidates, counts)?;
        let (clusters, summary) = assemble::assemble(&filter, linked.links, &documents)?;
        let mut clusters = Clusters { clusters, summary, lost: linked.lost };
        let reviewed = documents.decisions.apply(&mut clusters.clusters);
        let (section, pairs) = engine.section(session, &documents, &mut clusters, linked.analysis)?;
        counts.insert("clusters", clusters.clusters.len() as u64);
        Ok((clusters, reviewed, section, pairs))
    })?;
    let mut report = Report::new(&engine.recipe(), filter.policy, section);
    report.head.documents = documents.catalogue.len() as u64;
    report.head.bytes = documents.catalogue.bytes;
    report.head.repeated_ids = documents.catalogue.repeated_ids;
    report.head.summary = clusters.summary;
    report.head.reviewed = reviewed;
    report.head.phases = session.phases();
    report.head.usage = session.usage();
    report.skipped = documents.skipped(clusters.lost)?;
    report.clusters = clusters.clusters;
    Ok(DocumentScan { report, documents, pairs })
}

/// A finished scan of documents: the report, and the way back to documents and pairs.
pub struct DocumentScan {
    pub report: Report,
    pub documents: Documents,
    pub pairs: Box<dyn ComparedPairs>,
}

impl DocumentScan {
    pub fn view(&self, document: u32) -> Result<DocumentView, Error> {
        self.documents.view(document, self.pairs.size(document))
    }

    pub fn text(&self, document: u32) -> Result<Option<Text>, Error> {
        Ok(self.documents.shown(document)?.map(|(mut text, body)| {
            if let Some(bytes) = body.as_bytes() {
                text.place_chunks(bytes, self.pairs.chunks(bytes));
            }
            text
        }))
    }

    /// Every pair that was compared, but for those that people told apart.
    pub fn compared(&self, each: &mut dyn FnMut(ComparedPair) -> Result<(), Error>) -> Result<(), Error> {
        self.pairs.for_each(&mut |pair| {
            if self.documents.decisions.forbid(pair.a, pair.b) { Ok(()) } else { each(pair) }
        })
    }
}

/// Values of a listed pair, seen from its first document.
#[derive(Clone, Copy)]
pub struct PairValues {
    pub evidence: Evidence,
    pub shared_bytes: Option<u64>,
}

/// Lists pairs by id. Duplicates are put back: each of them makes the pairs of its canonical document. A group of more than `max_group`
/// documents is given by its pairs with the canonical one only.
pub fn list_pairs(
    documents: &Documents,
    filter: &Filter,
    max_group: usize,
    same: impl Fn(u32) -> PairValues,
    pairs: &mut dyn Iterator<Item = Result<(u32, u32, PairValues), Error>>,
    each: &mut dyn FnMut(PairRow) -> Result<(), Error>,
) -> Result<(), Error> {
    let Documents { catalogue, duplicates, decisions, .. } = documents;
    let mut row = |a: &(String, u32), b: &(String, u32), values: PairValues| {
        let swap = a.0 > b.0;
        let evidence = if swap { values.evidence.swapped() } else { values.evidence };
        let Some(o) = evidence.overlap().filter(|_| !decisions.forbid(a.1, b.1)) else { return Ok(()) };
        let (a, b) = if swap { (b, a) } else { (a, b) };
        each(PairRow {
            a: a.0.clone(),
            b: b.0.clone(),
            resemblance: o.resemblance(),
            a_in_b: o.a_in_b(),
            b_in_a: o.b_in_a(),
            interval: evidence.intervals(filter.sampling).map(|i| i.resemblance),
            shared_bytes: values.shared_bytes,
        })
    };
    for (_, canonical) in duplicates.named_canonical(catalogue)? {
        let group = duplicates.named_group(catalogue, canonical)?;
        let firsts = if group.len() > max_group { 1 } else { group.len() };
        for (at, a) in group.iter().take(firsts).enumerate() {
            group[at + 1..].iter().try_for_each(|b| row(a, b, same(canonical)))?;
        }
    }
    let group = |canonical: u32| {
        let large = duplicates.duplicates_of(canonical).nth(max_group).is_some();
        if large {
            Ok(vec![(catalogue.id(canonical)?, canonical)])
        } else {
            duplicates.named_group(catalogue, canonical)
        }
    };
    for pair in pairs {
        let (a, b, values) = pair?;
        let (of_a, of_b) = (group(a)?, group(b)?);
        for a in &of_a {
            of_b.iter().try_for_each(|b| row(a, b, values))?;
        }
    }
    Ok(())
}
