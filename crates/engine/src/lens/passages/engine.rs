//! The passages lens from end to end: read, group, find pairs, calibrate, report.

use crate::Error;
use crate::Unit;
use crate::lens::passages::base::Base;
use crate::lens::passages::border::{self, Borders};
use crate::lens::passages::calibrate;
use crate::lens::passages::calibrate::{Asked, Outcome, Surprise};
use crate::lens::passages::cohort::{CohortUnits, NO_SUBMISSION, Unit as Submitted};
use crate::lens::passages::decided;
use crate::lens::passages::family::Method;
use crate::lens::passages::family::least_listed;
use crate::lens::passages::fold::Folding;
use crate::lens::passages::frequencies::Frequencies;
use crate::lens::passages::groups::{Groups, groups};
use crate::lens::passages::info::parse_info;
use crate::lens::passages::languages::mixed_languages;
use crate::lens::passages::options;
use crate::lens::passages::options::PassagesOptions;
use crate::lens::passages::pairs::{Budget, Compared, Comparing, PairRecord};
use crate::lens::passages::passage_cache::PassageCache;
use crate::lens::passages::reading::{Library, LibraryDocument, Purpose, Readers};
use crate::lens::passages::report_builder::{PassageReportBuilder, clusters};
use crate::lens::passages::stats;
use crate::lens::passages::stream_cache::StreamCache;
use crate::lens::passages::submissions::{Grouping, owner_pattern};
use crate::lens::passages::tokenizer::{Tokenizer, TokenizerScratch};
use crate::report::Report;
use crate::report::Section;
use crate::report::Skip;
use crate::report::passages::FamilyRecipe;
use crate::report::passages::Ignored;
use crate::report::passages::PairClass;
use crate::report::passages::Passages;
use crate::report::passages::Rules;
use crate::report::passages::Submission;
use crate::report::policy::Policy;
use crate::run::Session;
use crate::run::loader::Loader;
use crate::run::session::reading;
use crate::run::text_extractor::TextExtractor;
use lookalike_core::cluster::Linkage;
use lookalike_core::passage::Family;
use lookalike_corpus::{Body, Corpus, Input};
pub use lookalike_languages::{Highlights, Mark, MarkKind};
use lookalike_store::Records;
use std::collections::BTreeSet;
use std::path::PathBuf;

/// Pairs that are listed unless the user says otherwise.
const DEFAULT_LIMIT: usize = 500;
/// Pairs that are compared at most, those that are most similar by their fingerprints; 40 times the pairs that are listed if that is
/// more. A pair of prose takes ten times as long.
const MAX_CODE_PAIRS: usize = 200_000;
const MAX_OTHER_PAIRS: usize = 20_000;
/// Tokens of these pairs at most, both sides added up: long submissions are compared with fewer others. (Tests have few.)
pub(super) const MAX_CODE_TOKENS: u64 = if cfg!(test) { 1 << 20 } else { 1 << 28 };
const MAX_OTHER_TOKENS: u64 = MAX_CODE_TOKENS / 2;

/// A file of a submission as it is shown.
#[derive(Clone, Debug)]
pub struct ShownFile {
    /// Its text; stretches of passages point into it.
    pub text: String,
    /// What it is coloured by; of prose nothing.
    pub highlights: Highlights,
}

/// A pair in numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PairNumbers {
    /// Index of the first submission.
    pub a: u32,
    /// Index of the second.
    pub b: u32,
    /// Similarity.
    pub similarity: f64,
    /// Share of the first's tokens that are in passages.
    pub share_a: f64,
    /// Share of the second's.
    pub share_b: f64,
    /// Tokens in passages; the mean of both sides.
    pub overlap: u64,
    /// Tokens of the longest passage.
    pub longest: u64,
}

/// A finished scan by passages: the report, and the way back to the texts.
pub struct PassageScan {
    pub report: Report,
    pairs: Records<PairRecord>,
    library: Library,
    corpora: [Corpus; 2],
    tokenizer: Tokenizer,
}

