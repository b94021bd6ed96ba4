//! Compares the tokens that are known from the words alone with those of the tree, for every file of some folders: `cargo run --release -p
//! lookalike-parser --example leaves -- FOLDER…`. By language: files that are not parsed, those of them with the same tokens, and the time
//! that both readings take.

use lookalike_languages::{CodeReader, Degraded, Language, TokenDetail};
use lookalike_parser::TreeReader;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use std::{env, fs, io};

#[derive(Default)]
struct Tally {
    files: usize,
    same: usize,
    by_words: Duration,
    by_tree: Duration,
}

fn main() -> io::Result<()> {
    let mut folders: Vec<PathBuf> = env::args_os().skip(1).map(PathBuf::from).collect();
    let unparsed = |_: &str, language: &'static Language, _| Err(Degraded::TooTangled { language: language.title() });
    let (mut words, mut trees) = (CodeReader::with(unparsed), TreeReader::default());
    let detail = TokenDetail { identifiers: true, literals: true, comments: false };
    let mut out = io::stdout().lock();
    let mut tallies: BTreeMap<&str, Tally> = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let (Some(language), Ok(text)) =
                (Language::by_file_name(&path.to_string_lossy()), fs::read_to_string(&path))
            else {
                continue;
            };
            let begin = Instant::now();
            let by_words = words.read(&text, language, detail);
            let between = Instant::now();
            if by_words.degraded.is_some() || !language.has_grammar() {
                continue;
            }
            let by_tree = trees.read(&text, language, detail);
            let tally = tallies.entry(language.name()).or_default();
            tally.files += 1;
            tally.by_words += between - begin;
            tally.by_tree += between.elapsed();
            if Ok(by_words.tokens) == by_tree {
                tally.same += 1;
            } else {
                writeln!(out, "differs: {}", path.display())?;
            }
        }
    }
    for (language, tally) in tallies {
        let Tally { files, same, by_words, by_tree } = tally;
        writeln!(
            out,
            "{language}: {files} files by words, {same} with the tokens of the tree; {by_words:.2?} by words, {by_tree:.2?} by trees"
        )?;
    }
    Ok(())
}
