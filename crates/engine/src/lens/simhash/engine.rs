//! The simhash lens from documents to links: who is within so many bits of whom.
//!
//! Nothing is missed and nothing is guessed about distances: all pairs of fingerprints within the distance are found. That two fingerprints
//! are near does not say that the documents are; with verification every pair is compared by its shingles, and how many hold is reported.

use crate::Error;
use crate::error::OptionName;
use crate::lens::shingles::candidates::Candidate;
use crate::lens::shingles::clustering::{self as shingle_clustering, ScoredPair};
use crate::lens::shingles::counted_features::CountedFeatures;
use crate::lens::shingles::pairs::{Saver, VerifiedPairs};
use crate::lens::shingles::ranking::{Ranking, rank};
use crate::lens::shingles::set_loader::SetLoader;
use crate::lens::shingles::sets::Sets;
use crate::lens::shingles::sketcher::Sketcher;
use crate::lens::simhash::clustering;
use crate::lens::simhash::fingerprinter::Fingerprinter;
use crate::lens::simhash::guards::Guards;
use crate::lens::simhash::idf::frequencies;
use crate::lens::simhash::nodes::{Limits, Nodes};
use crate::lens::simhash::options::SimhashOptions;
use crate::lens::simhash::reading::{FingerprintCollector, Fingerprints, read};
use crate::lens::simhash::saved::save;
use crate::lens::simhash::{exchange, section, verify};
use crate::progress::Unit;
use crate::report::Section;
use crate::report::simhash::Simhash;
use crate::run::Session;
use crate::run::documents::Documents;
use crate::run::exchange::{ExchangeSummary, Names, divide};
use crate::run::filter::Filter;
use crate::run::scan::{Clusters, ComparedPairs, Counts, LensEngine, Linked, ReadDocuments};
use crate::run::session::reading;
use crate::run::text_extractor::TextExtractor;
use lookalike_core::bits::FingerprintBits;
use lookalike_core::cluster::Linkage;
use lookalike_core::recipe::{Recipe, ShingleRecipe, SimhashRecipe};
use lookalike_corpus::{Corpus, Input};
use lookalike_store::{Records, atomic};
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

pub struct SimhashEngine<'a, F> {
    options: &'a SimhashOptions,
    recipe: SimhashRecipe,
    /// None where nothing is read: of a saved run.
    fingerprinter: Option<Fingerprinter>,
    /// Makes the shingles by which pairs are verified, and the text that is shown.
    sketcher: Sketcher,
    /// Exchange files, whose fingerprints join those of the documents.
    exchanged: Vec<PathBuf>,
    key: String,
    bits: PhantomData<F>,
}

/// Groups that are near each other, and the pairs to verify if that was asked for.
pub struct NearGroups<F> {
    nodes: Nodes,
    fingerprints: Fingerprints<F>,
    candidates: Option<Records<Candidate>>,
}

/// What linking leaves.
pub struct SimhashAnalysis<F> {
    fingerprints: Fingerprints<F>,
    section: Simhash,
    ranking: Ranking,
    pairs: Option<Records<ScoredPair>>,
}

impl<'a, F: FingerprintBits> SimhashEngine<'a, F> {
    /// With a greatest document frequency, the corpus is read twice.
    pub fn new(
        options: &'a SimhashOptions,
        session: &Session<'_>,
        corpus: &Corpus,
        exchanged: Vec<PathBuf>,
    ) -> Result<Self, Error> {
        let key = &session.options.key;
        let fingerprinter = match options.max_df {
            None => Fingerprinter::new(&options.recipe, key, options.idf.clone())?,
            Some(max_df) => {
                let mut frequent = Vec::new();
                frequencies(session, corpus, options, true, |feature, documents| {
                    if documents > max_df {
                        frequent.push(feature);
                    }
                })?;
                Fingerprinter::without(&options.recipe, key, options.idf.as_deref(), frequent)?
            }
        };
        let recipe = fingerprinter.recipe().clone();
        Ok(Self { fingerprinter: Some(fingerprinter), exchanged, ..Self::of_saved(options, recipe, key)? })
    }

