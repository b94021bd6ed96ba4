//! `eval python`: what the wheel promises. Its `dedup` beside the command's, its fingerprints beside FAISS and `PyPI` simhash, its size and
//! how long it takes to import.

use crate::bars::{Bar, Unit};
use crate::cache::Cache;
use crate::command::Lookalike;
use crate::common::Common;
use crate::facts;
use crate::measure::{Job, Usage, run};
use crate::numbers::median;
use crate::page::{Page, folder};
use crate::speed::{peers, task, tools};
use anyhow::Result;
use serde_json::{Value, json};
use std::fs;
use std::io::{Write, stderr};
use std::path::PathBuf;
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_hours(1);
const IMPORTS: usize = 15;

#[derive(clap::Args)]
pub(crate) struct Python {
    /// The wheel, built with `maturin build --profile dist`
    #[arg(long, value_name = "FILE")]
    wheel: PathBuf,
    /// How often dedup runs, in turn with the command
    #[arg(long, value_name = "N", default_value_t = 2)]
    rounds: u8,
    /// Packages that do the same as dedup, each once: rensa, datasketch, text-dedup
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    peers: Vec<String>,
    #[command(flatten)]
    common: Common,
}

/// Where the parts run.
struct Bench {
    python: String,
    script: String,
    answer: PathBuf,
}

impl Bench {
    fn run(&self, words: &[&str]) -> Result<(Value, Usage)> {
        let _ = writeln!(stderr(), "python: {}", words.join(" "));
        let answer = self.answer.to_string_lossy();
        let job = Job::new(&*self.python, &[&[&*self.script, words[0], &answer], &words[1..]].concat());
        let used = run(&job.with_env("PYTHONDONTWRITEBYTECODE", "1"), LIMIT)?;
        Ok((serde_json::from_slice(&fs::read(&self.answer)?)?, used))
    }
}

impl Python {
    pub(crate) fn run(self) -> Result<()> {
        let cache = Cache::open(self.common.cache.clone())?;
        let mut lookalike = Lookalike::find(self.common.lookalike.clone())?;
        let (name, fingerprints) = if self.common.quick { ("text5k", "100000") } else { ("text250k", "10000000") };
        task::corpus(&cache, name)?;
        let bench = Bench {
            python: tools::python(&cache, "venv-python", &peers::folder().join("requirements-python.txt"))?,
            script: peers::folder().join("run_python.py").to_string_lossy().into_owned(),
            answer: cache.path("python.json"),
        };
        tools::wheel(&bench.python, &self.wheel)?;
        let (jsonl, parquet) = (cache.text(&format!("{name}.jsonl")), tools::parquet(&cache, name)?);
        let (mut ratios, mut wheels) = (Vec::new(), Vec::new());
        let (mut beside, mut dedup) = (0.0f64, Value::Null);
        for _ in 0..self.rounds {
            let out = cache.path("python-out");
            let _ = fs::remove_dir_all(&out);
            let ours = lookalike.measured(&["dedup", &parquet, "-o", &out.to_string_lossy(), "--quiet"])?;
            let (found, used) = bench.run(&["dedup", &parquet])?;
            fs::remove_dir_all(&out)?;
            ratios.push(used.cpu / ours.cpu);
            wheels.push(used.cpu);
            beside = beside.max(found["beside"].as_f64().unwrap_or(f64::MAX));
            dedup = json!({ "command": ours, "wheel": used, "found": found });
        }
        let peers = peers_cpu(&cache, &self.peers, &parquet)?;
        let rate = |value: &Value| value["rate"].as_f64().unwrap_or(0.0);
        let (ours, _) = bench.run(&["ours", fingerprints, "20000"])?;
        let (faiss, _) = bench.run(&["faiss", fingerprints, "1000"])?;
        let texts = if self.common.quick { "5000" } else { "100000" };
        let (simhash, _) = bench.run(&["simhash", &jsonl, texts])?;
        let (theirs, _) = bench.run(&["theirs", &jsonl, texts])?;
        let import = import(&bench)?;
        let bytes = fs::metadata(&self.wheel)?.len() as f64;
        let mut bars = vec![
            Bar::at_most(1.15, Unit::Times, "dedup(table): CPU time in units of the command's", median(ratios.clone())),
            Bar::at_most(400.0, Unit::Mebibytes, "dedup(table): memory beside the table", beside / 1_048_576.0),
            Bar::at_least(
                50.0,
                Unit::Times,
                "HammingIndex: queries a CPU second, beside FAISS",
                rate(&ours) / rate(&faiss),
            ),
            Bar::at_least(1.0, Unit::Share, "HammingIndex: recall", ours["recall"].as_f64().unwrap_or(0.0)),
            Bar::at_least(
                50.0,
                Unit::Times,
                "simhash: texts a CPU second, beside PyPI",
                rate(&simhash) / rate(&theirs),
            ),
            Bar::at_most(60.0, Unit::Milliseconds, "import lookalike", import),
            Bar::at_most(30.0, Unit::Mebibytes, "the wheel", bytes / 1_048_576.0),
        ];
        for (peer, cpu) in &peers {
            let what = format!("dedup(table): CPU time of {peer}, in units of ours");
            bars.push(Bar::at_least(5.0, Unit::Times, what, cpu / median(wheels.clone())));
        }
        let numbers = json!({
            "dedup": dedup, "peers": peers, "ratios": ratios, "hamming": { "ours": ours, "faiss": faiss },
            "simhash": { "ours": simhash, "theirs": theirs }, "import_ms": import, "wheel_bytes": bytes,
        });
        let commands = lookalike.lines;
        let page =
            Page { verb: "python", name: "", facts: facts::facts(), bars, sections: Vec::new(), numbers, commands };
        page.tell(folder(self.common.out, self.common.quick).as_deref(), self.common.json)
    }
}

/// CPU seconds of packages that find the same documents in the same file.
fn peers_cpu(cache: &Cache, packages: &[String], parquet: &str) -> Result<Vec<(String, f64)>> {
    let mut all = Vec::new();
    for package in packages {
        let (environment, requirements) = peers::environment(package);
        let python = tools::python(cache, environment, &peers::folder().join(requirements))?;
        let script = peers::folder().join(format!("run_{}.py", package.replace('-', "_")));
        let _ = writeln!(stderr(), "python: {package}");
        let job = Job::new(python, &[&*script.to_string_lossy(), parquet, &cache.text("python-peer")]);
        let job = ["DO_NOT_TRACK", "HF_HUB_OFFLINE"].iter().fold(job, |job, name| job.with_env(name, "1"));
        all.push((format!("{package} {}", peers::version(package)), run(&job, LIMIT)?.cpu));
    }
    Ok(all)
}

/// Milliseconds that the import adds to starting Python, in the median.
fn import(bench: &Bench) -> Result<f64> {
    let timed = |code: &str| -> Result<f64> {
        let begin = Instant::now();
        run(&Job::new(&*bench.python, &["-c", code]), LIMIT)?;
        Ok(begin.elapsed().as_secs_f64() * 1000.0)
    };
    let mut added = Vec::new();
    for _ in 0..IMPORTS {
        let empty = timed("pass")?;
        added.push(timed("import lookalike")? - empty);
    }
    Ok(median(added))
}