impl PassageScan {
    /// The files of a submission as they are shown; none where one has changed since.
    pub fn files(&self, submission: usize) -> Result<Vec<Option<ShownFile>>, Error> {
        let Some(submission) = self.report.passages().and_then(|section| section.submissions.get(submission)) else {
            return Ok(Vec::new());
        };
        let corpus = &self.corpora[usize::from(submission.archive)];
        let loader = Loader::new(&self.library.catalogue, corpus, TextExtractor::default());
        let mut scratch = TokenizerScratch::default();
        let mut shown = Vec::with_capacity(submission.files.len());
        for file in &submission.files {
            shown.push(match loader.body(file.document)? {
                None => None,
                Some((id, body)) => {
                    let read = self.tokenizer.read_to_show(&id, &body, &mut scratch);
                    read.ok().map(|read| ShownFile { text: read.text.into_owned(), highlights: read.highlights })
                }
            });
        }
        Ok(shown)
    }

    /// Calls `each` with every pair of at least `rules.min`, most similar first.
    pub fn for_each_pair(&self, each: &mut dyn FnMut(PairNumbers) -> Result<(), Error>) -> Result<(), Error> {
        for pair in self.pairs.iter() {
            let pair = pair?;
            let [share_a, share_b] = pair.shares();
            each(PairNumbers {
                a: pair.a,
                b: pair.b,
                similarity: pair.similarity(),
                share_a,
                share_b,
                overlap: u64::from(pair.overlap_a + pair.overlap_b) / 2,
                longest: u64::from(pair.longest),
            })?;
        }
        Ok(())
    }
}

/// Finds what submissions share.
pub fn scan(submissions: Vec<Input>, options: &PassagesOptions, session: &Session<'_>) -> Result<PassageScan, Error> {
    options.check()?;
    let key = &session.options.key;
    let recipe = options.recipe.clone().with_key(key);
    let (tokenizer, methods) = (Tokenizer::new(&recipe, key)?, Method::all(&recipe, key));
    let corpus_options = &reading(session.options);
    let open = |inputs: Vec<Input>| Corpus::open(inputs, corpus_options.clone());
    let paths = |paths: &[PathBuf]| paths.iter().cloned().map(Input::Path).collect::<Vec<Input>>();
    let (archive, base) = (paths(&options.archive), paths(&options.base));
    let roots = [&submissions, &archive].map(|inputs| inputs.iter().filter_map(root).collect::<Vec<String>>());
    let (cohort_corpus, archive_corpus) = (open(submissions)?, open(archive)?);
    // globs choose among what was handed in; what was given is named
    let all = lookalike_corpus::Options { include: Vec::new(), exclude: Vec::new(), ..corpus_options.clone() };
    let base_corpus = Corpus::open(base, all)?;

    let base = Base::read(session, &base_corpus, &tokenizer, &methods)?;
    let purpose = if options.winnowing { Purpose::Statistics } else { Purpose::Pairs };
    let readers = Readers { tokenizer: &tokenizer, methods: &methods, base: &base, purpose };
    let mut library = session.phase("read", Unit::Bytes, cohort_corpus.total_bytes(), |counts| {
        let library = Library::read(session, [&cohort_corpus, &archive_corpus], &readers)?;
        counts.insert("documents", library.documents.len() as u64);
        counts.insert("tokens", library.documents.iter().map(|known| u64::from(known.tokens)).sum());
        counts.insert("fingerprints", library.postings.len());
        Ok(library)
    })?;

    let corpora = [cohort_corpus, archive_corpus];
    let groupings = groupings(&options.cohort, roots, &library, &corpora)?;
    let cohort = CohortUnits::new(&library, groupings.each_ref())?;
    let (frequencies, possible) = session.phase("sort", Unit::Documents, None, |counts| {
        let frequencies = Frequencies::new(&library, &cohort, options.max_df)?;
        counts.insert("submissions", cohort.units.len() as u64);
        counts.insert("ignored", frequencies.frequent.len() as u64);
        Ok((frequencies, cohort.comparable_pairs()))
    })?;
    let main = main_family(&library, &cohort);
    let (min, long) = least_listed(main, options.min_similarity);
    let streams = StreamCache::new(&library, &cohort, &frequencies, &methods, session);
    let passages = PassageCache::new(session.share(32));
    let comparing = Comparing {
        library: &library,
        cohort: &cohort,
        frequencies: &frequencies,
        methods: &methods,
        streams: &streams,
        passages: &passages,
        min,
        long,
        long_fingerprints: methods[main as usize].min_fingerprints(long),
    };
    let limit = options.limit.unwrap_or(DEFAULT_LIMIT);
    let compared = session.phase("compare", Unit::Pairs, None, |counts| {
        let (pairs, tokens) = match main {
            Family::Code => (MAX_CODE_PAIRS, MAX_CODE_TOKENS),
            Family::Prose | Family::Bytes => (MAX_OTHER_PAIRS, MAX_OTHER_TOKENS),
        };
        let budget = Budget { pairs: pairs.max(limit.saturating_mul(40)), tokens };
        let compared = comparing.pairs(session, budget)?;
        counts.insert("pairs", compared.pairs.len());
        counts.insert("compared", compared.tried);
        counts.insert("estimated", compared.estimated);
        counts.insert("tokens", compared.tokens);
        Ok(compared)
    })?;
    let asked = SectionBuilder { options, base: &base, main, limit, possible };
    let mut section = session.phase("report", Unit::Documents, None, |_| asked.section(&comparing, &compared))?;
    decided::apply(&options.decisions, &mut section);
    let pairs = compared.pairs;
    section.warnings.clone_from(&cohort.warnings);
    section.warnings.extend(warnings(&section, &library));
    let policy = Policy { threshold: section.calibration.threshold, linkage: Linkage::Single, ..Policy::default() };
    let mut report = Report::new(&recipe.into(), policy, Section::Passages(section));
    report.head.documents = library.catalogue.len() as u64;
    report.head.bytes = library.catalogue.bytes;
    report.head.repeated_ids = library.catalogue.repeated_ids;
    report.skipped = skipped(&mut library, base.skipped, &methods)?;
    report.head.phases = session.phases();
    report.head.usage = session.usage();
    Ok(PassageScan { report, pairs, library, corpora, tokenizer })
}

