//! Writes a result into a folder, named by the day: Markdown to read, JSON to compute with, a picture to show.

use super::plot;
use super::result::Outcome;
use super::section::Section;
use crate::cache::Cache;
use anyhow::{Context, Result};
use std::fs;
use std::path::Path;

/// The picture has the sections with scores: those in which contenders did the same task.
pub(super) fn write(outcome: &Outcome, folder: &Path, name: &str) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let write = |form: &str, text: &str| {
        let file = folder.join(format!("{}-{name}.{form}", crate::facts::today()));
        fs::write(&file, text).with_context(|| format!("cannot write {}", file.display()))
    };
    write("md", &outcome.markdown())?;
    write("json", &format!("{:#}\n", outcome.json()))?;
    let scored = |section: &&Section| section.rows.iter().any(|row| row.score.is_some());
    match plot::svg(&outcome.sections.iter().filter(scored).collect::<Vec<_>>()) {
        Some(svg) => write("svg", &svg),
        None => Ok(()),
    }
}

/// What paths of this machine are called in a result. Longer ones first: one may be inside another.
pub(super) fn names(cache: &Cache, lookalike: &str) -> Result<Vec<(String, String)>> {
    let this = std::env::current_exe()?.to_string_lossy().into_owned();
    let mut names = vec![
        (this, "eval".to_owned()),
        (lookalike.to_owned(), "lookalike".to_owned()),
        (cache.root(), "$CACHE".to_owned()),
        (env!("CARGO_MANIFEST_DIR").to_owned(), "eval".to_owned()),
    ];
    names.sort_by_key(|(path, _)| std::cmp::Reverse(path.len()));
    Ok(names)
}
