//! Documents with noise, hidden among many others: whether a scan by all lenses finds them, and what else it calls copies.

use super::pairs::misread;
use super::{NO_COPY, WORDS};
use crate::bars::{Bar, Unit};
use crate::command::Lookalike;
use crate::generate::{Random, Vocabulary, compose, render};
use crate::numbers::share;
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufWriter, Write};

/// Characters in a million that are read wrongly.
const NOISE: u32 = 50_000;
/// A quarter of the words of other documents here: so many are read quickly.
const SHORTER: u32 = 4;

/// What a scan found.
#[derive(Serialize)]
pub(super) struct Hidden {
    documents: u64,
    pairs: u64,
    /// Hidden pairs that are reported as copies.
    found: u64,
    /// Pairs that are reported as copies, and are.
    right: u64,
    /// All that are.
    reported: u64,
    /// What the hidden pairs are called.
    called: BTreeMap<String, u64>,
    cpu: f64,
}

/// Hides so many documents with noise among so many others, of which as many are what they were made of.
pub(super) fn measure(hidden: u64, among: u64, lookalike: &mut Lookalike) -> Result<Hidden> {
    #[derive(Deserialize)]
    struct Report {
        relations: Relations,
    }
    #[derive(Deserialize)]
    struct Relations {
        links: Vec<Link>,
    }
    #[derive(Deserialize)]
    struct Link {
        a: String,
        b: String,
        relation: String,
    }
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("hidden.jsonl");
    write(&path, hidden, among)?;
    let name = path.to_string_lossy().into_owned();
    let (told, used) = lookalike.told_and_measured(&["scan", "--lens", "all", "--quiet", "--json", &name])?;
    let report: Report = serde_json::from_slice(&told).context("scan does not say relations")?;
    let mut result = Hidden {
        documents: among + hidden,
        pairs: hidden,
        found: 0,
        right: 0,
        reported: 0,
        called: BTreeMap::new(),
        cpu: used.cpu,
    };
    for Link { a, b, relation } in report.relations.links {
        let is_hidden = a == format!("{b}-misread") || b == format!("{a}-misread");
        if is_hidden {
            *result.called.entry(relation.clone()).or_default() += 1;
        }
        if !NO_COPY.contains(&relation.as_str()) {
            result.reported += 1;
            result.right += u64::from(is_hidden);
            result.found += u64::from(is_hidden);
        }
    }
    Ok(result)
}

fn write(path: &std::path::Path, hidden: u64, among: u64) -> Result<()> {
    let vocabulary = Vocabulary::new(27);
    let mut out = BufWriter::new(File::create(path)?);
    let mut line = |id: String, text: &str| writeln!(out, "{}", json!({ "id": id, "text": text }));
    for number in 0..among {
        let mut random = Random::at(27, 4, number);
        let (mut tokens, mut bytes) = (Vec::new(), Vec::new());
        let words = (WORDS.start as u32 + random.below((WORDS.end - WORDS.start) as u32)) / SHORTER;
        compose(&vocabulary, &mut random, words, &mut tokens);
        render(&vocabulary, &tokens, "\n\n", &mut bytes);
        let text = String::from_utf8_lossy(&bytes);
        line(format!("d{number}"), &text)?;
        if number < hidden {
            line(format!("d{number}-misread"), &misread(&text, NOISE, &mut random))?;
        }
    }
    Ok(out.flush()?)
}

impl Hidden {
    pub(super) fn bars(&self) -> Vec<Bar> {
        let part = |part: u64, all: u64| share(part as usize, all as usize);
        vec![
            Bar::at_least(
                0.99,
                Unit::Share,
                format!("{} hidden pairs: found", self.pairs),
                part(self.found, self.pairs),
            ),
            Bar::at_least(0.99, Unit::Share, "hidden pairs: precision".to_owned(), part(self.right, self.reported)),
        ]
    }

    pub(super) fn section(&self) -> String {
        let Self { documents, pairs, found, right, reported, called, cpu } = self;
        let called = called.iter().map(|(name, many)| format!("{many} {name}")).collect::<Vec<_>>().join(", ");
        format!(
            "## Hidden pairs\n\n{pairs} documents with 5 % of their characters read wrongly, among {documents} generated documents of 100 to \
             375 words. `scan --lens all` reports {found} of the pairs as copies ({called}); of {reported} pairs that it reports as copies \
             {right} are. It took {cpu:.0} s of CPU time."
        )
    }
}
