//! A scan by all lenses, from documents to links.

use crate::Error;
use crate::all::AllOptions;
use crate::all::join::{self, Found};
use crate::all::reading::{self, AllFeatures};
use crate::all::verify::{ComparedDocuments, Verified, Verifier};
use crate::compare::{self, PairComparer};
use crate::lens::shingles::compare::CompareOptions;
use crate::progress::Unit;
use crate::report::cluster::{Class, PairRow};
use crate::report::relations::{LensRecipe, RelationLink, Relations};
use crate::report::{Report, Section};
use crate::run::Session;
use crate::run::assemble;
use crate::run::differences::Differences;
use crate::run::documents::Documents;
use crate::run::filter::Filter;
use crate::run::link::{Evidence as LinkEvidence, Link};
use crate::run::scan::{Clusters, ComparedPairs, Counts, LensEngine, Linked, ReadDocuments};
use crate::run::text_extractor::TextExtractor;
use crate::run::view::ComparedPair;
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::lens::Lens;
use lookalike_core::recipe::Recipe;
use lookalike_core::relation::{ChunkEvidence, Evidence, Relation, ShingleEvidence, sentence};
use lookalike_core::sets::Overlap;
use lookalike_corpus::Corpus;
use rustc_hash::FxHashMap;
use std::path::Path;

pub struct AllEngine<'a> {
    options: &'a AllOptions,
    comparer: PairComparer,
    recipes: Vec<LensRecipe>,
}

/// Pairs to compare, and what is known of their documents.
pub struct AllCandidates {
    found: Found,
    bytes: Vec<u32>,
    fingerprints: Vec<u64>,
}

/// What comparing leaves.
pub struct AllAnalysis {
    verified: Verified,
    frequent: u64,
}

impl<'a> AllEngine<'a> {
    pub fn new(options: &'a AllOptions, key: &str) -> Result<Self, Error> {
        options.check()?;
        let compare = CompareOptions {
            recipe: options.recipe.clone(),
            key: key.to_owned(),
            policy: options.policy,
            min_words: options.min_words,
            ..CompareOptions::default()
        };
        let comparer = PairComparer::new(&compare)?;
        let recipes = [
            (Lens::Shingles, options.recipe.to_string()),
            (Lens::Chunks, comparer.chunks.recipe.to_string()),
            (Lens::Simhash, comparer.close.simhash_recipe(&options.recipe.text).to_string()),
            (Lens::Passages, comparer.close.passages.recipe.to_string()),
        ];
        let recipes = recipes.into_iter().map(|(lens, recipe)| LensRecipe { lens, recipe }).collect();
        Ok(Self { options, comparer, recipes })
    }

    /// The recipes of all lenses.
    pub fn recipes(&self) -> String {
        self.recipes.iter().map(|recipe| recipe.recipe.as_str()).collect::<Vec<_>>().join(" + ")
    }

    fn links(documents: &Documents, pairs: Vec<ComparedDocuments>) -> Result<Vec<RelationLink>, Error> {
        let catalogue = &documents.catalogue;
        let mut links = Vec::with_capacity(pairs.len());
        for (canonical, other, _) in documents.duplicates.all() {
            let bytes = catalogue.entry(*canonical)?.bytes;
            let chunks = ChunkEvidence { bytes: [bytes; 2], shared: bytes };
            // what has the same bytes needs no other look
            let evidence = Evidence { identical: true, same_words: true, chunks, ..Evidence::default() };
            links.push(RelationLink {
                a: catalogue.id(*canonical)?,
                b: catalogue.id(*other)?,
                relation: Relation::Identical,
                disagreement: None,
                sentence: sentence(Relation::Identical, &evidence),
                found_by: Vec::new(),
                evidence,
                documents: [*canonical, *other],
            });
        }
        for ComparedDocuments { documents, found, related, disagreement } in pairs {
            links.push(RelationLink {
                a: catalogue.id(documents[0])?,
                b: catalogue.id(documents[1])?,
                relation: related.relation,
                disagreement,
                sentence: related.sentence,
                found_by: found.lenses(),
                evidence: related.evidence,
                documents,
            });
        }
        Ok(links)
    }
}

