//! `eval relations`: what `compare` says two documents are to each other, held against pairs that were made to be just that.

mod cost;
mod hidden;
mod labelled;
mod pairs;

use crate::bars::{Bar, Unit};
use crate::command::Lookalike;
use crate::common::Common;
use crate::facts;
use crate::generate::{Random, Vocabulary, compose, render};
use crate::numbers::share;
use crate::page::{Page, folder};
use crate::table::table;
use anyhow::{Context, Result, ensure};
use pairs::{Pair, WAYS, make};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Shares of pairs that are called what they are.
const BAR: f64 = 0.95;
/// What a relation may be called: in this order.
const RELATIONS: [&str; 10] = [
    "identical",
    "same-text",
    "small-errors",
    "version",
    "a-in-b",
    "b-in-a",
    "passages",
    "template",
    "unrelated",
    "too-little",
];
/// No words of one are in the other.
const NO_COPY: [&str; 3] = ["template", "unrelated", "too-little"];
/// Words of a document: with fewer a tenth of it is nothing, with more a run takes long.
const WORDS: std::ops::Range<usize> = 400..1500;

/// Texts of one origin that pairs are made of; of fewer none are.
const MIN_TEXTS: usize = 200;

#[derive(clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct Relations {
    #[command(subcommand)]
    part: Option<Part>,
    /// JSONL files with `id` and `text`: pairs are made of their texts too, and random pairs drawn; those of a `labels.tsv` beside are told
    #[arg(value_name = "PATH")]
    corpora: Vec<PathBuf>,
    /// Pairs of each way
    #[arg(long, value_name = "N", default_value_t = 100)]
    pairs: u64,
    /// Random pairs
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    random: u64,
    /// Documents with noise that are hidden among others, for `scan --lens all`; 0 for none
    #[arg(long, value_name = "N", default_value_t = 1000)]
    hidden: u64,
    /// The others
    #[arg(long, value_name = "N", default_value_t = 100_000)]
    among: u64,
    /// The command to measure [default: lookalike beside this program]
    #[arg(long, value_name = "PATH")]
    lookalike: Option<PathBuf>,
    /// Folder for the results [default: eval/results in the project]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

#[derive(clap::Subcommand)]
enum Part {
    /// What `scan --lens all` costs, beside a scan by each lens
    Cost {
        /// Pages of Debian's documentation
        #[arg(long, value_name = "N", default_value_t = 50_000)]
        pages: usize,
        /// How often each scan runs
        #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u8).range(1..))]
        rounds: u8,
        #[command(flatten)]
        common: Common,
    },
}

/// Where texts come from, and they.
struct Origin {
    name: String,
    /// None if they are generated.
    path: Option<PathBuf>,
    texts: Vec<String>,
}

/// What was found on the texts of one origin.
#[derive(Serialize)]
struct Found {
    name: String,
    texts: usize,
    /// By what was expected and how it was made: what it was called, and how often.
    counts: BTreeMap<String, BTreeMap<String, u64>>,
    random: BTreeMap<String, u64>,
    /// Random pairs that were called copies.
    copies: Vec<String>,
    /// By the label that people gave: what a pair was called, and how often.
    labelled: BTreeMap<String, BTreeMap<String, u64>>,
}

impl Relations {
    pub(crate) fn run(self) -> Result<()> {
        if let Some(Part::Cost { pages, rounds, common }) = self.part {
            let (pages, rounds) = if common.quick { (pages / 50, 1) } else { (pages, rounds.into()) };
            return common.tell("relations", "cost", |cache, lookalike| cost::measure(cache, lookalike, pages, rounds));
        }
        let mut lookalike = Lookalike::find(self.lookalike.clone())?;
        let mut origins = vec![Origin::generated()];
        origins.extend(self.corpora.iter().map(|path| Origin::read(path)).collect::<Result<Vec<_>>>()?);
        let found = origins.iter().map(|texts| self.measure(texts, &lookalike)).collect::<Result<Vec<_>>>()?;
        let mut facts = facts::facts();
        facts.extend(lookalike.version().map(|version| ("measured".to_owned(), version)));
        let hidden = (self.hidden > 0).then(|| hidden::measure(self.hidden, self.among, &mut lookalike)).transpose()?;
        let bars = found.iter().flat_map(Found::bars).chain(hidden.iter().flat_map(hidden::Hidden::bars)).collect();
        let sections =
            found.iter().flat_map(Found::sections).chain(hidden.iter().map(hidden::Hidden::section)).collect();
        let commands = ["lookalike compare a.txt b.txt --json", "lookalike scan --lens all hidden.jsonl --json"]
            .map(str::to_owned)
            .to_vec();
        let page = Page {
            verb: "relations",
            name: "",
            facts,
            bars,
            sections,
            numbers: json!({ "pairs": found, "hidden": hidden }),
            commands,
        };
        page.tell(folder(self.out, false).as_deref(), self.json)
    }

