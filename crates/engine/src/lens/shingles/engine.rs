//! The shingles lens from documents to links.

use crate::Error;
use crate::error::OptionName;
use crate::lens::shingles::candidates::{Candidate, Join};
use crate::lens::shingles::clustering::{self, Clustering, ScoredPair};
use crate::lens::shingles::counted_features::CountedFeatures;
use crate::lens::shingles::frequency_limits::FrequencyLimits;
use crate::lens::shingles::options::ShinglesOptions;
use crate::lens::shingles::pairs::{Saver, VerifiedPairs};
use crate::lens::shingles::ranking::{Ranking, rank};
use crate::lens::shingles::set_loader::SetLoader;
use crate::lens::shingles::sets::Sets;
use crate::lens::shingles::sketcher::Sketcher;
use crate::lens::shingles::sketching::SketchCollector;
use crate::lens::shingles::thinning::ThinnedLevels;
use crate::lens::shingles::{exchange, frequent, postings, sketching};
use crate::progress::Unit;
use crate::report::Section;
use crate::report::cluster::Class;
use crate::report::decisions::Verdict;
use crate::report::policy::Policy;
use crate::report::shingles::{Candidates, Shingles, Template};
use crate::run::Session;
use crate::run::documents::Documents;
use crate::run::filter::{Filter, LeastShared};
use crate::run::packed_postings::PackedParts;
use crate::run::read_log::ReadLog;
use crate::run::scan::{Clusters, ComparedPairs, Counts, LensEngine, Linked, ReadDocuments};
use crate::run::text_extractor::TextExtractor;
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::members::Members;
use lookalike_core::recipe::Recipe;
use lookalike_corpus::Corpus;
use lookalike_store::{Records, Sequence};
use std::cmp::Reverse;
use std::path::PathBuf;

pub struct ShinglesEngine<'a> {
    options: &'a ShinglesOptions,
    sketcher: Sketcher,
    /// Exchange files, whose sketches join those of the documents.
    exchanged: Vec<PathBuf>,
}

/// What is found before anything is verified.
pub struct ShingleCandidates {
    pub candidates: Records<Candidate>,
    pub counted: CountedFeatures,
    pub templates: Vec<Template>,
    /// A feature in more documents than this was frequent.
    pub max_df: u32,
    /// Documents that were looked for by a part of their sketch.
    pub thinned: u64,
}

/// What clustering leaves.
pub struct ShingleAnalysis {
    clustering: Clustering,
    templates: Vec<Template>,
    max_df: u32,
    /// Documents that were looked for by a part of their sketch.
    thinned: u64,
}

impl<'a> ShinglesEngine<'a> {
    pub fn new(options: &'a ShinglesOptions, session: &Session<'_>, exchanged: Vec<PathBuf>) -> Result<Self, Error> {
        options.check()?;
        let templates = session.options.decisions.iter().any(|d| d.verdict == Verdict::Template);
        if options.include_boilerplate && templates {
            return Err(Error::Conflict(OptionName::IncludeBoilerplate, OptionName::TemplateDecisions));
        }
        if let Some(path) = exchanged.first().filter(|_| !options.estimate) {
            return Err(Error::OnlySketches { path: path.clone() });
        }
        let sketcher = Sketcher::new(&options.recipe, &session.options.key)?.with_min_words(options.min_words);
        Ok(Self { options, sketcher, exchanged })
    }
}

impl ShingleAnalysis {
    /// The pairs that were compared, by rank; all of them, if all were wanted.
    pub fn into_pairs(self) -> (Ranking, Option<Records<ScoredPair>>) {
        let Clustering { ranking, pairs, .. } = self.clustering;
        (ranking, pairs)
    }
}

impl ShinglesEngine<'_> {
    /// For a scan of which nothing is stored.
    #[must_use]
    pub fn for_one_run(self) -> Self {
        Self { sketcher: self.sketcher.for_one_run(), ..self }
    }

    /// How words and shingles are hashed.
    pub fn hasher(&self) -> FeatureHasher {
        self.sketcher.hasher
    }

    /// What the documents of a cluster share that holds most of all documents: it may be a menu.
    fn dominant(&self, documents: &Documents, clusters: &Clusters) -> Result<Option<Template>, Error> {
        let catalogue = &documents.catalogue;
        let Some(largest) = clusters.clusters.iter().max_by_key(|cluster| (cluster.members.len(), Reverse(cluster.id)))
        else {
            return Ok(None);
        };
        let near = || largest.members.iter().filter(|member| member.class == Class::Near);
        if near().count() < MIN_DOMINANT || near().count() * 2 < catalogue.len() || self.options.estimate {
            return Ok(None);
        }
        let loader = SetLoader::new(catalogue, &documents.corpus, &self.sketcher);
        let all = near().map(|member| member.document).chain([largest.document]);
        frequent::shared_text(&loader, all)
    }
}

