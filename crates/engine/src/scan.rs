//! A scan from end to end.

use crate::differences::{self, Differences};
use crate::front::FrontEnd;
use crate::options::ScanOptions;
use crate::pipeline::assemble::{self, Documents};
use crate::pipeline::catalogue::Catalogue;
use crate::pipeline::clustering::{self, Evidence, Judged};
use crate::pipeline::effective::Effective;
use crate::pipeline::equivalents::Equivalents;
use crate::pipeline::filter::Filter;
use crate::pipeline::join::Join;
use crate::pipeline::loader::{Loader, Sets};
use crate::pipeline::ranking::{Ranking, rank};
use crate::pipeline::{Session, common, heavy, postings, sketching};
use crate::progress::{Cancel, Progress, Unit};
use crate::report::{Class, PairRow, Report, SCHEMA, Skip};
use crate::{Candidates, Error};
use lookalike_corpus::{Corpus, Input};
use lookalike_store::{Records, Sequence};

#[cfg(test)]
mod tests;

/// A finished scan: the report, and the way back to the documents.
pub struct Scan {
    /// What was found.
    pub report: Report,
    pub(crate) filter: Filter,
    pub(crate) catalogue: Catalogue,
    pub(crate) equivalents: Equivalents,
    pub(crate) ranking: Ranking,
    pub(crate) judged: Option<Records<Judged>>,
    /// Exact or estimated evidence for those that share only their sketch with their stand-in.
    pub(crate) by_sketch: Vec<(u32, u32, Evidence)>,
    front: FrontEnd,
    corpus: Corpus,
    common: u32,
}

/// Scans a corpus.
pub fn scan(
    inputs: Vec<Input>,
    options: &ScanOptions,
    progress: &dyn Progress,
    cancel: &Cancel,
) -> Result<Scan, Error> {
    check(options)?;
    let corpus = Corpus::open(inputs, options.corpus.clone())?;
    let session = Session::new(options, progress, cancel)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(options.threads).build();
    let pool = pool.map_err(|e| Error::Options(format!("cannot start {} threads: {e}", options.threads)))?;
    pool.install(|| phases(&session, corpus))
}

fn check(options: &ScanOptions) -> Result<(), Error> {
    let wrong = |message: String| Err(Error::Options(message));
    let share = |name: &str, value: f64| {
        if value > 0.0 && value <= 1.0 {
            Ok(())
        } else {
            wrong(format!("{name} is a share: expected more than 0 and at most 1, found {value}"))
        }
    };
    share("--threshold", options.policy.threshold)?;
    options.policy.contained.map_or(Ok(()), |c| share("--contained", c))?;
    if options.policy.contained.is_some() {
        if options.candidates == Candidates::Super {
            return wrong("super shingles cannot find containment; use --candidates shingles with --contained".into());
        }
        if !options.recipe.sampling.estimates_containment() {
            return wrong("MIN sketches cannot find containment; use --sketch nested:100 with --contained".into());
        }
    }
    if options.memory < 16 << 20 {
        return wrong(format!("--memory of at least 16M is needed, found {} bytes", options.memory));
    }
    Ok(())
}