    fn measure(&self, origin: &Origin, lookalike: &Lookalike) -> Result<Found> {
        let texts = &origin.texts;
        let labelled =
            origin.path.as_ref().map(|path| labelled::measure(path, lookalike)).transpose()?.unwrap_or_default();
        if texts.is_empty() {
            let (counts, random, copies) = (BTreeMap::new(), BTreeMap::new(), Vec::new());
            return Ok(Found { name: origin.name.clone(), texts: 0, counts, random, copies, labelled });
        }
        let made = (0..WAYS.len() as u64 * self.pairs).into_par_iter().map(|number| {
            let mut random = Random::at(27, 1, number);
            let [text, others @ ..] = different(texts, &mut random);
            let pair = make((number / self.pairs) as usize, text, others, &mut random);
            let called = called(&pair.a, &pair.b, lookalike)?;
            Ok((pair, called))
        });
        let mut counts: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
        for (Pair { expected, made, .. }, called) in made.collect::<Result<Vec<_>>>()? {
            *counts.entry(format!("{expected}: {made}")).or_default().entry(called).or_default() += 1;
        }
        let random = (0..self.random).into_par_iter().map(|number| {
            let mut random = Random::at(27, 2, number);
            let [a, b, ..] = different(texts, &mut random);
            let called = called(&(a.to_owned(), "txt"), &(b.to_owned(), "txt"), lookalike)?;
            let begin = |text: &str| text.chars().take(60).collect::<String>();
            let copy =
                (!NO_COPY.contains(&called.as_str())).then(|| format!("{called}: {:?}, {:?}", begin(a), begin(b)));
            Ok((called, copy))
        });
        let (mut calls, mut copies) = (BTreeMap::new(), Vec::new());
        for (called, copy) in random.collect::<Result<Vec<_>>>()? {
            *calls.entry(called).or_default() += 1;
            copies.extend(copy);
        }
        Ok(Found { name: origin.name.clone(), texts: texts.len(), counts, random: calls, copies, labelled })
    }
}

/// Four different texts.
fn different<'a>(texts: &'a [String], random: &mut Random) -> [&'a str; 4] {
    let mut taken = [usize::MAX; 4];
    for at in 0..4 {
        taken[at] = loop {
            let text = random.below(texts.len() as u32) as usize;
            if !taken[..at].contains(&text) {
                break text;
            }
        };
    }
    taken.map(|at| texts[at].as_str())
}

/// What the command calls two documents.
fn called(a: &(String, &str), b: &(String, &str), lookalike: &Lookalike) -> Result<String> {
    #[derive(Deserialize)]
    struct Answer {
        relation: String,
    }
    let folder = tempfile::tempdir()?;
    let write = |name: &str, (text, extension): &(String, &str)| {
        let path = folder.path().join(format!("{name}.{extension}"));
        fs::write(&path, text).map(|()| path.to_string_lossy().into_owned())
    };
    let output = lookalike.asked(&["compare", &write("a", a)?, &write("b", b)?, "--json"])?;
    ensure!(output.status.success(), "compare: {}", String::from_utf8_lossy(&output.stderr));
    let answer: Answer = serde_json::from_slice(&output.stdout).context("compare does not say a relation")?;
    Ok(answer.relation)
}

impl Origin {
    fn generated() -> Self {
        let vocabulary = Vocabulary::new(27);
        let text = |number: u64| {
            let mut random = Random::at(27, 3, number);
            let (mut tokens, mut out) = (Vec::new(), Vec::new());
            let words = WORDS.start as u32 + random.below((WORDS.end - WORDS.start) as u32);
            compose(&vocabulary, &mut random, words, &mut tokens);
            render(&vocabulary, &tokens, "\n\n", &mut out);
            String::from_utf8_lossy(&out).into_owned()
        };
        Self { name: "generated".into(), path: None, texts: (0..2000).map(text).collect() }
    }

