//! `eval copies hostile`: input that breaks others. Time and memory are bounded, and the report is sane.

use super::note;
use super::report;
use crate::bars::{Bar, Unit};
use crate::cache::Cache;
use crate::command::Lookalike;
use crate::facts;
use crate::generate::Random;
use crate::measure::Usage;
use crate::numbers::{number, thousands};
use crate::page::{Page, folder};
use crate::table::table;
use anyhow::Result;
use serde::Serialize;
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub(crate) struct Hostile {
    /// A hundredth of everything: shows that all works, and is no result
    #[arg(long)]
    quick: bool,
    /// Only these inputs, with commas between
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// The command to measure [default: lookalike beside this program]
    #[arg(long, value_name = "PATH")]
    lookalike: Option<PathBuf>,
    /// Folder for the files [default: lookalike-eval in the user's cache folder]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Folder for the results [default: eval/results; none with --quick or --only]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// Bounds that are promised: seconds and bytes.
const SECONDS: f64 = 120.0;
const MEBIBYTES: f64 = 2048.0;
const SEED: u64 = 9;

/// An input: its name, its file's ending, how large it is, and what makes it of a size and a number.
struct Input {
    name: &'static str,
    ending: &'static str,
    size: usize,
    make: fn(usize, u64) -> String,
    /// How many files of the same there are at once; else one, and then two that differ in their last lines.
    copies: Option<usize>,
    /// It has so few tokens that there is nothing to be found.
    short: bool,
}

const fn input(name: &'static str, ending: &'static str, size: usize, make: fn(usize, u64) -> String) -> Input {
    Input { name, ending, size, make, copies: None, short: false }
}

const INPUTS: [Input; 7] = [
    Input { short: true, ..input("equal characters, code", "py", 100_000, equal) },
    Input { short: true, ..input("equal characters, prose", "txt", 100_000, equal) },
    input("equal words", "txt", 100_000, |size, number| "word ".repeat(size) + &tail(number)),
    input("minified script", "js", 50_000_000, minified),
    input("a million lines", "py", 1_000_000, lines),
    input("deep nesting", "js", 5_000, nested),
    Input { copies: Some(10_000), ..input("copies of one file", "py", 100, lines) },
];

fn tail(number: u64) -> String {
    format!("\nx{number} = {number}\n")
}

fn equal(size: usize, number: u64) -> String {
    "a".repeat(size) + &tail(number)
}

fn nested(size: usize, number: u64) -> String {
    format!("f({}0{});{}", "g([".repeat(size), "])".repeat(size), tail(number))
}

/// Statements such as a compiler leaves, on one line, of so many bytes.
fn minified(size: usize, number: u64) -> String {
    let mut random = Random::at(SEED, 0, 0);
    let mut text = String::with_capacity(size + 100);
    while text.len() < size {
        let [a, b, c] = [26, 26, 1000].map(|most| random.below(most));
        let (a, b) = (char::from(b'a' + a as u8), char::from(b'a' + b as u8));
        let statement = match random.below(4) {
            0 => format!("function {a}{c}({b}){{return {b}*{c}}}"),
            1 => format!("var {a}{b}={c},{b}=[{c},{a}];"),
            2 => format!("if({a}>{c}){{{b}({a},\"{c}\")}}else {a}={b}.{a}[{c}];"),
            _ => format!("for(var {a}=0;{a}<{c};{a}++){b}[{a}]+={c};"),
        };
        text.push_str(&statement);
    }
    text + &tail(number)
}

/// So many lines, few of them alike in a row.
fn lines(size: usize, number: u64) -> String {
    let mut random = Random::at(SEED, 1, 0);
    let line = |at: usize| match random.below(3) {
        0 => format!("value_{at} = other({}, {at})\n", random.below(100)),
        1 => format!("if value_{at}: print(\"{}\")\n", random.below(100)),
        _ => format!("def f{at}(x): return x + {}\n", random.below(100)),
    };
    (0..size).map(line).collect::<String>() + &tail(number)
}

/// What was measured on one input.
#[derive(Serialize)]
struct Found {
    name: String,
    files: usize,
    usage: Option<Usage>,
    submissions: usize,
    pairs: u64,
    highest: f64,
    /// Nothing if the report is sane.
    fault: Option<String>,
}

impl Hostile {
    pub(crate) fn run(self) -> Result<()> {
        let cache = Cache::open(self.cache)?;
        let mut lookalike = Lookalike::find(self.lookalike)?;
        let mut found = Vec::new();
        let wanted = |input: &&Input| self.only.is_empty() || self.only.iter().any(|name| name == input.name);
        for input in INPUTS.iter().filter(wanted) {
            let counts = input.copies.map_or(vec![1, 2], |copies| vec![if self.quick { copies / 100 } else { copies }]);
            let size = if self.quick && input.copies.is_none() { input.size / 100 } else { input.size };
            for files in counts {
                note(&format!("{}, {files} files", input.name));
                let beside = tempfile::tempdir_in(cache.path(""))?;
                for number in 0..files {
                    // copies are the same to the last byte
                    let number_in = if input.copies.is_some() { 0 } else { number as u64 };
                    let path = beside.path().join(format!("{number}.{}", input.ending));
                    fs::write(path, (input.make)(size, number_in))?;
                }
                found.push(measure(input, files, beside.path(), &mut lookalike)?);
            }
        }
        let mut facts = facts::facts();
        facts.extend(lookalike.version().map(|version| ("measured".to_owned(), version)));
        let page = Page {
            verb: "copies",
            name: "hostile",
            facts,
            bars: found.iter().flat_map(Found::bars).collect(),
            sections: section(&found),
            numbers: json!(found),
            commands: vec!["lookalike copies -q --json -o REPORT FOLDER".to_owned()],
        };
        page.tell(folder(self.out, self.quick || !self.only.is_empty()).as_deref(), self.json)
    }
}

/// A run that fails is a finding, not an end.
fn measure(input: &Input, files: usize, folder: &Path, lookalike: &mut Lookalike) -> Result<Found> {
    let report = tempfile::NamedTempFile::new()?;
    let (path, folder) = (report.path().to_string_lossy(), folder.to_string_lossy());
    let used = lookalike.measured(&["copies", "-q", "--json", "-o", &path, &folder]);
    let mut found = Found {
        name: input.name.to_owned(),
        files,
        usage: used.as_ref().ok().copied(),
        submissions: 0,
        pairs: 0,
        highest: 0.0,
        fault: used.err().map(|error| format!("{error:#}")),
    };
    if found.fault.is_none() {
        match report::read(report.path()) {
            Ok(report) => found.look(&report, input.short),
            Err(error) => found.fault = Some(format!("{error:#}")),
        }
    }
    Ok(found)
}

impl Found {
    fn look(&mut self, report: &report::Report, short: bool) {
        self.submissions = report.submissions.len();
        self.pairs = report.pairs_all;
        self.highest = report.pairs.first().map_or(0.0, |pair| pair.similarity);
        self.fault = report.fault();
        let missing = self.submissions != self.files;
        let blind = self.files > 1 && !short && self.highest < 0.9;
        if self.fault.is_none() && missing {
            self.fault = Some(format!("{} submissions of {}", self.submissions, self.files));
        } else if self.fault.is_none() && blind {
            self.fault = Some("copies are not found".to_owned());
        }
    }

    fn bars(&self) -> Vec<Bar> {
        let what = |what: &str| match self.files {
            1 => format!("{}: {what}", self.name),
            files => format!("{}, {} files: {what}", self.name, thousands(files as u64)),
        };
        let faults = f64::from(u8::from(self.fault.is_some()));
        let mut bars = vec![Bar::at_most(0.0, Unit::Count, what("faults of the report"), faults)];
        if let Some(usage) = self.usage {
            bars.push(Bar::at_most(SECONDS, Unit::Seconds, what("wall time"), usage.wall));
            bars.push(Bar::at_most(MEBIBYTES, Unit::Mebibytes, what("peak memory"), (usage.peak >> 20) as f64));
        }
        bars
    }
}

fn section(found: &[Found]) -> Vec<String> {
    let row = |one: &Found| {
        let usage = |text: &dyn Fn(Usage) -> String| one.usage.map_or("–".to_owned(), text);
        vec![
            one.name.clone(),
            thousands(one.files as u64),
            usage(&|usage| number(usage.wall)),
            usage(&|usage| number(usage.cpu)),
            usage(&|usage| (usage.peak >> 20).to_string()),
            thousands(one.submissions as u64),
            thousands(one.pairs),
            format!("{:.3}", one.highest),
            one.fault.clone().unwrap_or_else(|| "sane".to_owned()),
        ]
    };
    let head = ["input", "files", "wall s", "CPU s", "peak MiB", "submissions", "pairs", "highest", "report"];
    let about = "## Hostile input\n\nA report is sane if all submissions are in it, similarities are shares in order, and two files that differ in their last line are found, if they have the tokens of a passage.";
    vec![about.to_owned(), table(&head, &found.iter().map(row).collect::<Vec<_>>())]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_as_large_as_told() {
        assert_eq!(lines(50, 0).lines().count(), 52);
        assert!((3_000..3_200).contains(&minified(3_000, 0).len()) && minified(3_000, 0).lines().count() == 2);
        assert_eq!(nested(5, 0).matches("g([").count(), 5);
        for input in &INPUTS {
            assert_ne!((input.make)(10, 0), (input.make)(10, 1), "{}", input.name);
        }
    }

    #[test]
    fn a_report_without_the_copy_is_not_sane() {
        let look = |files: usize, pairs: &str| {
            let text = format!(
                r#"{{"submissions": [{{"name": "a"}}, {{"name": "b"}}], "pairs": [{pairs}], "pairs_all": 1, "calibration": {{"threshold": 0.5, "table": []}}}}"#
            );
            let usage = Some(Usage { cpu: 1.0, wall: 1.0, peak: 1 });
            let mut found =
                Found { name: String::new(), files, usage, submissions: 0, pairs: 0, highest: 0.0, fault: None };
            found.look(&serde_json::from_str(&text).unwrap(), false);
            found.bars().iter().all(Bar::is_met)
        };
        let pair = r#"{"a": 0, "b": 1, "similarity": 0.99}"#;
        assert!(look(2, pair));
        assert!(!look(2, "") && !look(3, pair));
    }
}