fn phases(session: &Session<'_>, corpus: Corpus) -> Result<Scan, Error> {
    let options = session.options;
    let filter = Filter { policy: options.policy, sampling: options.recipe.sampling, estimate: options.estimate };
    let sketched = session.phase("sketch", Unit::Bytes, corpus.total_bytes(), |counts| {
        let sketched = sketching::sketch_all(session, &corpus)?;
        counts.insert("documents", sketched.catalogue.len() as u64);
        counts.insert("bytes", sketched.catalogue.bytes);
        counts.insert("shingles", sketched.catalogue.sizes.iter().map(|s| u64::from(*s)).sum());
        counts.insert("equivalent", sketched.equivalents.all().len() as u64);
        Ok(sketched)
    })?;
    let sketching::SketchPhase { mut catalogue, equivalents, seen } = sketched;
    let documents = Some(catalogue.len() as u64);
    let (sorted, heavy) = session.phase("sort", Unit::Documents, documents, |counts| {
        let by_shingles = options.candidates == Candidates::Shingles;
        let heavy = if by_shingles { heavy::find(session, &catalogue, &equivalents, &seen)? } else { Vec::new() };
        let sorted = postings::sort_postings(session, &catalogue, &equivalents, &seen, &heavy)?;
        let mut shared = heavy.iter().map(|h| h.documents).sum();
        postings::for_each_list(&sorted, |_, documents| {
            shared += documents.len() as u64;
            Ok(())
        })?;
        counts.insert("shared_postings", shared);
        Ok((sorted, heavy))
    })?;
    drop(seen);
    let loader = Loader::new(&catalogue, &corpus, &session.front);
    let (effective, templates, candidates) = session.phase("pairs", Unit::Documents, documents, |counts| {
        let by_shingles = options.candidates == Candidates::Shingles;
        let common =
            if by_shingles { common::find(session, &loader, heavy, &sorted)? } else { common::Common::default() };
        counts.insert("common_features", common.features.len() as u64);
        let effective = Effective::new(&catalogue, &equivalents, common.features, options.recipe.sampling)?;
        let mut candidates = Sequence::new(&session.space, "the candidates", session.share(8));
        let join = Join { session, catalogue: &catalogue, effective: &effective, filter };
        join.run(&sorted, &mut candidates)?;
        join.crowds(&mut candidates)?;
        counts.insert("candidates", candidates.len());
        Ok((effective, common.templates, candidates.finish()?))
    })?;
    drop(sorted);
    let mut sets = Sets::new(&loader, &effective, session.share(3));
    let found = session.phase("cluster", Unit::Pairs, Some(candidates.len()), |counts| {
        let (ranking, ranked) = rank(&session.space, session.share(4), &filter, &catalogue, &candidates)?;
        let clustering = clustering::cluster(session, &filter, &ranking, &ranked, &mut sets)?;
        let mut back = Back {
            filter,
            catalogue: &catalogue,
            equivalents: &equivalents,
            effective: &effective,
            sets: &mut sets,
            by_sketch: Vec::new(),
        };
        let (clusters, summary) = assemble::assemble(&filter, clustering.links, &mut back)?;
        let by_sketch = back.by_sketch;
        counts.insert("verified", clustering.verified);
        counts.insert("clusters", clusters.len() as u64);
        Ok((ranking, clustering.judged, clusters, summary, by_sketch))
    })?;
    let (ranking, judged, clusters, summary, by_sketch) = found;
    let lost = sets.lost();
    drop(sets);
    drop(effective);
    let mut skipped = std::mem::take(&mut catalogue.skipped);
    for document in lost {
        let reason = "changed while it was being scanned: scan again".to_owned();
        skipped.push(Skip { id: catalogue.id(document)?, reason, kind: "changed".into(), damage: false });
    }
    skipped.sort_by(|a, b| (&a.id, &a.reason).cmp(&(&b.id, &b.reason)));
    let report = Report {
        schema: SCHEMA,
        lookalike: env!("CARGO_PKG_VERSION"),
        recipe: options.recipe.to_string(),
        policy: options.policy,
        candidates: options.candidates,
        common: options.common,
        estimate: options.estimate,
        documents: catalogue.len() as u64,
        bytes: catalogue.bytes,
        repeated_ids: catalogue.repeated_ids,
        summary,
        skipped,
        clusters,
        templates,
        phases: session.phases(),
        usage: session.usage(),
    };
    let (front, common) = (session.front.clone(), options.common);
    Ok(Scan { report, filter, catalogue, equivalents, ranking, judged, by_sketch, front, corpus, common })
}

impl Scan {
    /// What differs between two documents of the report, in a few words; none where they cannot be read again.
    pub fn differences(&self, a: u32, b: u32) -> Result<Option<Differences>, Error> {
        let loader = Loader::new(&self.catalogue, &self.corpus, &self.front);
        Ok(match (loader.canonical(a)?, loader.canonical(b)?) {
            (Some(a), Some(b)) => Some(differences::between(&a.text, &b.text, &self.front.fp)),
            _ => None,
        })
    }