/// What was asked for, and what is known without comparing.
struct SectionBuilder<'a> {
    options: &'a PassagesOptions,
    base: &'a Base,
    main: Family,
    limit: usize,
    possible: u64,
}

impl SectionBuilder<'_> {
    /// All that was found; what was skipped and how long it took come later.
    fn section(&self, comparing: &Comparing<'_>, compared: &Compared) -> Result<Passages, Error> {
        let Compared { pairs, observed, estimated, .. } = compared;
        let Comparing { library, cohort, frequencies, methods, .. } = comparing;
        let size = size_of_top(compared)?;
        let surprise = if self.main == Family::Prose { Surprise::UNKNOWN } else { Surprise::of(observed, size) };
        let asked =
            Asked { chosen: self.options.threshold, by_size: border::by_size(self.main, size), least: comparing.min };
        // who has the same tokens as another is as similar to everybody else, and was not compared again
        let possible = cohort.different_pairs() + observed.identical;
        let mut calibration = calibrate::calibrate(observed, &surprise, possible, asked);
        let surprise = surprise.told_by(&calibration);
        let mut highest = vec![0f64; cohort.units.len()];
        // what fits is listed pair by pair
        let mut folding = (pairs.len() > self.limit as u64).then(|| Folding::new(cohort.units.len(), self.limit));
        let mut listed = Vec::new();
        let borders = Borders::new(self.main, &calibration, least_listed(self.main, None).1);
        let (mut striking, mut worth_a_look) = (Vec::new(), 0);
        for pair in pairs.iter() {
            let pair = pair?;
            match pair.class(borders) {
                PairClass::Striking => striking.push((pair.a, pair.b, pair.similarity())),
                PairClass::Look => worth_a_look += 1,
                PairClass::Ordinary => {}
            }
            for unit in [pair.a, pair.b] {
                highest[unit as usize] = highest[unit as usize].max(pair.similarity());
            }
            match &mut folding {
                Some(folding) => folding.push(pair),
                None => listed.push(pair),
            }
        }
        let mut folded = vec![0; listed.len()];
        if let Some(folding) = folding {
            (listed, folded) = folding.finish();
        }
        let clusters = clusters(cohort.units.len(), &striking);
        let builder = PassageReportBuilder { comparing, surprise: &surprise, borders };
        let mut pairs_listed = builder.pairs(&listed)?;
        for (pair, folded) in pairs_listed.iter_mut().zip(folded) {
            pair.folded = folded;
        }
        let outcome = Outcome {
            striking: striking.len() as u64,
            worth_a_look,
            listed: &pairs_listed,
            groups: self.groups(comparing, pairs)?,
            code: self.main == Family::Code,
        };
        outcome.tell(&mut calibration, &surprise);
        let shown: BTreeSet<u32> = listed.iter().flat_map(|pair| [pair.a, pair.b]).collect();
        let submissions = builder.submissions(&highest, &shown)?;
        let (frequent, frequent_all) = builder.frequent()?;
        let base_tokens: u64 = handed_in(library, cohort).map(|known| u64::from(known.excluded)).sum();
        let excluded: u64 = submissions.iter().map(|submission| submission.excluded).sum();
        let tokens = self.options.recipe.code_tokens();
        Ok(Passages {
            recipes: recipes(library, cohort, methods),
            rules: Rules {
                min_similarity: comparing.min,
                limit: self.limit as u64,
                max_df: frequencies.limit,
                identifiers: tokens.identifiers,
                literals: tokens.literals,
                comments: tokens.comments,
            },
            submissions,
            pairs: pairs_listed,
            pairs_all: pairs.len(),
            pairs_possible: self.possible,
            pairs_estimated: *estimated,
            clusters,
            calibration,
            reviewed: None,
            ignored: Ignored {
                base_files: self.base.files,
                base_tokens,
                frequent_tokens: excluded.saturating_sub(base_tokens),
                frequent,
                frequent_all,
            },
            winnowing: self.options.winnowing.then(|| stats::statistics(library, methods)).transpose()?,
            warnings: Vec::new(),
        })
    }
}

