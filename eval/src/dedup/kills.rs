//! Millions of documents in little memory, killed at random moments and resumed: the same bytes come out, and no step that was finished is
//! done again.

use super::{Common, Findings, note};
use crate::bars::{Bar, Unit};
use crate::cache::Cache;
use crate::command::Lookalike;
use crate::generate::{Corpus, Random};
use crate::numbers::thousands;
use crate::table::table;
use anyhow::{Context, Result, ensure};
use rayon::prelude::*;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant, SystemTime};
use wait4::Wait4;
use xxhash_rust::xxh3::Xxh3;

const SHARDS: u64 = 10;
const SEED: u64 = 1;

#[derive(clap::Args)]
pub(super) struct Kills {
    /// Generated documents
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    docs: u64,
    /// Mean number of words of a document that is no copy
    #[arg(long, value_name = "M", default_value_t = 80)]
    words: u32,
    /// How often a run is killed
    #[arg(long = "kills", value_name = "N", default_value_t = 20)]
    wanted: u32,
    /// What runs are told with --memory
    #[arg(long, value_name = "SIZE", default_value = "2G")]
    memory: String,
    #[command(flatten)]
    pub(super) common: Common,
}

/// One attempt at a run.
struct Attempt {
    seconds: f64,
    cpu: f64,
    peak: u64,
    killed: bool,
    /// Steps that were finished when it began, and when it ended.
    before: usize,
    after: usize,
}

impl Kills {
    pub(super) fn measure(&self, cache: &Cache, lookalike: &mut Lookalike) -> Result<Findings> {
        let documents = if self.common.quick { self.docs / 100 } else { self.docs };
        let corpus = self.corpus(cache, documents)?;
        let scratch = tempfile::Builder::new().prefix("kills").tempdir_in(cache.path(""))?;
        let [whole, killed] = ["whole", "killed"].map(|name| scratch.path().join(name));
        let told = |out: &Path| {
            let words = [corpus.as_path(), Path::new("-o"), out, Path::new("--memory"), Path::new(&self.memory)];
            let words = words.map(|word| word.to_string_lossy().into_owned());
            [vec!["dedup".to_owned()], words.into(), vec!["--resume".to_owned(), "--quiet".to_owned()]].concat()
        };
        let line = told(&killed);
        lookalike.remember(&line.iter().map(String::as_str).collect::<Vec<_>>());
        note("the undisturbed run");
        let undisturbed = attempt(lookalike.program(), &told(&whole), None, &whole)?;
        note(&format!("{:.0} s", undisturbed.seconds));
        // short enough for twenty of them, longer than any step
        let longest = undisturbed.seconds / 2.0;
        let mut random = Random::at(SEED, 3, documents);
        let (mut attempts, mut steps, mut redone) = (Vec::new(), BTreeMap::new(), 0);
        let expected = hashes(&whole)?;
        ensure!(expected.len() as u64 > SHARDS, "the undisturbed run wrote only {expected:?}");
        let (mut kills, mut runs, mut differing) = (0, 0, 0);
        loop {
            let moment = (kills < self.wanted)
                .then(|| Duration::from_secs_f64(longest * f64::from(random.below(1 << 20)) / f64::from(1 << 20)));
            let attempt = attempt(lookalike.program(), &told(&killed), moment, &killed)?;
            let now = finished(&killed);
            // a step that was finished is not made again, as long as the run lasts
            redone += steps.iter().filter(|&(step, made)| now.get(step).is_some_and(|again| again != made)).count();
            note(&format!("attempt {}: {:.1} s, {} steps finished", attempts.len() + 1, attempt.seconds, now.len()));
            steps = now;
            kills += u32::from(attempt.killed);
            attempts.push(attempt);
            if killed.exists() {
                runs += 1;
                let found = hashes(&killed)?;
                let names: BTreeSet<&PathBuf> = expected.keys().chain(found.keys()).collect();
                differing += names.iter().filter(|&&name| expected.get(name) != found.get(name)).count();
                if kills >= self.wanted {
                    break;
                }
                // done before it was killed often enough: once more from the start
                fs::remove_dir_all(&killed)?;
            }
        }
        let peak = attempts.iter().chain([&undisturbed]).map(|attempt| attempt.peak).max().unwrap_or(0);
        let cpu: f64 = attempts.iter().map(|attempt| attempt.cpu).sum();
        let bars = vec![
            Bar::at_least(f64::from(self.wanted), Unit::Count, "kills", f64::from(kills)),
            Bar::at_most(0.0, Unit::Count, "files that differ from the undisturbed run", differing as f64),
            Bar::at_most(0.0, Unit::Count, "finished steps that were made again", f64::from(u32::try_from(redone)?)),
            Bar::at_most(2048.0, Unit::Mebibytes, "peak memory of any run, told 2G", peak as f64 / 1_048_576.0),
        ];
        let rows = attempts.iter().enumerate().map(|(at, attempt)| {
            let Attempt { seconds, cpu, killed, before, after, .. } = attempt;
            let end = if *killed { "killed" } else { "finished" };
            vec![
                (at + 1).to_string(),
                format!("{seconds:.1}"),
                format!("{cpu:.1}"),
                before.to_string(),
                after.to_string(),
                end.to_owned(),
            ]
        });
        let head = ["attempt", "wall s", "CPU s", "steps finished before", "after", ""];
        let section = format!(
            "{} documents in {SHARDS} shards. The undisturbed run took {:.0} s and {:.0} CPU s, {} files; the attempts took {cpu:.0} CPU s \
             for {runs} whole runs. Each was killed (SIGKILL) at a random moment of its first {longest:.0} s, if it was not done before; \
             the last one was not.\n\n{}",
            thousands(documents),
            undisturbed.seconds,
            undisturbed.cpu,
            expected.len(),
            table(&head, &rows.collect::<Vec<_>>())
        );
        let numbers = json!({
            "documents": documents, "undisturbed": { "seconds": undisturbed.seconds, "cpu": undisturbed.cpu, "peak": undisturbed.peak },
            "attempts": attempts.iter().map(|a| json!({ "seconds": a.seconds, "cpu": a.cpu, "peak": a.peak, "killed": a.killed,
                "before": a.before, "after": a.after })).collect::<Vec<_>>(),
        });
        Ok(Findings { bars, sections: vec![section], numbers })
    }

