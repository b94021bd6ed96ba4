//! A new exchange file, and what it tells those who get it.

use super::show::Show;
use crate::clean::clean;
use crate::style::{BOLD, DIM};
use crate::units::{bytes, commas, count, percent};
use crate::words::kinds;
use lookalike::exchange::{ExchangeSummary, Names};
use lookalike::{Lens, Recipe};
use serde::Serialize;
use std::io::{self, Write};

/// A new exchange file.
#[derive(Serialize)]
pub struct ExchangeFile<'a> {
    /// Its name.
    #[serde(skip)]
    pub file: &'a str,
    /// How it calls documents.
    #[serde(skip)]
    pub names: Names,
    /// What it holds.
    #[serde(flatten)]
    pub sketched: &'a ExchangeSummary,
}

impl Show for ExchangeFile<'_> {
    fn show(&self, out: &mut dyn Write) -> io::Result<()> {
        let Self { file, names, sketched } = self;
        let size = bytes(sketched.written);
        writeln!(out, "{BOLD}{}{BOLD:#}  {size}  {DIM}{}{DIM:#}\n", clean(file), clean(&sketched.recipe))?;
        let mut row =
            |name: &str, n: u64, what: &str| writeln!(out, "  {name:<11} {:>11}  {DIM}{what}{DIM:#}", commas(n));
        let share = match sketched.bytes {
            0 => String::new(),
            all => format!("; the file is {} of that", percent(sketched.written as f64 / all as f64)),
        };
        row("documents", sketched.documents, &format!("{}{share}", bytes(sketched.bytes)))?;
        let mean = sketched.bytes.checked_div(sketched.features).unwrap_or(0);
        let lens = sketched.recipe.parse().ok().map(|recipe: Recipe| recipe.lens());
        let (kept, about) = match lens {
            Some(Lens::Chunks) => ("chunks", format!("{} on average", count(mean, "byte"))),
            Some(Lens::Simhash) => ("features", "a fingerprint for each document".to_owned()),
            _ => ("features", "kept in the sketches".to_owned()),
        };
        row(kept, sketched.features, &about)?;
        if !sketched.skipped.is_empty() {
            row("skipped", sketched.skipped.len() as u64, &kinds(&sketched.skipped))?;
        }
        writeln!(out, "\n  {}", reveals(*names, sketched.recipe.contains("|key="), lens))
    }
}

/// What a stranger learns from the file.
fn reveals(names: Names, keyed: bool, lens: Option<Lens>) -> String {
    let (hashes, equal) = match lens {
        Some(Lens::Simhash) => ("fingerprints", "which fingerprints are near"),
        Some(Lens::Chunks) => ("hashes of chunks", "which chunks are equal"),
        _ => ("hashes of features", "which features are equal"),
    };
    match (names, keyed) {
        (Names::Plain, false) => {
            format!("It tells names, sizes and {hashes}, no content; who guesses a text can test the guess.")
        }
        (Names::Plain, true) => {
            format!("It tells names, sizes and {equal}, no content; to test a guess one needs the key.")
        }
        (Names::Hashed, false) => {
            format!("It tells sizes, hashes of names and {hashes}; who guesses a name or a text can test the guess.")
        }
        (Names::Hashed, true) => {
            format!("It tells sizes, which names are equal and {equal}; to test a guess one needs the key.")
        }
    }
}
