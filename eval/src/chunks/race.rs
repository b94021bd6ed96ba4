//! How fast bytes in memory become hashed chunks on one core: TTTD beside `FastCDC` with the same mean and the same hash.

use super::fast::{Fast, NEAR, Setting};
use super::{Scale, tree};
use crate::bars::{Bar, Unit};
use crate::generate::Random;
use crate::numbers::{Spread, number, thousands};
use crate::table::table;
use anyhow::{Context, Result};
use cpu_time::ThreadTime;
use lookalike_core::chunk::{Chunker, Parameters};
use serde::{Deserialize, Serialize};
use std::fs;
use std::hint::black_box;
use std::path::PathBuf;

/// Means that are asked of TTTD. The bar is at this one.
const BAR: u32 = 1000;
const MEANS: [u32; 4] = [100, BAR, 5000, 8192];
/// `FastCDC` is tuned on so many stretches of the input, spread over all of it, of so many bytes.
const STRETCHES: usize = 64;
const STRETCH: usize = 512 << 10;
/// How often the result is held against the whole input and tuned again.
const TRIES: usize = 3;

/// One input at one mean.
#[derive(Serialize, Deserialize)]
pub(super) struct Race {
    input: String,
    bytes: u64,
    mean: u32,
    tttd: Runner,
    rivals: Vec<Runner>,
}

/// One chunker, in all rounds.
#[derive(Serialize, Deserialize)]
struct Runner {
    name: String,
    parameters: String,
    /// The mean that it delivers.
    mean: f64,
    /// CPU seconds of each round.
    seconds: Vec<f64>,
}

/// Runs all of them in this process, which then holds much memory: see `task.rs`.
pub(super) fn measure(trees: &[PathBuf], scale: Scale, rounds: usize) -> Result<Vec<Race>> {
    let html = concatenated(trees, scale.bytes)?;
    let random = random(scale.bytes);
    let mut races = Vec::new();
    for (input, data) in [("HTML", &html), ("random bytes", &random)] {
        for mean in MEANS {
            super::note(&format!("speed: {input}, mean {mean}"));
            races.push(race(input, data, mean, rounds)?);
        }
    }
    Ok(races)
}

fn race(input: &str, data: &[u8], mean: u32, rounds: usize) -> Result<Race> {
    let parameters = Parameters::for_mean(mean)?;
    let chunker = Chunker::new(parameters, "");
    let sample = spread(data, STRETCHES, STRETCH);
    let tuned = |setting: Setting| Some((setting.name(), tuned(setting, &chunker, data, &sample)?));
    let fasts: Vec<(&str, Fast)> = Setting::ALL.into_iter().filter_map(tuned).collect();
    let runner =
        |name: &str, parameters: String| Runner { name: name.to_owned(), parameters, mean: 0.0, seconds: Vec::new() };
    let thresholds = format!(
        "from {} to {}, 1 in {:.0} or {:.0}",
        parameters.tmin, parameters.tmax, parameters.divisor, parameters.backup
    );
    let mut ours = runner("TTTD", thresholds);
    let mut rivals: Vec<Runner> = fasts.iter().map(|(name, fast)| runner(name, fast.text())).collect();
    for _ in 0..rounds {
        ours.run(data, || tttd(&chunker, data));
        for (rival, (_, fast)) in rivals.iter_mut().zip(&fasts) {
            rival.run(data, || fastcdc(fast, data));
        }
    }
    Ok(Race { input: input.to_owned(), bytes: data.len() as u64, mean, tttd: ours, rivals })
}

/// The parameters with which `FastCDC` has the mean of TTTD on the whole input, tuned on a sample of it.
fn tuned(setting: Setting, chunker: &Chunker, data: &[u8], sample: &[u8]) -> Option<Fast> {
    let mean = |data: &[u8]| data.len() as f64 / tttd(chunker, data).1.max(1) as f64;
    let (whole, mut wanted) = (mean(data), mean(sample));
    let mut found: Option<(f64, Fast)> = None;
    for _ in 0..TRIES {
        let fast = setting.tuned(chunker.parameters(), wanted, |fast| fast.mean([sample]))?;
        let got = fast.mean([data]) / whole;
        let off = (got - 1.0).abs();
        if found.is_none_or(|(best, _)| off < best) {
            found = Some((off, fast));
        }
        if off < NEAR / 4.0 {
            break;
        }
        // the sample is not the whole
        wanted /= got;
    }
    found.filter(|(off, _)| *off <= NEAR).map(|(_, fast)| fast)
}

/// Stretches of the data, as far from each other as can be; all of it if it is short.
fn spread(data: &[u8], stretches: usize, bytes: usize) -> Vec<u8> {
    if data.len() <= stretches * bytes {
        return data.to_vec();
    }
    let begin = |at: usize| (data.len() - bytes) / (stretches - 1) * at;
    (0..stretches).flat_map(|at| &data[begin(at)..begin(at) + bytes]).copied().collect()
}

/// What all hashes make together, so that none can be left out, and the number of chunks.
fn tttd(chunker: &Chunker, data: &[u8]) -> (u128, u64) {
    let (mut all, mut chunks) = (0, 0);
    chunker.chunks(data, |chunk| {
        all ^= chunk.hash;
        chunks += 1;
    });
    (all, chunks)
}

