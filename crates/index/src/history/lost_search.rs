//! Looks for a lost document, and says what became of it.

use crate::history::archive::Archive;
use crate::history::lost::{Intermediate, Location, LostOptions, LostResult, LostStatus};
use crate::history::rank::{Candidate, rank};
use crate::history::role::{Role, Scores};
use crate::history::search::search;
use crate::history::split::{Split, split};
use crate::history::url::Likeness;
use lookalike_core::sketch::{Estimate, PairEstimate};
use lookalike_engine::Error;
use rustc_hash::FxHashSet;

/// How much of the text makes a successor: less where it arrived after the loss, and still less where a new URL has the old name.
const MIN_SHARE: f64 = 0.5;
const MIN_SHARE_IF_ARRIVED: f64 = 0.25;
const MIN_SHARE_IF_NAMED: f64 = 0.1;

/// Whether doubt about the two estimates does not matter.
fn is_clearly_better(a: &Candidate, b: &Candidate) -> bool {
    !b.same && a.scores.middle().low > b.scores.middle().high
}

/// A candidate, and how it was come by.
pub(crate) struct TracedCandidate {
    pub(crate) candidate: Candidate,
    /// The version by which it was found, if it was found by another than the lost one.
    intermediate: Option<Intermediate>,
    /// Moves from the lost one to that.
    hops: i32,
}

/// The document that is looked for, and where and when it was last.
pub(crate) struct LostSearch<'a> {
    pub(crate) archive: &'a dyn Archive,
    pub(crate) options: &'a LostOptions,
    pub(crate) url: &'a str,
    pub(crate) document: u32,
    pub(crate) sweep_index: u32,
}

