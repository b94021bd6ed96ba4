//! `eval memory`: what `--memory` promises. Every verb that reads documents, on a corpus of a gigabyte and on two large documents, held
//! against its cap. Pages of files that are mapped (segments, the program itself) are stated apart: the system takes them back at will.

use crate::cache::Cache;
use crate::command::Lookalike;
use crate::facts;
use crate::generate::{Corpus, Failure, Random, write};
use crate::page::folder;
use crate::table::table;
use anyhow::{Context, Result, bail};
use serde::Serialize;
use serde_json::json;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write, stderr, stdout};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use wait4::Wait4;

#[derive(clap::Args)]
pub(crate) struct Memory {
    /// A hundredth of everything: shows that all works, and is no result
    #[arg(long)]
    quick: bool,
    /// Only commands that contain one of these, with commas between
    #[arg(long, value_name = "TEXT", value_delimiter = ',')]
    only: Vec<String>,
    /// The caps, in MiB
    #[arg(long, value_name = "MIB", value_delimiter = ',', default_values_t = [64, 256, 1024])]
    caps: Vec<u64>,
    /// Seconds that a command may take
    #[arg(long, value_name = "S", default_value_t = 900)]
    limit: u64,
    /// The command to measure [default: lookalike beside this program]
    #[arg(long, value_name = "PATH")]
    lookalike: Option<PathBuf>,
    /// Folder for the corpora [default: lookalike-eval in the user's cache folder]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Folder for the results [default: eval/results; none with --quick]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Documents of the corpus, and words of each: a gigabyte.
const DOCUMENTS: u64 = 380_000;
const WORDS: u32 = 420;
/// Bytes of each of the two documents.
const PAIR_BYTES: usize = 60_000_000;
/// Beside a tenth of the cap, so much may be used.
const SLACK: u64 = 40 << 20;

/// Fingerprints of the file of them, and of the questions to it.
const FINGERPRINTS: u64 = 20_000_000;
const QUESTIONS: u64 = 1_000_000;

/// `DOCS` is the corpus, `A` and `B` the pair, `OUT` something that is not there yet, `INDEX` an index of half the corpus that is made anew each
/// time, `SEEN` and `ASKED` files of fingerprints.
const ON_CORPUS: &[&str] = &[
    "scan DOCS",
    "scan DOCS --estimate",
    "scan DOCS --html OUT",
    "scan DOCS --lens chunks",
    "scan DOCS --lens simhash",
    "scan DOCS --lens simhash --verify",
    "sketch DOCS -o OUT",
    "simhash fingerprint DOCS",
    "simhash idf DOCS -o OUT",
    "index build OUT DOCS",
    "index build OUT DOCS --lens simhash",
    "index build OUT DOCS --lens passages",
    "index add INDEX DOCS",
    "files DOCS",
    "copies DOCS",
];
const ON_FINGERPRINTS: &[&str] = &["simhash near SEEN", "simhash batch SEEN ASKED", "simhash build SEEN -o OUT"];
const ON_PAIR: &[&str] = &[
    "scan A B",
    "scan A B --lens chunks",
    "scan A B --lens simhash",
    "scan A B --lens simhash --verify",
    "compare A B",
    "compare A B --lens simhash",
    "sketch A B -o OUT",
    "simhash fingerprint A B",
    "index build OUT A B",
    "copies A B --lang text",
    "copies A B --lang bytes",
];

/// What became of a command under a cap.
#[derive(Serialize)]
struct Measured {
    command: String,
    cap: u64,
    /// The most that was resident, of it what no file backs, and what mapped files took.
    peak: u64,
    anonymous: u64,
    mapped: u64,
    seconds: f64,
    /// Why it did not work in the cap, in its own words.
    refused: Option<String>,
    within: bool,
}

impl Memory {
    pub(crate) fn run(self) -> Result<()> {
        let program = Lookalike::find(self.lookalike.clone())?.program().to_owned();
        let cache = Cache::open(self.cache.clone())?;
        let part = if self.quick { 100 } else { 1 };
        let corpus = Corpus::new(1, WORDS, 0.3);
        let documents = cache.path(&format!("memory-{}.jsonl", DOCUMENTS / part));
        make(&documents, |out| match write(&corpus, DOCUMENTS / part, out, None) {
            Ok(()) => Ok(()),
            Err(Failure::Documents(error) | Failure::Truth(error)) => Err(error.into()),
        })?;
        let [a, b] = ["a", "b"].map(|name| cache.path(&format!("memory-{part}-{name}.txt")));
        for (path, changed) in [(&a, u64::MAX), (&b, 50)] {
            make(path, |out| pair(&corpus, PAIR_BYTES / part as usize, changed, out))?;
        }
        let half = cache.path(&format!("memory-{}.jsonl", DOCUMENTS / part / 2));
        make(&half, |out| {
            let mut lines = BufReader::new(File::open(&documents)?).lines().take((DOCUMENTS / part / 2) as usize);
            lines.try_for_each(|line| Ok(writeln!(out, "{}", line?)?))
        })?;
        let [seen, asked] = ["seen", "asked"].map(|name| cache.path(&format!("memory-{part}-{name}.u64")));
        for (path, n, seed) in [(&seen, FINGERPRINTS, 1), (&asked, QUESTIONS, 2)] {
            make(path, |out| {
                let mut random = Random::at(seed, 0, 0);
                (0..n / part).try_for_each(|_| Ok(out.write_all(&random.next().to_le_bytes())?))
            })?;
        }
        let [out, index] = ["memory-out", "memory-index"].map(|name| cache.path(name));
        let mut rows = Vec::new();
        for line in ON_CORPUS.iter().chain(ON_FINGERPRINTS).chain(ON_PAIR) {
            if !self.only.is_empty() && !self.only.iter().any(|text| line.contains(text.as_str())) {
                continue;
            }
            let words = line.split(' ').map(|word| match word {
                "DOCS" => documents.as_path(),
                "A" => &a,
                "B" => &b,
                "OUT" => &out,
                "INDEX" => &index,
                "SEEN" => &seen,
                "ASKED" => &asked,
                word => Path::new(word),
            });
            let words: Vec<&Path> = words.collect();
            for cap in &self.caps {
                remove(&out)?;
                if words.contains(&index.as_path()) {
                    remove(&index)?;
                    let built =
                        Command::new(&program).args(["index", "build", "--quiet"]).arg(&index).arg(&half).output()?;
                    if !built.status.success() {
                        bail!("index build: {}", String::from_utf8_lossy(&built.stderr));
                    }
                }
                let measured = self.measure(&program, line, &words, cap << 20)?;
                let Measured { peak, anonymous, refused, .. } = &measured;
                let _ = writeln!(
                    stderr(),
                    "memory: {line}, {cap}M: {} MB, {} MB anonymous, {refused:?}",
                    peak >> 20,
                    anonymous >> 20
                );
                rows.push(measured);
            }
        }
        remove(&out)?;
        remove(&index)?;
        self.tell(&rows)
    }

