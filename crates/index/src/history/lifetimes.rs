//! How long pages live, from the first and the last sweep that saw each.

use crate::history::changes::{Lifetimes, Survival};
use std::collections::BTreeMap;

const SECONDS_A_DAY: f64 = 86_400.0;
/// Averages over time take so many sweeps.
pub(super) const MIN_SWEEPS: usize = 3;

/// A sweep with a date that can be read.
#[derive(Clone, Debug)]
pub(super) struct DatedSweep {
    pub(super) sweep_index: u32,
    pub(super) date: String,
    pub(super) days: f64,
}

/// First and last sweep of URLs, by their places in the list: how many there are.
#[derive(Clone, Debug, Default)]
pub(super) struct LifetimeTally {
    urls: BTreeMap<(usize, usize), u64>,
}

impl LifetimeTally {
    pub(super) fn add(&mut self, first: usize, last: usize) {
        *self.urls.entry((first, last)).or_default() += 1;
    }

    /// Days between the first and the last observation, of all URLs together.
    pub(super) fn followed(&self, sweeps: &[DatedSweep]) -> f64 {
        self.urls.iter().map(|((first, last), n)| (sweeps[*last].days - sweeps[*first].days) * *n as f64).sum()
    }

    pub(super) fn lifetimes(&self, sweeps: &[DatedSweep]) -> Lifetimes {
        let mut lifetimes = Lifetimes::default();
        let mut lived: BTreeMap<u64, u64> = BTreeMap::new();
        // seconds followed: how many died then, and how many are known to have lived for so long
        let mut ends: BTreeMap<u64, (u64, u64)> = BTreeMap::new();
        let seconds = |a: usize, b: usize| ((sweeps[b].days - sweeps[a].days) * SECONDS_A_DAY).round() as u64;
        for (&(first, last), n) in &self.urls {
            lifetimes.born += if first > 0 { *n } else { 0 };
            if last + 1 < sweeps.len() {
                lifetimes.died += n;
                *lived.entry(seconds(first, last)).or_default() += n;
                ends.entry(seconds(first, last + 1)).or_default().0 += n;
            } else {
                lifetimes.alive += n;
                ends.entry(seconds(first, last)).or_default().1 += n;
            }
        }
        if sweeps.len() < MIN_SWEEPS {
            lived.clear();
        }
        let sum: f64 = lived.iter().map(|(seconds, n)| *seconds as f64 * *n as f64).sum();
        lifetimes.mean_days = (!lived.is_empty()).then(|| sum / SECONDS_A_DAY / lifetimes.died as f64);
        lifetimes.median_days = median(&lived).map(|seconds| seconds / SECONDS_A_DAY);
        lifetimes.survival = survival(&ends, lifetimes.died + lifetimes.alive);
        lifetimes
    }
}

/// Kaplan and Meier: at each age, the share of those followed so long that did not die then, times what was left before.
fn survival(ends: &BTreeMap<u64, (u64, u64)>, all: u64) -> Vec<Survival> {
    let (mut at_risk, mut share) = (all, 1.0);
    let mut steps = Vec::new();
    for (seconds, (died, censored)) in ends {
        if *died > 0 {
            share *= 1.0 - *died as f64 / at_risk as f64;
            steps.push(Survival { days: *seconds as f64 / SECONDS_A_DAY, at_risk, died: *died, share });
        }
        at_risk -= died + censored;
    }
    steps
}

/// The middle of values that were counted; between the two in the middle if there are two.
pub(super) fn median<K: Copy + Into<u64>>(counts: &BTreeMap<K, u64>) -> Option<f64> {
    let all: u64 = counts.values().sum();
    let nth = |n: u64| {
        let mut passed = 0;
        counts.iter().find_map(|(value, count)| {
            passed += count;
            (passed > n).then(|| (*value).into() as f64)
        })
    };
    Some(f64::midpoint(nth(all.checked_sub(1)? / 2)?, nth(all / 2)?))
}