impl SectionBuilder<'_> {
    /// Groups of this year's submissions that share little with each other. Not known where pairs are left out that others would list.
    fn groups(&self, comparing: &Comparing<'_>, pairs: &Records<PairRecord>) -> Result<Option<Groups>, Error> {
        if comparing.min > least_listed(self.main, None).0 {
            return Ok(None);
        }
        let counts = |unit: &Submitted| !unit.archive && unit.same_as.is_none();
        let units = (0u32..).zip(&comparing.cohort.units).filter(|(_, unit)| counts(unit)).map(|(at, _)| at);
        let similarities = pairs.iter().map(|pair| pair.map(|pair| (pair.a, pair.b, pair.similarity())));
        Ok(groups(&units.collect::<Vec<_>>(), &similarities.collect::<Result<Vec<_>, _>>()?))
    }
}

/// The tokens of the smaller submission in the middle of the most similar pairs.
fn size_of_top(compared: &Compared) -> Result<f64, Error> {
    let most = ((compared.observed.candidates / border::TOP) as usize).max(border::MIN_TOP);
    let top = compared.pairs.iter().take(most);
    let mut sizes =
        top.map(|pair| pair.map(|pair| pair.counted_a.min(pair.counted_b))).collect::<Result<Vec<u32>, _>>()?;
    sizes.sort_unstable();
    Ok(sizes.get(sizes.len() / 2).map_or(1.0, |size| f64::from(*size)))
}

/// What ids of documents below an input begin with.
fn root(input: &Input) -> Option<String> {
    match input {
        Input::Path(path) => Some(lookalike_corpus::id_of(path).into_owned()),
        _ => None,
    }
}

