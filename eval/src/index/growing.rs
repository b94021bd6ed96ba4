//! An index that grows: the documents in slices, one after the other, and then the same answers as from one build.

use super::asking::{FLAGS, ask};
use super::building::{Built, Info, bytes_of};
use super::corpus::Asked;
use super::{Part, note};
use crate::bars::{Bar, Unit};
use crate::command::Lookalike;
use crate::measure::Usage;
use crate::numbers::{median, thousands};
use anyhow::{Context, Result};
use serde::Serialize;
use std::fs;
use std::ops::Range;
use std::path::Path;

/// What was measured.
#[derive(Serialize)]
pub(super) struct Grown {
    /// The first is a build, the rest are additions.
    steps: Vec<Usage>,
    info: Info,
    disk_bytes: u64,
    /// Lines of the answers that differ from those of the index that was built at once.
    differ: usize,
    /// Where the numbers of both disagree: name, built, grown.
    disagree: Vec<(String, u64, u64)>,
    /// Time of all steps, in times of one build.
    wall_ratio: f64,
    cpu_ratio: f64,
}

/// Where things lie.
pub(super) struct Places<'a> {
    pub(super) scratch: &'a Path,
    pub(super) questions: &'a Path,
    /// The answers of the index that was built at once.
    pub(super) answers: &'a Path,
}

/// Builds an index of the first slice and adds the others.
pub(super) fn measure(
    asked: &Asked,
    slices: u64,
    built: &Built,
    places: &Places<'_>,
    lookalike: &mut Lookalike,
) -> Result<Grown> {
    let index = places.scratch.join("grown.index");
    let place = index.to_string_lossy();
    let mut steps = Vec::new();
    for (at, stretch) in stretches(asked.documents, slices).into_iter().enumerate() {
        note(Part::Grow, &format!("slice {} of {slices}", at + 1));
        let folder = places.scratch.join(format!("{}", at + 1));
        fs::create_dir(&folder)?;
        let file = folder.join("slice.jsonl");
        asked.slice(&file, stretch)?;
        let verb = if at == 0 { "build" } else { "add" };
        let documents = file.to_string_lossy();
        steps.push(lookalike.measured(&["index", verb, &place, &documents, "-q", "--memory", &built.memory])?);
        fs::remove_file(&file)?;
    }
    lookalike.told(&["index", "verify", &place]).context("the grown index is damaged")?;
    let answers = places.scratch.join("grown.answers");
    ask(&index, places.questions, &FLAGS, Some(&answers), lookalike)?;
    let differ = differ(&fs::read_to_string(places.answers)?, &fs::read_to_string(&answers)?);
    let info = Info::read(&index, lookalike)?;
    let total = |of: fn(&Usage) -> f64| steps.iter().map(of).sum::<f64>();
    let build = |of: fn(&Usage) -> f64| median(built.rounds.iter().map(|round| of(&round.build)));
    Ok(Grown {
        disagree: disagree(&built.info, &info),
        disk_bytes: bytes_of(&index)?,
        info,
        differ,
        wall_ratio: total(|usage| usage.wall) / build(|usage| usage.wall),
        cpu_ratio: total(|usage| usage.cpu) / build(|usage| usage.cpu),
        steps,
    })
}

/// Documents in slices of the same size, but for one.
fn stretches(documents: u64, slices: u64) -> Vec<Range<u64>> {
    (0..slices).map(|at| at * documents / slices..(at + 1) * documents / slices).collect()
}

/// How many lines are not the same in both.
fn differ(a: &str, b: &str) -> usize {
    let (mut a, mut b) = (a.lines(), b.lines());
    let mut differ = 0;
    loop {
        match (a.next(), b.next()) {
            (None, None) => return differ,
            (a, b) => differ += usize::from(a != b),
        }
    }
}

fn disagree(built: &Info, grown: &Info) -> Vec<(String, u64, u64)> {
    let both = built.counts().into_iter().zip(grown.counts());
    both.filter(|(a, b)| a.1 != b.1).map(|((name, a), (_, b))| (name.to_owned(), a, b)).collect()
}

impl Grown {
    pub(super) fn bars(&self) -> Vec<Bar> {
        let what = |of: &str| format!("{} slices one after the other, {of} time of one build", self.steps.len());
        vec![
            Bar::at_most(2.0, Unit::Times, what("wall"), self.wall_ratio),
            Bar::at_most(2.0, Unit::Times, what("CPU"), self.cpu_ratio),
            Bar::at_most(0.0, Unit::Count, "answers of the grown and the built index that differ", self.differ as f64),
            Bar::at_most(
                0.0,
                Unit::Count,
                "numbers of `index info` that differ: documents, observations, clusters, clustered",
                self.disagree.len() as f64,
            ),
        ]
    }

    pub(super) fn section(&self) -> Vec<String> {
        let seconds = |of: fn(&Usage) -> f64| {
            let each: Vec<String> = self.steps.iter().map(|usage| format!("{:.2}", of(usage))).collect();
            format!("{:.2} s: {}", self.steps.iter().map(of).sum::<f64>(), each.join(", "))
        };
        let peak = self.steps.iter().map(|usage| usage.peak).max().unwrap_or(0);
        let about = format!(
            "## Growing\n\nThe same documents in {} slices: `index build` of the first, `index add` of the others. At the end there are {} segments and {} bytes on disk; the peak of memory was {} MiB. \
             `index verify` finds it whole.",
            self.steps.len(),
            self.info.segments(),
            thousands(self.disk_bytes),
            peak >> 20,
        );
        let times = format!("- wall {}\n- CPU {}", seconds(|usage| usage.wall), seconds(|usage| usage.cpu));
        let disagree = |(name, built, grown): &(String, u64, u64)| format!("{name}: built {built}, grown {grown}.");
        let mut parts = vec![about, times];
        parts.extend(self.disagree.iter().map(disagree));
        parts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_cover_all_once() {
        assert_eq!(stretches(10, 3), [0..3, 3..6, 6..10]);
        assert_eq!(stretches(1_000_000, 20).len(), 20);
        assert!(stretches(1_000_000, 20).iter().all(|one| one.end - one.start == 50_000));
    }

    #[test]
    fn differences_are_counted_by_line() {
        assert_eq!(differ("a\nb\n", "a\nb\n"), 0);
        assert_eq!(differ("a\nb\n", "a\nc\nd\n"), 2);
    }

    #[test]
    fn numbers_that_disagree_are_named() {
        let info = |clusters: u64| -> Info {
            let told = serde_json::json!({"documents": 1, "observations": 2, "clusters": clusters, "clustered": 4, "index_bytes": clusters, "segments": []});
            serde_json::from_value(told).unwrap()
        };
        assert_eq!(disagree(&info(3), &info(3)), []);
        assert_eq!(disagree(&info(3), &info(5)), [("clusters".to_owned(), 3, 5)]);
    }
}