impl LostSearch<'_> {
    /// All places, ranked; those with enough of it first. Where none of them has it now, or a place that had it was clearly better,
    /// the trail is followed from there: pages move more than once.
    pub(crate) fn seek(&self) -> Result<Vec<TracedCandidate>, Error> {
        let mut leads: Vec<TracedCandidate> = Vec::new();
        let mut listed = FxHashSet::default();
        let mut visited = vec![self.url.to_owned()];
        let (mut url, mut document, mut sweep_index) = (self.url.to_owned(), self.document, self.sweep_index);
        let (mut intermediate, mut hops): (Option<Intermediate>, i32) = (None, 0);
        loop {
            let found = search(self.archive, &url, document, sweep_index, self.options.least)?;
            let found = found.into_iter().filter(|c| !visited.contains(&c.url)).collect();
            let ranked = rank(&url, found);
            let next = ranked.iter().find(|c| c.arrived() && self.is_enough(c) && !self.is_current(c)).cloned();
            let settled = ranked.iter().find(|c| self.is_current(c) && self.is_enough(c)).cloned();
            for candidate in ranked {
                if listed.insert(candidate.url.clone()) {
                    leads.push(TracedCandidate { candidate, intermediate: intermediate.clone(), hops });
                }
            }
            let Some(next) = next.filter(|next| settled.is_none_or(|c| is_clearly_better(next, &c))) else { break };
            intermediate = Some(self.intermediate(&next)?);
            hops += 1;
            visited.push(next.url.clone());
            (url, document, sweep_index) = (next.url, next.now.1, next.now.0);
        }
        leads.sort_by_key(|lead| {
            let (current, enough) = (self.is_current(&lead.candidate), self.is_enough(&lead.candidate));
            // a trail is only followed to something better
            (!current, !enough, if enough { -lead.hops } else { lead.hops })
        });
        Ok(leads)
    }

    /// Whether so much of the document is there that one may say that it lives there.
    pub(crate) fn is_enough(&self, c: &Candidate) -> bool {
        let enough = match (c.new, c.arrived()) {
            (true, _) if Likeness::of(self.url, &c.url).name => MIN_SHARE_IF_NAMED,
            (_, true) => MIN_SHARE_IF_ARRIVED,
            _ => MIN_SHARE,
        };
        c.same || c.scores.middle().value >= enough
    }

    pub(crate) fn is_current(&self, c: &Candidate) -> bool {
        c.now.0 >= self.archive.present()
    }

    /// Says what became of the document, and lists the places.
    pub(crate) fn decide(&self, mut lost: LostResult, found: Vec<TracedCandidate>) -> Result<LostResult, Error> {
        let current: Vec<&Candidate> =
            found.iter().map(|lead| &lead.candidate).filter(|c| self.is_current(c)).collect();
        let first = current.first().filter(|c| self.is_enough(c));
        let parts = if first.is_some_and(|c| c.same) { None } else { split(self.archive, &current)? };
        lost.status = match (&parts, first) {
            (Some(_), _) => LostStatus::Split,
            (None, Some(c)) if self.is_merged(c) => LostStatus::Merged,
            (None, Some(_)) => LostStatus::Moved,
            (None, None) => LostStatus::Gone,
        };
        let urls = parts.map_or_else(Vec::new, |Split { urls, together }| {
            lost.together = Some(together);
            urls
        });
        let (parts, others): (Vec<TracedCandidate>, Vec<TracedCandidate>) =
            found.into_iter().partition(|lead| urls.contains(&lead.candidate.url));
        self.list(lost, parts.into_iter().chain(others).collect())
    }

    /// Lists places, as many as are wanted.
    pub(crate) fn list(&self, mut lost: LostResult, found: Vec<TracedCandidate>) -> Result<LostResult, Error> {
        lost.more = found.len().saturating_sub(self.options.limit) as u64;
        let listed = found.into_iter().take(self.options.limit);
        lost.found = listed.map(|lead| self.place(&lead.candidate, lead.intermediate)).collect::<Result<_, Error>>()?;
        Ok(lost)
    }

    /// Whether a larger document has taken it in. A page that grew while its URL changed is still itself.
    fn is_merged(&self, c: &Candidate) -> bool {
        let held = c.scores.held().value;
        let larger = c.scores.document_in_query.is_some_and(|share| share.value <= held / 2.0);
        !c.same && held >= MIN_SHARE && larger && !(c.new && Likeness::of(self.url, &c.url).name)
    }

    fn place(&self, c: &Candidate, intermediate: Option<Intermediate>) -> Result<Location, Error> {
        let edited = c.now.1 != c.document;
        let scores = if edited || intermediate.is_some() { self.scores(c.now.1)? } else { c.scores };
        let intermediate = if edited && intermediate.is_none() { Some(self.intermediate(c)?) } else { intermediate };
        let same = if intermediate.is_some() { c.now.1 == self.document } else { c.same };
        Ok(Location {
            url: c.url.clone(),
            role: self.role(same, scores),
            content: self.archive.content(c.now.1)?,
            first: self.archive.date(c.first),
            last: self.archive.date(c.now.0),
            current: self.is_current(c),
            new: c.new,
            gained: c.gained,
            resemblance: scores.resemblance,
            query_in_document: scores.query_in_document,
            document_in_query: scores.document_in_query,
            intermediate,
        })
    }

    /// The URL itself, with what it has now.
    pub(crate) fn own(&self, first: u32, (sweep_index, document): (u32, u32)) -> Result<Location, Error> {
        let same = document == self.document;
        let whole = Estimate::exact(1.0);
        let scores = if same {
            Scores { resemblance: whole, query_in_document: Some(whole), document_in_query: Some(whole) }
        } else {
            self.scores(document)?
        };
        Ok(Location {
            url: self.url.to_owned(),
            role: self.role(same, scores),
            content: self.archive.content(document)?,
            first: self.archive.date(first),
            last: self.archive.date(sweep_index),
            current: sweep_index >= self.archive.present(),
            new: false,
            gained: false,
            resemblance: scores.resemblance,
            query_in_document: scores.query_in_document,
            document_in_query: scores.document_in_query,
            intermediate: None,
        })
    }

    fn role(&self, same: bool, scores: Scores) -> Role {
        let (resemblance, held) = (scores.resemblance.value, scores.held().value);
        Role::of(same, resemblance, held, self.options.near, self.options.contained)
    }

    fn scores(&self, document: u32) -> Result<Scores, Error> {
        let PairEstimate { resemblance, a_in_b, b_in_a } = self.archive.resemblance(self.document, document)?;
        Ok(Scores { resemblance, query_in_document: a_in_b, document_in_query: b_in_a })
    }

    fn intermediate(&self, c: &Candidate) -> Result<Intermediate, Error> {
        Ok(Intermediate {
            url: c.url.clone(),
            date: self.archive.date(c.sweep_index),
            content: self.archive.content(c.document)?,
            resemblance: self.scores(c.document)?.resemblance,
        })
    }
}
