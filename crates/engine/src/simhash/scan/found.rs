//! What only the simhash lens tells, and distances in place of resemblance.

use super::Question;
use super::guards::Guards;
use super::nodes::Nodes;
use crate::ScanOptions;
use crate::pipeline::assemble::sum;
use crate::pipeline::catalogue::Catalogue;
use crate::report::{Class, Cluster, Summary};
use lookalike_core::bits::FingerprintBits;
use serde::Serialize;

/// What a scan by fingerprints tells beside its clusters.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Simhash {
    /// The greatest distance of a link.
    pub k: u32,
    /// Bits of a fingerprint.
    pub bits: u32,
    /// The least length of the shorter of two documents as a share of the longer, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub length_ratio: Option<f64>,
    /// Only documents with the same value of this field were paired; those without it make one category.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub category: Option<String>,
    /// Features that more different documents than this have did not count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub drop_common: Option<u64>,
    /// Documents without a word that counts; they have no fingerprint and are listed as skipped.
    pub empty: u64,
    /// Different fingerprints.
    pub fingerprints: u64,
    /// Pairs of documents within k that length and category allow; of identical documents one counts.
    pub pairs: u64,
    /// What the shingles said of these pairs, if they were asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub verified: Option<Verified>,
}

/// How many pairs the shingles confirm.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Verified {
    /// How documents became shingles.
    pub recipe: String,
    /// Pairs that were compared. Fewer than all within k where very many documents have one fingerprint, or where people told documents apart.
    pub compared: u64,
    /// Of them, those that the policy accepts.
    pub confirmed: u64,
    /// Confirmed as a share of compared: the precision at k. None if there was nothing to compare.
    pub precision: Option<f64>,
    /// Pairs of crowded fingerprints that were not compared.
    pub crowded: u64,
}

impl Simhash {
    pub(super) fn new(question: &Question, options: &ScanOptions, nodes: &Nodes, catalogue: &Catalogue) -> Self {
        let verified =
            || Verified { recipe: options.recipe.to_string(), compared: 0, confirmed: 0, precision: None, crowded: 0 };
        Self {
            k: question.k,
            bits: question.options.recipe.bits,
            length_ratio: question.length_ratio,
            category: options.corpus.category_field.clone(),
            drop_common: question.drop_common,
            empty: catalogue.skipped.iter().filter(|skip| skip.kind == "empty").count() as u64,
            fingerprints: nodes.distinct,
            pairs: nodes.pairs,
            verified: question.verify.then(verified),
        }
    }

    pub(super) fn verified(&mut self, compared: u64, confirmed: u64, proposed: u64) {
        let crowded = self.pairs - proposed;
        if let Some(verified) = &mut self.verified {
            let precision = (compared > 0).then(|| confirmed as f64 / compared as f64);
            let recipe = std::mem::take(&mut verified.recipe);
            *verified = Verified { recipe, compared, confirmed, precision, crowded };
        }
    }
}

/// Tells each member how far its fingerprint is from that of the representative.
pub(super) fn distances<F: FingerprintBits>(clusters: &mut [Cluster], fingerprints: &[F]) {
    for cluster in clusters {
        let first = fingerprints[cluster.document as usize];
        for member in &mut cluster.members {
            member.distance = Some((first ^ fingerprints[member.document as usize]).ones());
        }
    }
}

/// Without verification a member is near by its distance, or there by a chain; the nearest come first.
pub(super) fn classes(clusters: &mut [Cluster], summary: &mut Summary, k: u32, guards: Guards, words: &[u32]) {
    for cluster in &mut *clusters {
        let first = words[cluster.document as usize];
        for member in cluster.members.iter_mut().filter(|member| member.class != Class::Identical) {
            let linked = member.distance.is_some_and(|distance| distance <= k)
                && guards.fits(first, words[member.document as usize]);
            member.class = if linked { Class::Near } else { Class::Chained };
        }
        cluster.members.sort_by(|a, b| {
            let key = |m: &crate::report::Member| (m.class != Class::Identical, m.distance, m.class);
            key(a).cmp(&key(b)).then_with(|| a.id.cmp(&b.id)).then(a.bytes.cmp(&b.bytes))
        });
    }
    *summary = sum(clusters);
}