    /// Calls `each` with every pair that the policy accepts. Needs `all_pairs`.
    ///
    /// Equivalent documents are put back: each of them makes the pairs of the one that stood for it. A group of more
    /// than `common` equivalent documents is given by its pairs with the first of them only.
    pub fn pairs<E: From<Error>>(&self, mut each: impl FnMut(PairRow) -> Result<(), E>) -> Result<(), E> {
        let mut row = |a: u32, b: u32, evidence: Evidence| -> Result<(), E> {
            let (id_a, id_b) = (self.catalogue.id(a).map_err(Error::from)?, self.catalogue.id(b).map_err(Error::from)?);
            let Some(o) = evidence.overlap() else { return Ok(()) };
            let (a, b, o) = if id_a <= id_b { (id_a, id_b, o) } else { (id_b, id_a, o.swapped()) };
            each(PairRow { a, b, resemblance: o.resemblance(), a_in_b: o.a_in_b(), b_in_a: o.b_in_a() })
        };
        let group = |standing: u32| -> Vec<u32> {
            let same = self.equivalents.of(standing).filter(|(_, class)| *class != Class::Shingle).map(|(d, _)| d);
            let group: Vec<u32> = std::iter::once(standing).chain(same).collect();
            if group.len() > self.common as usize { vec![standing] } else { group }
        };
        let same = Evidence::Exact(lookalike_core::sets::Overlap { a: 1, b: 1, common: 1 });
        let mut done = None;
        for (standing, other, class) in self.equivalents.all() {
            let members = group(*standing);
            if members.len() == 1 && *class != Class::Shingle {
                row(*standing, *other, same)?;
            } else if done != Some(*standing) {
                for (at, a) in members.iter().enumerate() {
                    members[at + 1..].iter().try_for_each(|b| row(*a, *b, same))?;
                }
            }
            done = Some(*standing);
        }
        for (standing, other, evidence) in &self.by_sketch {
            row(*standing, *other, *evidence)?;
        }
        for judged in self.judged.iter().flat_map(Records::iter) {
            let judged = judged.map_err(Error::from)?;
            let evidence = judged.evidence();
            if evidence.overlap().is_some_and(|o| self.filter.links(o)) {
                let documents = [judged.pair.a, judged.pair.b].map(|rank| self.ranking.documents[rank as usize]);
                let (of_a, of_b) = (group(documents[0]), group(documents[1]));
                for a in &of_a {
                    of_b.iter().try_for_each(|b| row(*a, *b, evidence))?;
                }
            }
        }
        Ok(())
    }
}

/// The way back from document numbers to what a report says of them.
struct Back<'a, 'b> {
    filter: Filter,
    catalogue: &'a Catalogue,
    equivalents: &'a Equivalents,
    effective: &'a Effective,
    sets: &'a mut Sets<'b>,
    by_sketch: Vec<(u32, u32, Evidence)>,
}

impl Documents for Back<'_, '_> {
    fn describe(&self, document: u32) -> Result<(String, u64), Error> {
        let entry = self.catalogue.entry(document)?;
        Ok((entry.id, entry.bytes))
    }

    fn equivalents(&self, document: u32) -> Vec<(u32, Class)> {
        self.equivalents.of(document).collect()
    }

    fn stand_ins(&self) -> Vec<u32> {
        let mut all: Vec<u32> = self.equivalents.all().iter().map(|e| e.0).collect();
        all.dedup();
        all
    }

    fn shingle_evidence(
        &mut self,
        standing: u32,
        representative: u32,
        document: u32,
    ) -> Result<Option<Evidence>, Error> {
        let evidence = if self.filter.estimate {
            Evidence::Estimate(self.effective.overlap_of_sketches(self.catalogue, representative, document)?)
        } else {
            self.sets.load(&[representative, document])?;
            match self.sets.overlap(representative, document) {
                Some(overlap) => Evidence::Exact(overlap),
                None => return Ok(None),
            }
        };
        let accepted = evidence.overlap().is_some_and(|o| self.filter.accepts(o));
        if accepted && standing == representative {
            self.by_sketch.push((standing, document, evidence));
        }
        Ok(accepted.then_some(evidence))
    }
}
