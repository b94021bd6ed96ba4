//! The ground truth: for every copy and each of its sources what was done, and exactly how alike they are.

use super::corpus::Corpus;
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::sets::Overlap;
use lookalike_core::shingle;
use std::fmt::Write as _;

/// The first line of the file.
pub(crate) const HEADER: &str = "copy\tsource\tkind\tresemblance\tcopy_in_source\tsource_in_copy\n";

/// A copy, a source of it, and what they share.
pub(crate) struct Truth {
    pub(crate) copy: u64,
    pub(crate) source: u64,
    pub(crate) kind: String,
    pub(crate) overlap: Overlap,
}

/// The truth about one document; nothing for an original. `w` is the number of words in a shingle.
pub(crate) fn about(corpus: &Corpus, copy: u64, w: usize) -> Vec<Truth> {
    let plan = corpus.plan(copy);
    let Some(kind) = plan.kind else { return Vec::new() };
    let fp = FeatureHasher::default();
    let set = |index| shingle::set_of_text(&corpus.text(index), w, &fp);
    let features = set(copy);
    let truth =
        |&source: &u64| Truth { copy, source, kind: kind.name(), overlap: Overlap::of(&features, &set(source)) };
    plan.sources().iter().map(truth).collect()
}

/// Appends the line of the file.
pub(crate) fn line(truth: &Truth, out: &mut String) {
    let Truth { copy, source, kind, overlap } = truth;
    let (copy, source) = (Corpus::id(*copy), Corpus::id(*source));
    let (r, a, b) = (overlap.resemblance(), overlap.a_in_b(), overlap.b_in_a());
    // as many digits as it takes to read the same number back
    writeln!(out, "{copy}\t{source}\t{kind}\t{r}\t{a}\t{b}").expect("a string takes all");
}
