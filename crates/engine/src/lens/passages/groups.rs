//! Does a cohort fall into groups that share little with each other, as several exercises do?
//!
//! Submissions are joined two by two, always those groups that are most similar on average (average linkage, by chains of nearest
//! neighbours). Where most submissions are in large groups that are far more similar inside than between, the cohort is told to be mixed.

use lookalike_core::feature_hash::FeatureHasher;
use rustc_hash::FxHashMap;

/// Submissions that are looked at; of more some are chosen by a hash.
const MAX_SUBMISSIONS: usize = 1000;
/// A group has at least this many, and a tenth of all.
const MIN_MEMBERS: usize = 5;
/// Groups are this similar inside on average …
const MIN_WITHIN: f64 = 0.1;
/// … and so many times as similar as they are to each other. On labelled programs copies of one exercise stay below 2.5.
const MIN_CONTRAST: f64 = 3.0;

/// Groups that share little with each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Groups {
    /// Their submissions, most first.
    pub sizes: Vec<usize>,
    /// The mean similarity of two of one group, pairs that are not listed taken for 0.
    pub within: f64,
    /// That of two of different groups.
    pub between: f64,
}

/// The groups of `submissions` by the similarities of `pairs`; none if there is no telling them apart.
pub fn groups(submissions: &[u32], pairs: &[(u32, u32, f64)]) -> Option<Groups> {
    let mut chosen = submissions.to_vec();
    if chosen.len() > MAX_SUBMISSIONS {
        chosen.sort_by_cached_key(|unit| FeatureHasher::default().permute(u64::from(*unit)));
        chosen.truncate(MAX_SUBMISSIONS);
        chosen.sort_unstable();
    }
    let least = MIN_MEMBERS.max(chosen.len().div_ceil(10));
    if chosen.len() < 2 * least {
        return None;
    }
    let place: FxHashMap<u32, usize> = chosen.iter().enumerate().map(|(at, unit)| (*unit, at)).collect();
    let pairs: Vec<(usize, usize, f64)> =
        pairs.iter().filter_map(|(a, b, similarity)| Some((*place.get(a)?, *place.get(b)?, *similarity))).collect();
    let mut group: Vec<usize> = (0..chosen.len()).collect();
    let mut sizes = vec![1; chosen.len()];
    let mut best: Option<Groups> = None;
    for (a, b) in joins(chosen.len(), &pairs) {
        if sizes[a] >= least && sizes[b] >= least {
            let found = contrast(&group, &sizes, least, &pairs);
            let ratio = |groups: &Groups| groups.within / groups.between;
            best = best.into_iter().chain(found).reduce(|x, y| if ratio(&y) > ratio(&x) { y } else { x });
        }
        group.iter_mut().filter(|of| **of == b).for_each(|of| *of = a);
        sizes[a] += std::mem::take(&mut sizes[b]);
    }
    best
}

/// Which groups are joined, most similar first: the second into the first, each by its number.
fn joins(n: usize, pairs: &[(usize, usize, f64)]) -> Vec<(usize, usize)> {
    let mut mean = vec![0.0; n * n];
    for (a, b, similarity) in pairs {
        (mean[a * n + b], mean[b * n + a]) = (*similarity, *similarity);
    }
    let (mut sizes, mut chain, mut joins) = (vec![1.0; n], Vec::new(), Vec::with_capacity(n));
    // at what similarity each group was joined: no later join is above, whatever the rounding
    let mut heights = vec![f64::INFINITY; n];
    while joins.len() + 1 < n {
        if chain.is_empty() {
            chain.extend((0..n).find(|at| sizes[*at] > 0.0));
        }
        let Some(last) = chain.last().copied() else { break };
        let before = chain.len().checked_sub(2).map(|at| chain[at]);
        // of equals the one before, so that the chain ends
        let near = (0..n).filter(|at| *at != last && sizes[*at] > 0.0).max_by(|x, y| {
            let rank = |at: &usize| (mean[last * n + at], before == Some(*at), std::cmp::Reverse(*at));
            let (x, y) = (rank(x), rank(y));
            x.0.total_cmp(&y.0).then((x.1, x.2).cmp(&(y.1, y.2)))
        });
        let Some(near) = near else { break };
        if before != Some(near) {
            chain.push(near);
            continue;
        }
        chain.truncate(chain.len() - 2);
        let (a, b) = (last.min(near), last.max(near));
        heights[a] = mean[a * n + b].min(heights[a]).min(heights[b]);
        joins.push((heights[a], a, b));
        let whole = sizes[a] + sizes[b];
        for other in (0..n).filter(|at| *at != a && *at != b) {
            let joined = (sizes[a] * mean[a * n + other] + sizes[b] * mean[b * n + other]) / whole;
            (mean[a * n + other], mean[other * n + a]) = (joined, joined);
        }
        (sizes[a], sizes[b]) = (whole, 0.0);
    }
    joins.sort_by(|x: &(f64, usize, usize), y| y.0.total_cmp(&x.0));
    joins.into_iter().map(|(_, a, b)| (a, b)).collect()
}

