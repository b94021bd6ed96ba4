//! Counts the changes of pages, URL by URL.

#[cfg(test)]
mod tests;

use crate::history::archive::{Archive, History};
use crate::history::changes::{
    Changes, ChangesOptions, ChangesPerUrl, Interval, Moves, PageChange, PageChangeKind, Rate, Spread,
};
use crate::history::lifetimes::{DatedSweep, LifetimeTally, MIN_SWEEPS};
use crate::history::rank::{Candidate, rank};
use crate::history::search::RelatedDocuments;
use crate::history::url::{same_folder, same_host};
use lookalike_core::sketch::Estimate;
use lookalike_engine::Error;
use lookalike_engine::run::date::days;
use lookalike_store::Error as StoreError;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// Walks through all histories once.
pub(crate) fn changes(archive: &dyn Archive, options: &ChangesOptions) -> Result<Changes, Error> {
    let mut tally = Tally::new(archive, options.threshold, dated(archive));
    archive.for_each_history(&mut |url, history| tally.add(url, history))?;
    tally.finish()
}

/// Sweeps of which a part was not read are left out: they cannot tell who has gone.
fn dated(archive: &dyn Archive) -> Vec<DatedSweep> {
    let all = archive.sweeps().iter().zip(0..);
    all.filter(|(sweep, _)| sweep.is_complete())
        .filter_map(|(sweep, sweep_index)| {
            let date = sweep.date.clone()?;
            days(&date).map(|days| DatedSweep { sweep_index, date, days })
        })
        .collect()
}

pub(super) struct Tally<'a> {
    archive: &'a dyn Archive,
    threshold: f64,
    sweeps: Vec<DatedSweep>,
    intervals: Vec<(Interval, Resemblances)>,
    resemblance: Resemblances,
    /// Times seen and changes: URLs.
    changes: BTreeMap<(u64, u64), u64>,
    lifetimes: LifetimeTally,
    /// URLs that were missed: the interval, and the document that they had last.
    deaths: Vec<(String, usize, u32)>,
    /// What happened in an interval.
    pages: Vec<(usize, PageChange)>,
    urls: u64,
    observations: u64,
    undated: u64,
    incomplete: u64,
}

impl<'a> Tally<'a> {
    pub(super) fn new(archive: &'a dyn Archive, threshold: f64, sweeps: Vec<DatedSweep>) -> Self {
        let interval = |pair: &[DatedSweep]| Interval {
            from: pair[0].date.clone(),
            to: pair[1].date.clone(),
            days: pair[1].days - pair[0].days,
            both: 0,
            unchanged: 0,
            changed: 0,
            born: 0,
            returned: 0,
            died: 0,
            moves: Moves::default(),
            resemblance: Spread::default(),
        };
        Self {
            archive,
            threshold,
            intervals: sweeps.windows(2).map(|pair| (interval(pair), Resemblances::default())).collect(),
            resemblance: Resemblances::default(),
            changes: BTreeMap::new(),
            lifetimes: LifetimeTally::default(),
            deaths: Vec::new(),
            pages: Vec::new(),
            sweeps,
            urls: 0,
            observations: 0,
            undated: 0,
            incomplete: 0,
        }
    }

