//! What only a scan by all lenses reports: pairs, each with the evidence of every lens and what the two are to each other.

use lookalike_core::lens::Lens;
use lookalike_core::relation::{Disagreement, Evidence, Relation};
use serde::Serialize;

/// Pairs of documents by all lenses.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Relations {
    /// The recipe of each lens.
    pub recipes: Vec<LensRecipe>,
    /// Pairs that were compared.
    pub compared: u64,
    /// Candidates that were not compared, since one of the two is a duplicate of a document that was.
    pub represented: u64,
    /// Features that so many documents have that they were followed only to the first of these.
    pub frequent: u64,
    /// Pairs that were not compared, since they take more memory than is allowed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub left_out: Vec<PairLeftOut>,
    /// How many pairs there are of each relation, listed or not.
    pub relations: Vec<RelationCount>,
    /// On how many of them lenses disagree.
    pub disagreements: Vec<DisagreementCount>,
    /// The pairs, the closest relation first. Those that are nothing to each other are left out, unless a lens raised a false alarm.
    pub links: Vec<RelationLink>,
}

/// The recipe of one lens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LensRecipe {
    /// Which.
    pub lens: Lens,
    /// How documents became its features.
    pub recipe: String,
}

/// Two documents that take more memory to compare than is allowed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PairLeftOut {
    /// The first document.
    pub a: String,
    /// The second.
    pub b: String,
    /// Bytes of memory that they take.
    pub needed: u64,
}

/// Pairs of one relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RelationCount {
    /// Which.
    pub relation: Relation,
    /// How many.
    pub pairs: u64,
}

/// Pairs on which lenses disagree in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DisagreementCount {
    /// How.
    pub disagreement: Disagreement,
    /// How many.
    pub pairs: u64,
}

/// Two documents that were compared.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RelationLink {
    /// The first document.
    pub a: String,
    /// The second.
    pub b: String,
    /// What they are to each other.
    pub relation: Relation,
    /// How the lenses disagree, if they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disagreement: Option<Disagreement>,
    /// The relation as a sentence.
    pub sentence: String,
    /// The lenses that found the pair; none where the two have the same bytes.
    pub found_by: Vec<Lens>,
    /// What each lens says.
    pub evidence: Evidence,
    /// Their places in the catalogue.
    #[serde(skip)]
    pub documents: [u32; 2],
}

impl Relations {
    /// Lists only pairs of these relations, and of those only what lenses disagree on so; empty is any.
    pub fn keep(&mut self, relations: &[Relation], disagreements: &[Disagreement]) {
        self.links.retain(|link| {
            (relations.is_empty() || relations.contains(&link.relation))
                && (disagreements.is_empty() || link.disagreement.is_some_and(|own| disagreements.contains(&own)))
        });
    }

    /// Counts the links, and puts them in order: by relation, then by what they have in common, then by name.
    pub fn count_and_sort(&mut self) {
        let count = |is_it: &dyn Fn(&RelationLink) -> bool| self.links.iter().filter(|link| is_it(link)).count() as u64;
        let relations =
            Relation::ALL.map(|relation| RelationCount { relation, pairs: count(&|l| l.relation == relation) });
        let disagreements = Disagreement::ALL.map(|disagreement| DisagreementCount {
            disagreement,
            pairs: count(&|link| link.disagreement == Some(disagreement)),
        });
        self.relations = relations.into_iter().filter(|count| count.pairs > 0).collect();
        self.disagreements = disagreements.into_iter().filter(|count| count.pairs > 0).collect();
        let common = |link: &RelationLink| link.evidence.common().into_iter().sum::<f64>();
        self.links.sort_by(|x, y| {
            (x.relation.cmp(&y.relation))
                .then_with(|| common(y).total_cmp(&common(x)))
                .then_with(|| (&x.a, &x.b).cmp(&(&y.a, &y.b)))
        });
    }
}
