//! How much passages tell: the one number that pairs are ranked by. Its parts were chosen on labelled data (`eval copies`).

use crate::lens::passages::stream::{Stream, WeighedStream};
use lookalike_core::passage::Family;
use lookalike_core::passage::Passage;

/// What a passage loses if all its names are spelt differently, and if all its numbers and strings are. A renamed copy counts less than a
/// plain one.
const RENAMED_LOSS: [f64; 2] = [0.35, 0.4];
/// Names or values that are fewer than this share of a passage count as if they were as many: one of two numbers says little of a
/// thousand tokens.
const MIN_SHARE: f64 = 0.01;
/// What a passage of prose loses if none of its words is the same: much, since texts on one subject have words in common in any case.
const REWORDED_LOSS: f64 = 0.9;

/// What passages tell: how much, and how many tokens are in them, on either side.
#[derive(Debug, Default, PartialEq)]
pub struct EvidenceWeight {
    pub weight: [f64; 2],
    pub overlap: [u32; 2],
}

/// The similarity of two submissions that share some weight of their whole weights: the mean of the share of both together and the larger
/// share of either, so that a small one inside a large one ranks high.
pub fn similarity(shared: [f64; 2], whole: [f64; 2]) -> f64 {
    let larger = share(shared[0], whole[0]).max(share(shared[1], whole[1]));
    f64::midpoint(share(shared[0] + shared[1], whole[0] + whole[1]), larger)
}

/// The same where both share equally much, to the last bit: very many pairs are asked for, and a division takes long.
pub fn similarity_of_shared(shared: f64, whole: [f64; 2]) -> f64 {
    let (smaller, greater) = if whole[0] < whole[1] { (whole[0], whole[1]) } else { (whole[1], whole[0]) };
    let larger = share(shared, if smaller > 0.0 { smaller } else { greater });
    f64::midpoint(share(shared + shared, whole[0] + whole[1]), larger)
}

fn share(part: f64, of: f64) -> f64 {
    if of <= 0.0 {
        return 0.0;
    }
    let share = part / of;
    if share < 1.0 { share } else { 1.0 }
}

/// A sequence of k tokens is one k-gram, not k: the ends of a run tell half as much.
pub fn without_ends(weight: u64, length: usize, k: u32) -> f64 {
    let length = length.max(1) as f64;
    weight as f64 * (1.0 - f64::from(k) / 2.0 / length).max(0.0)
}

/// Rare tokens tell more than common ones, what is written the same way more than what is not. A token that is in several passages counts
/// once, in the most faithful.
pub fn evidence_weight(passages: &[Passage], streams: [WeighedStream<'_>; 2], k: u32) -> EvidenceWeight {
    let mut evidence = EvidenceWeight::default();
    if streams[0].stream.family != Family::Prose {
        for passage in passages {
            let kept = kept_of_code(passage, streams.map(|side| side.stream));
            for (side, range) in [&passage.a, &passage.b].into_iter().enumerate() {
                evidence.weight[side] += kept * without_ends(streams[side].weight(range), range.len(), k);
                evidence.overlap[side] += range.len() as u32;
            }
        }
        return evidence;
    }
    let mut ordered: Vec<(f64, &Passage)> = passages.iter().map(|passage| (kept_of_prose(passage), passage)).collect();
    ordered.sort_by(|(more, a), (less, b)| {
        less.total_cmp(more).then_with(|| (a.a.start, a.b.start).cmp(&(b.a.start, b.b.start)))
    });
    for (side, stream) in streams.into_iter().enumerate() {
        let mut taken = vec![false; if passages.is_empty() { 0 } else { stream.weights.len() }];
        for (kept, passage) in &ordered {
            let range = if side == 0 { &passage.a } else { &passage.b };
            let (mut weight, mut new) = (0, 0);
            for token in range.clone() {
                if !std::mem::replace(&mut taken[token as usize], true) {
                    new += 1;
                    weight += stream.weight_of(token);
                }
            }
            evidence.overlap[side] += new;
            evidence.weight[side] += kept * without_ends(weight, range.len(), k);
        }
    }
    evidence
}

/// What is kept of the weight of a passage of code.
fn kept_of_code(passage: &Passage, [a, b]: [&Stream; 2]) -> f64 {
    // by kind: how many there are, and how many are spelt differently
    let (mut all, mut different) = ([0u32; 3], [0u32; 3]);
    for (spelt_a, spelt_b) in a.spelt(&passage.a).iter().zip(b.spelt(&passage.b)) {
        let kind = spelt_a.kind() as usize;
        all[kind] += 1;
        different[kind] += u32::from(spelt_a != spelt_b);
    }
    let few = MIN_SHARE * passage.a.len() as f64;
    let lost = |kind: usize| RENAMED_LOSS[kind - 1] * f64::from(different[kind]) / f64::from(all[kind].max(1)).max(few);
    1.0 - lost(1) - lost(2)
}

fn kept_of_prose(passage: &Passage) -> f64 {
    let length = passage.a.len().max(passage.b.len()).max(1) as f64;
    1.0 - REWORDED_LOSS * (1.0 - (f64::from(passage.equal) / length).min(1.0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_both_share_is_shared_by_either(shared in 0.0f64..50.0, a in 0.0f64..60.0, b in 0.0f64..60.0) {
            for whole in [[a, b], [a, 0.0], [0.0, b], [a, a]] {
                prop_assert_eq!(similarity_of_shared(shared, whole).to_bits(), similarity([shared; 2], whole).to_bits());
            }
        }
    }

    #[test]
    fn similarity_is_a_share() {
        assert!((similarity([10.0, 10.0], [10.0, 10.0]) - 1.0).abs() < 1e-12);
        // all of a small one in one that is nine times as large
        assert!((similarity([10.0, 10.0], [10.0, 90.0]) - 0.6).abs() < 1e-12);
        assert!(similarity([0.0, 0.0], [0.0, 0.0]).abs() < 1e-12);
    }

    #[test]
    fn short_runs_tell_less_for_each_token() {
        assert!((without_ends(90, 9, 9) - 45.0).abs() < 1e-9);
        assert!((without_ends(900, 90, 9) - 855.0).abs() < 1e-9);
        assert!(without_ends(3, 2, 9).abs() < 1e-9);
    }
}
