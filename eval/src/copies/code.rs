//! `eval copies code`: labelled programs, beside what winnowing and tiling tools reach on them.

use super::calibration::{self, Calibrated};
use super::labelled::{Answer, Labelled, LabelledArgs, data_folder, measure, unpacked};
use super::note;
use super::scores::{Cut, Scored, at, average_precision, balanced, best, ten_fold};
use crate::bars::{Bar, Unit};
use crate::cache::Cache;
use crate::command::Lookalike;
use crate::facts;
use crate::numbers::Spread;
use crate::page::{Page, folder};
use crate::quality::Scores;
use crate::table::table;
use anyhow::Result;
use serde::Serialize;
use serde_json::json;

#[derive(clap::Args)]
pub(crate) struct Code {
    #[command(flatten)]
    given: LabelledArgs,
    /// Only these sets, with commas between
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
}

/// A set, and what a naive script with exact shingles reaches on it.
pub(super) struct Set {
    pub(super) name: &'static str,
    /// What its files are read as; by their names if nothing.
    pub(super) lang: Option<&'static str>,
    /// Copies are named, and all other pairs are none.
    pub(super) others_are_negative: bool,
    floor_auc: Option<f64>,
    floor_f1: Option<f64>,
}

const fn set(name: &'static str, lang: Option<&'static str>, floors: (Option<f64>, Option<f64>)) -> Set {
    Set { name, lang, others_are_negative: false, floor_auc: floors.0, floor_f1: floors.1 }
}

const JAVA: Option<&str> = Some("java");
pub(super) const SETS: [Set; 7] = [
    set("conplag-tf", JAVA, (Some(0.94), Some(0.80))),
    set("conplag-raw", JAVA, (None, None)),
    set("irplag", JAVA, (Some(0.66), Some(0.87))),
    Set { others_are_negative: true, ..set("soco14-c-train", Some("c"), (None, Some(0.70))) },
    Set { others_are_negative: true, ..set("soco14-java-train", JAVA, (None, Some(0.83))) },
    set("hjc-d1", JAVA, (Some(0.998), None)),
    set("cf-obf300", None, (Some(0.968), None)),
];

/// F1.5 as published, the threshold tuned on the train split: set, best, all of them.
const CONPLAG: [(&str, f64, &str); 2] = [
    ("conplag-tf", 0.86, "JPlag .86, Dolos .85, SIM .81, MOSS .79"),
    ("conplag-raw", 0.80, "JPlag .80, MOSS .77, SIM .76, Dolos .71"),
];
const BETA: f64 = 1.5;
/// Average precision of winnowing on a sample of IR-Plag, the best that is published; tiling reaches .698.
const IRPLAG: f64 = 0.747;
const SAMPLE: usize = 128;
const SAMPLES: u64 = 500;

/// What was found on one set.
#[derive(Serialize)]
struct Found {
    name: &'static str,
    pairs: usize,
    /// Pairs of the cohort that the command did not compare: there were too many.
    not_compared: u64,
    copies: usize,
    auc: f64,
    average_precision: f64,
    best_f1: Cut,
    floor_auc: Option<f64>,
    floor_f1: Option<f64>,
    calibrated: Calibrated,
    conplag: Option<ConPlag>,
    /// Balanced samples: the mean, and the spread.
    balanced: Option<(f64, Spread)>,
}

/// F1.5 by several protocols.
#[derive(Serialize)]
struct ConPlag {
    /// The threshold of everything but the test split, told on the test split.
    test: f64,
    /// The threshold of the train split, told on the others; the raw set has no train split.
    others: Option<f64>,
    ten_fold: f64,
    /// The threshold of all pairs, told on the same.
    best: Cut,
    published: f64,
    peers: &'static str,
}

impl Code {
    pub(crate) fn run(self) -> Result<()> {
        let LabelledArgs { data, cache, lookalike, out, json } = self.given;
        let (data, cache) = (data_folder(data), Cache::open(cache)?.path(""));
        let mut lookalike = Lookalike::find(lookalike)?;
        let (mut found, mut absent) = (Vec::new(), Vec::new());
        let wanted = |set: &&Set| self.only.is_empty() || self.only.iter().any(|name| name == set.name);
        for set in SETS.iter().filter(wanted) {
            note(set.name);
            match unpacked(set.name, &data, &cache)? {
                Some(folder) => {
                    let answer = measure(&folder, set.lang, set.others_are_negative, &mut lookalike)?;
                    found.push(Found::new(set, &answer));
                }
                None => absent.push(format!("Not at hand and left out: {}.", set.name)),
            }
        }
        let mut facts = facts::facts();
        facts.extend(lookalike.version().map(|version| ("measured".to_owned(), version)));
        let sections = [sections(&found), absent].concat();
        let bars = found.iter().flat_map(Found::bars).collect();
        let page = Page {
            verb: "copies",
            name: "code",
            facts,
            bars,
            sections,
            numbers: json!(found),
            commands: lookalike.lines,
        };
        page.tell(folder(out, !self.only.is_empty()).as_deref(), json)
    }
}

impl Found {
    fn new(set: &Set, answer: &Answer) -> Self {
        let Answer { pairs, not_compared, .. } = answer;
        let scored: Vec<Scored> = pairs.iter().map(Labelled::scored).collect();
        let published = CONPLAG.iter().find(|(name, ..)| *name == set.name);
        Self {
            name: set.name,
            pairs: scored.len(),
            not_compared: *not_compared,
            copies: scored.iter().filter(|pair| pair.1).count(),
            auc: scored.iter().copied().collect::<Scores>().auc(),
            average_precision: average_precision(&scored),
            best_f1: best(&scored, 1.0),
            floor_auc: set.floor_auc,
            floor_f1: set.floor_f1,
            calibrated: Calibrated::of(answer),
            conplag: published.map(|(_, published, peers)| ConPlag::new(pairs, *published, peers)),
            balanced: (set.name == "irplag").then(|| balanced(&scored, SAMPLE, SAMPLES)).flatten(),
        }
    }