/// Bytes of sets in memory, if so many are allowed; an eighth of a large corpus is more.
const MIN_SETS_ROOM: u64 = 96 << 20;

/// Near documents of a cluster that is worth a remark, at least.
const MIN_DOMINANT: usize = 10;

impl LensEngine for ShinglesEngine<'_> {
    type Features = Option<PackedParts>;
    type Candidates = ShingleCandidates;
    type Analysis = ShingleAnalysis;

    fn recipe(&self) -> Recipe {
        self.options.recipe.clone().into()
    }

    fn filter(&self) -> Filter {
        let ShinglesOptions { policy, recipe, estimate, .. } = self.options;
        Filter { policy: *policy, sampling: recipe.sampling, estimate: *estimate }
    }

    fn extractor(&self) -> TextExtractor {
        self.sketcher.extractor.clone()
    }

    fn read(&self, session: &Session<'_>, corpus: &Corpus) -> Result<ReadDocuments<Self::Features>, Error> {
        session.phase("sketch", Unit::Bytes, corpus.total_bytes(), |counts| {
            let log = ReadLog::open(session)?;
            let mut collector = SketchCollector::after(session, self.sketcher.min_words, log)?.with_postings(session);
            let verify = !self.options.estimate;
            if verify {
                collector = collector.with_features(session)?;
            }
            sketching::sketch_corpus(session, &self.sketcher, corpus, verify, &mut collector)?;
            for path in &self.exchanged {
                exchange::read(path, &self.options.recipe, session.cancel, corpus, &mut collector)?;
            }
            let features = collector.take_postings()?;
            let (catalogue, duplicates) = collector.finish(session)?;
            counts.insert("documents", catalogue.len() as u64);
            counts.insert("bytes", catalogue.bytes);
            counts.insert("shingles", catalogue.sizes.iter().map(|s| u64::from(*s)).sum());
            counts.insert("duplicates", duplicates.all().len() as u64);
            Ok(ReadDocuments { catalogue, duplicates, features })
        })
    }

    fn candidates(
        &self,
        session: &Session<'_>,
        documents: &Documents,
        postings: Option<PackedParts>,
    ) -> Result<ShingleCandidates, Error> {
        let Documents { catalogue, duplicates, decisions, corpus, .. } = documents;
        let (options, filter) = (self.options, self.filter());
        let loader = SetLoader::new(catalogue, corpus, &self.sketcher);
        let total = Some(catalogue.len() as u64);
        let super_shingles = |ignored: &Members, limits: &mut FrequencyLimits| {
            let window = lookalike_core::sketch::window_for(options.policy.threshold);
            postings::share_super_shingles(
                session,
                &self.sketcher.hasher,
                window,
                catalogue,
                duplicates,
                (ignored, limits),
            )
        };
        let (lists, counted, templates, max_df) = session.phase("sort", Unit::Documents, total, |counts| {
            let mut limits = FrequencyLimits::new(options, catalogue, duplicates)?;
            let mut shared = postings::share_features(session, catalogue, duplicates, postings, &mut limits)?;
            let postings: u64 = shared.frequent.iter().map(|f| f.documents).sum();
            counts.insert("shared_postings", postings + shared.lists.len());
            if options.include_boilerplate {
                let frequent = Members::new(shared.frequent.iter().map(|f| f.feature).collect());
                counts.insert("frequent_features", frequent.as_slice().len() as u64);
                if options.candidates == Candidates::Super {
                    shared = super_shingles(&Members::default(), &mut limits)?;
                }
                // without room for what documents have of them, every document that is met has its sketch read: five times the time
                let counted = CountedFeatures::all(catalogue, duplicates, frequent, &filter, session.share(5))?;
                return Ok((shared.lists, counted, Vec::new(), limits.max_df()));
            }
            let mut frequent = frequent::find(session, &loader, shared.frequent)?;
            frequent.add(session, &loader, decisions.templates())?;
            counts.insert("frequent_features", frequent.features.members().as_slice().len() as u64);
            if options.candidates == Candidates::Super {
                // made of what is left of a sketch without its frequent features
                shared = super_shingles(frequent.features.members(), &mut limits)?;
            }
            let counted = CountedFeatures::new(&loader, duplicates, frequent.features, &filter)?;
            Ok((shared.lists, counted, frequent.templates, limits.max_df()))
        })?;
        // what is reported is decided by the policy; pairs are looked for down to what is to be explored
        let policy = Policy { threshold: options.explored(), ..options.policy };
        let (candidates, thinned) = session.phase("pairs", Unit::Documents, total, |counts| {
            let mut candidates = Sequence::new(&session.space, "the candidates", session.share(8));
            let (method, filter) = (options.candidates, Filter { policy, ..filter });
            // with boilerplate, what is listed is not all that counts
            let all = Join::all_lists(session, catalogue, &counted, &lists)?;
            let thinned = match &all {
                _ if method != Candidates::Shingles || options.include_boilerplate => {
                    ThinnedLevels::none(catalogue.len())
                }
                Some(all) => ThinnedLevels::of_lists(all, &counted, &filter, catalogue.len()),
                None => ThinnedLevels::new(&lists, &counted, &filter, catalogue.len(), session.share(8))?,
            };
            let least = LeastShared::new(filter);
            let join = Join { session, catalogue, counted: &counted, filter, method, thinned: &thinned, least };
            join.run(&lists, all.as_ref(), &mut candidates)?;
            join.boilerplate(all.as_ref(), &mut candidates)?;
            counts.insert("followed", thinned.followed);
            let candidates = clustering::without_forbidden(session, documents, candidates.finish()?)?;
            counts.insert("candidates", candidates.len());
            Ok((candidates, thinned.documents()))
        })?;
        Ok(ShingleCandidates { candidates, counted, templates, max_df, thinned })
    }

    fn work(&self, _: &Documents, found: &ShingleCandidates) -> (Unit, Option<u64>) {
        (Unit::Pairs, Some(found.candidates.len()))
    }

    fn link(
        &self,
        session: &Session<'_>,
        documents: &Documents,
        found: ShingleCandidates,
        counts: &mut Counts,
    ) -> Result<Linked<ShingleAnalysis>, Error> {
        let ShingleCandidates { candidates, counted, templates, max_df, thinned } = found;
        let (catalogue, filter) = (&documents.catalogue, self.filter());
        let loader = SetLoader::new(catalogue, &documents.corpus, &self.sketcher);
        // pairs come in an order that reads most sets once: a part of them in memory is enough
        let room = session.share(4).min((catalogue.bytes / 8).max(MIN_SETS_ROOM) as usize);
        let mut sets = Sets::new(&loader, &counted, &session.space, room);
        let (ranking, ranked) = rank(&session.space, session.share(6), &session.order, catalogue, &candidates)?;
        let mut clustering =
            clustering::cluster(session, &filter, self.options.all_pairs, ranking, &ranked, &mut sets)?;
        clustering.sizes = counted.sizes(catalogue);
        counts.insert("verified", clustering.verified);
        let (links, lost) = (std::mem::take(&mut clustering.links), sets.lost());
        Ok(Linked { links, lost, analysis: ShingleAnalysis { clustering, templates, max_df, thinned } })
    }

    fn section(
        &self,
        _: &Session<'_>,
        documents: &Documents,
        clusters: &mut Clusters,
        ShingleAnalysis { clustering, templates, max_df, thinned }: ShingleAnalysis,
    ) -> Result<(Section, Box<dyn ComparedPairs>), Error> {
        let options = self.options;
        let section = Shingles {
            candidates: options.candidates,
            max_df,
            include_boilerplate: options.include_boilerplate,
            estimate: options.estimate,
            unsampled: documents.catalogue.unsampled,
            frame: documents.catalogue.frame,
            thinned,
            templates,
            dominant: self.dominant(documents, clusters)?,
        };
        let pairs = VerifiedPairs {
            filter: self.filter(),
            sizes: clustering.sizes,
            ranking: clustering.ranking,
            pairs: clustering.pairs,
            hasher: self.sketcher.hasher,
            explored: options.explored(),
            max_group: max_df as usize,
            saver: Saver::Shingles,
        };
        Ok((Section::Shingles(section), Box::new(pairs)))
    }
}