    /// One that only clusters what was read before, by this recipe.
    pub fn of_saved(options: &'a SimhashOptions, recipe: SimhashRecipe, key: &str) -> Result<Self, Error> {
        let shingles = options.verify.as_ref().map_or_else(|| ShingleRecipe::words(10), |verify| verify.recipe.clone());
        let sketcher = Sketcher::new(&shingles.with_key(key), key)?;
        let (exchanged, key) = (Vec::new(), key.to_owned());
        Ok(Self { options, recipe, fingerprinter: None, sketcher, exchanged, key, bits: PhantomData })
    }

    fn guards(&self) -> Guards {
        Guards::new(self.options.length_ratio)
    }
}

/// Fails if the options have no meaning for these inputs.
pub fn check(
    options: &SimhashOptions,
    session: &Session<'_>,
    inputs: &[Input],
    exchanged: &[PathBuf],
) -> Result<(), Error> {
    options.check()?;
    // an exchange file has fingerprints: neither words nor features
    let reading = [(options.verify.is_some(), OptionName::Verify), (options.max_df.is_some(), OptionName::MaxDf)];
    if let Some((_, option)) = reading.into_iter().find(|(given, _)| *given && !exchanged.is_empty()) {
        return Err(Error::Conflict(option, OptionName::Exchange));
    }
    if options.max_df.is_some() && !inputs.iter().all(|input| matches!(input, Input::Path(_))) {
        return Err(Error::Conflict(OptionName::MaxDf, OptionName::Stream));
    }
    if !session.options.decisions.is_empty() && options.verify.is_none() {
        return Err(Error::Needs(OptionName::Decisions, OptionName::Verify));
    }
    Ok(())
}