    pub(super) fn add(&mut self, url: &str, history: &History) -> Result<(), Error> {
        // places in the list of dated sweeps instead of indices of sweeps
        let place = |sweep_index: u32| self.sweeps.binary_search_by_key(&sweep_index, |sweep| sweep.sweep_index).ok();
        let dated: Vec<(usize, u32)> = history.iter().filter_map(|(m, d)| place(*m).map(|at| (at, *d))).collect();
        let sweeps = self.archive.sweeps();
        // a file may have been forged: it may refer to a sweep that does not exist, or to one sweep twice
        let damaged = |found| Err(StoreError::Damaged { what: "the index".into(), offset: 0, found }.into());
        if let Some((unknown, _)) = history.iter().find(|(at, _)| *at as usize >= sweeps.len()) {
            return damaged(format!("a reference to sweep {unknown}, which is not there"));
        }
        if !dated.is_sorted_by(|before, after| before.0 < after.0) {
            return damaged("two observations of a name in one sweep".to_owned());
        }
        let is_incomplete = |(at, _): &&(u32, u32)| !sweeps[*at as usize].is_complete();
        let incomplete = history.iter().filter(is_incomplete).count();
        self.incomplete += incomplete as u64;
        self.undated += (history.len() - incomplete - dated.len()) as u64;
        let (Some(first), Some(last)) = (dated.first(), dated.last()) else { return Ok(()) };
        self.urls += 1;
        self.observations += dated.len() as u64;
        self.lifetimes.add(first.0, last.0);
        if let Some(before) = first.0.checked_sub(1) {
            self.intervals[before].0.born += 1;
            self.list(before, PageChangeKind::Born, url, None, None);
        }
        let mut changes = 0;
        for pair in dated.windows(2) {
            let [(a, old), (b, new)] = [pair[0], pair[1]];
            let resemblance = if old == new { None } else { Some(self.archive.resemblance(old, new)?.resemblance) };
            changes += u64::from(resemblance.is_some());
            if let Some(resemblance) = resemblance {
                self.resemblance.add(resemblance);
            }
            if b == a + 1 {
                self.stayed(a, resemblance);
                if let Some(resemblance) = resemblance {
                    self.list(a, PageChangeKind::Changed, url, None, measured(resemblance));
                }
            } else {
                self.deaths.push((url.to_owned(), a, old));
                self.intervals[b - 1].0.returned += 1;
                self.list(b - 1, PageChangeKind::Returned, url, None, None);
            }
        }
        *self.changes.entry((dated.len() as u64, changes)).or_default() += 1;
        if last.0 + 1 < self.sweeps.len() {
            self.deaths.push((url.to_owned(), last.0, last.1));
        }
        Ok(())
    }

    fn list(
        &mut self,
        at: usize,
        change: PageChangeKind,
        url: &str,
        moved_to: Option<String>,
        resemblance: Option<Estimate>,
    ) {
        let (from, to) = (self.sweeps[at].date.clone(), self.sweeps[at + 1].date.clone());
        self.pages.push((at, PageChange { from, to, change, url: url.to_owned(), moved_to, resemblance }));
    }

    fn stayed(&mut self, at: usize, changed: Option<Estimate>) {
        let (interval, resemblances) = &mut self.intervals[at];
        interval.both += 1;
        match changed {
            Some(resemblance) => {
                interval.changed += 1;
                resemblances.add(resemblance);
            }
            None => interval.unchanged += 1,
        }
    }

    /// Looks for the successors of all that were missed: a few look-ups for each, so on all threads.
    fn match_moves(&mut self) -> Result<(), Error> {
        let mut deaths = std::mem::take(&mut self.deaths);
        deaths.sort_unstable_by(|a, b| (a.1, a.2, &a.0).cmp(&(b.1, b.2, &b.0)));
        let this = &*self;
        // many URLs may have had the same document: what can be its successor is looked up once
        let groups: Vec<&[(String, usize, u32)]> = deaths.chunk_by(|a, b| (a.1, a.2) == (b.1, b.2)).collect();
        let successors = groups.par_iter().map(|group| {
            let (_, at, document) = group[0];
            let interval = &this.intervals[at].0;
            // where nobody came nobody moved
            let came = interval.born + interval.returned > 0;
            let successors = if came { this.successors(at, document)? } else { Vec::new() };
            let best = |url: &str| rank(url, successors.clone()).into_iter().next();
            Ok(group.iter().map(|(url, ..)| best(url)).collect::<Vec<_>>())
        });
        let successors = successors.collect::<Result<Vec<_>, Error>>()?.into_iter().flatten();
        for ((url, at, _), successor) in deaths.iter().zip(successors) {
            let interval = &mut self.intervals[*at].0;
            interval.died += 1;
            let Some(successor) = successor else {
                self.list(*at, PageChangeKind::Died, url, None, None);
                continue;
            };
            let within = same_host(url, &successor.url);
            interval.moves.within_host += u64::from(within);
            interval.moves.between_hosts += u64::from(!within);
            interval.moves.renamed += u64::from(same_folder(url, &successor.url));
            let resemblance = if successor.same { Estimate::exact(1.0) } else { successor.scores.resemblance };
            self.list(*at, PageChangeKind::Moved, url, Some(successor.url), measured(resemblance));
        }
        Ok(())
    }

