//! `eval bands`: what the threshold of `scan` means on real documents. Every pair that reaches it, found by an exact join of whole shingle
//! sets, beside those that the command finds: how many of each band of resemblance, and of how many documents.

use crate::bars::{Bar, Unit};
use crate::command::Lookalike;
use crate::facts;
use crate::numbers::share;
use crate::page::{Page, folder};
use crate::speed::join::{Sets, join};
use crate::table::table;
use anyhow::{Context, Result, ensure};
use lookalike_core::feature_hash::FeatureHasher;
use lookalike_core::sets::Overlap;
use lookalike_core::shingle;
use lookalike_extract::{Format, PageRules, visible_text};
use rayon::prelude::*;
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

/// Words in a shingle, and the threshold; as lookalike's defaults.
const W: usize = 10;
const THRESHOLD: f64 = 0.5;
/// Bands of resemblance from the threshold on: a tenth each.
const BANDS: usize = 5;
/// Of the pairs that the command gives, and of the documents that have one.
const BAR: f64 = 0.99;

#[derive(clap::Args)]
pub(crate) struct Bands {
    /// Folders of pages, or JSONL files with `id` and `text`
    #[arg(value_name = "PATH", required = true)]
    corpora: Vec<PathBuf>,
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

/// Documents by their shingle sets: those with the same one are one.
#[derive(Default)]
struct Documents {
    place: FxHashMap<String, u32>,
    sets: Vec<Vec<u64>>,
}

/// What was found on one corpus.
#[derive(Serialize)]
struct Found {
    name: String,
    documents: usize,
    exact: [usize; BANDS],
    /// Of them, those that the command finds: with all text counting, and with menus and frequent text left out as by default.
    all_text: [usize; BANDS],
    default: [usize; BANDS],
    /// Documents that are in such a pair, and of them those for which the command finds one.
    in_pairs: usize,
    in_all_text: usize,
    in_default: usize,
    /// Pairs that the command gives with all text counting, and of them those that do not reach the threshold.
    given: usize,
    wrong: usize,
}

impl Bands {
    pub(crate) fn run(self) -> Result<()> {
        let mut lookalike = Lookalike::find(self.lookalike)?;
        let found = self.corpora.iter().map(|path| measure(path, &mut lookalike)).collect::<Result<Vec<_>>>()?;
        let mut facts = facts::facts();
        facts.extend(lookalike.version().map(|version| ("measured".to_owned(), version)));
        let bars = found.iter().flat_map(Found::bars).collect();
        let (sections, numbers) = (sections(&found), json!(found));
        let page = Page { verb: "bands", name: "", facts, bars, sections, numbers, commands: lookalike.lines };
        page.tell(folder(self.out, false).as_deref(), self.json)
    }
}

impl Found {
    fn bars(&self) -> Vec<Bar> {
        let bar = |what: &str, measured| Bar::at_least(BAR, Unit::Share, format!("{}: {what}", self.name), measured);
        let sum = |of: [usize; BANDS]| of.iter().sum::<usize>();
        vec![
            bar("documents found, all text counting", share(self.in_all_text, self.in_pairs)),
            bar("pairs found, all text counting", share(sum(self.all_text), sum(self.exact))),
            bar("pairs that are right", 1.0 - share(self.wrong, self.given)),
        ]
    }
}

fn measure(path: &Path, lookalike: &mut Lookalike) -> Result<Found> {
    let documents = Documents::read(path)?;
    let mut sets = Sets::default();
    documents.sets.iter().for_each(|set| sets.push(set));
    let resemblance =
        |(a, b): (u32, u32)| Overlap::of(&documents.sets[a as usize], &documents.sets[b as usize]).resemblance();
    let mut exact = Vec::new();
    join(&sets, THRESHOLD, |a, b| exact.push((a, b)));
    let all_text = documents.pairs(path, &["--boilerplate", "keep"], lookalike)?;
    let default = documents.pairs(path, &[], lookalike)?;
    let band = |pair: (u32, u32)| (((resemblance(pair) - THRESHOLD) * 10.0 + 1e-9) as usize).min(BANDS - 1);
    let counted = |of: &dyn Fn(&(u32, u32)) -> bool| {
        let mut counts = [0; BANDS];
        exact.iter().filter(|pair| of(pair)).for_each(|pair| counts[band(*pair)] += 1);
        counts
    };
    let members = |of: &dyn Fn(&(u32, u32)) -> bool| {
        exact.iter().filter(|pair| of(pair)).flat_map(|(a, b)| [*a, *b]).collect::<FxHashSet<u32>>().len()
    };
    let wrong = all_text.iter().filter(|pair| resemblance(**pair) < THRESHOLD - 1e-9).count();
    Ok(Found {
        name: name(path),
        documents: documents.sets.len(),
        exact: counted(&|_| true),
        all_text: counted(&|pair| all_text.contains(pair)),
        default: counted(&|pair| default.contains(pair)),
        in_pairs: members(&|_| true),
        in_all_text: members(&|pair| all_text.contains(pair)),
        in_default: members(&|pair| default.contains(pair)),
        given: all_text.len(),
        wrong,
    })
}

/// The name of a folder, or of the one that a labelled set is in.
fn name(path: &Path) -> String {
    let named = path.parent().filter(|_| path.ends_with("docs.jsonl")).unwrap_or(path);
    named.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

impl Documents {
    fn read(path: &Path) -> Result<Self> {
        let texts = if path.is_dir() { pages(path)? } else { lines(path)? };
        ensure!(!texts.is_empty(), "{}: no documents", path.display());
        let hasher = FeatureHasher::default();
        let sets: Vec<(String, Vec<u64>)> = texts
            .into_par_iter()
            .map(|(id, bytes)| {
                let mut scratch = String::new();
                let text =
                    visible_text(&bytes, Format::from_name(&id), &PageRules::WHOLE, &mut scratch).unwrap_or_default();
                let set = shingle::set_of_text(text, W, &hasher);
                (id, set)
            })
            .collect();
        let (mut documents, mut known) = (Self::default(), FxHashMap::<Vec<u64>, u32>::default());
        for (id, set) in sets.into_iter().filter(|(_, set)| !set.is_empty()) {
            let next = documents.sets.len() as u32;
            let place = *known.entry(set.clone()).or_insert(next);
            if place == next {
                documents.sets.push(set);
            }
            documents.place.insert(id, place);
        }
        Ok(documents)
    }

    /// What the command gives: pairs of different sets, the lesser first.
    fn pairs(&self, path: &Path, options: &[&str], lookalike: &mut Lookalike) -> Result<FxHashSet<(u32, u32)>> {
        #[derive(Deserialize)]
        struct Row {
            a: String,
            b: String,
        }
        let out = tempfile::tempdir()?;
        let file = out.path().join("pairs.tsv").to_string_lossy().into_owned();
        let path = path.canonicalize()?.to_string_lossy().into_owned();
        lookalike.told(&[&["scan", "-q", "--pairs", &file, &path], options].concat())?;
        let mut reader = csv::ReaderBuilder::new().delimiter(b'\t').from_path(&file)?;
        let mut pairs = FxHashSet::default();
        for row in reader.deserialize::<Row>() {
            let row = row.context("the pairs that were written cannot be read")?;
            if let (Some(a), Some(b)) = (self.place.get(&row.a), self.place.get(&row.b))
                && a != b
            {
                pairs.insert((*a.min(b), *a.max(b)));
            }
        }
        Ok(pairs)
    }
}

/// Pages and texts below a folder, by their paths.
fn pages(folder: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path().canonicalize().unwrap_or_default();
        if path.is_dir() {
            found.extend(pages(&path)?);
        } else if path.extension().is_some_and(|kind| ["html", "htm", "txt", "md"].iter().any(|known| kind == *known)) {
            found.push((path.to_string_lossy().into_owned(), fs::read(&path)?));
        }
    }
    Ok(found)
}

fn lines(file: &Path) -> Result<Vec<(String, Vec<u8>)>> {
    #[derive(Deserialize)]
    struct Line {
        id: String,
        text: String,
    }
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let line = |line: &str| serde_json::from_str::<Line>(line).map(|line| (line.id, line.text.into_bytes()));
    text.lines()
        .map(line)
        .collect::<Result<_, _>>()
        .with_context(|| format!("{}: id and text are expected", file.display()))
}

fn sections(found: &[Found]) -> Vec<String> {
    let percent =
        |part: usize, of: usize| if of == 0 { "–".to_owned() } else { format!("{:.2}", 100.0 * share(part, of)) };
    let row = |one: &Found| {
        let bands = (0..BANDS).map(|band| {
            let (exact, all, default) = (one.exact[band], one.all_text[band], one.default[band]);
            format!("{} · {} of {exact}", percent(all, exact), percent(default, exact))
        });
        let documents = format!(
            "{} · {} of {}",
            percent(one.in_all_text, one.in_pairs),
            percent(one.in_default, one.in_pairs),
            one.in_pairs
        );
        [
            vec![one.name.clone(), one.documents.to_string()],
            bands.collect(),
            vec![documents, format!("{} of {}", one.wrong, one.given)],
        ]
        .concat()
    };
    let head = [
        "corpus",
        "documents",
        ".5 to .6",
        ".6 to .7",
        ".7 to .8",
        ".8 to .9",
        ".9 to 1",
        "documents in pairs",
        "wrong",
    ];
    vec![ABOUT.to_owned(), table(&head, &found.iter().map(row).collect::<Vec<_>>())]
}

const ABOUT: &str = "## Pairs by resemblance

All pairs of documents with different shingle sets that resemble each other by one half or more, found by an exact join of whole sets that knows nothing of
sketches; read as the command reads pages, with all their text. Of each band, the percent that `scan` finds: with all text counting
(`--boilerplate keep`), and by default, where menus and text that very many documents share do not count on purpose, so that pages that have little else in
common are no pairs. Then the documents that are in any such pair, and pairs that are given with all text counting though they do not reach one half.";

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    /// A command that finds one of two pairs unless all text counts.
    const SCRIPT: &str = r#"#!/bin/sh
for last; do :; done
while [ "$1" != --pairs ]; do shift; done
printf 'a\tb\nx\ty\n' > "$2"
[ "$last" = keep ] && printf 'z\ty\n' >> "$2"
exit 0
"#;