    fn measure(&self, program: &str, line: &str, words: &[&Path], cap: u64) -> Result<Measured> {
        let said = tempfile::tempfile()?;
        let mut command = Command::new(program);
        command.args(words).arg("--memory").arg(format!("{}M", cap >> 20)).env_remove("LOOKALIKE_KEY");
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(said.try_clone()?);
        let begin = Instant::now();
        let mut child = command.spawn().with_context(|| format!("cannot run {program}"))?;
        let status = format!("/proc/{}/status", child.id());
        let (mut anonymous, mut mapped) = (0, 0);
        let used = loop {
            if let Some(used) = child.try_wait4()? {
                break used;
            }
            if let Ok(text) = fs::read_to_string(&status) {
                anonymous = anonymous.max(field(&text, "RssAnon:"));
                mapped = mapped.max(field(&text, "RssFile:"));
            }
            if begin.elapsed() > Duration::from_secs(self.limit) {
                child.kill()?;
                child.wait()?;
                let refused = Some(format!("not done in {} s", self.limit));
                let (command, seconds) = (line.to_owned(), begin.elapsed().as_secs_f64());
                return Ok(Measured {
                    command,
                    cap,
                    peak: anonymous + mapped,
                    anonymous,
                    mapped,
                    seconds,
                    refused,
                    within: false,
                });
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let refused = match used.status.code() {
            Some(0) => None,
            Some(2) => Some(last_line(said)?),
            _ => bail!("{line}: {}", used.status),
        };
        let (peak, seconds) = (used.rusage.maxrss, begin.elapsed().as_secs_f64());
        let within = anonymous <= cap + cap / 10 + SLACK;
        Ok(Measured { command: line.to_owned(), cap, peak, anonymous, mapped, seconds, refused, within })
    }

    fn tell(&self, rows: &[Measured]) -> Result<()> {
        let megabytes = |bytes: u64| (bytes >> 20).to_string();
        let cells = rows.iter().map(|row| {
            let result = match (&row.refused, row.within) {
                (Some(refused), _) => refused.clone(),
                (None, true) => "within".to_owned(),
                (None, false) => "**exceeded**".to_owned(),
            };
            let numbers = [row.cap, row.anonymous, row.mapped, row.peak].map(megabytes);
            let seconds = format!("{:.1}", row.seconds);
            std::iter::once(row.command.clone()).chain(numbers).chain([seconds, result]).collect::<Vec<String>>()
        });
        let head = ["command", "cap", "anonymous", "mapped", "resident", "seconds", "result"];
        let table = table(&head, &cells.collect::<Vec<_>>());
        let facts = facts::facts();
        let with: Vec<String> = facts.iter().map(|(name, value)| format!("{name} {value}")).collect();
        let text = format!(
            "# Memory, {}\n\nMade by `cargo run --profile dist -p lookalike-eval -- memory`; with {}.\n\nDOCS has {DOCUMENTS} documents in a \
             gigabyte, INDEX the first half of them, SEEN {FINGERPRINTS} and ASKED {QUESTIONS} fingerprints, A and B have {PAIR_BYTES} bytes \
             each and differ in one part of fifty. All in MiB: the most anonymous memory, the most of \
             mapped files (the program, and segments of an index, whose pages the system takes back at will), and the most that was resident. \
             Promised is anonymous memory within a tenth of the cap and 40 MiB. What cannot work in a cap says what it needs.\n\n{table}",
            facts::today(),
            with.join(", ")
        );
        if let Some(folder) = folder(self.out.clone(), self.quick || !self.only.is_empty()) {
            fs::create_dir_all(&folder)?;
            let json = format!("{:#}\n", json!({ "date": facts::today(), "facts": facts, "results": rows }));
            for (form, text) in [("md", &text), ("json", &json)] {
                fs::write(folder.join(format!("{}-memory.{form}", facts::today())), text)?;
            }
        }
        stdout().write_all(text.as_bytes()).context("cannot write to stdout")
    }
}

/// Makes a file unless it is there.
fn make(path: &Path, content: impl FnOnce(&mut BufWriter<File>) -> Result<()>) -> Result<()> {
    if path.exists() {
        return Ok(());
    }
    let begun = path.with_extension("part");
    let mut out = BufWriter::new(File::create(&begun)?);
    content(&mut out)?;
    out.flush()?;
    Ok(fs::rename(begun, path)?)
}

/// One long document; every so many parts of it are others.
fn pair(corpus: &Corpus, bytes: usize, changed: u64, out: &mut dyn Write) -> Result<()> {
    let (mut written, mut at) = (0, 0);
    while written < bytes {
        let text = corpus.text(if at % changed == changed - 1 { u64::from(u32::MAX) + at } else { at });
        writeln!(out, "{text}")?;
        written += text.len() + 1;
        at += 1;
    }
    Ok(())
}

fn remove(path: &Path) -> Result<()> {
    if path.is_dir() {
        fs::remove_dir_all(path)?;
    } else if path.exists() {
        fs::remove_file(path)?;
    }
    Ok(())
}

/// A field of `/proc/PID/status`, in bytes.
fn field(status: &str, name: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) << 10
}

fn last_line(mut said: File) -> Result<String> {
    let text = crate::measure::last_line(&mut said)?;
    // without the folders of this machine
    Ok(text.rsplit('/').next().unwrap_or_default().trim_start_matches("lookalike: error: ").to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_of_a_pair_differs_in_parts() {
        let corpus = Corpus::new(1, 50, 0.3);
        let made = [u64::MAX, 50].map(|changed| {
            let mut out = Vec::new();
            pair(&corpus, 40_000, changed, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        });
        let parts = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let (a, b) = (parts(&made[0]), parts(&made[1]));
        let same = a.iter().filter(|line| b.contains(line)).count();
        assert!(made[0] != made[1] && same * 10 > a.len() * 9, "{same} of {}", a.len());
    }

    #[test]
    fn fields_are_bytes() {
        assert_eq!(field("VmHWM:\t 100 kB\nRssAnon:\t   12 kB\n", "RssAnon:"), 12 << 10);
        assert_eq!(field("", "RssAnon:"), 0);
    }
}
