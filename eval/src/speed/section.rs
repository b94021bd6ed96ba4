//! A table of contenders that ran on one input in alternating rounds, and the numbers made of the rounds.

use super::score::Score;
use crate::measure::{Job, Usage, run};
use crate::numbers::Spread;
use std::time::Duration;

/// One contender.
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) job: Job,
    pub(crate) usages: Vec<Usage>,
    pub(crate) score: Option<Score>,
    /// Where it writes which documents have a partner, if it says so.
    pub(super) answer: Option<super::score::Answer>,
    /// Why there are no numbers.
    pub(crate) failed: Option<String>,
}

impl Row {
    pub(crate) fn new(name: &str, job: Job) -> Self {
        Self { name: name.to_owned(), job, usages: Vec::new(), score: None, answer: None, failed: None }
    }

    /// A contender that cannot start, and what would help.
    pub(crate) fn missing(name: &str, why: &str) -> Self {
        Self { failed: Some(why.to_owned()), ..Self::new(name, Job::default()) }
    }

    pub(crate) fn cpu(&self) -> Option<Spread> {
        Spread::of(self.usages.iter().map(|usage| usage.cpu))
    }

    pub(crate) fn wall(&self) -> Option<Spread> {
        Spread::of(self.usages.iter().map(|usage| usage.wall))
    }

    pub(crate) fn peak(&self) -> Option<u64> {
        self.usages.iter().map(|usage| usage.peak).max()
    }
}

/// Contenders on one input.
pub(crate) struct Section {
    pub(crate) title: String,
    /// What is measured and how to read it.
    pub(crate) note: String,
    pub(crate) documents: Option<u64>,
    pub(crate) bytes: Option<u64>,
    /// The name of the row that ratios are made with.
    pub(crate) base: String,
    pub(crate) rows: Vec<Row>,
}

impl Section {
    /// Runs all contenders in turn, then all again: what disturbs the machine for a while disturbs them alike.
    pub(crate) fn measure(&mut self, rounds: usize, limit: Duration, note: &mut dyn FnMut(&str)) {
        for round in 1..=rounds {
            for row in self.rows.iter_mut().filter(|row| row.failed.is_none()) {
                note(&format!("{}, round {round} of {rounds}: {}", self.title, row.name));
                match run(&row.job, limit) {
                    Ok(usage) => row.usages.push(usage),
                    Err(error) => {
                        note(&format!("  {error:#}"));
                        row.failed = Some(format!("{error:#}"));
                    }
                }
            }
        }
    }

    /// CPU of the row divided by CPU of the base in the same round, over all rounds.
    pub(crate) fn ratio(&self, row: &Row) -> Option<Spread> {
        let base = self.rows.iter().find(|row| row.name == self.base)?;
        Spread::of(row.usages.iter().zip(&base.usages).map(|(row, base)| row.cpu / base.cpu))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A section as if it had run.
    pub(in crate::speed) fn sample() -> Section {
        let used = |cpu: &[f64]| cpu.iter().map(|&cpu| Usage { cpu, wall: cpu / 2.0, peak: 300 << 20 }).collect();
        let mut ours =
            Row { usages: used(&[2.0, 2.0, 4.0]), ..Row::new("lookalike", Job::new("lookalike", &["scan"])) };
        ours.score = Some(Score { recall: 0.99, precision: 1.0, linked: 10 });
        let theirs = Row { usages: used(&[20.0, 30.0, 32.0]), ..Row::new("peer", Job::new("peer", &["x y"])) };
        Section {
            title: "near-duplicates".to_owned(),
            note: "A note.".to_owned(),
            documents: Some(1000),
            bytes: Some(5_000_000),
            base: "lookalike".to_owned(),
            rows: vec![ours, theirs, Row::missing("absent", "not installed")],
        }
    }

    #[test]
    fn ratios_are_made_within_a_round() {
        let section = sample();
        assert_eq!(section.ratio(&section.rows[1]), Some(Spread { median: 10.0, min: 8.0, max: 15.0 }));
        assert_eq!(section.ratio(&section.rows[2]), None);
    }

    #[test]
    fn a_contender_that_fails_leaves_the_others_alone() {
        let mut section = sample();
        section.rows = vec![
            Row::new("bad", Job::new("sh", &["-c", "exit 1"])),
            Row::new("good", Job::new("sh", &["-c", "exit 0"])),
        ];
        let mut notes = 0;
        section.measure(2, Duration::from_mins(1), &mut |_| notes += 1);
        assert!(section.rows[0].failed.is_some() && section.rows[0].usages.is_empty());
        assert!(section.rows[1].failed.is_none() && section.rows[1].usages.len() == 2);
        assert_eq!(notes, 4, "three runs and one complaint");
    }
}
