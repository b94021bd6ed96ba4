//! Looks for a lost document, and says what became of it.

use crate::history::lost::{Lost, LostOptions, Place, Status, Through};
use crate::Error;
use crate::history::archive::Archive;
use crate::history::rank::{Candidate, rank};
use crate::history::role::{Role, Scores};
use crate::history::search::search;
use crate::history::split::{Split, split};
use crate::history::url::Likeness;
use lookalike_core::sketch::{Estimate, PairEstimate};
use rustc_hash::FxHashSet;

/// How much of the text makes a home: less where it arrived after the loss, and still less where a new URL has the old name.
const ENOUGH: f64 = 0.5;
const ENOUGH_IF_ARRIVED: f64 = 0.25;
const ENOUGH_IF_NAMED: f64 = 0.1;

/// Whether doubt about the two estimates does not matter.
fn is_clearly_better(a: &Candidate, b: &Candidate) -> bool {
    !b.same && a.scores.middle().low > b.scores.middle().high
}

/// A candidate, and how it was come by.
pub(super) struct Lead {
    pub(super) candidate: Candidate,
    /// The version by which it was found, if it was found by another than the lost one.
    through: Option<Through>,
    /// Moves from the lost one to that.
    hops: i32,
}

/// The document that is looked for, and where and when it was last.
pub(super) struct Seeker<'a> {
    pub(super) archive: &'a dyn Archive,
    pub(super) options: &'a LostOptions,
    pub(super) url: &'a str,
    pub(super) document: u32,
    pub(super) moment: u32,
}

impl Seeker<'_> {
    /// All places, ranked; those with enough of it first. Where none of them has it now, or a place that had it was clearly better,
    /// the trail is followed from there: pages move more than once.
    pub(super) fn seek(&self) -> Result<Vec<Lead>, Error> {
        let mut leads: Vec<Lead> = Vec::new();
        let mut listed = FxHashSet::default();
        let mut visited = vec![self.url.to_owned()];
        let (mut url, mut document, mut moment) = (self.url.to_owned(), self.document, self.moment);
        let (mut through, mut hops): (Option<Through>, i32) = (None, 0);
        loop {
            let found = search(self.archive, &url, document, moment, self.options.least)?;
            let found = found.into_iter().filter(|c| !visited.contains(&c.url)).collect();
            let ranked = rank(&url, found);
            let next = ranked.iter().find(|c| c.arrived() && self.is_enough(c) && !self.is_current(c)).cloned();
            let settled = ranked.iter().find(|c| self.is_current(c) && self.is_enough(c)).cloned();
            for candidate in ranked {
                if listed.insert(candidate.url.clone()) {
                    leads.push(Lead { candidate, through: through.clone(), hops });
                }
            }
            let Some(next) = next.filter(|next| settled.is_none_or(|c| is_clearly_better(next, &c))) else { break };
            through = Some(self.through(&next)?);
            hops += 1;
            visited.push(next.url.clone());
            (url, document, moment) = (next.url, next.now.1, next.now.0);
        }
        leads.sort_by_key(|lead| {
            let (current, enough) = (self.is_current(&lead.candidate), self.is_enough(&lead.candidate));
            // a trail is only followed to something better
            (!current, !enough, if enough { -lead.hops } else { lead.hops })
        });
        Ok(leads)
    }

    /// Whether so much of the document is there that one may say that it lives there.
    pub(super) fn is_enough(&self, c: &Candidate) -> bool {
        let enough = match (c.new, c.arrived()) {
            (true, _) if Likeness::of(self.url, &c.url).name => ENOUGH_IF_NAMED,
            (_, true) => ENOUGH_IF_ARRIVED,
            _ => ENOUGH,
        };
        c.same || c.scores.middle().value >= enough
    }

    pub(super) fn is_current(&self, c: &Candidate) -> bool {
        c.now.0 == self.archive.present()
    }

    /// Says what became of the document, and lists the places.
    pub(super) fn decide(&self, mut lost: Lost, found: Vec<Lead>) -> Result<Lost, Error> {
        let current: Vec<&Candidate> =
            found.iter().map(|lead| &lead.candidate).filter(|c| self.is_current(c)).collect();
        let first = current.first().filter(|c| self.is_enough(c));
        let parts = if first.is_some_and(|c| c.same) { None } else { split(self.archive, &current)? };
        lost.status = match (&parts, first) {
            (Some(_), _) => Status::Split,
            (None, Some(c)) if self.is_merged(c) => Status::Merged,
            (None, Some(_)) => Status::Moved,
            (None, None) => Status::Gone,
        };
        let urls = parts.map_or_else(Vec::new, |Split { urls, together }| {
            lost.together = Some(together);
            urls
        });
        let (parts, others): (Vec<Lead>, Vec<Lead>) =
            found.into_iter().partition(|lead| urls.contains(&lead.candidate.url));
        self.list(lost, parts.into_iter().chain(others).collect())
    }

    /// Lists places, as many as are wanted.
    pub(super) fn list(&self, mut lost: Lost, found: Vec<Lead>) -> Result<Lost, Error> {
        lost.more = found.len().saturating_sub(self.options.limit) as u64;
        let listed = found.into_iter().take(self.options.limit);
        lost.found = listed.map(|lead| self.place(&lead.candidate, lead.through)).collect::<Result<_, Error>>()?;
        Ok(lost)
    }

    /// Whether a larger document has taken it in. A page that grew while its URL changed is still itself.
    fn is_merged(&self, c: &Candidate) -> bool {
        let held = c.scores.held().value;
        let larger = c.scores.document_in_query.is_some_and(|share| share.value <= held / 2.0);
        !c.same && held >= ENOUGH && larger && !(c.new && Likeness::of(self.url, &c.url).name)
    }

    fn place(&self, c: &Candidate, through: Option<Through>) -> Result<Place, Error> {
        let edited = c.now.1 != c.document;
        let scores = if edited || through.is_some() { self.scores(c.now.1)? } else { c.scores };
        let through = if edited && through.is_none() { Some(self.through(c)?) } else { through };
        let same = if through.is_some() { c.now.1 == self.document } else { c.same };
        Ok(Place {
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
            through,
        })
    }

    /// The URL itself, with what it has now.
    pub(super) fn own(&self, first: u32, (moment, document): (u32, u32)) -> Result<Place, Error> {
        let same = document == self.document;
        let whole = Estimate::exact(1.0);
        let scores = if same {
            Scores { resemblance: whole, query_in_document: Some(whole), document_in_query: Some(whole) }
        } else {
            self.scores(document)?
        };
        Ok(Place {
            url: self.url.to_owned(),
            role: self.role(same, scores),
            content: self.archive.content(document)?,
            first: self.archive.date(first),
            last: self.archive.date(moment),
            current: moment == self.archive.present(),
            new: false,
            gained: false,
            resemblance: scores.resemblance,
            query_in_document: scores.query_in_document,
            document_in_query: scores.document_in_query,
            through: None,
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

    fn through(&self, c: &Candidate) -> Result<Through, Error> {
        Ok(Through {
            url: c.url.clone(),
            date: self.archive.date(c.moment),
            content: self.archive.content(c.document)?,
            resemblance: self.scores(c.document)?.resemblance,
        })
    }
}
