//! A scan from end to end.

use crate::differences::{self, Differences};
use crate::exchange;
use crate::front::FrontEnd;
use crate::options::ScanOptions;
use crate::pipeline::assemble::{self, Documents, SAME};
use crate::pipeline::catalogue::Catalogue;
use crate::pipeline::clustering::{self, Evidence, Judged};
use crate::pipeline::decided::Decisions;
use crate::pipeline::effective::Effective;
use crate::pipeline::equivalents::Equivalents;
use crate::pipeline::filter::Filter;
use crate::pipeline::groups::{Groups, Named};
use crate::pipeline::join::Join;
use crate::pipeline::loader::{Loader, Sets};
use crate::pipeline::ranking::{Ranking, rank};
use crate::pipeline::{Session, common, postings, sketching};
use crate::progress::{Cancel, Progress, Unit};
use crate::report::{Class, PairRow, Report, SCHEMA, Skip};
use crate::{Candidates, Error, Policy, Verdict, resources};
use lookalike_core::members::Members;
use lookalike_corpus::{Body, Corpus, Input};
use lookalike_store::{Records, Sequence};
use std::path::PathBuf;

#[cfg(test)]
pub(crate) mod tests;

/// A finished scan: the report, and the way back to the documents.
pub struct Scan {
    /// What was found.
    pub report: Report,
    pub(crate) filter: Filter,
    pub(crate) catalogue: Catalogue,
    pub(crate) equivalents: Equivalents,
    /// The sizes by which documents are ranked.
    pub(crate) sizes: Vec<u32>,
    pub(crate) ranking: Ranking,
    pub(crate) judged: Option<Records<Judged>>,
    pub(crate) decisions: Decisions,
    pub(crate) front: FrontEnd,
    pub(crate) corpus: Corpus,
    /// The least resemblance of which every pair was looked for.
    pub(crate) explored: f64,
    pub(crate) common: u32,
}

