//! What only the simhash lens tells, and distances in place of resemblance.

use crate::lens::simhash::guards::Guards;
use crate::lens::simhash::nodes::Nodes;
use crate::lens::simhash::options::SimhashOptions;
use crate::report::cluster::{Class, Cluster, Member};
use crate::report::simhash::{Measured, Simhash, Verified};
use crate::run::Session;
use crate::run::assemble::sum;
use crate::run::scan::Clusters;
use lookalike_core::recipe::ShingleRecipe;
use lookalike_hamming::FingerprintBits;

/// What is known before anything is verified.
pub fn section(
    options: &SimhashOptions,
    session: &Session<'_>,
    nodes: &Nodes,
    empty: u64,
    recipe: &ShingleRecipe,
) -> Simhash {
    let verified =
        || Verified { recipe: recipe.to_string(), compared: 0, confirmed: 0, precision: None, not_compared: 0 };
    Simhash {
        distance: options.distance,
        bits: options.recipe.bits,
        length_ratio: options.length_ratio,
        min_words: options.min_words,
        category: session.options.corpus.category_field.clone(),
        max_df: options.max_df,
        empty,
        fingerprints: nodes.distinct,
        pairs: nodes.pairs,
        measured: options.verify.is_none().then(|| measured(options)).flatten(),
        verified: options.verify.as_ref().map(|_| verified()),
    }
}

/// Pairs within 3 bits of the default fingerprints of Debian's documentation, and those that hold (`eval simhash pages`).
const MEASURED: Measured = Measured { pages: 37_225, pairs: 4_132, confirmed: 3_950 };

/// What was measured, if it was measured so.
fn measured(options: &SimhashOptions) -> Option<Measured> {
    let SimhashOptions { recipe, distance, min_words, .. } = options;
    let default = SimhashOptions::default();
    let same = (recipe.bits, recipe.ngrams, recipe.weight, *distance, *min_words)
        == (default.recipe.bits, default.recipe.ngrams, default.recipe.weight, default.distance, default.min_words);
    (same && recipe.idf.is_none() && recipe.stop.is_empty()).then_some(MEASURED)
}

/// How many of the compared pairs hold.
pub fn verified(section: &mut Simhash, compared: u64, confirmed: u64, proposed: u64) {
    let not_compared = section.pairs - proposed;
    if let Some(verified) = &mut section.verified {
        let precision = (compared > 0).then(|| confirmed as f64 / compared as f64);
        let recipe = std::mem::take(&mut verified.recipe);
        *verified = Verified { recipe, compared, confirmed, precision, not_compared };
    }
}

/// Tells each member how far its fingerprint is from that of the representative.
pub fn set_distances<F: FingerprintBits>(clusters: &mut [Cluster], fingerprints: &[F]) {
    for cluster in clusters {
        let first = fingerprints[cluster.document as usize];
        for member in &mut cluster.members {
            member.distance = Some((first ^ fingerprints[member.document as usize]).ones());
        }
    }
}

/// Without verification a member is near by its distance, or there by a chain; the nearest come first.
pub fn set_classes(clusters: &mut Clusters, max: u32, guards: Guards, words: &[u32]) {
    for cluster in &mut clusters.clusters {
        let first = words[cluster.document as usize];
        for member in cluster.members.iter_mut().filter(|member| member.class != Class::Identical) {
            let linked = member.distance.is_some_and(|distance| distance <= max)
                && guards.fits(first, words[member.document as usize]);
            member.class = if linked { Class::Near } else { Class::Chained };
        }
        cluster.members.sort_by(|a, b| {
            let key = |m: &Member| (m.class != Class::Identical, m.distance, m.class);
            key(a).cmp(&key(b)).then_with(|| a.id.cmp(&b.id)).then(a.bytes.cmp(&b.bytes))
        });
    }
    clusters.summary = sum(&clusters.clusters);
}
