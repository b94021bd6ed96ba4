//! `eval copies decide`: is what the command calls striking what people called copies? On each set with numbers that were chosen on the others.

use super::code::SETS;
use super::labelled::{Answer, Labelled, LabelledArgs, data_folder, measure, unpacked};
use super::note;
use super::scores::{Cut, Scored, at, best, precision_and_recall};
use crate::bars::{Bar, Unit};
use crate::cache::Cache;
use crate::command::Lookalike;
use crate::facts;
use crate::page::{Page, folder};
use crate::quality;
use crate::table::table;
use anyhow::Result;
use serde::Serialize;
use serde_json::json;

mod chance;
mod rule;

use rule::Rule;

#[derive(clap::Args)]
pub(crate) struct Decide {
    #[command(flatten)]
    given: LabelledArgs,
}

/// Sets of prose.
const PROSE: [&str; 3] = ["clough09", "pan13-align-train", "bills"];
/// Of the best F1 that any threshold of a set reaches.
const BAR: f64 = 0.85;
/// Stated and observed false pairs agree within this factor.
const WITHIN: f64 = 3.0;

/// A set as one cohort.
struct Cohort {
    name: &'static str,
    is_code: bool,
    /// By their similarity.
    pairs: Vec<Scored>,
    /// What the border is of: that, or the words in common.
    decided_by: Vec<Scored>,
    best: Cut,
    answer: Answer,
}

impl Cohort {
    fn new(name: &'static str, is_code: bool, answer: Answer) -> Self {
        let once = answer.pairs.iter().filter(|pair| !pair.repeated);
        let pairs: Vec<Scored> = once.clone().map(Labelled::scored).collect();
        let words = once.map(|pair| (f64::from(pair.overlap), pair.copy)).collect();
        let decided_by = if is_code { pairs.clone() } else { words };
        Self { name, is_code, best: best(&pairs, 1.0), pairs, decided_by, answer }
    }

    /// The F1 at a border, of the best that any threshold of the similarity reaches.
    fn part_of_best(&self, border: f64) -> f64 {
        at(&self.decided_by, border, 1.0) / self.best.f.max(f64::MIN_POSITIVE)
    }
}

/// What was found on one set.
#[derive(Serialize)]
struct Found {
    name: &'static str,
    is_code: bool,
    size: f64,
    /// The border that the numbers of the other sets give.
    rotated: Judged,
    /// The border of the command.
    own: Judged,
    /// A constant threshold that does best on the other sets.
    constant: Judged,
    best: Cut,
}

#[derive(Serialize)]
struct Judged {
    threshold: f64,
    f1: f64,
    precision: f64,
    recall: f64,
    part_of_best: f64,
}

impl Judged {
    fn new(cohort: &Cohort, pairs: &[Scored], threshold: f64) -> Self {
        let ([precision, recall], f1) = (precision_and_recall(pairs, threshold), at(pairs, threshold, 1.0));
        Self { threshold, f1, precision, recall, part_of_best: f1 / cohort.best.f.max(f64::MIN_POSITIVE) }
    }
}

impl Decide {
    pub(crate) fn run(self) -> Result<()> {
        let LabelledArgs { data, cache, lookalike, out, json } = self.given;
        let (data, cache) = (data_folder(data), Cache::open(cache)?.path(""));
        let mut lookalike = Lookalike::find(lookalike)?;
        let (mut cohorts, mut absent, mut rows) = (Vec::new(), Vec::new(), Vec::new());
        for set in &SETS {
            note(set.name);
            let Some(folder) = unpacked(set.name, &data, &cache)? else {
                absent.push(set.name);
                continue;
            };
            let answer = measure(&folder, set.lang, set.others_are_negative, &mut lookalike)?;
            cohorts.push(Cohort::new(set.name, true, answer));
            // where every pair is labelled, what is stated can be counted
            if set.others_are_negative {
                rows.extend(chance::stated(set, &folder, &mut lookalike)?);
            }
        }
        for name in PROSE {
            note(name);
            match quality::unpacked(name, &data, &cache)? {
                Some(folder) => {
                    let answer = measure(&folder, None, false, &mut lookalike)?;
                    cohorts.push(Cohort::new(name, false, answer));
                }
                None => absent.push(name),
            }
        }
        let found: Vec<Found> = (0..cohorts.len()).map(|at| rotate(&cohorts, at)).collect();
        let mut facts = facts::facts();
        facts.extend(lookalike.version().map(|version| ("measured".to_owned(), version)));
        let mut sections = sections(&cohorts, &found);
        sections.extend(chance::section(&rows));
        if !absent.is_empty() {
            sections.push(format!("Not at hand and left out: {}.", absent.join(", ")));
        }
        let mut bars = bars(&found);
        bars.extend(chance::bar(&rows, WITHIN));
        let numbers = json!({ "sets": found, "stated": rows });
        let page = Page { verb: "copies", name: "decide", facts, bars, sections, numbers, commands: lookalike.lines };
        page.tell(folder(out, false).as_deref(), json)
    }
}

