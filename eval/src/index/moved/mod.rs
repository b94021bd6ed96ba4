//! Lost and found: pages of which version control knows where they went, asked for with `lookalike lost`.
//!
//! For each set and each two snapshots in a row there is one index of two sweeps, so that the later snapshot is the present.

mod misses;
mod page;
mod set;
mod tally;

pub(super) use page::section;
pub(super) use set::names;
pub(crate) use set::{Set, unpacked};

use super::{Part, note};
use crate::cache::Cache;
use crate::command::Lookalike;
use crate::numbers::{percentile, sorted};
use anyhow::{Context, Result};
use misses::Misses;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::Serialize;
use set::{Gone, Moved, Pages};
use std::path::{Path, PathBuf};
use std::time::Instant;
use tally::{Case, Deleted, GoneTally, Groups, Lost, RedirectMap, Stated, Tally, precision_and_recall};

/// What was measured on one set.
#[derive(Serialize)]
pub(super) struct SetResult {
    pub(super) set: String,
    pub(super) pairs: Vec<PairResult>,
    /// Of all pairs together.
    pub(super) half_survived: Tally,
}

/// What was measured on two snapshots.
#[derive(Serialize)]
pub(super) struct PairResult {
    pub(super) from: String,
    pub(super) to: String,
    pub(super) groups: Groups,
    pub(super) gone: GoneTally,
    pub(super) precision: f64,
    pub(super) recall: f64,
    /// Milliseconds of a whole call, with the start of the process.
    pub(super) p50_ms: f64,
    pub(super) p99_ms: f64,
    /// What `lost --all` states of its redirects, and how many were right.
    pub(super) stated: Vec<Stated>,
}

/// Measures one set. What was missed is written to a folder.
pub(super) fn measure(
    name: &str,
    data: &Path,
    cache: &Cache,
    misses: &Path,
    lookalike: &mut Lookalike,
) -> Result<SetResult> {
    let set = Set::read(name, &unpacked(name, data, &cache.path(""))?)?;
    let mut misses = Misses::create(misses, name)?;
    let mut result = SetResult { set: set.name.clone(), pairs: Vec::new(), half_survived: Tally::default() };
    for two in set.snapshots.windows(2) {
        let pair = Pair::build(&set, &two[0], &two[1], cache, lookalike)?;
        let pair = pair.measure(&mut misses, lookalike)?;
        result.half_survived.add(&pair.groups.half_survived);
        result.pairs.push(pair);
    }
    misses.finish()?;
    Ok(result)
}

/// Two snapshots, and the index of both.
struct Pair<'a> {
    set: &'a Set,
    from: &'a str,
    to: &'a str,
    old: Pages,
    new: Pages,
    index: PathBuf,
    _scratch: tempfile::TempDir,
}

impl<'a> Pair<'a> {
    fn build(
        set: &'a Set,
        (from, old): &'a (String, PathBuf),
        (to, new): &'a (String, PathBuf),
        cache: &Cache,
        lookalike: &mut Lookalike,
    ) -> Result<Self> {
        note(Part::Moved, &format!("{}, {from} to {to}", set.name));
        let scratch = tempfile::tempdir_in(cache.path(""))?;
        let index = scratch.path().join("moved.index");
        let [place, earlier, later] = [&index, old, new].map(|path| path.to_string_lossy());
        lookalike.told(&["index", "build", &place, &earlier, "--sweep", from, "-q"])?;
        lookalike.told(&["index", "add", &place, &later, "--sweep", to, "-q"])?;
        let (old, new) = (Pages::read(old)?, Pages::read(new)?);
        Ok(Self { set, from, to, old, new, index, _scratch: scratch })
    }

