//! What texts are read as when their names say nothing: of each JSONL file (fields `id` and `text`) the texts of each language.
//!
//! `cargo run --release -p lookalike-languages --example by_content -- docs.jsonl…`, and with `--list python` the ids of those that are not Python.

use lookalike_languages::{Language, looks_like_code};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut expected = None;
    let mut out = std::io::stdout().lock();
    while let Some(argument) = arguments.next() {
        if argument == "--list" {
            expected = arguments.next();
            continue;
        }
        let mut counts: BTreeMap<(String, &str), usize> = BTreeMap::new();
        for line in BufReader::new(std::fs::File::open(&argument)?).lines() {
            let document: serde_json::Value = serde_json::from_str(&line?)?;
            let (id, text) = (&document["id"], document["text"].as_str().unwrap_or_default());
            let found = match Language::by_content(text) {
                Some(language) => language.name(),
                None if looks_like_code(text) => Language::other().name(),
                None => "none",
            };
            let named = Language::by_file_name(id.as_str().unwrap_or_default()).map_or("no name", Language::name);
            *counts.entry((named.to_owned(), found)).or_default() += 1;
            if expected.as_ref().is_some_and(|expected| expected != found) {
                writeln!(out, "  {id} {found}")?;
            }
        }
        for ((named, found), count) in counts {
            writeln!(out, "{argument}: {named} by name, {found} by content: {count}")?;
        }
    }
    Ok(())
}
