//! How surprising is a similarity, and which pairs are striking: the whole picture of a cohort, with the reasons in sentences.

use crate::lens::passages::border;
use crate::lens::passages::chance::{Chance, MIN_EXPECTED};
use crate::lens::passages::groups::Groups;
use crate::report::passages::{Calibration, CalibrationRow, Pair};

const BINS: usize = 1000;
/// Pairs of this similarity are alike; where most pairs of a cohort are, nothing usual is left to tell them from.
const ALIKE: f64 = 0.5;
/// Pairs that say whether most are.
const MIN_ALIKE_PAIRS: u64 = 6;
/// What the law takes for granted.
const ASSUMPTIONS: &str = "What is expected by chance is the number of a model, mostly right within a factor of three on labelled programs: it assumes one exercise, no public code, and submissions that were written independently.";
/// What people said of labelled programs (`eval copies code`).
pub const MEASURED: &str = "On seven labelled sets of programs, people called 84% (82 to 87%) of the pairs at or above such a threshold copies.";

/// How similar pairs were: in thousandths, as far as they were compared, otherwise as their fingerprints say.
pub struct Observed {
    bins: Vec<u64>,
    /// Of them, pairs of submissions with the same tokens: they say nothing of chance.
    pub identical: u64,
    /// A sample of all pairs that share anything, every one compared: what chance does is told by these alone.
    pub sampled: Vec<f64>,
    /// The pairs that they are a sample of.
    pub candidates: u64,
}

impl Default for Observed {
    fn default() -> Self {
        Self { bins: vec![0; BINS + 1], identical: 0, sampled: Vec::new(), candidates: 0 }
    }
}

impl Observed {
    #[inline]
    pub fn see(&mut self, similarity: f64) {
        self.bins[bin(similarity)] += 1;
    }

    /// Takes in what was observed of other pairs.
    pub fn merge(&mut self, other: Self) {
        self.bins.iter_mut().zip(other.bins).for_each(|(all, some)| *all += some);
        self.identical += other.identical;
        self.sampled.extend(other.sampled);
        self.candidates += other.candidates;
    }
}

#[inline]
fn bin(share: f64) -> usize {
    // 0.29 · 1000 is a little less than 290
    ((share * BINS as f64 + 1e-6) as usize).min(BINS)
}

/// What comparing found, told behind the reasons for the threshold.
pub struct Outcome<'a> {
    /// Pairs at or above the threshold.
    pub striking: u64,
    /// Pairs that are worth a look.
    pub worth_a_look: u64,
    /// Those that are listed, most similar first.
    pub listed: &'a [Pair],
    /// Groups of submissions that share little with each other.
    pub groups: Option<Groups>,
    /// Most tokens are code: the only kind that the threshold was measured on.
    pub code: bool,
}

impl Outcome<'_> {
    /// Says how many pairs are striking, and what to know before they are believed.
    pub fn tell(&self, calibration: &mut Calibration, surprise: &Surprise) {
        calibration.striking = self.striking;
        calibration.worth_a_look = self.worth_a_look;
        let say = &mut calibration.reasoning;
        say.push(match self.striking {
            0 => "No pair reaches it.".into(),
            1 => "One pair reaches it.".into(),
            n => format!("{n} pairs reach it."),
        });
        if let Some(expected) = surprise.expected(calibration.threshold).filter(|_| calibration.source == "given") {
            let many = if expected > MIN_EXPECTED { format!("About {expected:.2}") } else { "Fewer than 0.01".into() };
            say.push(format!("{many} would be expected there by chance."));
        }
        if self.striking > 0 && calibration.source == "estimated" && self.code {
            say.push(MEASURED.into());
        }
        let striking: Vec<&Pair> = self.listed.iter().filter(|p| p.similarity >= calibration.threshold).collect();
        let by_others = striking.iter().filter(|pair| pair.shared_by_others >= 0.5).count();
        if by_others > 0 && calibration.source != "alike" {
            say.push(format!(
                "{by_others} of the {} that are listed share{} mainly what other submissions have too: public or given code, or what a larger group copied. Code that everybody may use is named as base code.",
                striking.len(),
                if by_others == 1 { "s" } else { "" }
            ));
        }
        if let Some(Groups { sizes, within, between }) = &self.groups {
            let sizes: Vec<String> = sizes.iter().map(usize::to_string).collect();
            say.push(format!(
                "These submissions fall into {} groups (of {}) that share little with each other: {:.0}% on average, {:.0}% inside. If they are several exercises, compare each by itself: what is expected by chance was estimated over all of them.",
                sizes.len(),
                sizes.join(", "),
                100.0 * between,
                100.0 * within
            ));
        }
    }
}

/// What to say where most pairs are alike.
fn most_alike(alike: u64, all: u64) -> Option<String> {
    (all >= MIN_ALIKE_PAIRS && 2 * alike > all).then(|| format!(
        "Most of these submissions are alike: {alike} of {all} pairs are {:.0}% similar or more. Nothing tells unusual from usual here: the exercise may leave little choice, or most may have one source. Read the longest and rarest passages.",
        100.0 * ALIKE
    ))
}

