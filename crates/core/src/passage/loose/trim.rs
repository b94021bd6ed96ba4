//! Chance adds a stray point here and there to the ends of a passage; they are cut off.

use super::Rules;
use super::cluster::{Bounds, Cluster};
use super::points::Point;
use std::ops::Range;

/// Each cut leaves fewer points; after a few nothing changes.
const MOST_ROUNDS: usize = 4;

/// Cuts the ends that are thin beside the rest, on both sides. What share of the words is held by seeds then.
pub(super) fn trim(cluster: &mut Cluster, rules: &Rules) -> [f32; 2] {
    let mut densities = [0.0; 2];
    for _ in 0..MOST_ROUNDS {
        let before = cluster.points.len();
        for (side, density) in densities.iter_mut().enumerate() {
            let dense;
            (dense, *density) = dense_part(cluster, side, rules.trim);
            cluster.points.retain(|p| dense.start <= p.at[side] && p.range(side).end <= dense.end);
            cluster.bounds = Bounds::of(&cluster.points);
        }
        if cluster.points.len() == before {
            break;
        }
    }
    cluster.weight = cluster.points.iter().map(|p| p.weight).sum();
    densities
}

/// The part with the greatest sum, if each word counts what holds it less a share of the mean; and that mean.
fn dense_part(cluster: &Cluster, side: usize, share: f32) -> (Range<u32>, f32) {
    let held = held(&cluster.points, side);
    let total: f32 = held.iter().map(|(_, weight)| weight).sum();
    let mean = total / cluster.bounds.words(side).max(1) as f32;
    let cost = share * mean;
    let (mut best, mut best_part) = (0.0, 0..0);
    // the part that ends before `next`
    let (mut sum, mut start, mut next) = (0.0, 0, 0);
    for (at, weight) in held {
        sum -= cost * (at - next) as f32;
        if sum <= 0.0 {
            (sum, start) = (0.0, at);
        }
        sum += weight - cost;
        next = at + 1;
        if sum > best {
            (best, best_part) = (sum, start..next);
        }
    }
    (best_part, mean)
}

/// The words that points hold, and the weight of the heaviest point of each.
fn held(points: &[Point], side: usize) -> Vec<(u32, f32)> {
    let mut held = Vec::with_capacity(2 * points.len());
    for point in points {
        let range = point.range(side);
        if point.solid {
            held.extend(range.map(|at| (at, 1.0)));
        } else {
            held.extend([(range.start, point.weight), (range.end - 1, point.weight)]);
        }
    }
    held.sort_unstable_by(|x, y| x.0.cmp(&y.0).then(y.1.total_cmp(&x.1)));
    held.dedup_by_key(|(at, _)| *at);
    held
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cluster(places: &[(u32, u8)]) -> Cluster {
        let point = |(at, far): &(u32, u8)| Point { at: [*at; 2], far: [*far; 2], solid: far % 2 == 0, weight: 0.5 };
        let points: Vec<Point> = places.iter().map(point).collect();
        Cluster { bounds: Bounds::of(&points), points, weight: 0.0 }
    }

    #[test]
    fn a_stray_point_is_cut_off() {
        let mut crowd: Vec<(u32, u8)> = (100..140).map(|at| (at, 1)).collect();
        crowd.extend([(60, 1), (170, 1)]);
        let mut cluster = cluster(&crowd);
        let densities = trim(&mut cluster, &Rules::default());
        assert_eq!(cluster.bounds.0, [100..141, 100..141]);
        assert!(densities.iter().all(|d| (d - 0.5).abs() < 1e-6), "{densities:?}");
        assert!((cluster.weight - 20.0).abs() < 1e-6);
    }

    proptest! {
        #[test]
        fn equals_all_parts(places in prop::collection::vec((0u32..40, 0u8..5), 1..20), share in 0.0f32..1.0) {
            let cluster = cluster(&places);
            let (part, mean) = dense_part(&cluster, 0, share);
            let held = held(&cluster.points, 0);
            let sum = |from: u32, to: u32| {
                let inside = held.iter().filter(|(at, _)| (from..to).contains(at));
                inside.map(|(_, weight)| weight).sum::<f32>() - share * mean * (to - from) as f32
            };
            let best = (0..50).flat_map(|from| (from + 1..51).map(move |to| (from, to))).map(|(f, t)| sum(f, t)).fold(0.0, f32::max);
            prop_assert!((sum(part.start, part.end) - best).abs() < 1e-3);
        }
    }
}
