//! The pairs of a scan by all lenses, as a page lists them.

use super::listing::{Listing, RELATED};
use crate::answers::evidence_of;
use lookalike::Relation;
use lookalike::relation::Disagreement;
use lookalike::report::{RelationLink, Relations};
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct PageRelations<'a> {
    links: Vec<PageLink<'a>>,
    /// How many there are; the first of them are listed.
    all: usize,
    /// How lenses disagree: the name, and who says near and who says far.
    disagreements: Vec<(Disagreement, &'static str)>,
}

/// Documents of the page, and what they are to each other.
#[derive(Serialize)]
struct PageLink<'a> {
    a: usize,
    b: usize,
    relation: Relation,
    #[serde(skip_serializing_if = "Option::is_none")]
    disagreement: Option<Disagreement>,
    sentence: &'a str,
    /// A lens and what it says.
    evidence: Vec<(&'static str, String)>,
}

impl<'a> PageRelations<'a> {
    pub(super) fn new(found: &'a Relations, listing: &Listing<'_>) -> Self {
        let link = |link: &'a RelationLink| {
            let [a, b] = link.documents.map(|document| listing.numbers[&document]);
            let RelationLink { relation, disagreement, sentence, evidence, .. } = link;
            let evidence = evidence_of(evidence, *relation);
            PageLink { a, b, relation: *relation, disagreement: *disagreement, sentence, evidence }
        };
        let links = found.links.iter().take(RELATED).map(link).collect();
        let about = |disagreement: Disagreement| (disagreement, disagreement.about());
        Self { links, all: found.links.len(), disagreements: Disagreement::ALL.map(about).to_vec() }
    }
}