    /// The folder with the shards, made unless it is there.
    fn corpus(&self, cache: &Cache, documents: u64) -> Result<PathBuf> {
        let folder = cache.path(&format!("generated-{documents}-{}", self.words));
        if folder.exists() {
            return Ok(folder);
        }
        note(&format!("making {} documents", thousands(documents)));
        let partial = folder.with_extension("partial");
        fs::create_dir_all(&partial)?;
        let corpus = Corpus::new(SEED, self.words, 0.3);
        (0..SHARDS).into_par_iter().try_for_each(|shard| {
            let mut out = BufWriter::new(File::create(partial.join(format!("shard-{shard}.jsonl")))?);
            let mut line = Vec::new();
            for document in documents * shard / SHARDS..documents * (shard + 1) / SHARDS {
                line.clear();
                corpus.line(document, &mut line);
                out.write_all(&line)?;
            }
            anyhow::Ok(out.flush()?)
        })?;
        fs::rename(&partial, &folder)?;
        Ok(folder)
    }
}

/// Runs the command until it ends or, if a moment is told, until it is killed then.
fn attempt(program: &str, told: &[String], moment: Option<Duration>, out: &Path) -> Result<Attempt> {
    let before = finished(out).len();
    let mut said = tempfile::tempfile()?;
    let mut command = Command::new(program);
    command.args(told).stdin(Stdio::null()).stdout(Stdio::null()).stderr(said.try_clone()?);
    let begin = Instant::now();
    let mut child = command.spawn().with_context(|| format!("cannot run {program}"))?;
    let mut killed = false;
    let used = loop {
        if let Some(used) = child.try_wait4()? {
            break used;
        }
        if !killed && moment.is_some_and(|moment| begin.elapsed() >= moment) {
            child.kill()?;
            killed = true;
        }
        std::thread::sleep(Duration::from_millis(2));
    };
    let ended = used.status.success();
    ensure!(ended || killed, "{}: {}", used.status, crate::measure::last_line(&mut said)?);
    let cpu = (used.rusage.utime + used.rusage.stime).as_secs_f64();
    let seconds = begin.elapsed().as_secs_f64();
    let after = finished(out).len();
    Ok(Attempt { seconds, cpu, peak: used.rusage.maxrss, killed: !ended, before, after })
}

/// The finished steps of a run that is not finished, and when each was.
fn finished(out: &Path) -> BTreeMap<PathBuf, SystemTime> {
    let partial = out.with_extension("partial");
    let steps = fs::read_dir(partial.join("work")).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path()));
    let steps = steps.filter(|path| path.extension().is_some_and(|extension| extension == "step"));
    steps.filter_map(|path| Some((path.clone(), fs::metadata(&path).ok()?.modified().ok()?))).collect()
}

/// Every file of a folder by its name, and a hash of its bytes.
fn hashes(folder: &Path) -> Result<BTreeMap<PathBuf, u128>> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    let mut buffer = vec![0; 1 << 20];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(&next).with_context(|| format!("cannot read {}", next.display()))? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let (mut file, mut hash) = (File::open(&path)?, Xxh3::new());
            loop {
                match file.read(&mut buffer)? {
                    0 => break,
                    read => hash.update(&buffer[..read]),
                }
            }
            found.insert(path.strip_prefix(folder)?.to_owned(), hash.digest128());
        }
    }
    Ok(found)
}