    fn bars(&self) -> Vec<Bar> {
        let share = |least: f64, what: &str, measured: f64| {
            Bar::at_least(least, Unit::Share, format!("{}: {what}", self.name), measured)
        };
        let mut bars = Vec::new();
        if let Some(conplag) = &self.conplag {
            bars.push(share(conplag.published, "F1.5, tuned on the other splits, on test", conplag.test));
            bars.push(share(conplag.published, "F1.5, ten-fold", conplag.ten_fold));
        }
        let mean = self.balanced.map(|(mean, _)| mean);
        bars.extend(mean.map(|mean| share(IRPLAG, "AP of balanced samples", mean)));
        bars.extend(self.floor_auc.map(|floor| share(floor, "AUC, beside the floor", self.auc)));
        bars.extend(self.floor_f1.map(|floor| share(floor, "best F1, beside the floor", self.best_f1.f)));
        bars
    }
}

impl ConPlag {
    fn new(pairs: &[Labelled], published: f64, peers: &'static str) -> Self {
        let split = |choose: &dyn Fn(&str) -> bool| -> Vec<Scored> {
            pairs.iter().filter(|pair| choose(&pair.group)).map(Labelled::scored).collect()
        };
        let tuned = |on: &[Scored], told: &[Scored]| at(told, best(on, BETA).threshold, BETA);
        let train = split(&|name| name == "train");
        let all = split(&|_| true);
        Self {
            test: tuned(&split(&|name| name != "test"), &split(&|name| name == "test")),
            others: (!train.is_empty()).then(|| tuned(&train, &split(&|name| name != "train"))),
            ten_fold: ten_fold(&all, BETA),
            best: best(&all, BETA),
            published,
            peers,
        }
    }
}

fn sections(found: &[Found]) -> Vec<String> {
    let number = |x: f64| format!("{x:.3}");
    let or_dash = |x: Option<f64>| x.map_or("–".to_owned(), number);
    let row = |one: &Found| {
        let counts = [one.pairs, one.copies].map(|count| count.to_string());
        let scores = [one.auc, one.average_precision, one.best_f1.f, one.best_f1.threshold].map(number);
        [
            vec![one.name.to_owned()],
            counts.to_vec(),
            scores.to_vec(),
            vec![or_dash(one.floor_auc), or_dash(one.floor_f1)],
        ]
        .concat()
    };
    let head = ["set", "pairs", "copies", "AUC", "AP", "best F1", "at", "floor AUC", "floor F1"];
    let mut parts = vec![ABOUT.to_owned(), table(&head, &found.iter().map(row).collect::<Vec<_>>())];
    let conplag = |one: &Found| {
        let found = one.conplag.as_ref()?;
        let scores = [number(found.test), or_dash(found.others), number(found.ten_fold), number(found.best.f)];
        Some([vec![one.name.to_owned()], scores.to_vec(), vec![found.peers.to_owned()]].concat())
    };
    let rows: Vec<_> = found.iter().filter_map(conplag).collect();
    if !rows.is_empty() {
        let head = ["set", "on test", "train, on others", "ten-fold", "best", "published"];
        parts.extend([PROTOCOL.to_owned(), table(&head, &rows)]);
    }
    let calibrated: Vec<_> = found.iter().map(|one| (one.name, one.calibrated)).collect();
    parts.extend(calibration::section(&calibrated));
    for one in found.iter().filter(|one| one.not_compared > 0) {
        parts.push(format!(
            "{}: {} pairs of the cohort were too many to be compared and count as 0.",
            one.name, one.not_compared
        ));
    }
    for (one, (mean, spread)) in found.iter().filter_map(|one| Some((one, one.balanced?))) {
        parts.push(format!(
            "## IR-Plag\n\nAverage precision of {SAMPLES} samples of {SAMPLE} pairs, half of them copies: {mean:.3} in the mean, from {:.3} to \
             {:.3}. Over all pairs, of which most are copies: {:.3}. Published, on one such sample: winnowing .747, tiling .698.",
            spread.min, spread.max, one.average_precision
        ));
    }
    parts
}

const ABOUT: &str = "## Labelled programs

Each set is one cohort; a score is the similarity that `lookalike copies` lists with its defaults, and 0 for a pair that it does not list (a
submission with the same tokens as another is listed with that one only, and has its scores). The floor is what a
naive script with exact shingles reaches, its threshold tuned on the same data. AP is the mean precision at the copies.";

const PROTOCOL: &str = "## ConPlag: F1.5

*On test*: the threshold of the other splits, told on the test split. *Ten-fold*: each pair is judged by a threshold found without its tenth. *Best*: the
threshold of the same pairs.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_tune_and_tell() {
        let pair =
            |score, copy, group: &str| Labelled { score, overlap: 0, copy, group: group.to_owned(), repeated: false };
        // the train split puts the threshold at .5; of the test split it finds one copy of two
        let pairs = [
            pair(0.7, true, "train"),
            pair(0.3, false, "train"),
            pair(0.6, true, "test"),
            pair(0.4, true, "test"),
            pair(0.1, false, "test"),
        ];
        let found = ConPlag::new(&pairs, 0.8, "");
        let expected = 3.25 / (3.25 + 2.25);
        assert!((found.test - expected).abs() < 1e-12 && found.others == Some(found.test), "{}", found.test);
        assert!((found.best.f - 1.0).abs() < 1e-12);
        assert_eq!(ConPlag::new(&pairs[2..], 0.8, "").others, None);
    }
}