/// How surprising similarities are; unknown where the cohort cannot tell.
pub struct Surprise(Option<Chance>);

impl Surprise {
    /// Of a cohort of programs whose most similar pairs are of a size.
    pub fn of(observed: &Observed, size: f64) -> Self {
        Self(Chance::of(&observed.sampled, observed.candidates, size))
    }

    /// Of a cohort of prose: a passage that unrelated texts share is the rarest of things, and no law says how rare.
    pub const UNKNOWN: Self = Self(None);

    /// The same where most pairs are alike: nothing is known of chance.
    pub fn told_by(self, calibration: &Calibration) -> Self {
        Self(self.0.filter(|_| calibration.source != "alike"))
    }

    /// Pairs of unrelated submissions that would be as similar as this; [`MIN_EXPECTED`] stands for less.
    pub fn expected(&self, similarity: f64) -> Option<f64> {
        self.0.map(|chance| chance.expected(similarity))
    }

    /// From the least to the most of them that is to be reckoned with.
    pub fn interval(&self, similarity: f64) -> Option<[f64; 2]> {
        self.0.map(|chance| chance.interval(similarity))
    }
}

/// What decides beside the cohort's own numbers.
#[derive(Clone, Copy, Debug)]
pub struct Asked {
    /// The threshold that the user gives.
    pub chosen: Option<f64>,
    /// The one that the kind and the size of the submissions ask for.
    pub by_size: f64,
    /// Nothing below this is looked at.
    pub least: f64,
}

/// The whole picture. `possible` pairs could be compared; those that have nothing in common were not seen.
pub fn calibrate(observed: &Observed, surprise: &Surprise, possible: u64, asked: Asked) -> Calibration {
    let mut bins = observed.bins.clone();
    let seen: u64 = bins.iter().sum();
    bins[0] += possible.saturating_sub(seen);
    let all: u64 = bins.iter().sum();
    let at_least = |share: f64| bins[bin(share.min(1.0))..].iter().sum::<u64>();
    let exceeded_by = |part: f64| {
        let mut left = (all as f64 * part) as u64;
        let at = bins.iter().enumerate().rev().find(|(_, count)| {
            let here = left < **count;
            left = left.saturating_sub(**count);
            here
        });
        at.map_or(0.0, |(at, _)| at as f64 / BINS as f64)
    };
    let sharing = all - bins[0];
    let mut reasoning = vec![match all {
        0 => "There is no pair of different submissions to compare.".to_owned(),
        1 => format!("There is one pair of submissions, {:.1}% similar.", 100.0 * exceeded_by(0.5)),
        _ => format!(
            "Of {all} pairs of submissions, {sharing} share anything of the length that counts; half of all are more similar than {:.1}%, one in twenty more than {:.1}%.",
            100.0 * exceeded_by(0.5),
            100.0 * exceeded_by(0.05)
        ),
    }];
    let usual = asked.by_size.max(asked.least);
    let alike = most_alike(at_least(ALIKE), all);
    let (threshold, source) = match (asked.chosen, surprise.0) {
        (Some(chosen), _) => {
            reasoning.push(format!("The threshold of {:.0}% was given.", 100.0 * chosen));
            (chosen, "given")
        }
        (None, chance)
            if let Some(alike) = alike
                && chance.is_none_or(|chance| chance.expected(ALIKE) >= 1.0) =>
        {
            reasoning.extend([alike, usual_sentence(usual)]);
            (usual, "alike")
        }
        (None, None) => {
            reasoning.push(usual_sentence(usual));
            (usual, "default")
        }
        (None, Some(chance)) => match border::by_chance(&chance, usual, at_least) {
            None => {
                reasoning.push(usual_sentence(usual));
                (usual, "estimated")
            }
            Some(lifted) => {
                let at = |share: f64| {
                    let found = at_least(share);
                    let was = if found == 1 { "was" } else { "were" };
                    format!("{} would be expected by chance and {found} {was} found", rounded(chance.expected(share)))
                };
                reasoning.push(format!(
                    "Submissions of this size are usually told apart at {:.0}%, but here {} from there on.",
                    100.0 * usual,
                    at(usual)
                ));
                reasoning.push(if chance.expected(lifted) > at_least(lifted) as f64 { format!(
                    "Even at {:.0}% {}: the numbers do not tell copies from others here. Look at the longest and rarest passages.",
                    100.0 * lifted,
                    at(lifted)
                ) } else { format!(
                    "So the threshold is {:.0}%, where {}.",
                    100.0 * lifted,
                    at(lifted)
                ) });
                (lifted, "estimated")
            }
        },
    };
    let surprise = if source == "alike" { &Surprise::UNKNOWN } else { surprise };
    if surprise.0.is_some() {
        reasoning.push(ASSUMPTIONS.into());
    }
    let table = (1..100).map(|percent| f64::from(percent) / 100.0).map(|threshold| CalibrationRow {
        threshold,
        expected: surprise.expected(threshold),
        found: at_least(threshold),
    });
    Calibration {
        pairs: all,
        median: exceeded_by(0.5),
        p95: exceeded_by(0.05),
        threshold,
        look: border::look(threshold),
        source,
        striking: 0,
        worth_a_look: 0,
        table: table.collect(),
        histogram: (0..100)
            .map(|at| bins[10 * at..10 * at + 10].iter().sum::<u64>() + if at == 99 { bins[BINS] } else { 0 })
            .collect(),
        reasoning,
    }
}

