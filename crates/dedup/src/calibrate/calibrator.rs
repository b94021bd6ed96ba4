//! A calibration from the inputs to what it says.

use super::calibration::{Calibration, JudgementCounts, PairDocument, SampledPair, Stratum};
use super::estimate::{estimates, suggest, thresholds};
use super::interval::share;
use super::judgement::{Judge, Judgement, aligned_share};
use super::measure::Measure;
use super::options::{CalibrateOptions, STEPS, THRESHOLDS};
use super::strata::{Draw, Strata};
use crate::Error;
use crate::removal::Removals;
use lookalike_core::shingle::Batches;
use lookalike_corpus::{Corpus, Input, content_name};
use lookalike_engine::lens::shingles::scoring::{ScoredDocuments, score_documents};
use lookalike_engine::report::Skip;
use lookalike_engine::run::differences::MAX_ALIGNED_BYTES;
use lookalike_engine::run::documents::Documents;
use lookalike_engine::run::session::{Session, reading};
use lookalike_engine::run::text::Text;
use lookalike_store::{Cancel, Progress, Silent, Unit};
use std::path::PathBuf;

/// Finds out what thresholds and recipes would do to a corpus: what is asked, who watches, then [`Calibrator::run`].
pub struct Calibrator<'a> {
    options: CalibrateOptions,
    progress: &'a dyn Progress,
    cancel: Cancel,
}

/// A finished calibration, and the way back to the documents.
pub struct CalibrationRun {
    /// What it says.
    pub calibration: Calibration,
    /// What was not compared, and why.
    pub skipped: Vec<Skip>,
    documents: Documents,
}

impl CalibrationRun {
    /// The text of a document of the sample, as it is shown; none if it is no longer what it was.
    pub fn text(&self, document: u32) -> Result<Option<Text>, lookalike_engine::Error> {
        self.documents.text(document)
    }
}

