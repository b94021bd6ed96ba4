//! The text corpora: the pages of the HTML tree as JSONL, and the same with many mutated copies.

use super::html;
use super::mutate::{CHANGES, Random, mutate};
use crate::cache::Cache;
use anyhow::{Context, Result};
use lookalike_core::{feature_hash::FeatureHasher, text};
use lookalike_extract::{Format, PageRules, visible_text};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::Path;

/// Pages of fewer words are redirects and frames.
const LEAST_WORDS: usize = 20;
/// Copies are made of pages up to this size, so that a few books do not make most of the bytes.
const LARGEST_ORIGINAL: usize = 20_000;
const COPIES: usize = 200_000;
const SEED: u64 = 42;

/// A line of a corpus.
#[derive(Deserialize, Serialize)]
pub(super) struct Document<'a> {
    #[serde(borrow)]
    pub(super) id: Cow<'a, str>,
    #[serde(borrow)]
    pub(super) text: Cow<'a, str>,
}

/// Builds the corpus of that name if it is not there yet: `text250k`, or `textNk`, the first N thousand pages of at most 50.
pub(super) fn build(cache: &Cache, name: &str, note: &mut dyn FnMut(&str)) -> Result<()> {
    let file = cache.path(&format!("{name}.jsonl"));
    if file.exists() {
        return Ok(());
    }
    if name == "text50k" {
        note("unpacking the HTML tree");
        html::build(cache)?;
        note("extracting the text of its pages");
        return whole(&file, |out| pages(&cache.path("html"), out));
    }
    build(cache, "text50k", note)?;
    let originals = cache.path("text50k.jsonl");
    note(&format!("making {name}"));
    if name == "text250k" {
        return whole(&file, |out| with_copies(&originals, COPIES, out));
    }
    let thousands = name.strip_prefix("text").and_then(|name| name.strip_suffix('k'));
    let lines = 1000 * thousands.and_then(|n| n.parse::<usize>().ok()).with_context(|| format!("no corpus {name}"))?;
    whole(&file, |out| {
        let lines = BufReader::new(File::open(&originals)?).split(b'\n').take(lines);
        lines.into_iter().try_for_each(|line| Ok(out.write_all(&[&line?[..], b"\n"].concat())?))
    })
}

/// Writes a file that has its name only when it is whole, so that a stopped run leaves no half corpus.
pub(super) fn whole(path: &Path, write: impl FnOnce(&mut dyn Write) -> Result<()>) -> Result<()> {
    let partial = path.with_extension("partial");
    let file = File::create(&partial).with_context(|| format!("cannot write {}", partial.display()))?;
    let mut out = BufWriter::with_capacity(1 << 20, file);
    write(&mut out)?;
    out.flush()?;
    fs::rename(&partial, path)?;
    Ok(())
}

fn pages(tree: &Path, out: &mut dyn Write) -> Result<()> {
    let fp = FeatureHasher::default();
    let mut scratch = String::new();
    for path in html::files(tree)? {
        let bytes = fs::read(tree.join(&path))?;
        let Ok(text) = visible_text(&bytes, Some(Format::Html), &PageRules::WHOLE, &mut scratch) else { continue };
        if text::words(text, &fp).len() >= LEAST_WORDS {
            line(out, &path, &settled(text))?;
        }
    }
    Ok(())
}

/// One empty line where there were many, none at the ends: what text extractors leave, and no advantage for those who skip white space.
fn settled(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut empty = false;
    for line in text.trim().lines().map(str::trim_end) {
        if line.is_empty() {
            empty = true;
            continue;
        }
        if !out.is_empty() {
            out.push_str(if empty { "\n\n" } else { "\n" });
        }
        empty = false;
        out.push_str(line);
    }
    out
}

fn line(out: &mut dyn Write, id: &str, text: &str) -> Result<()> {
    serde_json::to_writer(&mut *out, &Document { id: id.into(), text: text.into() })?;
    Ok(out.write_all(b"\n")?)
}

/// The originals first, then the copies, each of a page drawn at random, the changes in turn.
fn with_copies(originals: &Path, copies: usize, out: &mut dyn Write) -> Result<()> {
    let mut pages: Vec<(String, String)> = Vec::new();
    for_each_document(originals, |id, text| {
        line(out, id, text)?;
        if text.len() <= LARGEST_ORIGINAL {
            pages.push((id.to_owned(), text.to_owned()));
        }
        Ok(())
    })?;
    let vocabulary = vocabulary(&pages);
    let mut random = Random(SEED);
    for copy in 0..copies {
        let (id, text) = &pages[random.below(pages.len())];
        let change = CHANGES[copy % CHANGES.len()];
        line(out, &format!("{id}#copy{copy}"), &mutate(text, change, &vocabulary, &mut random))?;
    }
    Ok(())
}

/// New words are words of the corpus, as common as they are there: every thousandth word.
fn vocabulary(pages: &[(String, String)]) -> Vec<String> {
    pages.iter().flat_map(|(_, text)| text.split_whitespace()).step_by(1000).map(str::to_owned).collect()
}

/// Calls `each` with id and text of every line.
pub(crate) fn for_each_document(path: &Path, mut each: impl FnMut(&str, &str) -> Result<()>) -> Result<()> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut reader = BufReader::with_capacity(1 << 20, file);
    let mut buffer = Vec::new();
    while reader.read_until(b'\n', &mut buffer)? > 0 {
        let document: Document = serde_json::from_slice(&buffer)?;
        each(&document.id, &document.text)?;
        buffer.clear();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_empty_lines_become_one() {
        assert_eq!(settled("\n\n a\n  b  \n \n\n\nc\n"), "a\n  b\n\nc");
    }
}