/// A number of pairs: one digit behind the point if there are few.
fn rounded(pairs: f64) -> String {
    if pairs < 10.0 { format!("{pairs:.1}") } else { format!("{pairs:.0}") }
}

/// Where the threshold comes from if the cohort does not lift it.
fn usual_sentence(usual: f64) -> String {
    format!(
        "The threshold of {:.0}% is where people begin to call submissions of this kind and size copies, as labelled sets show.",
        100.0 * usual
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const ASKED: Asked = Asked { chosen: None, by_size: 0.4, least: 0.1 };

    fn of(shares: impl IntoIterator<Item = f64>, asked: Asked) -> Calibration {
        let mut observed = Observed::default();
        for share in shares {
            observed.see(share);
            observed.sampled.push(share);
        }
        observed.candidates = observed.sampled.len() as u64;
        calibrate(&observed, &Surprise::of(&observed, 400.0), observed.candidates, asked)
    }

    #[test]
    fn the_threshold_is_that_of_the_size_where_chance_does_not_reach_it() {
        for copies in [0, 10, 200] {
            let usual = (0..2000).map(|at| 0.05 + f64::from(at % 100) / 1000.0);
            let found = of(usual.chain((0..copies).map(|_| 0.9)), ASKED);
            assert_eq!((found.source, found.threshold), ("estimated", 0.4));
            assert!(found.table[89].expected.is_some_and(|expected| expected <= 0.01), "less is not told");
            assert_eq!(found.table[89].found, copies);
            assert!(found.reasoning.contains(&ASSUMPTIONS.to_owned()), "{:?}", found.reasoning);
        }
    }

    #[test]
    fn a_cohort_that_chance_lifts_has_a_higher_one() {
        let found = of((0..4000).map(|at| 0.05 + f64::from(at % 500) / 1000.0), ASKED);
        assert!(found.threshold > 0.5 && found.source == "estimated", "{}", found.threshold);
        assert!(found.reasoning[1].contains("would be expected by chance"), "{:?}", found.reasoning);
        assert!(found.look < found.threshold);
    }

    #[test]
    fn few_pairs_have_the_threshold_of_their_size() {
        let found = of([0.40, 0.41, 0.42, 0.43, 0.44, 0.9], ASKED);
        assert_eq!((found.source, found.threshold), ("default", 0.4));
        assert!(found.table.iter().all(|row| row.expected.is_none()));
        assert!(of([], ASKED).reasoning[0].contains("no pair") && of([0.5], ASKED).reasoning[0].contains("one pair"));
        let least = of([0.5], Asked { least: 0.6, ..ASKED }).threshold;
        assert!((least - 0.6).abs() < 1e-9, "nothing is told below what is listed");
        let given = of([0.9; 60], Asked { chosen: Some(0.95), ..ASKED });
        assert_eq!((given.source, given.threshold), ("given", 0.95));
    }

    #[test]
    fn where_most_are_alike_nothing_is_usual() {
        // few, and so many that there is a law
        for pairs in [6u32, 28, 400] {
            let found = of((0..pairs).map(|at| 0.86 + f64::from(at % 10) / 100.0), ASKED);
            assert_eq!((found.source, found.threshold), ("alike", 0.4), "{pairs}");
            assert!(found.table.iter().all(|row| row.expected.is_none()), "nothing is told of chance");
            assert!(found.reasoning[1].contains(&format!("{pairs} of {pairs} pairs are 50% similar")), "{found:?}");
        }
        // copies and others: the lower heap tells what is usual
        let mixed = (0..400u32).map(|at| if at % 5 < 2 { 0.05 + f64::from(at % 7) / 100.0 } else { 0.9 });
        assert_eq!(of(mixed, ASKED).source, "estimated");
        assert_eq!(of([0.9; 5], ASKED).source, "default", "too few to speak of most");
    }

    #[test]
    fn pairs_that_share_nothing_are_counted() {
        let mut observed = Observed::default();
        (0..20).for_each(|_| observed.see(0.1));
        let found = calibrate(&observed, &Surprise::of(&observed, 400.0), 45, ASKED);
        assert_eq!(found.pairs, 45);
        assert!((found.histogram[0], found.histogram[10]) == (25, 20));
    }
}