impl<F: FingerprintBits> LensEngine for SimhashEngine<'_, F> {
    type Features = Fingerprints<F>;
    type Candidates = NearGroups<F>;
    type Analysis = SimhashAnalysis<F>;

    fn recipe(&self) -> Recipe {
        self.recipe.clone().into()
    }

    fn filter(&self) -> Filter {
        Filter { policy: self.options.policy(), sampling: self.sketcher.recipe.sampling, estimate: false }
    }

    fn extractor(&self) -> TextExtractor {
        self.sketcher.extractor.clone()
    }

    fn read(&self, session: &Session<'_>, corpus: &Corpus) -> Result<ReadDocuments<Fingerprints<F>>, Error> {
        session.phase("fingerprint", Unit::Bytes, corpus.total_bytes(), |counts| {
            let wrong = || Error::WrongKey { recipe: self.recipe.to_string() };
            let fingerprinter = self.fingerprinter.as_ref().ok_or_else(wrong)?;
            let mut collector = FingerprintCollector::<F>::new(session, self.options.min_words)?;
            read(session, corpus, fingerprinter, true, &mut collector)?;
            for path in &self.exchanged {
                let folder = lookalike_corpus::id_of(path).into_owned();
                exchange::read(path, Some(&folder), &self.recipe.to_string(), session.cancel, &mut collector)?;
            }
            let read = collector.finish(session)?;
            counts.insert("documents", read.catalogue.len() as u64);
            counts.insert("bytes", read.catalogue.bytes);
            counts.insert("duplicates", read.duplicates.all().len() as u64);
            Ok(read)
        })
    }

    fn candidates(
        &self,
        session: &Session<'_>,
        documents: &Documents,
        fingerprints: Fingerprints<F>,
    ) -> Result<NearGroups<F>, Error> {
        let mut nodes = session.phase("pairs", Unit::Documents, None, |counts| {
            let limits = Limits { distance: self.options.distance, min_words: self.options.min_words };
            let nodes = Nodes::find(session, limits, documents, &fingerprints, self.guards())?;
            counts.insert("fingerprints", nodes.distinct);
            counts.insert("pairs", nodes.pairs);
            Ok(nodes)
        })?;
        nodes.rank(session, &documents.catalogue)?;
        let candidates = self.options.verify.is_some().then(|| verify::candidates(session, &nodes)).transpose()?;
        Ok(NearGroups { nodes, fingerprints, candidates })
    }

    fn work(&self, _: &Documents, found: &NearGroups<F>) -> (Unit, Option<u64>) {
        match &found.candidates {
            Some(candidates) => (Unit::Pairs, Some(candidates.len())),
            None => (Unit::Documents, None),
        }
    }

    fn link(
        &self,
        session: &Session<'_>,
        documents: &Documents,
        found: NearGroups<F>,
        counts: &mut Counts,
    ) -> Result<Linked<SimhashAnalysis<F>>, Error> {
        let NearGroups { nodes, fingerprints, candidates } = found;
        let catalogue = &documents.catalogue;
        let mut section = section::section(self.options, session, &nodes, fingerprints.empty, &self.sketcher.recipe);
        let Some(candidates) = candidates else {
            let links = match self.options.linkage {
                Linkage::Star => clustering::stars(session, &nodes)?,
                Linkage::Single => clustering::components(session, &nodes)?,
            };
            let analysis = SimhashAnalysis { fingerprints, section, ranking: Ranking::default(), pairs: None };
            return Ok(Linked { links, lost: Vec::new(), analysis });
        };
        let (proposed, filter) = (candidates.len(), self.filter());
        let candidates = shingle_clustering::without_forbidden(session, documents, candidates)?;
        let loader = SetLoader::new(catalogue, &documents.corpus, &self.sketcher);
        let counted = CountedFeatures::everything(catalogue.len(), filter.sampling);
        let mut sets = Sets::new(&loader, &counted, &session.space, session.share(4));
        let (ranking, ranked) = rank(&session.space, session.share(6), &session.order, catalogue, &candidates)?;
        // how many pairs hold is only known if all of them are compared
        let clustering = shingle_clustering::cluster(session, &filter, true, ranking, &ranked, &mut sets)?;
        let mut confirmed = 0;
        for scored in clustering.pairs.iter().flat_map(Records::iter) {
            confirmed += u64::from(scored?.evidence().overlap().is_some_and(|overlap| filter.links(overlap)));
        }
        section::verified(&mut section, candidates.len(), confirmed, proposed);
        counts.insert("verified", clustering.verified);
        counts.insert("confirmed", confirmed);
        let (ranking, pairs) = (clustering.ranking, clustering.pairs);
        let analysis = SimhashAnalysis { fingerprints, section, ranking, pairs };
        Ok(Linked { links: clustering.links, lost: sets.lost(), analysis })
    }

    fn section(
        &self,
        _: &Session<'_>,
        documents: &Documents,
        clusters: &mut Clusters,
        analysis: SimhashAnalysis<F>,
    ) -> Result<(Section, Box<dyn ComparedPairs>), Error> {
        section::set_distances(&mut clusters.clusters, &analysis.fingerprints.fingerprints);
        if self.options.verify.is_none() {
            let sizes = &documents.catalogue.sizes;
            section::set_classes(clusters, self.options.distance, self.guards(), sizes);
        }
        let (options, fingerprints, key) = (self.options.clone(), analysis.fingerprints, self.key.clone());
        let saver = Saver::Other(Box::new(move |report, documents, path| {
            save(&options, &fingerprints, (report, documents), &key, path)
        }));
        let pairs = VerifiedPairs {
            filter: self.filter(),
            sizes: documents.catalogue.sizes.clone(),
            ranking: analysis.ranking,
            pairs: analysis.pairs,
            hasher: self.sketcher.hasher,
            explored: self.options.policy().threshold,
            max_group: crate::lens::shingles::options::DEFAULT_MAX_DF as usize,
            saver,
        };
        Ok((Section::Simhash(analysis.section), Box::new(pairs)))
    }
}

/// Writes an exchange file: names, lengths and fingerprints.
pub fn sketch<F: FingerprintBits>(
    inputs: Vec<Input>,
    session: &Session<'_>,
    options: &SimhashOptions,
    names: Names,
    out: &Path,
) -> Result<ExchangeSummary, Error> {
    let (exchanged, inputs) = divide(inputs);
    let key = &session.options.key;
    let corpus = Corpus::open(inputs, reading(session.options))?;
    let engine = SimhashEngine::<F>::new(options, session, &corpus, exchanged)?;
    let ReadDocuments { catalogue, features, .. } = engine.read(session, &corpus)?;
    session.cancel.check()?;
    let recipe = engine.recipe().to_string();
    atomic::spool(out, |spool| exchange::write(spool, &catalogue, &features, &recipe, (names, key)))?;
    let documents = catalogue.len() as u64;
    ExchangeSummary::of(out, recipe, (documents, catalogue.bytes, documents), catalogue.skipped)
}
