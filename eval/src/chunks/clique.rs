//! Files with the same template: thousands of them, each with a little text of its own, alone and beside files that have nothing to do with them.

use super::Scale;
use crate::bars::{Bar, Unit};
use crate::cache::Cache;
use crate::command::Lookalike;
use crate::generate::Corpus;
use crate::measure::Usage;
use crate::numbers::{number, thousands};
use crate::table::table;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

/// Bytes of the template and of the text between its two halves.
const TEMPLATE: usize = 8_000;
const OWN: usize = 2_000;
const SEED: u64 = 6;
/// Files in a folder.
const FOLDER: u64 = 1_000;
/// Seconds in which the report has to be there.
const SECONDS: f64 = 10.0;

/// What was measured with so many other files.
#[derive(Serialize)]
pub(super) struct Clique {
    files: u64,
    others: u64,
    usage: Usage,
    clusters: usize,
    /// Documents of the largest.
    largest: usize,
    suggestions: usize,
    /// Runs of chunks that are in more than half of all files.
    common: usize,
}

/// What is looked at of a report.
#[derive(Deserialize)]
struct Report {
    clusters: Vec<Cluster>,
    chunks: Section,
}

#[derive(Deserialize)]
struct Cluster {
    members: Vec<serde::de::IgnoredAny>,
}

#[derive(Deserialize)]
struct Section {
    suggestions: Vec<serde::de::IgnoredAny>,
    common: Vec<serde::de::IgnoredAny>,
}

/// The clique alone, then with the others beside it.
pub(super) fn measure(cache: &Cache, scale: Scale, lookalike: &mut Lookalike) -> Result<Vec<Clique>> {
    let folder = made(cache, scale)?;
    let report = cache.path("clique.json");
    let mut found = Vec::new();
    for (others, inputs) in [(0, vec!["clique"]), (scale.others, vec!["clique", "others"])] {
        super::note(&format!("clique: {} files beside {}", thousands(scale.clique), thousands(others)));
        let inputs: Vec<String> = inputs.iter().map(|name| folder.join(name).to_string_lossy().into_owned()).collect();
        let file = report.to_string_lossy().into_owned();
        let mut arguments = vec!["scan", "--lens", "chunks", "--json", "-q", "-o", &file];
        arguments.extend(inputs.iter().map(String::as_str));
        // once for the system's cache
        lookalike.measured(&arguments)?;
        let usage = lookalike.measured(&arguments)?;
        found.push(Clique::of(scale.clique, others, usage, &read(&report)?));
    }
    fs::remove_file(report)?;
    Ok(found)
}

fn read(report: &Path) -> Result<Report> {
    let file = File::open(report).with_context(|| format!("cannot read {}", report.display()))?;
    serde_json::from_reader(BufReader::new(file))
        .with_context(|| format!("{} is no report of chunks", report.display()))
}

impl Clique {
    fn of(files: u64, others: u64, usage: Usage, report: &Report) -> Self {
        Self {
            files,
            others,
            usage,
            clusters: report.clusters.len(),
            largest: report.clusters.iter().map(|cluster| cluster.members.len() + 1).max().unwrap_or(0),
            suggestions: report.chunks.suggestions.len(),
            common: report.chunks.common.len(),
        }
    }

    pub(super) fn bars(&self) -> Vec<Bar> {
        let what = |what: &str| match self.others {
            0 => format!("clique of {}: {what}", thousands(self.files)),
            others => format!("clique of {} beside {} files: {what}", thousands(self.files), thousands(others)),
        };
        let off = |found: usize, expected: u64| (found as u64).abs_diff(expected) as f64;
        vec![
            Bar::at_most(SECONDS, Unit::Seconds, what("wall time of the report"), self.usage.wall),
            Bar::at_most(0.0, Unit::Count, what("clusters more or less than one"), off(self.clusters, 1)),
            Bar::at_most(0.0, Unit::Count, what("files that are not in the cluster"), off(self.largest, self.files)),
            Bar::at_most(0.0, Unit::Count, what("suggestions more or less than one"), off(self.suggestions, 1)),
        ]
    }
}

