//! The documents of an index: generated ones under URLs of a common length, whole or in slices.
//!
//! They are written by a child (this program called again): the system counts the memory of this process as that of the commands that it
//! measures, so it must stay small.

use crate::cache::Cache;
use crate::generate::Corpus;
use anyhow::{Context, Result, bail, ensure};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Which documents there are.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Asked {
    pub(super) documents: u64,
    /// Mean number of words of a document that is no copy.
    pub(super) words: u32,
    /// Share of the documents that are made of earlier ones.
    pub(super) copies: f64,
    pub(super) seed: u64,
}

/// Documents that a thread makes at once.
const BLOCK: u64 = 256;
/// Blocks that are made before they are written.
const AHEAD: u64 = 16;

const SITE: &str = "https://example.org/";
const SECTIONS: [&str; 8] = ["articles", "archive", "company", "library", "reports", "reviews", "science", "support"];
const SYLLABLES: [&str; 16] = [
    "bran", "cor", "del", "fer", "gost", "har", "kel", "lun", "mor", "nist", "pal", "ras", "sten", "tur", "vel", "wick",
];

impl Asked {
    pub(super) fn corpus(&self) -> Corpus {
        Corpus::new(self.seed, self.words, self.copies)
    }

    /// The file with these documents, made if it is not in the cache.
    pub(super) fn file(&self, cache: &Cache) -> Result<PathBuf> {
        let Self { documents, words, copies, seed } = self;
        let file = cache.path(&format!("index-{documents}-{words}-{copies}-{seed}.jsonl"));
        if !file.exists() {
            self.slice(&file, 0..*documents)?;
        }
        Ok(file)
    }

    /// Writes a stretch of the documents in a child.
    pub(super) fn slice(&self, file: &Path, stretch: Range<u64>) -> Result<()> {
        let task = serde_json::to_string(&Task { asked: *self, from: stretch.start, to: stretch.end })?;
        let mut child = Command::new(std::env::current_exe()?);
        let status = child.args(["index", "--task", &task, "--out"]).arg(file).status()?;
        ensure!(status.success(), "cannot write {}", file.display());
        Ok(())
    }
}

/// What the child has to write.
#[derive(Serialize, Deserialize)]
struct Task {
    asked: Asked,
    from: u64,
    to: u64,
}

/// The child's side.
pub(super) fn perform(task: &str, file: Option<&Path>) -> Result<()> {
    let Task { asked, from, to } = serde_json::from_str(task)?;
    let Some(file) = file else { bail!("no file to write to") };
    // beside its place and then renamed, so that it is there whole or not at all
    let beside = file.with_extension("part");
    let mut out = BufWriter::new(File::create(&beside).with_context(|| format!("cannot write {}", beside.display()))?);
    write(&asked.corpus(), from..to, &mut out)?;
    out.into_inner()?.sync_all()?;
    Ok(fs::rename(beside, file)?)
}

/// Writes documents in their order; blocks are made on all threads.
fn write(corpus: &Corpus, stretch: Range<u64>, out: &mut dyn Write) -> Result<()> {
    let blocks: Vec<u64> = stretch.clone().step_by(BLOCK as usize).collect();
    for some in blocks.chunks(AHEAD as usize) {
        let make = |&first: &u64| {
            let mut lines = Vec::new();
            (first..stretch.end.min(first + BLOCK)).for_each(|index| line(corpus, index, &url(index), &mut lines));
            lines
        };
        let made: Vec<Vec<u8>> = some.par_iter().map(make).collect();
        made.iter().try_for_each(|lines| out.write_all(lines))?;
    }
    Ok(out.flush()?)
}

/// Appends a document under another id.
pub(super) fn line(corpus: &Corpus, index: u64, id: &str, out: &mut Vec<u8>) {
    let begin = |id: &str| format!(r#"{{"id":"{id}""#);
    let mut made = Vec::new();
    corpus.line(index, &mut made);
    out.extend_from_slice(begin(id).as_bytes());
    out.extend_from_slice(&made[begin(&Corpus::id(index)).len()..]);
}

/// The URL of a document: about fifty characters, with words and a number in it as URLs have.
pub(super) fn url(index: u64) -> String {
    let mut bits = (index + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32;
    let mut syllable = || {
        bits >>= 4;
        SYLLABLES[(bits % 16) as usize]
    };
    let words = format!("{}{}-{}", syllable(), syllable(), syllable());
    format!("{SITE}{}/{words}-{index}.html", SECTIONS[(index % 8) as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_differ_and_have_a_common_length() {
        let some = [0, 7, 8, 999, 8_007, 123_456_789];
        let urls: std::collections::BTreeSet<String> = some.into_iter().map(url).collect();
        assert_eq!(urls.len(), some.len());
        assert!(urls.iter().all(|url| (42..=57).contains(&url.len())), "{urls:?}");
    }

    #[test]
    fn slices_are_the_whole_in_pieces() {
        let corpus = Corpus::new(5, 30, 0.3);
        let of = |stretch| {
            let mut out = Vec::new();
            write(&corpus, stretch, &mut out).unwrap();
            String::from_utf8(out).unwrap()
        };
        let whole = of(0..700);
        assert_eq!(whole, of(0..100) + &of(100..101) + &of(101..700));
        assert_eq!(whole.lines().count(), 700);
        let document: serde_json::Value = serde_json::from_str(whole.lines().nth(5).unwrap()).unwrap();
        assert_eq!(document["id"], url(5));
        assert_eq!(document["text"], corpus.text(5));
    }
}