/// The large groups of a partition, if most submissions are in them and they are far more similar inside than between.
fn contrast(group: &[usize], sizes: &[usize], least: usize, pairs: &[(usize, usize, f64)]) -> Option<Groups> {
    let mut large: Vec<usize> = sizes.iter().copied().filter(|size| *size >= least).collect();
    let members: usize = large.iter().sum();
    if members * 5 < group.len() * 4 {
        return None;
    }
    let (mut within, mut between) = (0.0, 0.0);
    for (a, b, similarity) in pairs {
        let [a, b] = [group[*a], group[*b]];
        if sizes[a] >= least && sizes[b] >= least {
            *(if a == b { &mut within } else { &mut between }) += similarity;
        }
    }
    let of = |n: usize| (n * (n - 1) / 2) as f64;
    let inside: f64 = large.iter().map(|size| of(*size)).sum();
    let (within, between) = (within / inside, between / (of(members) - inside));
    large.sort_unstable_by(|x, y| y.cmp(x));
    (within >= MIN_WITHIN && within >= MIN_CONTRAST * between).then_some(Groups { sizes: large, within, between })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Pairs of `n` submissions: each has so many groups by its number, and similarities vary by a hash.
    fn cohort(n: u32, exercises: u32, within: f64, between: f64) -> (Vec<u32>, Vec<(u32, u32, f64)>) {
        let mut pairs = Vec::new();
        for a in 0..n {
            for b in a + 1..n {
                let noise =
                    FeatureHasher::default().permute(u64::from(a) << 32 | u64::from(b)) as f64 / u64::MAX as f64;
                let mean = if a % exercises == b % exercises { within } else { between };
                pairs.push((a, b, mean * (0.5 + noise)));
            }
        }
        ((0..n).collect(), pairs)
    }

    #[test]
    fn several_exercises_are_told_apart() {
        let (submissions, pairs) = cohort(60, 3, 0.3, 0.05);
        let found = groups(&submissions, &pairs).unwrap();
        assert_eq!(found.sizes, [20, 20, 20]);
        assert!((found.within - 0.3).abs() < 0.02 && (found.between - 0.05).abs() < 0.01, "{found:?}");
        let backwards: Vec<_> = pairs.into_iter().rev().collect();
        assert_eq!(groups(&submissions, &backwards).unwrap().sizes, found.sizes);
    }

    #[test]
    fn one_exercise_is_one() {
        for (n, within) in [(60, 0.3), (60, 0.02), (8, 0.3), (1, 0.0), (0, 0.0)] {
            let (submissions, pairs) = cohort(n, 1, within, within);
            assert_eq!(groups(&submissions, &pairs), None, "{n} of {within}");
        }
        // a few who copied are no exercise
        let (submissions, mut pairs) = cohort(60, 1, 0.2, 0.2);
        pairs.iter_mut().filter(|(a, b, _)| *a < 4 && *b < 4).for_each(|pair| pair.2 = 0.95);
        assert_eq!(groups(&submissions, &pairs), None);
    }

    #[test]
    fn of_very_many_some_are_looked_at() {
        let (submissions, pairs) = cohort(1200, 2, 0.3, 0.0);
        let found = groups(&submissions, &pairs).unwrap();
        assert!(found.sizes.len() == 2 && found.sizes.iter().sum::<usize>() == MAX_SUBMISSIONS, "{found:?}");
    }

    /// The twin: again and again the two groups that are most similar on average, by looking at all.
    fn naive(n: usize, pairs: &[(usize, usize, f64)]) -> Vec<Vec<usize>> {
        let mut groups: Vec<Vec<usize>> = (0..n).map(|at| vec![at]).collect();
        let of = |a: usize, b: usize| pairs.iter().find(|p| (p.0, p.1) == (a.min(b), a.max(b))).map_or(0.0, |p| p.2);
        while groups.len() > 3 {
            let mean = |x: &[usize], y: &[usize]| {
                x.iter().flat_map(|a| y.iter().map(|b| of(*a, *b))).sum::<f64>() / (x.len() * y.len()) as f64
            };
            let all = (0..groups.len()).flat_map(|x| (x + 1..groups.len()).map(move |y| (x, y)));
            let near = all.max_by(|p, q| mean(&groups[p.0], &groups[p.1]).total_cmp(&mean(&groups[q.0], &groups[q.1])));
            let (x, y) = near.unwrap();
            let joined = groups.remove(y);
            groups[x].extend(joined);
        }
        for group in &mut groups {
            group.sort_unstable();
        }
        groups.sort();
        groups
    }

    #[test]
    fn chains_join_as_looking_at_all_does() {
        for n in [4, 9, 17, 24] {
            let (_, pairs) = cohort(n, 2, 0.4, 0.3);
            let pairs: Vec<_> = pairs.into_iter().map(|(a, b, s)| (a as usize, b as usize, s)).collect();
            let n = n as usize;
            let mut groups: Vec<Vec<usize>> = (0..n).map(|at| vec![at]).collect();
            for (a, b) in joins(n, &pairs).into_iter().take(n - 3) {
                let joined = std::mem::take(&mut groups[b]);
                groups[a].extend(joined);
            }
            groups.retain(|group| !group.is_empty());
            for group in &mut groups {
                group.sort_unstable();
            }
            groups.sort();
            assert_eq!(groups, naive(n, &pairs), "{n}");
        }
    }
}