impl<'a> Calibrator<'a> {
    /// A calibration with these options.
    pub fn new(options: CalibrateOptions) -> Self {
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

    /// Reads all documents, draws the sample and judges it.
    pub fn run(&self, inputs: &[PathBuf]) -> Result<CalibrationRun, Error> {
        self.check()?;
        self.options.scan.resources.pool()?.install(|| self.run_in(inputs))
    }

    fn check(&self) -> Result<(), Error> {
        let CalibrateOptions { shingles, scan, explore, precision, per_stratum, .. } = &self.options;
        scan.resources.check()?;
        let wrong =
            |what: &'static str, expected: String, found: String| Err(Error::WrongOption { what, expected, found });
        let highest = f64::from(*THRESHOLDS.end()) / f64::from(STEPS);
        if !(*explore > 0.0 && *explore <= highest) {
            return wrong("the least resemblance", format!("more than 0 and at most {highest}"), explore.to_string());
        }
        if !(*precision > 0.0 && *precision <= 1.0) {
            return wrong("the precision", "more than 0 and at most 1".into(), precision.to_string());
        }
        if *per_stratum == 0 {
            return wrong("the pairs of a stratum", "at least 1".into(), "0".into());
        }
        if shingles.recipe.is_features() {
            return wrong("the recipe", "shingles of words".into(), shingles.recipe.to_string());
        }
        Ok(())
    }

    fn run_in(&self, inputs: &[PathBuf]) -> Result<CalibrationRun, Error> {
        let options = &self.options;
        let session = Session::new(&options.scan, self.progress, &self.cancel)?;
        let paths = inputs.iter().cloned().map(Input::Path).collect();
        let corpus = Corpus::open(paths, reading(&options.scan)).map_err(lookalike_engine::Error::from)?;
        let mut shingles = options.shingles.clone();
        shingles.policy.threshold = options.explore;
        let mut scored = score_documents(&shingles, &session, corpus)?;
        let mut drawing = Strata::new(options.explore, options.per_stratum);
        let contents = &scored.documents.catalogue.tie_breaks;
        scored.for_each(&mut |a, b, overlap| {
            drawing.add((a, b), [contents[a as usize], contents[b as usize]], overlap);
            Ok(())
        })?;
        let (sizes, drawn) = drawing.finish();
        let measures = Measure::all(shingles.recipe.w);
        let sample = self.sample(&session, &scored, &drawn, &measures)?;
        let removed = removed(&session, &scored, options.explore)?;
        let strata = strata(&sizes, &sample);
        let recipe = measures[0];
        let mut measures: Vec<_> = (0..)
            .zip(&measures)
            .map(|(at, measure)| estimates((*measure, at), &strata, &sample, (options.explore, recipe), &removed))
            .collect();
        for of in &mut measures {
            of.suggested = suggest(&of.thresholds, options.precision).threshold();
        }
        let lost = std::mem::take(&mut scored.lost);
        let calibration = Calibration {
            recipe: shingles.recipe.to_string(),
            documents: scored.documents.catalogue.len() as u64,
            identical: scored.documents.duplicates.all().len() as u64,
            explored: options.explore,
            pairs: strata.iter().map(|stratum| stratum.pairs).sum(),
            found_at_explored: scored.filter.found_at_threshold(),
            judged_by: self.judge(),
            judgements: self.count(&sample),
            suggestion: suggest(&measures[0].thresholds, options.precision),
            strata,
            measures,
            precision: options.precision,
            sample,
        };
        let skipped = scored.documents.skipped(lost)?;
        Ok(CalibrationRun { calibration, skipped, documents: scored.documents })
    }

    fn judge(&self) -> Judge {
        if self.options.judgements.is_some() { Judge::People } else { Judge::Alignment }
    }

    /// Reads the pairs that were drawn again, in the order of their documents; one pair at a time is in memory.
    fn sample(
        &self,
        session: &Session<'_>,
        scored: &ScoredDocuments,
        drawn: &[Draw],
        measures: &[Measure],
    ) -> Result<Vec<SampledPair>, Error> {
        let mut order: Vec<usize> = (0..drawn.len()).collect();
        order.sort_unstable_by_key(|at| (drawn[*at].a, drawn[*at].b));
        let total = Some(drawn.len() as u64);
        let mut sample = session.phase("judge", Unit::Pairs, total, |_| {
            let mut sample = Vec::with_capacity(drawn.len());
            for at in order {
                session.cancel.check()?;
                sample.push((at, self.pair(scored, &drawn[at], measures)?));
                session.progress.advance(1);
            }
            Ok(sample)
        })?;
        sample.sort_unstable_by_key(|(at, _)| *at);
        Ok(sample.into_iter().map(|(_, pair)| pair).collect())
    }

    fn pair(
        &self,
        scored: &ScoredDocuments,
        draw: &Draw,
        measures: &[Measure],
    ) -> Result<SampledPair, lookalike_engine::Error> {
        let document = |document: u32| {
            let entry = scored.documents.catalogue.entry(document)?;
            Ok::<_, lookalike_engine::Error>(PairDocument {
                document,
                id: entry.id,
                content: content_name(entry.content),
                bytes: entry.bytes,
            })
        };
        let (mut a, mut b) = (document(draw.a)?, document(draw.b)?);
        if a.content > b.content {
            std::mem::swap(&mut a, &mut b);
        }
        let is_small = a.bytes + b.bytes <= MAX_ALIGNED_BYTES;
        let words = if is_small { words(scored, a.document)?.zip(words(scored, b.document)?) } else { None };
        let score = |measure: &Measure| {
            if measure.w == measures[0].w {
                return Some(measure.of(draw.overlap()));
            }
            words.as_ref().map(|(a, b)| measure.of_words(a, b, &scored.hasher))
        };
        let scores = measures.iter().map(score).collect();
        let aligned = words.as_ref().map(|(a, b)| aligned_share(a, b));
        let judgement = match &self.options.judgements {
            Some(judgements) => judgements.find(&a.content, &b.content),
            None => Some(aligned.map_or(Judgement::Unsure, Judgement::of_aligned)),
        };
        Ok(SampledPair { a, b, stratum: draw.stratum, scores, aligned, judgement })
    }

    fn count(&self, sample: &[SampledPair]) -> JudgementCounts {
        let mut counts = JudgementCounts::default();
        for pair in sample {
            *match pair.judgement {
                Some(Judgement::Same) => &mut counts.same,
                Some(Judgement::Different) => &mut counts.different,
                Some(Judgement::Unsure) => &mut counts.unsure,
                None => &mut counts.unjudged,
            } += 1;
            let by_alignment = pair.aligned.map(Judgement::of_aligned);
            counts.agree_with_alignment += u64::from(by_alignment.is_some() && by_alignment == pair.judgement);
        }
        if let Some(judgements) = &self.options.judgements {
            let used = counts.same + counts.different + counts.unsure;
            counts.of_other_pairs = (judgements.len() as u64).saturating_sub(used);
        }
        counts
    }
}

/// The words of a document, as hashes; none if it is no longer what it was.
fn words(scored: &ScoredDocuments, document: u32) -> Result<Option<Vec<u64>>, lookalike_engine::Error> {
    let Some((id, body)) = scored.documents.loader().body(document)? else { return Ok(None) };
    let (mut buffer, mut words) = (String::new(), Vec::new());
    let Ok(visible) = scored.documents.extractor.text(&id, &body, &mut buffer) else { return Ok(None) };
    Batches::default().for_each(visible.text, &scored.hasher, |some| words.extend_from_slice(some));
    Ok(Some(words))
}

/// By threshold, how many documents would go.
fn removed(session: &Session<'_>, scored: &ScoredDocuments, explored: f64) -> Result<Vec<u64>, Error> {
    let mut removed = Vec::new();
    for threshold in thresholds(explored) {
        session.cancel.check().map_err(lookalike_engine::Error::from)?;
        let (filter, links) = scored.links_at(threshold)?;
        removed.push(Removals::new(&scored.documents, &filter, links, Vec::new()).all().len() as u64);
    }
    Ok(removed)
}

fn strata(sizes: &[(f64, u64)], sample: &[SampledPair]) -> Vec<Stratum> {
    let mut strata: Vec<Stratum> = Vec::with_capacity(sizes.len());
    for (at, (from, pairs)) in sizes.iter().enumerate() {
        let to = sizes.get(at + 1).map_or(1.0, |next| next.0);
        let of = || sample.iter().filter(move |pair| pair.stratum == at);
        let judged = |same: bool| of().filter(|pair| pair.is_same() == Some(same)).count() as u64;
        let (same, different) = (judged(true), judged(false));
        let known = same + different > 0;
        let share = known.then(|| share(same, same + different, *pairs as f64));
        strata.push(Stratum { from: *from, to, pairs: *pairs, sampled: of().count() as u64, same, different, share });
    }
    strata
}
