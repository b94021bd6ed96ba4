//! Which kinds of copies are found, and which are too changed to be found by the policy.

use super::exact::W;
use super::generated::Found;
use super::labels::ordered;
use crate::generate::{Corpus, KINDS, Truth, about};
use rayon::prelude::*;
use serde::Serialize;

/// Copies of one kind.
#[derive(Default, Serialize)]
pub(super) struct KindRow {
    pub(super) kind: String,
    pub(super) pairs: u32,
    pub(super) mean_resemblance: f64,
    /// Mean share of the copy that is in its source.
    pub(super) mean_containment: f64,
    pub(super) near: Share,
    pub(super) alike: Share,
    pub(super) inside: Share,
}

/// Of so many pairs that the policy accepts, so many were found.
#[derive(Default, Serialize)]
pub(super) struct Share {
    pub(super) found: u32,
    pub(super) of: u32,
}

impl Share {
    fn add(&mut self, accepted: bool, found: bool) {
        self.of += u32::from(accepted);
        self.found += u32::from(accepted && found);
    }
}

/// `verified` is a scan with a threshold of 0.1; `contained` one with the default threshold and `--contained 0.9`.
pub(super) fn rows(corpus: &Corpus, documents: u32, verified: &Found, contained: &Found) -> Vec<KindRow> {
    let all: Vec<Truth> =
        (0..u64::from(documents)).into_par_iter().flat_map_iter(|copy| about(corpus, copy, W)).collect();
    let row = |kind: String| {
        let mut row = KindRow { kind, ..KindRow::default() };
        for truth in all.iter().filter(|truth| truth.kind == row.kind) {
            let pair = ordered(truth.copy as u32, truth.source as u32);
            let (resemblance, most) = (truth.overlap.resemblance(), truth.overlap.a_in_b().max(truth.overlap.b_in_a()));
            row.pairs += 1;
            row.mean_resemblance += resemblance;
            row.mean_containment += truth.overlap.a_in_b();
            row.near.add(resemblance >= 0.5, verified.contains_key(&pair));
            row.alike.add(resemblance >= 0.1, verified.contains_key(&pair));
            row.inside.add(most >= 0.9, contained.contains_key(&pair));
        }
        let pairs = f64::from(row.pairs.max(1));
        row.mean_resemblance /= pairs;
        row.mean_containment /= pairs;
        row
    };
    KINDS.iter().map(|kind| row(kind.name())).collect()
}