/// A set, judged by what was chosen on the others of its kind.
fn rotate(cohorts: &[Cohort], held_out: usize) -> Found {
    let cohort = &cohorts[held_out];
    let others: Vec<&Cohort> = cohorts
        .iter()
        .enumerate()
        .filter(|(at, other)| *at != held_out && other.is_code == cohort.is_code)
        .map(|(_, other)| other)
        .collect();
    let border = if cohort.is_code { Rule::chosen(&others).border(cohort.answer.size) } else { rule::words(&others) };
    let constant = rule::constant(&others);
    Found {
        name: cohort.name,
        is_code: cohort.is_code,
        size: cohort.answer.size,
        rotated: Judged::new(cohort, &cohort.decided_by, border),
        own: Judged::new(cohort, &cohort.pairs, cohort.answer.threshold),
        constant: Judged::new(cohort, &cohort.pairs, constant),
        best: cohort.best,
    }
}

fn mean(found: &[&Found], of: impl Fn(&Found) -> f64) -> f64 {
    found.iter().map(|one| of(one)).sum::<f64>() / found.len().max(1) as f64
}

fn bars(found: &[Found]) -> Vec<Bar> {
    let part = |one: &Found| {
        Bar::at_least(
            BAR,
            Unit::Share,
            format!("{}: F1, of the best of any threshold", one.name),
            one.rotated.part_of_best,
        )
    };
    let code: Vec<&Found> = found.iter().filter(|one| one.is_code).collect();
    let constant = mean(&code, |one| one.constant.f1);
    let all =
        Bar::at_least(constant, Unit::Share, "programs: mean F1, beside a constant", mean(&code, |one| one.rotated.f1));
    found.iter().map(part).chain([all]).collect()
}

fn sections(cohorts: &[Cohort], found: &[Found]) -> Vec<String> {
    let number = |x: f64| format!("{x:.3}");
    let judged = |one: &Judged| {
        let cells = [one.f1, one.precision, one.recall, one.part_of_best].map(number);
        let border =
            if one.threshold > 1.0 { format!("{} words", one.threshold) } else { format!("{:.2}", one.threshold) };
        [vec![border], cells.to_vec()].concat()
    };
    let row = |one: &Found| {
        let best = vec![format!("{:.3} at {:.2}", one.best.f, one.best.threshold)];
        let constant = vec![format!("{:.3} at {:.2}", one.constant.f1, one.constant.threshold)];
        let own = vec![format!("{:.3} at {:.2}", one.own.f1, one.own.threshold)];
        [vec![one.name.to_owned(), format!("{:.0}", one.size)], judged(&one.rotated), own, constant, best].concat()
    };
    let head =
        ["set", "tokens", "border", "F1", "precision", "recall", "of the best", "the command", "constant", "best"];
    let code: Vec<&Cohort> = cohorts.iter().filter(|cohort| cohort.is_code).collect();
    let prose: Vec<&Cohort> = cohorts.iter().filter(|cohort| !cohort.is_code).collect();
    let all = (!code.is_empty() && !prose.is_empty()).then(|| {
        let Rule { base, slope } = Rule::chosen(&code);
        let words = rule::words(&prose);
        format!("Chosen on all sets: sin²({base:.3} - {slope:.3} ln tokens) for programs, {words} words for prose.")
    });
    let parts = [ABOUT.to_owned(), table(&head, &found.iter().map(row).collect::<Vec<_>>())];
    parts.into_iter().chain(all).collect()
}

const ABOUT: &str = "## The border, on sets that it was not chosen on

Each set is one cohort. The border of programs falls with the logarithm of their size: of the smaller submission, in the middle of the hundredth of
pairs that are most similar. Its two numbers are chosen on all sets but the one of the row, for the mean and the least part of the best F1 that any
threshold reaches; the border of prose is a number of words in common, chosen likewise. Beside it: the threshold of the command, whose numbers were
chosen on all sets (of prose it asks for words besides); a constant similarity that does best on the other sets; and the best of any threshold,
chosen on the set itself. `bills` are graded by people from 0 to 4 for how much of two sections is the same: 1 counts as a copy.";

#[cfg(test)]
mod tests {
    use super::*;

    fn cohort(name: &'static str, size: f64, border: f64) -> Cohort {
        let pair =
            |score: f64| Labelled { score, overlap: 0, copy: score > border, group: String::new(), repeated: false };
        let pairs = (1..100u32).map(|at| pair(f64::from(at) / 100.0)).collect();
        let answer = Answer { pairs, not_compared: 0, threshold: 0.4, least_expected: 1.0, size, table: Vec::new() };
        Cohort::new(name, true, answer)
    }

    #[test]
    fn a_border_that_falls_with_the_size_is_found_on_the_others() {
        let true_border = |size: f64| (0.95 - 0.05 * f64::ln(size)).sin().powi(2);
        let cohorts: Vec<Cohort> = [("a", 50.0), ("b", 200.0), ("c", 800.0), ("d", 6000.0)]
            .into_iter()
            .map(|(name, size)| cohort(name, size, true_border(size)))
            .collect();
        for at in 0..4 {
            let found = rotate(&cohorts, at);
            assert!(found.rotated.part_of_best > 0.95, "{}: {}", found.name, found.rotated.part_of_best);
        }
        let met = bars(&(0..4).map(|at| rotate(&cohorts, at)).collect::<Vec<_>>());
        assert!(met.iter().all(Bar::is_met), "and it is better than a constant");
    }
}