    #[test]
    fn pairs_are_counted_by_resemblance() {
        let folder = tempfile::tempdir().unwrap();
        let words = |from: u32, to: u32| (from..to).map(|at| format!("w{at}")).collect::<Vec<_>>().join(" ");
        // 90 of 92 shingles in common, then 60 of about 120
        let documents = [("x", words(0, 100)), ("y", words(1, 101)), ("z", words(30, 130)), ("y2", words(1, 101))];
        let lines = documents.map(|(id, text)| json!({ "id": id, "text": text }).to_string());
        let corpus = folder.path().join("docs.jsonl");
        fs::write(&corpus, lines.join("\n")).unwrap();
        let script = folder.path().join("lookalike");
        fs::write(&script, SCRIPT).unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        let found = measure(&corpus, &mut Lookalike::find(Some(script)).unwrap()).unwrap();
        assert_eq!(found.documents, 3, "those with the same words are one");
        assert_eq!(found.exact, [2, 0, 0, 0, 1]);
        assert_eq!((found.all_text, found.default), ([1, 0, 0, 0, 1], [0, 0, 0, 0, 1]));
        assert_eq!((found.in_pairs, found.in_all_text, found.in_default), (3, 3, 2));
        assert_eq!((found.given, found.wrong), (2, 0));
    }
}