    /// The URLs of the next sweep, and not of this one, with the document or one that resembles it.
    fn successors(&self, at: usize, document: u32) -> Result<Vec<Candidate>, Error> {
        let (old, new) = (self.sweeps[at].sweep_index, self.sweeps[at + 1].sweep_index);
        let found = RelatedDocuments::new(self.archive, document, self.threshold)?;
        let mut successors = Vec::new();
        for url in found.urls() {
            let history = self.archive.find(url)?;
            let seen = |sweep_index: u32| history.binary_search_by_key(&sweep_index, |o| o.0);
            if let (Ok(there), Err(_)) = (seen(new), seen(old)) {
                successors.extend(found.candidate(url, &history[..=there], old));
            }
        }
        successors.retain(|successor| successor.same || successor.scores.resemblance.value >= self.threshold);
        Ok(successors)
    }

    pub(super) fn finish(mut self) -> Result<Changes, Error> {
        self.match_moves()?;
        let mut moves = Moves::default();
        let mut intervals = Vec::with_capacity(self.intervals.len());
        for (mut interval, resemblances) in self.intervals {
            interval.resemblance = resemblances.spread();
            moves.renamed += interval.moves.renamed;
            moves.within_host += interval.moves.within_host;
            moves.between_hosts += interval.moves.between_hosts;
            intervals.push(interval);
        }
        let mut pages = self.pages;
        pages.sort_by(|(a, page), (b, other)| {
            b.cmp(a).then(page.change.cmp(&other.change)).then_with(|| page.url.cmp(&other.url))
        });
        let days = (self.sweeps.len() >= MIN_SWEEPS).then(|| self.lifetimes.followed(&self.sweeps));
        Ok(Changes {
            sweeps: self.sweeps.len() as u64,
            urls: self.urls,
            observations: self.observations,
            undated: self.undated,
            incomplete: self.incomplete,
            threshold: self.threshold,
            intervals,
            rate: rate(&self.changes, days),
            resemblance: self.resemblance.spread(),
            moves,
            lifetimes: self.lifetimes.lifetimes(&self.sweeps),
            pages: pages.into_iter().map(|(_, page)| page).collect(),
        })
    }
}

fn rate(changes: &BTreeMap<(u64, u64), u64>, days: Option<f64>) -> Rate {
    let mut rate = Rate::default();
    for (&(observations, changes), urls) in changes {
        rate.repeated += urls * (observations - 1);
        rate.changed += urls * changes;
        if rate.by_observations.last().is_none_or(|last| last.observations != observations) {
            rate.by_observations.push(ChangesPerUrl { observations, urls: 0, changes: Vec::new() });
        }
        if let Some(last) = rate.by_observations.last_mut() {
            last.urls += urls;
            last.changes.resize(changes as usize + 1, 0);
            last.changes[changes as usize] += urls;
        }
    }
    rate.days_per_change = days.filter(|_| rate.changed > 0).map(|days| days / rate.changed as f64);
    rate
}

/// An estimate that tells something: of a page that is too short its interval is all there is.
fn measured(e: Estimate) -> Option<Estimate> {
    (e.low > 0.0 || e.high < 1.0).then_some(e)
}

/// Resemblances in thousandths: mean and median do not depend on the order, and none is kept.
#[derive(Clone, Debug, Default)]
struct Resemblances {
    thousandths: BTreeMap<u32, u64>,
    billionths: u128,
    unmeasured: u64,
}

impl Resemblances {
    fn add(&mut self, e: Estimate) {
        let Some(e) = measured(e) else {
            self.unmeasured += 1;
            return;
        };
        *self.thousandths.entry((e.value * 1e3).floor() as u32).or_default() += 1;
        self.billionths += (e.value * 1e9).round() as u128;
    }

    fn spread(&self) -> Spread {
        let mut spread = Spread { unmeasured: self.unmeasured, ..Spread::default() };
        for (thousandths, n) in &self.thousandths {
            spread.bins[(*thousandths as usize / 100).min(9)] += n;
        }
        let all: u64 = spread.bins.iter().sum();
        if all > 0 {
            spread.mean = Some(self.billionths as f64 / 1e9 / all as f64);
            spread.median = crate::history::lifetimes::median(&self.thousandths).map(|m| m / 1e3);
        }
        spread
    }
}
