//! Points that are near each other on both axes become clusters, and clusters passages; stray points at the ends are cut off.
//!
//! The plane is divided into squares. Points of one square belong together; squares that touch are linked if what they hold is near
//! enough. So the work is that of sorting, however the points lie.

use super::Rules;
use super::matches::Point;
use super::seed_index::SeedIndex;
use crate::cluster::UnionFind;
use std::ops::Range;

/// Clusters that a cluster is held against: the last ones before it. It bounds what thousands of copies of one passage cost.
const MAX_NEIGHBOURS: usize = 64;

/// The least rectangle around some points, in content words of each document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Bounds(pub(super) [Range<u32>; 2]);

impl Bounds {
    pub(super) fn of(points: &[Point]) -> Self {
        let side = |side: usize| {
            let start = points.iter().map(|p| p.at[side]).min().unwrap_or(0);
            start..points.iter().map(|p| p.range(side).end).max().unwrap_or(0)
        };
        Self([side(0), side(1)])
    }

    pub(super) fn words(&self, side: usize) -> u32 {
        self.0[side].end - self.0[side].start
    }

    /// Words between the two, on one side.
    fn gap(&self, other: &Self, side: usize) -> u32 {
        let (x, y) = (&self.0[side], &other.0[side]);
        x.start.max(y.start).saturating_sub(x.end.min(y.end))
    }

    fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = mine.start.min(theirs.start)..mine.end.max(theirs.end);
        }
    }
}

/// Points that belong together.
#[derive(Clone, Debug)]
pub(super) struct Cluster {
    pub(super) bounds: Bounds,
    pub(super) points: Vec<Point>,
    pub(super) weight: f32,
}

/// A square that is not empty.
struct Square {
    place: (u32, u32),
    points: Range<usize>,
    bounds: Bounds,
}

/// Clusters of near points that are no chance. Sorts the points.
pub(super) fn link(points: &mut [Point], a: &SeedIndex, b: &SeedIndex, rules: &Rules) -> Vec<Cluster> {
    let squares = squares(points, a, b, rules.gap.max(1));
    let mut sets = UnionFind::new(squares.len());
    let near = |x: &Square, y: &Square| (0..2).all(|side| x.bounds.gap(&y.bounds, side) <= rules.gap);
    // the first square that may touch from the next column
    let mut next = 0;
    for (i, square) in squares.iter().enumerate() {
        let (column, row) = square.place;
        while next < squares.len() && squares[next].place < (column + 1, row.saturating_sub(1)) {
            next += 1;
        }
        let above = squares[i + 1..].iter().take(1).filter(|s| s.place == (column, row + 1)).map(|_| i + 1);
        let beside =
            squares[next..].iter().take_while(|s| s.place <= (column + 1, row + 1)).zip(next..).map(|(_, j)| j);
        for j in above.chain(beside).filter(|j| near(square, &squares[*j])) {
            sets.union(i as u32, j as u32);
        }
    }
    let mut weights = vec![0f32; squares.len()];
    let roots: Vec<usize> = (0..squares.len()).map(|i| sets.find(i as u32) as usize).collect();
    for (square, root) in squares.iter().zip(&roots) {
        weights[*root] += points[square.points.clone()].iter().map(|p| p.weight).sum::<f32>();
    }
    let mut places = vec![usize::MAX; squares.len()];
    let mut clusters: Vec<Cluster> = Vec::new();
    for (square, root) in squares.iter().zip(&roots).filter(|(_, root)| weights[**root] >= rules.grain) {
        if places[*root] == usize::MAX {
            places[*root] = clusters.len();
            clusters.push(Cluster { bounds: square.bounds.clone(), points: Vec::new(), weight: weights[*root] });
        }
        let cluster = &mut clusters[places[*root]];
        cluster.bounds.add(&square.bounds);
        cluster.points.extend_from_slice(&points[square.points.clone()]);
    }
    clusters
}

/// The squares in order, column by column.
fn squares(points: &mut [Point], a: &SeedIndex, b: &SeedIndex, size: u32) -> Vec<Square> {
    let place = |p: &Point| (square_of(p.at[0], &a.borders, size), square_of(p.at[1], &b.borders, size));
    let mut places: Vec<((u32, u32), u32)> = points.iter().map(place).zip(0..).collect();
    places.sort_unstable();
    let sorted: Vec<Point> = places.iter().map(|(_, at)| points[*at as usize]).collect();
    points.copy_from_slice(&sorted);
    let mut squares: Vec<Square> = Vec::with_capacity(places.len());
    let mut from = 0;
    for same in places.chunk_by(|x, y| x.0 == y.0) {
        let of_square = from..from + same.len();
        let bounds = Bounds::of(&points[of_square.clone()]);
        squares.push(Square { place: same[0].0, points: of_square, bounds });
        from += same.len();
    }
    squares
}