fn fastcdc(fast: &Fast, data: &[u8]) -> (u128, u64) {
    let (mut all, mut chunks) = (0, 0);
    fast.chunks(data, |_, hash| {
        all ^= hash;
        chunks += 1;
    });
    (all, chunks)
}

impl Runner {
    fn run(&mut self, data: &[u8], chunks: impl FnOnce() -> (u128, u64)) {
        let begin = ThreadTime::now();
        let (all, chunks) = chunks();
        self.seconds.push(begin.elapsed().as_secs_f64());
        black_box(all);
        self.mean = data.len() as f64 / chunks.max(1) as f64;
    }
}

impl Race {
    /// How many times faster TTTD is than a rival: within each round.
    fn ratio(&self, rival: &Runner) -> Option<Spread> {
        Spread::of(rival.seconds.iter().zip(&self.tttd.seconds).map(|(theirs, ours)| theirs / ours))
    }

    pub(super) fn bars(&self) -> Vec<Bar> {
        let rival = self.rivals.iter().find(|rival| rival.name == Setting::Usual.name());
        let ratio = rival.filter(|_| self.mean == BAR).and_then(|rival| self.ratio(rival));
        let what = format!("speed of chunking and hashing {} at mean {}, of FastCDC's", self.input, self.mean);
        ratio.map(|ratio| Bar::at_least(1.0, Unit::Times, what, ratio.median)).into_iter().collect()
    }

    fn rows(&self) -> Vec<Vec<String>> {
        let row = |runner: &Runner| {
            let speed = Spread::of(runner.seconds.iter().map(|seconds| self.bytes as f64 / seconds / 1e9));
            let ratio = if runner.name == self.tttd.name { None } else { self.ratio(runner) };
            vec![
                self.input.clone(),
                runner.name.clone(),
                runner.parameters.clone(),
                number(runner.mean),
                speed.map_or_else(String::new, Spread::text),
                ratio.map_or_else(|| "–".to_owned(), Spread::text),
            ]
        };
        std::iter::once(&self.tttd).chain(&self.rivals).map(row).collect()
    }
}

pub(super) fn section(races: &[Race]) -> Vec<String> {
    let Some(first) = races.first() else { return Vec::new() };
    let about = format!(
        "## Speed of chunking\n\nFrom memory ({} MB of each input), on one core, with xxh3-128 of every chunk; CPU time. Rounds, all in turn: {}. FastCDC is the crate `fastcdc` (v2020), tuned on the same \
         bytes to the mean that TTTD delivers. Parameters: least and greatest length, and the two divisors of TTTD or the mask bits of FastCDC. The last column is how many times faster TTTD is.",
        thousands(first.bytes / 1_000_000),
        first.tttd.seconds.len(),
    );
    let rows: Vec<Vec<String>> = races.iter().flat_map(Race::rows).collect();
    vec![about, table(&["input", "chunker", "parameters", "mean", "GB/s", "TTTD is faster"], &rows)]
}

/// The files one after the other, until there are so many bytes.
fn concatenated(trees: &[PathBuf], bytes: usize) -> Result<Vec<u8>> {
    let mut data = Vec::with_capacity(bytes);
    for file in tree::files(trees)? {
        if data.len() >= bytes {
            break;
        }
        data.extend(fs::read(&file).with_context(|| format!("cannot read {}", file.display()))?);
    }
    data.truncate(bytes);
    Ok(data)
}

fn random(bytes: usize) -> Vec<u8> {
    let mut random = Random::at(1, 0, 0);
    std::iter::repeat_with(|| random.next().to_le_bytes()).take(bytes.div_ceil(8)).flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_race_has_equal_means_and_all_rounds() {
        let race = race("random bytes", &random(1 << 20), 1000, 2).unwrap();
        assert_eq!(race.rivals.len(), 3);
        for rival in &race.rivals {
            assert!((rival.mean / race.tttd.mean - 1.0).abs() <= NEAR, "{}", rival.mean);
            assert_eq!(rival.seconds.len(), 2);
        }
        assert_eq!(race.bars().len(), 1);
        assert_eq!(race.rows().len(), 4);
    }

    #[test]
    fn a_sample_is_spread_over_all() {
        let data: Vec<u8> = (0..100).collect();
        assert_eq!(spread(&data, 3, 4), [0, 1, 2, 3, 48, 49, 50, 51, 96, 97, 98, 99]);
        assert_eq!(spread(&data, 30, 4), data);
    }

    #[test]
    fn ratios_are_made_within_a_round() {
        let runner = |name: &str, seconds: &[f64]| Runner {
            name: name.to_owned(),
            parameters: String::new(),
            mean: 1000.0,
            seconds: seconds.to_vec(),
        };
        let race = Race {
            input: "HTML".to_owned(),
            bytes: 1,
            mean: BAR,
            tttd: runner("TTTD", &[1.0, 2.0, 4.0]),
            rivals: vec![runner("FastCDC", &[2.0, 3.0, 5.0])],
        };
        assert_eq!(race.ratio(&race.rivals[0]), Some(Spread { median: 1.5, min: 1.25, max: 2.0 }));
        assert!(race.bars()[0].is_met());
    }
}
