//! The order of the places where a lost document may live now.
//!
//! Scores are estimates from small samples, so those that are nearly equal say nothing about each other: candidates whose interval
//! reaches the best one's are ties. Among ties a move tells itself in other ways: it makes a URL that was not there
//! before, and often keeps the name. Of two versions of a page that are ties, the later is the better successor.

use crate::history::role::Scores;
use crate::history::url::{Likeness, versions};
use lookalike_core::sketch::Estimate;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// A URL that has, or had, something of a lost document.
#[derive(Clone, Debug)]
pub(crate) struct Candidate {
    pub(crate) url: String,
    /// The document by which the URL came into question.
    pub(crate) document: u32,
    /// The last sweep at which the URL had it.
    pub(crate) sweep_index: u32,
    /// It has the same bytes or words as the lost one.
    pub(crate) same: bool,
    pub(crate) scores: Scores,
    /// The URL was first seen after the loss.
    pub(crate) new: bool,
    /// The URL was there before, but held clearly less of the lost document.
    pub(crate) gained: bool,
    /// The first sweep of the URL.
    pub(crate) first: u32,
    /// The last sweep at which the page was there, perhaps edited, and the document that it was then.
    pub(crate) now: (u32, u32),
}

impl Candidate {
    /// The text came to this URL after the loss: a copy that had always been there is no successor.
    pub(crate) fn arrived(&self) -> bool {
        self.new || self.gained
    }
}

/// How much the words of URLs count beside the scores, among ties.
const NAME_WORDS: f64 = 0.15;
const WORDS: f64 = 0.1;

/// Puts the likeliest first.
pub(crate) fn rank(lost: &str, candidates: Vec<Candidate>) -> Vec<Candidate> {
    let mut rest: Vec<Ranked> = candidates.into_iter().map(|c| Ranked::new(lost, c)).collect();
    rest.sort_by(Ranked::by_score);
    let mut ranked = Vec::with_capacity(rest.len());
    while let Some(best) = rest.first() {
        let (same, low) = (best.candidate.same, best.middle.low);
        let (mut ties, others): (Vec<Ranked>, Vec<Ranked>) =
            rest.into_iter().partition(|c| if same { c.candidate.same } else { c.middle.high >= low });
        ties.sort_by(Ranked::by_signs);
        let ties: Vec<Candidate> = ties.into_iter().map(|c| c.candidate).collect();
        ranked.extend(latest_first(&ties));
        rest = others;
    }
    ranked
}

/// The numbers of a version, and its place among ties.
type Numbered = (Vec<u64>, usize);

/// Among ties, the versions of one page (`v1/a`, `v2/a`) change places so that the latest comes first.
fn latest_first(ties: &[Candidate]) -> Vec<Candidate> {
    let mut pages: BTreeMap<(bool, String), Vec<Numbered>> = BTreeMap::new();
    for (at, tie) in ties.iter().enumerate() {
        if let Some((page, numbers)) = versions(&tie.url) {
            pages.entry((tie.arrived(), page)).or_default().push((numbers, at));
        }
    }
    let mut order: Vec<usize> = (0..ties.len()).collect();
    for mut of_page in pages.into_values() {
        let places: Vec<usize> = of_page.iter().map(|version| version.1).collect();
        of_page.sort_by(|a, b| b.0.cmp(&a.0));
        for (place, (_, version)) in places.into_iter().zip(of_page) {
            order[place] = version;
        }
    }
    order.into_iter().map(|at| ties[at].clone()).collect()
}

struct Ranked {
    candidate: Candidate,
    middle: Estimate,
    likeness: Likeness,
}

impl Ranked {
    fn new(lost: &str, candidate: Candidate) -> Self {
        let (middle, likeness) = (candidate.scores.middle(), Likeness::of(lost, &candidate.url));
        Self { candidate, middle, likeness }
    }

    fn by_score(&self, other: &Self) -> Ordering {
        let (a, b) = (&self.candidate, &other.candidate);
        b.same.cmp(&a.same).then(other.middle.value.total_cmp(&self.middle.value)).then_with(|| a.url.cmp(&b.url))
    }

    fn by_signs(&self, other: &Self) -> Ordering {
        let (a, b) = (&self.candidate, &other.candidate);
        let weight = |c: &Self| c.middle.value + NAME_WORDS * c.likeness.name_words + WORDS * c.likeness.words;
        b.arrived()
            .cmp(&a.arrived())
            .then(other.likeness.name.cmp(&self.likeness.name))
            .then(weight(other).total_cmp(&weight(self)))
            .then_with(|| a.url.cmp(&b.url))
    }
}