/// Scans a corpus.
pub fn scan(
    inputs: Vec<Input>,
    options: &ScanOptions,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Scan, Error> {
    check(options)?;
    let (exchanged, inputs) = exchange::divide(inputs);
    exchanged.iter().try_for_each(|path| exchange::check_lens(path, exchange::shingles::LENS))?;
    if let Some(path) = exchanged.first().filter(|_| !options.estimate) {
        return Err(Error::Options(format!(
            "{} has sketches, not documents: nothing can be verified; add --estimate",
            path.display()
        )));
    }
    let corpus = Corpus::open(inputs, reading(options))?;
    let session = Session::new(options, progress, cancel)?;
    resources::pool(options.threads)?.install(|| phases(&session, corpus, &exchanged))
}

/// How documents are read. Batches wait in memory too, four for each thread.
pub(crate) fn reading(options: &ScanOptions) -> lookalike_corpus::Options {
    let batch_bytes = options.corpus.batch_bytes.min((options.memory / 512) as usize).max(1 << 16);
    lookalike_corpus::Options { batch_bytes, ..options.corpus.clone() }
}

fn check(options: &ScanOptions) -> Result<(), Error> {
    let wrong = |message: String| Err(Error::Options(message));
    options.policy.check()?;
    if options.policy.contained.is_some() {
        if options.candidates == Candidates::Super {
            return wrong("super shingles cannot find containment; use --candidates shingles with --contained".into());
        }
        if !options.recipe.sampling.estimates_containment() {
            return wrong("MIN sketches cannot find containment; use --sketch nested:100 with --contained".into());
        }
    }
    if let Some(least) = options.explore.filter(|share| !(*share > 0.0 && *share <= 1.0)) {
        return wrong(format!("--explore: expected a share of more than 0 and at most 1, found {least}"));
    }
    if options.whole && options.decisions.iter().any(|d| d.verdict == Verdict::Template) {
        return wrong(
            "--whole counts templates, and the decisions have some to be ignored; leave out one of the two".into(),
        );
    }
    if options.memory < 16 << 20 {
        return wrong(format!("--memory of at least 16M is needed, found {} bytes", options.memory));
    }
    Ok(())
}

fn phases(session: &Session<'_>, corpus: Corpus, exchanged: &[PathBuf]) -> Result<Scan, Error> {
    let options = session.options;
    let filter = Filter { policy: options.policy, sampling: options.recipe.sampling, estimate: options.estimate };
    // what is reported is decided by `filter`; pairs are looked for by this one
    let explored = explored(options);
    let wide = Filter { policy: Policy { threshold: explored, ..options.policy }, ..filter };
    let sketched = sketch(session, &corpus, exchanged)?;
    let sketching::SketchPhase { mut catalogue, equivalents } = sketched;
    let decisions = Decisions::new(&options.decisions, &catalogue)?;
    let documents = Some(catalogue.len() as u64);
    let loader = Loader::new(&catalogue, &corpus, &session.front);
    let (lists, effective, templates) = session.phase("sort", Unit::Documents, documents, |counts| {
        let mut shared = postings::share_features(session, &catalogue, &equivalents)?;
        counts.insert("shared_postings", shared.heavy.iter().map(|h| h.documents).sum::<u64>() + shared.lists.len());
        if options.whole {
            let heavy = Members::new(shared.heavy.iter().map(|h| h.feature).collect());
            counts.insert("common_features", heavy.as_slice().len() as u64);
            if options.candidates == Candidates::Super {
                shared = postings::share_super_shingles(session, &catalogue, &equivalents, &Members::default())?;
            }
            let effective = Effective::whole(&catalogue, &equivalents, heavy, &filter, session.share(8))?;
            return Ok((shared.lists, effective, Vec::new()));
        }
        let mut common = common::find(session, &loader, shared.heavy)?;
        common.add(session, &loader, decisions.templates())?;
        counts.insert("common_features", common.features.members().as_slice().len() as u64);
        if options.candidates == Candidates::Super {
            // made of what is left of a sketch without its common features
            shared = postings::share_super_shingles(session, &catalogue, &equivalents, common.features.members())?;
        }
        let effective = Effective::new(&loader, &equivalents, common.features, &filter)?;
        Ok((shared.lists, effective, common.templates))
    })?;
    let candidates = session.phase("pairs", Unit::Documents, documents, |counts| {
        let mut candidates = Sequence::new(&session.space, "the candidates", session.share(8));
        let join = Join { session, catalogue: &catalogue, effective: &effective, filter: wide };
        join.run(&lists, &mut candidates)?;
        join.crowds(&mut candidates)?;
        let candidates = decisions.without_forbidden(session, &equivalents, candidates.finish()?)?;
        counts.insert("candidates", candidates.len());
        Ok(candidates)
    })?;
    drop(lists);
    let mut sets = Sets::new(&loader, &effective, session.share(4));
    let found = session.phase("cluster", Unit::Pairs, Some(candidates.len()), |counts| {
        let sizes = effective.sizes(&catalogue);
        let (ranking, ranked) = rank(&session.space, session.share(6), &filter, &catalogue, &sizes, &candidates)?;
        let clustering = clustering::cluster(session, &filter, &ranking, &ranked, &mut sets)?;
        let back = Back { catalogue: &catalogue, equivalents: &equivalents, decisions: &decisions };
        let (mut clusters, summary) = assemble::assemble(&filter, clustering.links, &back)?;
        let reviewed = decisions.apply(&mut clusters);
        counts.insert("verified", clustering.verified);
        counts.insert("clusters", clusters.len() as u64);
        Ok((sizes, ranking, clustering.judged, clusters, summary, reviewed))
    })?;
    let (sizes, ranking, judged, clusters, summary, reviewed) = found;
    let lost = sets.lost();
    drop(sets);
    drop(effective);
    let skipped = all_skipped(&mut catalogue, lost)?;
    let report = Report {
        schema: SCHEMA,
        lookalike: env!("CARGO_PKG_VERSION"),
        recipe: options.recipe.to_string(),
        policy: options.policy,
        candidates: options.candidates,
        common: options.common,
        whole: options.whole,
        estimate: options.estimate,
        documents: catalogue.len() as u64,
        bytes: catalogue.bytes,
        unsampled: catalogue.unsampled,
        repeated_ids: catalogue.repeated_ids,
        summary,
        reviewed,
        against: None,
        chunks: None,
        simhash: None,
        skipped,
        clusters,
        templates,
        phases: session.phases(),
        usage: session.usage(),
    };
    Ok(Scan {
        report,
        filter,
        catalogue,
        equivalents,
        sizes,
        ranking,
        judged,
        decisions,
        front: session.front.clone(),
        corpus,
        explored,
        common: options.common,
    })
}

/// The first phase.
fn sketch(session: &Session<'_>, corpus: &Corpus, exchanged: &[PathBuf]) -> Result<sketching::SketchPhase, Error> {
    session.phase("sketch", Unit::Bytes, corpus.total_bytes(), |counts| {
        let sketched = sketching::sketch_all(session, corpus, exchanged)?;
        counts.insert("documents", sketched.catalogue.len() as u64);
        counts.insert("bytes", sketched.catalogue.bytes);
        counts.insert("shingles", sketched.catalogue.sizes.iter().map(|s| u64::from(*s)).sum());
        counts.insert("equivalent", sketched.equivalents.all().len() as u64);
        Ok(sketched)
    })
}

/// The least resemblance of which every pair is looked for.
fn explored(options: &ScanOptions) -> f64 {
    let threshold = options.policy.threshold;
    let can = options.all_pairs && !options.whole && options.candidates == Candidates::Shingles;
    options.explore.filter(|_| can).map_or(threshold, |least| least.min(threshold))
}

/// What was skipped when it was read, and what was lost since, by id.
pub(crate) fn all_skipped(catalogue: &mut Catalogue, lost: Vec<u32>) -> Result<Vec<Skip>, Error> {
    let mut skipped = std::mem::take(&mut catalogue.skipped);
    for document in lost {
        skipped.push(Skip::changed(catalogue.id(document)?));
    }
    skipped.sort_by(|a, b| (&a.id, &a.reason).cmp(&(&b.id, &b.reason)));
    Ok(skipped)
}

impl Scan {
    /// Reads documents again.
    pub(crate) fn loader(&self) -> Loader<'_> {
        Loader::new(&self.catalogue, &self.corpus, &self.front)
    }

    /// What differs between two documents of the report, in a few words; none where they cannot be read again.
    pub fn differences(&self, a: u32, b: u32) -> Result<Option<Differences>, Error> {
        let loader = self.loader();
        let (Some((id_a, body_a)), Some((id_b, body_b))) = (loader.body(a)?, loader.body(b)?) else { return Ok(None) };
        if let (Body::Features(a), Body::Features(b)) = (&body_a, &body_b) {
            return Ok(Some(differences::between_items(a, b)));
        }
        Ok(match (self.front.visible.canonical(&id_a, &body_a), self.front.visible.canonical(&id_b, &body_b)) {
            (Ok(a), Ok(b)) => Some(differences::between(&a.text, &b.text, &self.front.fp)),
            _ => None,
        })
    }

    /// Calls `each` with every pair that the policy accepts. Needs `all_pairs`.
    ///
    /// Equivalent documents are put back: each of them makes the pairs of the one that stood for it. A group of more
    /// than `common` equivalent documents is given by its pairs with the first of them only.
    pub fn pairs<E: From<Error>>(&self, mut each: impl FnMut(PairRow) -> Result<(), E>) -> Result<(), E> {
        let sampling = self.filter.sampling;
        let groups = Groups { catalogue: &self.catalogue, equivalents: &self.equivalents };
        let mut row = |a: &Named, b: &Named, evidence: Evidence| {
            let Some(o) = evidence.overlap().filter(|_| !self.decisions.forbid(a.1, b.1)) else { return Ok(()) };
            let (a, b, o) = if a.0 <= b.0 { (a, b, o) } else { (b, a, o.swapped()) };
            each(PairRow {
                a: a.0.clone(),
                b: b.0.clone(),
                resemblance: o.resemblance(),
                a_in_b: o.a_in_b(),
                b_in_a: o.b_in_a(),
                interval: evidence.intervals(sampling).map(|i| i.resemblance),
                common_bytes: None,
            })
        };
        for standing in groups.stand_ins()? {
            let group = groups.of(standing.1)?;
            let leaders = if group.len() > self.common as usize { 1 } else { group.len() };
            for (at, a) in group.iter().take(leaders).enumerate() {
                group[at + 1..].iter().try_for_each(|b| row(a, b, SAME))?;
            }
        }
        let mut last = None;
        for judged in self.judged.iter().flat_map(Records::iter) {
            let judged = judged.map_err(Error::from)?;
            if last.replace((judged.pair.a, judged.pair.b)) == Some((judged.pair.a, judged.pair.b)) {
                continue;
            }
            let evidence = judged.evidence();
            let candidate = self.filter.candidate(judged.pair.sample());
            if candidate && evidence.overlap().is_some_and(|o| self.filter.links(o)) {
                let small_group = |rank: u32| {
                    let standing = self.ranking.documents[rank as usize];
                    let large = self.equivalents.of(standing).nth(self.common as usize).is_some();
                    if large { Ok(vec![(self.catalogue.id(standing)?, standing)]) } else { groups.of(standing) }
                };
                let (of_a, of_b) = (small_group(judged.pair.a)?, small_group(judged.pair.b)?);
                for a in &of_a {
                    of_b.iter().try_for_each(|b| row(a, b, evidence))?;
                }
            }
        }
        Ok(())
    }
}

/// The way back from document numbers to what a report says of them.
pub(crate) struct Back<'a> {
    pub(crate) catalogue: &'a Catalogue,
    pub(crate) equivalents: &'a Equivalents,
    pub(crate) decisions: &'a Decisions,
}

impl Documents for Back<'_> {
    fn describe(&self, document: u32) -> Result<(String, u64), Error> {
        let entry = self.catalogue.entry(document)?;
        Ok((entry.id, entry.bytes))
    }

    fn equivalents(&self, document: u32) -> Vec<(u32, Class)> {
        self.equivalents.of(document).collect()
    }

    fn forbids(&self) -> bool {
        self.decisions.forbids()
    }

    fn forbid(&self, a: u32, b: u32) -> bool {
        self.decisions.forbid(a, b)
    }

    fn stand_ins(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.equivalents.all().iter().map(|e| e.0).collect();
        all.dedup();
        all
    }
}