/// How documents become submissions: as the user says, and as the `info.csv` say that were given or found.
fn groupings(
    cohort: &options::CohortOptions,
    roots: [Vec<String>; 2],
    library: &Library,
    corpora: &[Corpus; 2],
) -> Result<[Grouping; 2], Error> {
    let owner = cohort.owner.as_deref().map(owner_pattern).transpose()?;
    let mut groupings = roots.map(|roots| Grouping::new(&roots, cohort.per_folder, owner.clone()));
    if let Some(path) = &cohort.info {
        let name = path.display().to_string();
        let bytes =
            std::fs::read(path).map_err(|source| lookalike_store::Error::Read { what: name.clone(), source })?;
        groupings[0].add_info(parse_info(&bytes, &name)?, None);
    }
    for document in 0..library.documents.len() as u32 {
        let archive = usize::from(library.documents[document as usize].archive);
        let id = library.catalogue.id(document)?;
        if !groupings[archive].is_info(&id) || (archive == 0 && cohort.info.is_some()) {
            continue;
        }
        let loader = Loader::new(&library.catalogue, &corpora[archive], TextExtractor::default());
        if let Some((_, Body::Bytes(bytes))) = loader.body(document)? {
            groupings[archive].add_info(parse_info(&bytes, &id)?, Some(&id));
        }
    }
    Ok(groupings)
}

/// The documents that belong to submissions: an `info.csv` does not.
fn handed_in<'a>(library: &'a Library, cohort: &'a CohortUnits) -> impl Iterator<Item = &'a LibraryDocument> {
    library.documents.iter().zip(&cohort.unit_of).filter(|(_, unit)| **unit != NO_SUBMISSION).map(|(known, _)| known)
}

/// The family that most tokens are of: it decides what is not said otherwise.
fn main_family(library: &Library, cohort: &CohortUnits) -> Family {
    let tokens = |family: Family| -> u64 {
        handed_in(library, cohort).filter(|known| known.family == family).map(|known| u64::from(known.tokens)).sum()
    };
    Family::ALL.into_iter().max_by_key(|family| (tokens(*family), std::cmp::Reverse(*family))).unwrap_or(Family::Code)
}

fn recipes(library: &Library, cohort: &CohortUnits, methods: &[Method; 3]) -> Vec<FamilyRecipe> {
    let of = |method: &Method| FamilyRecipe {
        family: method.family.name(),
        k: method.winnowing.k,
        t: method.winnowing.t,
        files: handed_in(library, cohort).filter(|known| known.family == method.family).count() as u64,
    };
    methods.iter().map(of).filter(|recipe| recipe.files > 0).collect()
}

/// What people should know before they believe the numbers.
fn warnings(section: &Passages, library: &Library) -> Vec<String> {
    let mut warnings = Vec::new();
    let left = |s: &&Submission| s.excluded > 0 && (s.tokens - s.excluded) * 10 < s.tokens;
    let little: Vec<&Submission> = section.submissions.iter().filter(left).collect();
    if let Some(first) = little.first() {
        let more = if little.len() > 1 { format!(" and {} more", little.len() - 1) } else { String::new() };
        warnings.push(format!(
            "{}{more}: more than nine tenths of it are base code or shared by too many, and do not count; check the base code and the greatest document frequency",
            first.name
        ));
    }
    if library.catalogue.repeated_ids > 0 {
        warnings.push(format!(
            "{} documents have the id of another; documents of one id are one submission",
            library.catalogue.repeated_ids
        ));
    }
    warnings.extend(mixed_languages(&section.submissions));
    warnings
}

/// What was not compared, in the order of ids: what could not be read, and what is too short.
fn skipped(library: &mut Library, base: Vec<Skip>, methods: &[Method; 3]) -> Result<Vec<Skip>, Error> {
    let mut skipped = std::mem::take(&mut library.catalogue.skipped);
    skipped.extend(base);
    skipped.extend(library.too_short(methods)?);
    Skip::sort(&mut skipped);
    Ok(skipped)
}
