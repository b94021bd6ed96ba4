//! What else one might do with the same bytes: count words, hash, sort.

use super::section::{Row, Section};
use super::tools;
use crate::cache::Cache;
use crate::measure::Job;
use crate::numbers::thousands;
use anyhow::Result;

/// Counting words with the rules of UTF-8: the least that a program must do that looks at every word.
pub(super) fn wc(corpus: &str) -> Row {
    Row::new("wc -w", Job::new("wc", &["-w", corpus]).with_env("LC_ALL", "C.UTF-8"))
}

/// A contender that may not be there.
pub(super) fn row(name: &str, program: Result<String>, arguments: &[&str]) -> Row {
    match program {
        Ok(program) => Row::new(name, Job::new(program, arguments)),
        Err(error) => Row::missing(name, &format!("{error:#}")),
    }
}

/// lookalike with its defaults beside the yardsticks, on one corpus.
pub(super) fn section(cache: &Cache, name: &str, lookalike: &str) -> Result<Section> {
    let corpus = cache.text(&format!("{name}.jsonl"));
    let (documents, bytes) = tools::warm(corpus.as_ref())?;
    let rows = vec![
        wc(&corpus),
        Row::new("lookalike scan", Job::new(lookalike, &["scan", "-q", &corpus])),
        Row::new("lookalike scan -j 1", Job::new(lookalike, &["scan", "-q", "-j", "1", &corpus])),
        Row::new("lookalike scan --estimate", Job::new(lookalike, &["scan", "-q", "--estimate", &corpus])),
        Row::new(
            "lookalike scan --estimate -j 1",
            Job::new(lookalike, &["scan", "-q", "--estimate", "-j", "1", &corpus]),
        ),
        row("b3sum, one thread", tools::b3sum(cache), &["--num-threads", "1", &corpus]),
        row("xxhsum -H3", tools::xxhsum(cache), &["-H3", &corpus]),
        Row::new("sort", Job::new("sort", &[&corpus]).with_env("LC_ALL", "C")),
    ];
    Ok(Section {
        title: format!("Yardsticks on {name}"),
        note: "Default recipe (shingles of 10 words, resemblance from 0.5). The ratio is CPU time in units of `wc -w`."
            .to_owned(),
        documents: Some(documents),
        bytes: Some(bytes),
        base: "wc -w".to_owned(),
        rows,
    })
}

/// lookalike on a folder of HTML pages beside hashing the same files.
pub(super) fn html(cache: &Cache, count: usize, lookalike: &str) -> Section {
    let pages = cache.text(&format!("pages{count}"));
    let list = cache.text(&format!("pages{count}.list"));
    let mut hash = match tools::b3sum(cache) {
        Ok(b3sum) => {
            Row::new("b3sum, one thread", Job::new("xargs", &["-0", "-a", &list, &b3sum, "--num-threads", "1"]))
        }
        Err(error) => Row::missing("b3sum, one thread", &format!("{error:#}")),
    };
    hash.job.folder = Some(cache.path(&format!("pages{count}")));
    let base = if hash.failed.is_none() { &hash.name } else { "lookalike scan" }.to_owned();
    let rows = vec![
        hash,
        Row::new("lookalike scan", Job::new(lookalike, &["scan", "-q", &pages])),
        Row::new("lookalike scan -j 1", Job::new(lookalike, &["scan", "-q", "-j", "1", &pages])),
        Row::new("lookalike scan --estimate", Job::new(lookalike, &["scan", "-q", "--estimate", &pages])),
        Row::new(
            "lookalike scan --estimate -j 1",
            Job::new(lookalike, &["scan", "-q", "--estimate", "-j", "1", &pages]),
        ),
    ];
    Section {
        title: format!("A folder of {} HTML pages", thousands(count as u64)),
        note: "The first pages of the tree in the order of their paths, read from the system's cache. Default recipe. \
               The ratio is CPU time in units of the first row."
            .to_owned(),
        documents: Some(count as u64),
        bytes: None,
        base,
        rows,
    }
}