/// Which square a word is in, along one axis. A border leaves an empty one, so that nothing is linked across it.
fn square_of(at: u32, borders: &[u32], size: u32) -> u32 {
    if borders.is_empty() {
        return at / size;
    }
    let stretch = stretch_of(at, borders);
    let start = stretch.checked_sub(1).map_or(0, |last| borders[last]);
    start / size + 2 * stretch as u32 + (at - start) / size
}

/// How many borders stand before a word.
fn stretch_of(at: u32, borders: &[u32]) -> usize {
    borders.partition_point(|border| *border <= at)
}

/// Joins clusters that are of one passage.
pub(super) fn join(mut clusters: Vec<Cluster>, a: &SeedIndex, b: &SeedIndex, rules: &Rules) -> Vec<Cluster> {
    clusters.sort_by_key(|c| (c.bounds.0[0].start, c.bounds.0[1].start));
    let stretch =
        |c: &Cluster| (stretch_of(c.bounds.0[0].start, &a.borders), stretch_of(c.bounds.0[1].start, &b.borders));
    let reach = rules.join.max(rules.near).max(rules.wide);
    let mut sets = UnionFind::new(clusters.len());
    let mut open: Vec<usize> = Vec::new();
    for (i, cluster) in clusters.iter().enumerate() {
        open.retain(|j| clusters[*j].bounds.0[0].end.saturating_add(reach) >= cluster.bounds.0[0].start);
        open.drain(..open.len().saturating_sub(MAX_NEIGHBOURS));
        for j in &open {
            if belong(cluster, &clusters[*j], rules) && stretch(cluster) == stretch(&clusters[*j]) {
                sets.union(i as u32, *j as u32);
            }
        }
        open.push(i);
    }
    let mut places = vec![usize::MAX; clusters.len()];
    let mut joined: Vec<Cluster> = Vec::new();
    for (i, cluster) in clusters.into_iter().enumerate() {
        let root = sets.find(i as u32) as usize;
        if places[root] == usize::MAX {
            places[root] = joined.len();
            joined.push(cluster);
        } else {
            let first = &mut joined[places[root]];
            first.bounds.add(&cluster.bounds);
            first.weight += cluster.weight;
            first.points.extend(cluster.points);
        }
    }
    joined
}

fn belong(x: &Cluster, y: &Cluster, rules: &Rules) -> bool {
    let gaps = [0, 1].map(|side| x.bounds.gap(&y.bounds, side));
    let small = |side: usize| x.bounds.words(side).min(y.bounds.words(side)) <= rules.small;
    let spread = |near: usize, far: usize| gaps[near] <= rules.near && gaps[far] <= rules.wide && small(far);
    gaps.iter().all(|gap| *gap <= rules.join) || spread(0, 1) || spread(1, 0)
}

/// Each cut leaves fewer points; after a few nothing changes.
const MAX_ROUNDS: usize = 4;

/// Chance adds a stray point here and there to the ends of a passage. Cuts the ends that are thin beside the rest, on both sides. What share of the words is held by seeds then.
pub(super) fn trim(cluster: &mut Cluster, rules: &Rules) -> [f32; 2] {
    let mut densities = [0.0; 2];
    for _ in 0..MAX_ROUNDS {
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
    let held = held(&cluster.points, side, &cluster.bounds.0[side]);
    let total: f32 = held.clone().map(|(_, weight)| weight).sum();
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

/// The words that points hold, in order, and the weight of the heaviest point of each.
fn held(points: &[Point], side: usize, bounds: &Range<u32>) -> impl Iterator<Item = (u32, f32)> + Clone {
    let mut heaviest = vec![0f32; bounds.len()];
    let mut hold = |at: u32, weight: f32| {
        let most = &mut heaviest[(at - bounds.start) as usize];
        *most = most.max(weight);
    };
    for point in points {
        let range = point.range(side);
        if point.solid {
            range.for_each(|at| hold(at, 1.0));
        } else {
            hold(range.start, point.weight);
            hold(range.end - 1, point.weight);
        }
    }
    (bounds.start..).zip(heaviest).filter(|(_, weight)| *weight > 0.0)
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
        let mut places: Vec<(u32, u8)> = (100..140).map(|at| (at, 1)).collect();
        places.extend([(60, 1), (170, 1)]);
        let mut cluster = cluster(&places);
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
            let held: Vec<(u32, f32)> = held(&cluster.points, 0, &cluster.bounds.0[0]).collect();
            let sum = |from: u32, to: u32| {
                let inside = held.iter().filter(|(at, _)| (from..to).contains(at));
                inside.map(|(_, weight)| weight).sum::<f32>() - share * mean * (to - from) as f32
            };
            let best = (0..50).flat_map(|from| (from + 1..51).map(move |to| (from, to))).map(|(f, t)| sum(f, t)).fold(0.0, f32::max);
            prop_assert!((sum(part.start, part.end) - best).abs() < 1e-3);
        }
    }
}