    /// Texts of a fitting length, each once.
    fn read(path: &Path) -> Result<Self> {
        #[derive(Deserialize)]
        struct Row {
            text: String,
        }
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut texts = Vec::new();
        for line in BufReader::new(file).lines() {
            let Row { text } = serde_json::from_str(&line?).with_context(|| path.display().to_string())?;
            // paragraphs may be lines
            let text = if text.contains("\n\n") { text } else { text.replace('\n', "\n\n") };
            let paragraphs = text.split("\n\n").filter(|part| !part.trim().is_empty()).count();
            if WORDS.contains(&text.split_whitespace().count()) && paragraphs >= 5 {
                texts.push(text);
            }
        }
        texts.sort_unstable();
        texts.dedup();
        // of few texts of that length only pairs that people labelled are told
        if texts.len() < MIN_TEXTS {
            texts.clear();
        }
        let named = path.parent().filter(|_| path.ends_with("docs.jsonl")).unwrap_or(path);
        let name = named.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Self { name, path: Some(path.to_owned()), texts })
    }
}

impl Found {
    fn is_generated(&self) -> bool {
        self.name == "generated"
    }

    /// Pairs that are called what they are, and all; paraphrase is none of the relations.
    fn right(&self) -> (u64, u64) {
        let rows = self.counts.iter().filter_map(|(way, called)| Some((way.split_once(':')?.0, called)));
        rows.filter(|(expected, _)| *expected != "paraphrase").fold((0, 0), |(right, all), (expected, called)| {
            (right + called.get(expected).unwrap_or(&0), all + called.values().sum::<u64>())
        })
    }

    fn bars(&self) -> Vec<Bar> {
        let (right, all) = self.right();
        if all == 0 {
            return Vec::new();
        }
        let mut bars = vec![Bar::at_least(
            BAR,
            Unit::Share,
            format!("{}: pairs called what they are", self.name),
            share(right as usize, all as usize),
        )];
        let random = self.random.values().sum::<u64>();
        if self.is_generated() {
            let what = format!("{}: of {random} random pairs, called copies", self.name);
            bars.push(Bar::at_most(0.0, Unit::Count, what, self.copies.len() as f64));
        }
        bars
    }

    fn sections(&self) -> Vec<String> {
        let about = format!(
            "## {}\n\nOf {} texts. Rows: how a pair was made; columns: what `compare` called it. A paraphrase is no relation of its own.",
            self.name, self.texts
        );
        let mut header = vec!["made as"];
        header.extend(RELATIONS);
        let row = |(name, called): (String, &BTreeMap<String, u64>)| {
            let cell = |relation: &&str| called.get(*relation).map_or_else(String::new, u64::to_string);
            std::iter::once(name).chain(RELATIONS.iter().map(cell)).collect::<Vec<_>>()
        };
        let mut rows: Vec<Vec<String>> = WAYS
            .iter()
            .map(|(expected, made)| format!("{expected}: {made}"))
            .filter_map(|way| self.counts.get_key_value(&way).map(|(way, called)| row((way.clone(), called))))
            .collect();
        if !self.random.is_empty() {
            rows.push(row(("random pairs".to_owned(), &self.random)));
        }
        rows.extend(self.labelled.iter().map(|(label, called)| row((format!("labelled {label}"), called))));
        let mut sections = vec![about, table(&header, &rows)];
        if !self.copies.is_empty() {
            let some = self.copies.iter().take(10).map(|copy| format!("- {copy}")).collect::<Vec<_>>().join("\n");
            sections.push(format!("Random pairs called copies, {} in all:\n\n{some}", self.copies.len()));
        }
        sections
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_makes_a_pair_and_the_same_again() {
        let texts = Origin::generated().texts;
        for (way, (expected, _)) in WAYS.iter().enumerate() {
            let pair = || {
                let mut random = Random::at(1, 2, 3);
                let [text, others @ ..] = different(&texts, &mut random);
                make(way, text, others, &mut random)
            };
            let (once, again) = (pair(), pair());
            assert_eq!((&once.a, &once.b), (&again.a, &again.b));
            assert_eq!(once.a.0 == once.b.0, *expected == "identical", "{expected}");
        }
    }

    #[test]
    fn paraphrases_do_not_count() {
        let calls = |name: &str, n: u64| BTreeMap::from([(name.to_owned(), n)]);
        let counts = BTreeMap::from([
            ("version: x".to_owned(), calls("version", 3)),
            ("template: x".to_owned(), calls("unrelated", 1)),
            ("paraphrase: x".to_owned(), calls("unrelated", 9)),
        ]);
        let found = Found {
            name: "generated".into(),
            texts: 2,
            counts,
            random: calls("unrelated", 5),
            copies: vec![],
            labelled: BTreeMap::new(),
        };
        assert_eq!(found.right(), (3, 4));
    }
}