    fn measure(&self, misses: &mut Misses, lookalike: &mut Lookalike) -> Result<PairResult> {
        lookalike.remember(&["lost", &self.index.to_string_lossy(), "URL", "--json"]);
        let (mut cases, mut deleted, mut times) = (Vec::new(), Vec::new(), Vec::new());
        let rows = self.set.moved.iter().filter(|row| row.from == self.from && row.to == self.to);
        for row in rows.filter(|row| self.old.has(&row.old) && self.new.has(&row.new)) {
            let lost = self.ask(&row.old, lookalike, &mut times)?;
            let case = self.case(row, &lost);
            if case.place != Some(0) {
                misses.moved(self, row, &case, &lost)?;
            }
            cases.push(case);
        }
        let rows = self.set.gone.iter().filter(|row| row.from == self.from && row.to == self.to);
        for row in rows.filter(|row| self.old.has(&row.old)) {
            let lost = self.ask(&row.old, lookalike, &mut times)?;
            let one = self.deleted(row, &lost);
            if one.status != "gone" {
                misses.gone(self, row, &one, &lost)?;
            }
            deleted.push(one);
        }
        let (precision, recall) = precision_and_recall(&cases, &deleted);
        let times = sorted(times);
        Ok(PairResult {
            from: self.from.to_owned(),
            to: self.to.to_owned(),
            groups: Groups::of(&cases),
            gone: GoneTally::of(&deleted),
            precision,
            recall,
            p50_ms: percentile(&times, 0.5),
            p99_ms: percentile(&times, 0.99),
            stated: self.stated(lookalike)?,
        })
    }

    /// The redirects of the whole map whose pages version control knows to have moved or to be deleted, by what is stated of them.
    fn stated(&self, lookalike: &mut Lookalike) -> Result<Vec<Stated>> {
        let map = lookalike.told(&["lost", &self.index.to_string_lossy(), "--all", "--json"])?;
        let map: RedirectMap = serde_json::from_slice(&map).context("lookalike lost --all")?;
        let of_pair = |from: &str, to: &str| from == self.from && to == self.to;
        let moved: FxHashMap<&str, &str> = (self.set.moved.iter().filter(|row| of_pair(&row.from, &row.to)))
            .map(|row| (row.old.as_str(), row.new.as_str()))
            .collect();
        let gone: FxHashSet<&str> =
            (self.set.gone.iter().filter(|row| of_pair(&row.from, &row.to))).map(|row| row.old.as_str()).collect();
        let told = map.redirects.iter().filter_map(|one| {
            let (url, to) = (one.url.as_str(), one.to.as_deref()?);
            let new = moved.get(url);
            let known = new.is_some() || gone.contains(url);
            let right = new == Some(&to) || self.set.redirects(self.from, url, to);
            known.then_some((one.probability?, right))
        });
        Ok(Stated::of(&told.collect::<Vec<_>>()))
    }

    fn ask(&self, url: &str, lookalike: &Lookalike, times: &mut Vec<f64>) -> Result<Lost> {
        let begin = Instant::now();
        let output = lookalike.asked(&["lost", &self.index.to_string_lossy(), url, "--json"])?;
        times.push(begin.elapsed().as_secs_f64() * 1000.0);
        let said = String::from_utf8_lossy(&output.stderr);
        if output.stdout.is_empty() && said.contains("never seen") {
            // a page without words: the index does not have it
            return Ok(Lost { status: "unknown".to_owned(), found: Vec::new() });
        }
        serde_json::from_slice(&output.stdout)
            .with_context(|| format!("lookalike lost {url}: {}: {}", output.status, said.trim()))
    }

    fn case(&self, row: &Moved, lost: &Lost) -> Case {
        let place = lost.place(&row.new);
        let first = lost.found.first();
        let redirected = first.is_some_and(|first| self.set.redirects(self.from, &row.old, &first.url));
        Case {
            similarity: row.similarity,
            survived: self.survived(&row.old, &row.new),
            place,
            status: lost.status.clone(),
            claim: lost.is_claim(),
            right: place == Some(0) || redirected,
        }
    }

    fn deleted(&self, row: &Gone, lost: &Lost) -> Deleted {
        let first = lost.found.first();
        Deleted {
            status: lost.status.clone(),
            claim: lost.is_claim(),
            redirected: self.set.redirects_somewhere(self.from, &row.old),
            right: first.is_some_and(|first| self.set.redirects(self.from, &row.old, &first.url)),
        }
    }

    /// Share of an old page's shingles that a page of the later snapshot has.
    fn survived(&self, old: &str, new: &str) -> f64 {
        self.old.overlap(old, &self.new, new).map_or(0.0, lookalike_core::sets::Overlap::a_in_b)
    }

    /// The exact resemblance of an old page and one of the later snapshot.
    fn resemblance(&self, old: &str, new: &str) -> f64 {
        self.old.overlap(old, &self.new, new).map_or(0.0, lookalike_core::sets::Overlap::resemblance)
    }
}