impl LensEngine for AllEngine<'_> {
    type Features = AllFeatures;
    type Candidates = AllCandidates;
    type Analysis = AllAnalysis;

    fn recipe(&self) -> Recipe {
        self.options.recipe.clone().into()
    }

    fn filter(&self) -> Filter {
        Filter { policy: self.options.policy, sampling: self.options.recipe.sampling, estimate: false }
    }

    fn extractor(&self) -> TextExtractor {
        self.comparer.extractor.clone()
    }

    fn read(&self, session: &Session<'_>, corpus: &Corpus) -> Result<ReadDocuments<AllFeatures>, Error> {
        session.phase("read", Unit::Bytes, corpus.total_bytes(), |counts| {
            let read = reading::read(session, corpus, &self.comparer)?;
            counts.insert("documents", read.catalogue.len() as u64);
            counts.insert("bytes", read.catalogue.bytes);
            counts.insert("duplicates", read.duplicates.all().len() as u64);
            counts.insert("features", read.features.postings.len());
            Ok(read)
        })
    }

    fn candidates(
        &self,
        session: &Session<'_>,
        documents: &Documents,
        features: AllFeatures,
    ) -> Result<AllCandidates, Error> {
        session.phase("pairs", Unit::Documents, None, |counts| {
            let found = join::find(session, documents, &features)?;
            counts.insert("frequent", found.frequent);
            counts.insert("candidates", found.pairs.len());
            let AllFeatures { bytes, fingerprints, .. } = features;
            Ok(AllCandidates { found, bytes, fingerprints: fingerprints.fingerprints })
        })
    }

    fn work(&self, _: &Documents, candidates: &AllCandidates) -> (Unit, Option<u64>) {
        (Unit::Pairs, Some(candidates.found.pairs.len()))
    }

    fn link(
        &self,
        session: &Session<'_>,
        documents: &Documents,
        AllCandidates { found, bytes, fingerprints }: AllCandidates,
        counts: &mut Counts,
    ) -> Result<Linked<AllAnalysis>, Error> {
        let policy = self.options.policy;
        let (comparer, rules, linkage) = (&self.comparer, compare::rules(&policy), policy.linkage);
        let (bytes, fingerprints) = (&bytes, &fingerprints);
        let verifier = Verifier { session, documents, comparer, rules, linkage, bytes, fingerprints };
        let mut verified = verifier.run(&found)?;
        counts.insert("compared", verified.compared);
        counts.insert("represented", verified.represented);
        counts.insert("left out", verified.left_out.len() as u64);
        let shingles: FxHashMap<[u32; 2], ShingleEvidence> =
            verified.pairs.iter().filter_map(|pair| Some((pair.documents, pair.related.evidence.shingles?))).collect();
        let link = |(member, representative): (u32, u32)| {
            let known = shingles.get(&[representative, member]);
            let overlap = known.map(|k| Overlap { a: k.shingles[0], b: k.shingles[1], shared: k.shared });
            Link { representative, member, evidence: overlap.map_or(LinkEvidence::Unknown, LinkEvidence::Exact) }
        };
        let links = verified.members.iter().copied().map(link).collect();
        let lost = std::mem::take(&mut verified.lost);
        Ok(Linked { links, lost, analysis: AllAnalysis { verified, frequent: found.frequent } })
    }

    fn section(
        &self,
        _: &Session<'_>,
        documents: &Documents,
        clusters: &mut Clusters,
        AllAnalysis { verified, frequent }: AllAnalysis,
    ) -> Result<(Section, Box<dyn ComparedPairs>), Error> {
        let related: FxHashMap<[u32; 2], Relation> =
            verified.pairs.iter().map(|pair| (pair.documents, pair.related.relation)).collect();
        for cluster in &mut clusters.clusters {
            let first = documents.duplicates.canonical_of(cluster.document);
            for member in &mut cluster.members {
                let other = documents.duplicates.canonical_of(member.document);
                let relation = if first == other { Some(&Relation::Identical) } else { related.get(&[first, other]) };
                member.relation = relation.copied();
                member.class = match member.relation {
                    Some(Relation::Identical) => Class::Identical,
                    Some(Relation::SameText) => Class::Lexical,
                    Some(_) => Class::Near,
                    None => Class::Chained,
                };
            }
        }
        clusters.summary = assemble::sum(&clusters.clusters);
        let Verified { pairs, compared, represented, left_out, .. } = verified;
        let links = Self::links(documents, pairs)?;
        let recipes = self.recipes.clone();
        let mut section =
            Relations { recipes, compared, represented, frequent, left_out, links, ..Relations::default() };
        section.count_and_sort();
        let pairs = AllPairs { sizes: documents.catalogue.sizes.clone(), hasher: self.comparer.sketcher.hasher };
        Ok((Section::Relations(section), Box::new(pairs)))
    }
}

/// The pairs of a scan by all lenses are in its report.
struct AllPairs {
    sizes: Vec<u32>,
    hasher: FeatureHasher,
}

impl ComparedPairs for AllPairs {
    fn explored(&self) -> f64 {
        f64::INFINITY
    }

    fn size(&self, document: u32) -> u32 {
        self.sizes[document as usize]
    }

    fn for_each(&self, _: &mut dyn FnMut(ComparedPair) -> Result<(), Error>) -> Result<(), Error> {
        Ok(())
    }

    fn for_each_row(&self, _: &Documents, _: &mut dyn FnMut(PairRow) -> Result<(), Error>) -> Result<(), Error> {
        Ok(())
    }

    fn differences(&self, documents: &Documents, a: u32, b: u32) -> Result<Option<Differences>, Error> {
        documents.differences(a, b, &self.hasher)
    }

    fn save(&self, _: &Report, _: &Documents, _: &Path) -> Result<(), Error> {
        Err(Error::cannot_be_saved(None))
    }
}