pub(super) fn section(cliques: &[Clique]) -> Vec<String> {
    if cliques.is_empty() {
        return Vec::new();
    }
    let about = format!(
        "## A clique\n\nFiles of {TEMPLATE} bytes of the same template around about {OWN} bytes of their own, alone and beside files that share nothing. *Suggestions* are clusters of which the report says that a template \
         may have made them, *common* are runs of chunks in more than half of all files."
    );
    let row = |clique: &Clique| {
        vec![
            thousands(clique.files),
            thousands(clique.others),
            number(clique.usage.wall),
            number(clique.usage.cpu),
            (clique.usage.peak >> 20).to_string(),
            clique.clusters.to_string(),
            clique.largest.to_string(),
            clique.suggestions.to_string(),
            clique.common.to_string(),
        ]
    };
    let head = ["files", "others", "wall s", "CPU s", "peak MiB", "clusters", "largest", "suggestions", "common"];
    vec![about, table(&head, &cliques.iter().map(row).collect::<Vec<_>>())]
}

/// Folders `clique` and `others`, made once.
fn made(cache: &Cache, scale: Scale) -> Result<PathBuf> {
    let folder = cache.path(&format!("clique-{}-{}-{SEED}", scale.clique, scale.others));
    if folder.exists() {
        return Ok(folder);
    }
    super::note("clique: making files");
    let beside = tempfile::tempdir_in(cache.path(""))?;
    let corpus = Corpus::new(SEED, 400, 0.0);
    let template = template(&corpus);
    let write = |kind: &str, number: u64, text: &[u8]| {
        let folder = beside.path().join(kind).join((number / FOLDER).to_string());
        if number.is_multiple_of(FOLDER) {
            fs::create_dir_all(&folder)?;
        }
        fs::write(folder.join(format!("{number}.html")), text)
    };
    (0..scale.clique).try_for_each(|number| write("clique", number, &page(&corpus, &template, number)))?;
    (0..scale.others).try_for_each(|number| write("others", number, corpus.text(1_000_000 + number).as_bytes()))?;
    fs::rename(beside.keep(), &folder)?;
    Ok(folder)
}

fn template(corpus: &Corpus) -> Vec<u8> {
    let mut text: Vec<u8> = (2_000_000..).flat_map(|index| corpus.text(index).into_bytes()).take(TEMPLATE).collect();
    text[TEMPLATE / 2 - 1] = b'\n';
    text
}

/// One half of the template, a text of its own, the other half. The texts differ in length by up to a quarter.
fn page(corpus: &Corpus, template: &[u8], number: u64) -> Vec<u8> {
    let length = OWN * 7 / 8 + (number as usize * 37) % (OWN / 4);
    let own = (0..).flat_map(|part| corpus.text(number + part * 10_000_000).into_bytes()).take(length);
    let (head, tail) = template.split_at(TEMPLATE / 2);
    head.iter().copied().chain(own).chain(tail.iter().copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_share_the_template_and_nothing_else() {
        let corpus = Corpus::new(SEED, 400, 0.0);
        let template = template(&corpus);
        let [a, b] = [7, 8].map(|number| page(&corpus, &template, number));
        for page in [&a, &b] {
            let own = page.len() - TEMPLATE;
            assert!((OWN * 7 / 8..=OWN * 9 / 8).contains(&own), "{own}");
            assert!(page.starts_with(&template[..TEMPLATE / 2]) && page.ends_with(&template[TEMPLATE / 2..]));
        }
        let own = |page: &[u8]| page[TEMPLATE / 2..page.len() - TEMPLATE / 2].to_vec();
        let (a, b) = (own(&a), own(&b));
        assert!(!a.windows(48).any(|window| b.windows(48).any(|other| window == other)));
    }

    #[test]
    fn a_report_is_counted() {
        let report = r#"{"documents": 5, "clusters": [{"id": 1, "members": [{}, {}]}, {"id": 2, "members": [{}]}], "chunks": {"suggestions": [{}], "common": [], "mean": 3.5}}"#;
        let report: Report = serde_json::from_str(report).unwrap();
        let clique = Clique::of(3, 0, Usage { cpu: 1.0, wall: 2.0, peak: 3 }, &report);
        assert_eq!((clique.clusters, clique.largest, clique.suggestions, clique.common), (2, 3, 1, 0));
        let met: Vec<bool> = clique.bars().iter().map(Bar::is_met).collect();
        assert_eq!(met, [true, false, true, true]);
    }
}
